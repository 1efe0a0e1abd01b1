"""The nested players. See `damier.search.lines.nested` and `damier.search.lines.nrpa` for the algorithms."""

from dataclasses import dataclass

from damier.core.budget import Budget
from damier.core.position import Position
from damier.search.lines.nested import Nested as NestedSearch
from damier.search.lines.nrpa import PolicyAdaptation
from damier.search.player import Player
from damier.search.result import SearchResult


def _budget(sims: int | None, seconds: float | None) -> Budget | None:
    return None if sims is None and seconds is None else Budget(sims=sims, seconds=seconds)


@dataclass
class Nested(Player):
    """Nested Monte-Carlo search: each move chosen by searches of the level below."""

    level: int = 2
    sims: int | None = None
    seconds: float | None = None
    keep: bool = True
    discount: bool = True

    def __post_init__(self) -> None:
        self._search = NestedSearch(self.level, _budget(self.sims, self.seconds), self.discount, self.keep)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        return self._search.search(pos, seed)


@dataclass
class Nrpa(Player):
    """Nested rollout policy adaptation: playouts learn from the best line. For one player."""

    level: int = 2
    iterations: int = 100
    alpha: float = 1.0
    sims: int | None = None
    seconds: float | None = None
    keep: bool = True

    def __post_init__(self) -> None:
        budget = _budget(self.sims, self.seconds)
        self._search = PolicyAdaptation(self.level, self.iterations, self.alpha, budget, self.keep)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        return self._search.search(pos, seed)
