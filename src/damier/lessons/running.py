"""The list of algorithms, and how to run one."""

import difflib
import math

from damier.core.errors import SpecError
from damier.core.messages import say
from damier.lessons.classical import Expectimax, Expectiminimax, Lesson, MaxN, Minimax
from damier.lessons.montecarlo import SIMS, UCT, Rave
from damier.lessons.paths import AStar
from damier.lessons.pruning import AlphaBeta, Negamax
from damier.lessons.record import Trace
from damier.lessons.trees import DEPTH, MAX_NODES, ROOT, Played, plant

CLASSICAL: dict[str, type[Lesson]] = {
    lesson.name: lesson for lesson in (Minimax, AlphaBeta, Negamax, Expectimax, Expectiminimax, MaxN)
}
MONTE_CARLO: dict[str, type[UCT]] = {lesson.name: lesson for lesson in (UCT, Rave)}
ALGORITHMS = [*CLASSICAL, *MONTE_CARLO, AStar.name]


def trace(
    algorithm: str,
    where: object,
    moves: str = "",
    depth: int | None = None,
    sims: int = SIMS,
    seed: int = 0,
    c: float | None = None,
    most_nodes: int = MAX_NODES,
) -> Trace:
    """Run an algorithm and record every step.

    `where` is a tree (as text, the name of a file or of a tree that comes with damier), a game or a position. `depth`
    is for the classical searches: all of a tree, and two plies of a game, if none is given. `sims`, `seed` and `c` are
    for UCT and RAVE. A tree of more than `most_nodes` is refused.
    """
    if algorithm not in ALGORITHMS:
        near = difflib.get_close_matches(algorithm, ALGORITHMS, 1)
        hint = say("spec.did-you-mean", near=near[0]) if near else ""
        raise SpecError("lesson.unknown-algorithm", algorithm=algorithm, hint=hint, known=ALGORITHMS)
    if depth is not None and depth < 0:
        raise SpecError("number.at-least", what="depth", least=0, got=depth)
    if c is not None and not 0 <= c < math.inf:
        raise SpecError("number.at-least", what="c", least=0, got=c)
    tree = plant(where, moves)
    tree.most_nodes = most_nodes
    if algorithm in MONTE_CARLO:
        return MONTE_CARLO[algorithm](tree, sims, seed, c).run()
    if algorithm == AStar.name:
        return AStar(tree).run()
    if depth is None and isinstance(tree.sources[ROOT], Played):
        depth = DEPTH
    return CLASSICAL[algorithm](tree, depth).run()
