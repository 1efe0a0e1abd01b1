"""The common part of the path searches A* and IDA*: the shortest way to a won end, for one player without chance.

A won end is a finished position with a payoff above 0. The game's `distance` is a lower bound of the moves to get
there. The searches rely on its law: 0 at a won end and nowhere else, and a move takes at most 1 off it.
"""

from dataclasses import dataclass

from damier.core.budget import Budget
from damier.core.errors import DamierError, SpecError
from damier.core.messages import Message, say
from damier.core.position import Position
from damier.search.lines.line import LineSearch, line_result
from damier.search.result import SearchResult

GOING_ON, SOLVED, EXHAUSTED, FULL = 0, 1, 2, 3


@dataclass(frozen=True)
class PathSearch(LineSearch):
    """A search for a shortest line; once found, it is followed to its end.

    The `nodes` of its working data count the positions whose moves were listed.
    """

    first_chunk = 256  # nodes
    name = ""

    nodes: int | None = None
    seconds: float | None = None
    keep: bool = True

    @property
    def budget(self) -> Budget | None:
        """The limit of the search; None if it goes on until it has a solution."""
        is_limited = self.nodes is not None or self.seconds is not None
        return Budget(nodes=self.nodes, seconds=self.seconds) if is_limited else None

    def check(self, pos: Position) -> None:
        game = pos.game
        if game.num_players > 1 or game.has("chance"):
            raise SpecError("search.one-player", search=self.name, game=game.name)
        if not game.has("distance"):
            raise SpecError("search.needs-distance", search=self.name, game=game.name)

    def result(self, pos: Position, seconds: float) -> SearchResult:
        if self._kept.status != SOLVED:
            raise DamierError("search.failed", position=pos.described(), why=self._why_not(pos))
        return line_result(pos, self.solution(), nodes=self._nodes(), seconds=seconds)

    def _why_not(self, pos: Position) -> Message:
        if self._kept.status == EXHAUSTED:
            return say("path.no-solution", moves=pos.game.max_length)
        nodes, least = self._nodes(), self.lower_bound()
        if self._kept.status == FULL:
            return say("path.memory-full", nodes=nodes, least=least)
        return say("path.no-budget", nodes=nodes, least=least)

    def _nodes(self) -> int:
        return int(self._kept.work.nodes[0])

    # -- the steps -----------------------------------------------------------------------------------------

    def solution(self) -> tuple[int, ...]:
        raise NotImplementedError

    def lower_bound(self) -> int:
        """A lower bound on the length of any solution, from the search so far."""
        raise NotImplementedError
