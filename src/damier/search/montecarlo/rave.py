"""RAVE and GRAVE: statistics of a move wherever it was made, blended in while it has few visits.

Let n and x be the visits and the mean payoff of a child, and n~ and x~ those of "all moves as first", that is of all
games below a node in which the player made the move at any time:

    (1 - b) x + b x~ + c sqrt(log N / n),  b = n~ / (n + n~ + bias n n~)

RAVE (Gelly and Silver, Monte-Carlo tree search and rapid action value estimation in computer Go, 2011) takes x~ and n~
from the node itself. GRAVE (Cazenave, Generalized rapid action value estimation, 2015) takes them from the nearest
ancestor, the node included, with more than `ref` visits. Both as published have c = 0; then a child without visits
counts by its x~ alone, and one without either comes first. With c above 0 a child without visits comes first.

With `favour` above 0, which is ours, a child also has PUCT's bonus favour P sqrt(N) / (1 + n), with P its share of the
game's weights. Then no child comes first for lack of visits, and one without any statistics counts as 1/2.
"""

import math
from dataclasses import dataclass
from typing import Any

from damier.core.errors import SpecError
from damier.core.numbers import whole_number
from damier.search.montecarlo.search import MonteCarlo


class RaveRule:
    """(1 - b) x + b x~ + c sqrt(log N / n), with x~ of the node itself."""

    uses = ("amaf",)

    def __init__(self, c: float = 0.0, bias: float = 1e-5) -> None:
        self.c = c
        self.bias = bias

    def score(self, child: Any, node: Any) -> float:
        if child.visits == 0 and (self.c > 0 or child.amaf_visits == 0):
            return math.inf
        return self.blend(child, node)

    def blend(self, child: Any, node: Any) -> float:
        """The formula, for a child that has any statistics."""
        visits, amaf_visits = child.visits, child.amaf_visits
        beta = amaf_visits / (amaf_visits + visits + self.bias * amaf_visits * visits)
        score = 0.0
        if visits:
            score += (1 - beta) * child.mean
        if amaf_visits:
            score += beta * (0.5 + 0.5 * child.amaf_total / amaf_visits)
        return score + self.c * node.sqrt_log * child.spread


class GraveRule(RaveRule):
    """The same, with x~ of the nearest ancestor that has more than `ref` visits."""

    def __init__(self, ref: int = 50, c: float = 0.0, bias: float = 1e-5) -> None:
        super().__init__(c, bias)
        self.ref = whole_number("ref", ref, least=0)

    def is_reference(self, visits: int) -> bool:
        return visits > self.ref


class FavouredRave(RaveRule):
    """RAVE with a bonus for moves of a high prior."""

    def __init__(self, c: float = 0.0, bias: float = 1e-5, favour: float = 0.1) -> None:
        super().__init__(c, bias)
        check_favour(favour)
        self.favour = favour

    def score(self, child: Any, node: Any) -> float:
        bonus = self.favour * child.prior * math.sqrt(node.visits) / (1 + child.visits)
        has_any = child.visits > 0 or child.amaf_visits > 0
        return bonus + (self.blend(child, node) if has_any else 0.5)


class FavouredGrave(FavouredRave):
    """GRAVE with a bonus for moves of a high prior."""

    def __init__(self, ref: int = 50, c: float = 0.0, bias: float = 1e-5, favour: float = 0.1) -> None:
        super().__init__(c, bias, favour)
        self.ref = whole_number("ref", ref, least=0)

    def is_reference(self, visits: int) -> bool:
        return visits > self.ref


def check_favour(favour: float) -> None:
    if favour < 0:
        raise SpecError("number.at-least", what="favour", least=0, got=favour)


@dataclass(frozen=True)
class Rave(MonteCarlo):
    """RAVE: AMAF statistics count while a move has few visits."""

    c: float = 0.0
    bias: float = 1e-5
    favour: float = 0.0

    @property
    def weighs(self) -> bool:
        return self.favour > 0

    def make_rule(self) -> RaveRule:
        check_favour(self.favour)
        if self.weighs:
            return FavouredRave(float(self.c), float(self.bias), float(self.favour))
        return RaveRule(float(self.c), float(self.bias))


@dataclass(frozen=True)
class Grave(MonteCarlo):
    """GRAVE: RAVE with the statistics of an ancestor of more than `ref` visits."""

    ref: int = 50
    c: float = 0.0
    bias: float = 1e-5
    favour: float = 0.0

    @property
    def weighs(self) -> bool:
        return self.favour > 0

    def make_rule(self) -> RaveRule:
        check_favour(self.favour)
        if self.weighs:
            return FavouredGrave(self.ref, float(self.c), float(self.bias), float(self.favour))
        return GraveRule(self.ref, float(self.c), float(self.bias))
