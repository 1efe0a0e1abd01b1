"""The players that solve a puzzle by the shortest line and then play it."""

from dataclasses import dataclass

from damier.core.budget import Budget
from damier.core.position import Position
from damier.search.lines.astar import AStar as AStarSearch
from damier.search.lines.idastar import IdaStar as IdaStarSearch
from damier.search.lines.path import PathSearch
from damier.search.player import Player
from damier.search.result import SearchResult


@dataclass
class PathPlayer(Player):
    """What both have in common. Without a budget the search goes on until it has a solution."""

    nodes: int | None = None
    seconds: float | None = None
    keep: bool = True

    def __post_init__(self) -> None:
        limited = self.nodes is not None or self.seconds is not None
        self._search = self._make(Budget(nodes=self.nodes, seconds=self.seconds) if limited else None)

    def _make(self, budget: Budget | None) -> PathSearch:
        raise NotImplementedError

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        return self._search.search(pos, seed)


@dataclass
class AStar(PathPlayer):
    """A*: the shortest solution, best first. For one-player games with `distance`."""

    memory: int = 256  # megabytes

    def _make(self, budget: Budget | None) -> PathSearch:
        return AStarSearch(budget, self.memory, self.keep)


@dataclass
class IdaStar(PathPlayer):
    """IDA*: the shortest solution, depth first, in no memory. For one-player games with `distance`."""

    def _make(self, budget: Budget | None) -> PathSearch:
        return IdaStarSearch(budget, self.keep)
