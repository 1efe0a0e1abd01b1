"""PUCT, AlphaZero's selection rule; Silver et al., Mastering the game of Go without human knowledge, 2017.

Let R be the sum of a child's values for the player who chooses, N its visits and P the network's probability. The child
with the highest

    R / N + c_puct P sqrt(sum of N) / (1 + N)

is visited. A child without visits counts as the node's own mean less `fpu`. While none has been visited, the sum counts
as 1, so the most probable child is first. At the root, noise is mixed into P: (1 - noise) P + noise Dirichlet(alpha).

Forced playouts (Wu, Accelerating self-play learning in Go, 2019): a child of the root that was visited once is visited
at least sqrt(forced P sum of N) times. `policy` takes such visits out again.

The two ways to select, PUCT and Gumbel, are constants here and not classes that you can bring: they work on whole
forests in lock-step (ADR 26).
"""

import math
from typing import Any

from damier.core.compile import Struct, kernel
from damier.search.guided.forest import mean_value
from damier.search.guided.mass import num_considered

PUCT, GUMBEL = range(2)

FPU = 0.2


class Guide(Struct):
    """The settings of a simulation's selection. The defaults are those of the papers; see also `gumbel`."""

    def __init__(
        self,
        root: int = PUCT,
        c_puct: float = 2.0,
        fpu: float = FPU,
        considered: int = 16,
        c_visit: float = 50.0,
        c_scale: float = 1.0,
        noise: float = 0.0,
        noise_alpha: float = 0.0,
        forced: float = 0.0,
        max_depth: int = 2**31 - 1,
        solver: bool = False,
        margin: float = 0.0,
        reach: float = 1.0,
        mass: float = 1.0,
    ) -> None:
        self.root = root  # PUCT or GUMBEL
        self.c_puct = float(c_puct)
        self.fpu = float(fpu)
        self.considered = considered  # moves that Gumbel's sequential halving starts with
        self.c_visit = float(c_visit)
        self.c_scale = float(c_scale)
        self.noise = float(noise)  # share of Dirichlet noise
        self.noise_alpha = float(noise_alpha)  # 0: 10 / the number of moves
        self.forced = float(forced)  # 0 is off
        self.max_depth = max_depth  # nodes at this depth are evaluated and not expanded
        self.solver = solver  # whether results proven from the ends of games are used, see `proof`
        self.margin, self.reach = float(margin), float(reach)  # whether the winning margin counts, see `margin`
        self.mass = float(mass)  # of the probability: the moves that have it are considered, see `mass`; 1: all


@kernel
def sum_of_visits(forest: Any, number: int) -> int:
    """The total number of visits of a node's children."""
    node, total = forest.nodes[number], 0
    for child in range(node.first_child, node.first_child + node.num_children):
        total += forest.nodes[child].visits
    return total


@kernel
def puct_score(forest: Any, guide: Any, number: int, child: int, root_of_sum: float) -> float:
    node, here = forest.nodes[number], forest.nodes[child]
    mean = mean_value(forest, child if here.visits else number, node.player)
    if here.visits == 0:
        mean -= guide.fpu
    return mean + guide.c_puct * here.prior * root_of_sum / (1 + here.visits)


@kernel
def select_by_puct(forest: Any, guide: Any, number: int, forced: float) -> int:
    node = forest.nodes[number]
    total = sum_of_visits(forest, number)
    root_of_sum = math.sqrt(max(1, total))
    best, best_score = node.first_child, -math.inf
    for child in range(node.first_child, node.first_child + num_considered(forest, guide, number)):
        score = puct_score(forest, guide, number, child, root_of_sum)
        if forced > 0 and is_short(forest, child, forced, total):
            return child
        if score > best_score:
            best, best_score = child, score
    return best


@kernel
def is_short(forest: Any, child: int, forced: float, total: int) -> bool:
    """Whether a visited child is owed a forced visit."""
    here = forest.nodes[child]
    return here.visits > 0 and here.visits < math.sqrt(forced * here.prior * total)
