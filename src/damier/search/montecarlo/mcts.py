"""Monte-Carlo tree search with any selection rule: one that comes with damier, or one of your own.

    damier match connect4 mcts:rule=mine.py:Rule,sims=500 uct:sims=500

See `selection` for what a rule is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.search.montecarlo.search import MonteCarlo
from damier.search.montecarlo.strategy import SELECTION_RULE


@dataclass(frozen=True)
class Mcts(MonteCarlo):
    """Monte-Carlo tree search with a selection rule that you name or bring."""

    parts: ClassVar[Mapping[str, PartKind]] = {"rule": SELECTION_RULE, **MonteCarlo.parts}

    rule: Any = "ucb1"

    def make_rule(self) -> Any:
        return self.rule
