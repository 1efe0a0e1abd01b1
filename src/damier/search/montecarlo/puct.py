"""PUCT, the rule of AlphaZero, with a uniform prior, or one from the game's weights, instead of a network's.

Silver et al., Mastering the game of Go without human knowledge, 2017. Let q be the mean payoff of a child in [-1, 1]
and P its prior probability. The child with the highest

    q + c P sqrt(N) / (1 + n)

is selected; q is 0 before the first visit. With `prior=weight`, P is a move's share of the game's weights of all moves
in the position: knowledge from local features (Chaslot et al., Progressive strategies for Monte-Carlo tree search,
2008). The search that a network guides is `damier.search.guided`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from damier.search.montecarlo.search import PRIORS, UNIFORM, MonteCarlo, check_prior
from damier.search.montecarlo.strategy import WEIGHT


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
    """PUCT, the rule of AlphaZero, with a prior that is uniform or from the game's weights."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {**MonteCarlo.choices, "prior": PRIORS}

    c: float = 2.0
    prior: str = UNIFORM

    def __post_init__(self) -> None:
        check_prior(self.prior)
        super().__post_init__()

    @property
    def weighs(self) -> bool:
        return self.prior == WEIGHT

    def make_rule(self) -> PuctRule:
        return PuctRule(float(self.c))
