"""PUCT, the rule of AlphaZero, with a uniform prior instead of a network's.

Silver et al., Mastering the game of Go without human knowledge, 2017. Let q be the mean payoff of a child in [-1, 1]
and P its prior probability. The child with the highest

    q + c P sqrt(N) / (1 + n)

is selected; q is 0 before the first visit. The search that a network guides is `damier.search.guided`.
"""

import math
from dataclasses import dataclass
from typing import Any

from damier.search.montecarlo.search import MonteCarlo


class PuctRule:
    """q + c P sqrt(N) / (1 + n)."""

    counts_payoffs = True  # its mean is q, in [-1, 1]

    def __init__(self, c: float = 2.0) -> None:
        self.c = c

    def score(self, child: Any, node: Any) -> float:
        mean = child.total / child.visits if child.visits else 0.0
        return mean + self.c * child.prior * math.sqrt(node.visits) / (1 + child.visits)


@dataclass(frozen=True)
class Puct(MonteCarlo):
    """PUCT, the rule of AlphaZero, with a uniform prior."""

    c: float = 2.0

    def make_rule(self) -> PuctRule:
        return PuctRule(float(self.c))
