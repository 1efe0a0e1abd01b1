"""Flat Monte-Carlo: the same number of random games for every move, and no tree below them."""

from dataclasses import dataclass
from typing import Any

from damier.search.montecarlo.search import MonteCarlo


class FewestVisits:
    """Selects the child with the fewest visits, so all are visited equally often."""

    def score(self, child: Any, node: Any) -> float:
        return -float(child.visits)


@dataclass(frozen=True)
class Flat(MonteCarlo):
    """Flat Monte-Carlo: the same number of random games for every move."""

    def make_rule(self) -> FewestVisits:
        return FewestVisits()

    @property
    def max_depth(self) -> int:
        return 1
