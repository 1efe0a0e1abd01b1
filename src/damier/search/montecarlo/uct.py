"""UCT: Monte-Carlo tree search with UCB1.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning, 2006. Let N be the visits of the node, n those of a child, and
x the mean payoff of the child in [0, 1]. The child with the highest

    x + c sqrt(log N / n)

is selected. In theory c = sqrt 2; 0.4 is a common choice in practice. A child without visits has an infinite score, so
each is tried once, in a random order.
"""

from dataclasses import dataclass
from typing import Any

from damier.search.montecarlo.search import MonteCarlo


class UCB1:
    """x + c sqrt(log N / n)."""

    tries_each_first = True

    def __init__(self, c: float = 0.4) -> None:
        self.c = c

    def score(self, child: Any, node: Any) -> float:
        return child.mean + self.c * node.sqrt_log * child.spread


@dataclass(frozen=True)
class UCT(MonteCarlo):
    """UCT: Monte-Carlo tree search with UCB1."""

    c: float = 0.4

    def make_rule(self) -> UCB1:
        return UCB1(float(self.c))
