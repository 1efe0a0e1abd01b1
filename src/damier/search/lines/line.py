"""What the searches have in common whose answer is a whole line of moves, from the position to the end.

For one player without chance such a line can simply be followed: asked again along it, the search goes on from what it
knows, as the Monte-Carlo searches do with their tree.
"""

import time
from typing import Any

from damier.core.budget import Budget
from damier.core.errors import DamierError
from damier.core.position import Position
from damier.core.rng import new_rng
from damier.search.pace import UNLIMITED, chunks
from damier.search.result import SearchResult


class LineSearch:
    """A search in chunks, with a memory of the line it found. Its steps are the methods below."""

    first_chunk = 8  # playouts or nodes before the first look at the clock
    searches_on = False  # whether a line that is known may still be improved

    def __init__(self, budget: Budget | None = None, keep: bool = True) -> None:
        self.keep = keep
        self.limit = None if budget is None else budget.sims or budget.nodes
        self.seconds = None if budget is None else budget.seconds
        self._start: Position | None = None
        self._line: tuple[int, ...] = ()

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Find a line, or follow the one that is known."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=repr(pos))
        self.check(pos)
        known = self._known(pos)
        if known and not self.searches_on:
            return line_result(pos, known)
        self.set_up(pos)
        began = time.perf_counter()
        self.begin(pos, known, seed)
        for chunk in chunks(self.limit, self.seconds, began, self.first_chunk):
            if not self.advance(pos, chunk):
                break
        result = self.result(pos, time.perf_counter() - began)
        self._start, self._line = pos, result.pv
        return result

    def _known(self, pos: Position) -> tuple[int, ...]:
        """What is left of the line that was found, if the position lies on it; otherwise nothing."""
        start = self._start
        if not self.keep or start is None or start.game != pos.game:
            return ()
        since = pos.history[len(start.history) :]
        if start.history + since != pos.history or self._line[: len(since)] != since or start.play_all(since) != pos:
            return ()
        return self._line[len(since) :]

    # -- the steps -----------------------------------------------------------------------------------------

    def check(self, pos: Position) -> None:
        """SpecError if this search is not for this game."""

    def set_up(self, pos: Position) -> None:
        """Make room and compile, which is not the search's time."""
        raise NotImplementedError

    def begin(self, pos: Position, known: tuple[int, ...], seed: int) -> None:
        raise NotImplementedError

    def advance(self, pos: Position, amount: int) -> bool:
        """That many more playouts or nodes; False when the search is over."""
        raise NotImplementedError

    def result(self, pos: Position, seconds: float) -> SearchResult:
        raise NotImplementedError


class PlayoutSearch(LineSearch):
    """A search by playouts, made once, or with a budget again and again.

    Its `work` keeps the root in the last record of `states`, and the best line of all in the last row of `line`.
    """

    kernel: Any  # (game, work, playouts, rng) -> whether there is more to do
    work: Any

    def __init__(self, budget: Budget | None = None, keep: bool = True) -> None:
        super().__init__(budget, keep)
        self.searches_on = budget is not None
        self.rng = new_rng(0)

    def make_work(self, pos: Position) -> Any:
        raise NotImplementedError

    def set_up(self, pos: Position) -> None:
        self.work = self.make_work(pos)
        pos.game.prepare(self.kernel, self.work, 1, self.rng)

    def begin(self, pos: Position, known: tuple[int, ...], seed: int) -> None:
        work, self.rng = self.work, new_rng(seed)
        work.states[-1] = pos.state
        work.rounds[0] = UNLIMITED if self.searches_on else 1
        payoffs = pos.play_all(known).returns
        if payoffs is not None:
            work.line[-1, : len(known)], work.length[-1], work.score[-1] = known, len(known), payoffs[0]

    def advance(self, pos: Position, amount: int) -> bool:
        return bool(pos.game.run(self.kernel, self.work, amount, self.rng))

    def result(self, pos: Position, seconds: float) -> SearchResult:
        line = tuple(self.work.line[-1, : self.work.length[-1]].tolist())
        return self.found(pos, line, (float(self.work.score[-1]),), seconds)

    def found(self, pos: Position, line: tuple[int, ...], values: tuple[float, ...], seconds: float) -> SearchResult:
        visits = tuple(self.work.visits[: len(pos.moves())].tolist())
        return line_result(pos, line, values, visits, int(self.work.nodes[0]), int(self.work.played[0]), seconds)


def line_result(
    pos: Position,
    line: tuple[int, ...],
    values: tuple[float, ...] | None = None,
    visits: tuple[int, ...] = (),
    nodes: int = 0,
    sims: int = 0,
    seconds: float = 0.0,
) -> SearchResult:
    """The result that says: play this line."""
    moves = tuple(pos.moves())
    return SearchResult(
        move=line[0],
        notation=pos.notation(line[0]),
        values=values or pos.play_all(line).returns,
        moves=moves,
        policy=tuple(float(move == line[0]) for move in moves),
        visits=visits or (0,) * len(moves),
        pv=line,
        nodes=nodes,
        sims=sims,
        depth=len(line),
        seconds=seconds,
    )
