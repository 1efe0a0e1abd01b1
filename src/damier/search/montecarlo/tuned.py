"""UCT with UCB1-tuned, which looks at the variance of the payoffs.

Auer, Cesa-Bianchi and Fischer, Finite-time analysis of the multiarmed bandit problem, 2002: the child with the highest

    x + c sqrt(log N / n min(1/4, V)),  V = var + sqrt(2 log N / n)

where var is the variance of the child's payoffs, brought to [0, 1]. How it deviates: the factor c, 1 in the paper.
"""

import math
from dataclasses import dataclass
from typing import Any

from damier.search.montecarlo.search import MonteCarlo


class UCB1Tuned:
    """x + c sqrt(log N / n min(1/4, V)), V = var + sqrt(2 log N / n)."""

    uses = ("squares",)
    tries_each_first = True

    def __init__(self, c: float = 1.0) -> None:
        self.c = c

    def score(self, child: Any, node: Any) -> float:
        deviation = node.sqrt_log * child.spread
        if child.visits:
            variance = child.squares / child.visits - child.mean * child.mean + math.sqrt(2) * deviation
            deviation *= math.sqrt(min(0.25, variance))
        return child.mean + self.c * deviation


@dataclass(frozen=True)
class UCBTuned(MonteCarlo):
    """UCT with UCB1-tuned, which uses the variance."""

    c: float = 1.0

    def make_rule(self) -> UCB1Tuned:
        return UCB1Tuned(float(self.c))
