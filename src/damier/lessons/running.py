"""The list of algorithms, and how to run one."""

import difflib
import math

from damier.core.errors import SpecError
from damier.core.messages import say
from damier.lessons.beliefs import Belief
from damier.lessons.classical import Expectimax, Expectiminimax, Lesson, MaxN, Minimax
from damier.lessons.deals import Pimc
from damier.lessons.hidden import has_hidden, plant_whole
from damier.lessons.montecarlo import SIMS, UCT, Rave
from damier.lessons.paths import AStar
from damier.lessons.pruning import AlphaBeta, Negamax
from damier.lessons.record import Trace
from damier.lessons.regrets import Cfr
from damier.lessons.simulations import Ismcts
from damier.lessons.sources import Played
from damier.lessons.trees import DEPTH, MAX_NODES, ROOT, lesson_tree

CLASSICAL: dict[str, type[Lesson]] = {
    lesson.name: lesson for lesson in (Minimax, AlphaBeta, Negamax, Expectimax, Expectiminimax, MaxN)
}
MONTE_CARLO: dict[str, type[UCT]] = {lesson.name: lesson for lesson in (UCT, Rave)}
HIDDEN = (Pimc.name, Ismcts.name, Cfr.name, Belief.name)
"""The algorithms for games of hidden information."""
ALGORITHMS = [*CLASSICAL, *MONTE_CARLO, AStar.name, *HIDDEN]


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
    for UCT, RAVE and ISMCTS; `sims` is also the number of iterations of CFR. A tree of more than `most_nodes` is
    refused.
    """
    if algorithm not in ALGORITHMS:
        near = difflib.get_close_matches(algorithm, ALGORITHMS, 1)
        hint = say("spec.did-you-mean", near=near[0]) if near else ""
        raise SpecError("lesson.unknown-algorithm", algorithm=algorithm, hint=hint, known=ALGORITHMS)
    if depth is not None and depth < 0:
        raise SpecError("number.at-least", what="depth", least=0, got=depth)
    if c is not None and not 0 <= c < math.inf:
        raise SpecError("number.at-least", what="c", least=0, got=c)
    if algorithm in HIDDEN:
        return _trace_hidden(algorithm, where, moves, sims, seed, c, most_nodes)
    tree = lesson_tree(where, moves)
    tree.most_nodes = most_nodes
    if has_hidden(tree):
        raise SpecError("lesson.hidden", algorithm=algorithm, tree=tree.name, known=HIDDEN)
    if algorithm in MONTE_CARLO:
        return MONTE_CARLO[algorithm](tree, sims, seed, c).run()
    if algorithm == AStar.name:
        return AStar(tree).run()
    if depth is None and isinstance(tree.sources[ROOT], Played):
        depth = DEPTH
    return CLASSICAL[algorithm](tree, depth).run()


def _trace_hidden(
    algorithm: str, where: object, moves: str, sims: int, seed: int, c: float | None, most_nodes: int
) -> Trace:
    tree, first = plant_whole(where, moves, algorithm, most_nodes)
    if algorithm == Ismcts.name:
        return Ismcts(tree, first, sims, seed, c).run()
    if algorithm == Cfr.name:
        if first is not None:
            raise SpecError("lesson.whole-game", algorithm=algorithm)
        return Cfr(tree, sims).run()
    return (Pimc if algorithm == Pimc.name else Belief)(tree, first).run()
