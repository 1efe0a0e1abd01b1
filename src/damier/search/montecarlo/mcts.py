"""Monte-Carlo tree search with any selection rule: one that comes with damier, or one of your own.

    damier match connect4 mcts:rule=mine.py:Rule,sims=500 uct:sims=500

See `selection` for the methods of a rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.search.montecarlo.search import PRIORS, UNIFORM, MonteCarlo, check_prior
from damier.search.montecarlo.strategy import SELECTION_RULE, WEIGHT


@dataclass(frozen=True)
class Mcts(MonteCarlo):
    """Monte-Carlo tree search with the selection rule that you name or bring."""

    parts: ClassVar[Mapping[str, PartKind]] = {"rule": SELECTION_RULE, **MonteCarlo.parts}

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {**MonteCarlo.choices, "prior": PRIORS}

    rule: Any = "ucb1"
    prior: str = UNIFORM

    def __post_init__(self) -> None:
        check_prior(self.prior)
        super().__post_init__()

    @property
    def weighs(self) -> bool:
        return self.prior == WEIGHT

    def make_rule(self) -> Any:
        return self.rule
