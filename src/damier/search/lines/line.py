"""The common part of the searches whose answer is a whole line of moves, from the position to the end.

With one player and no chance, the player can simply follow such a line: asked again along it, the search continues from
what it knows, as the Monte-Carlo searches do with their tree.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from damier.core.budget import Budget
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import Rng
from damier.core.rng import new_rng
from damier.search.pace import UNLIMITED, chunks, warm_up
from damier.search.player import Player, Sight
from damier.search.result import SearchResult


@dataclass
class KeptLine:
    """The state that a search keeps: its working data, and the line that it found."""

    work: Any = None  # the data of the kernel
    game: Game | None = None  # the game that it was made for
    rng: Rng = field(default_factory=lambda: new_rng(0))
    status: int = 0  # how the last search ended
    start: Position | None = None
    line: tuple[int, ...] = ()  # from there to the end


@dataclass(frozen=True)
class LineSearch(Player):
    """A search in chunks that remembers the line it found. Its steps are the methods below."""

    sight: ClassVar[Sight] = Sight.OPEN

    first_chunk = 8  # playouts or nodes before the clock is checked first

    _kept: KeptLine = field(default_factory=KeptLine, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _ = self.budget  # refuses invalid limits

    @property
    def keep(self) -> bool:
        """Whether the line that was found is followed."""
        raise NotImplementedError

    @property
    def searches_on(self) -> bool:
        """Whether a known line may still be improved."""
        return False

    def prepare(self, pos: Position) -> None:
        self.check(pos)
        warm_up(pos)
        self.set_up(pos)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Find a line, or follow the known one."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=pos.described())
        self.check(pos)
        known = self._known(pos)
        if known and not self.searches_on:
            return line_result(pos, known)
        self.set_up(pos)
        began = time.perf_counter()
        self.begin(pos, known, seed)
        budget = self.budget
        limit, seconds = (None, None) if budget is None else (budget.sims or budget.nodes, budget.seconds)
        for chunk in chunks(limit, seconds, began, self.first_chunk):
            if not self.advance(pos, chunk):
                break
        result = self.result(pos, time.perf_counter() - began)
        self._kept.start, self._kept.line = pos, result.pv
        return result

    def _known(self, pos: Position) -> tuple[int, ...]:
        """The rest of the line that was found, if the position is on it; otherwise nothing."""
        start, line = self._kept.start, self._kept.line
        if not self.keep or start is None or start.game != pos.game:
            return ()
        since = pos.history[len(start.history) :]
        if start.history + since != pos.history or line[: len(since)] != since or start.play_all(since) != pos:
            return ()
        return line[len(since) :]

    # -- the steps -----------------------------------------------------------------------------------------

    def check(self, pos: Position) -> None:
        """Raise a SpecError if this search is not for this game."""

    def set_up(self, pos: Position) -> None:
        """Allocate and compile, which does not count as search time."""
        raise NotImplementedError

    def begin(self, pos: Position, known: tuple[int, ...], seed: int) -> None:
        raise NotImplementedError

    def advance(self, pos: Position, amount: int) -> bool:
        """Do that many more playouts or nodes; False when the search is over."""
        raise NotImplementedError

    def result(self, pos: Position, seconds: float) -> SearchResult:
        raise NotImplementedError


@dataclass(frozen=True)
class PlayoutSearch(LineSearch):
    """A search by playouts, done once, or with a budget again and again.

    Its working data keeps the root in the last record of `states`, and the best line of all in the last row of `line`.
    """

    sims: int | None = field(default=None, kw_only=True)
    seconds: float | None = field(default=None, kw_only=True)
    keep: bool = field(default=True, kw_only=True)

    @property
    def budget(self) -> Budget | None:
        """The limit of the search; None if it is done once."""
        is_limited = self.sims is not None or self.seconds is not None
        return Budget(sims=self.sims, seconds=self.seconds) if is_limited else None

    @property
    def searches_on(self) -> bool:
        return self.budget is not None

    @property
    def kernel(self) -> Callable[..., bool]:
        """A kernel (game, work, playouts, rng), which returns whether there is more to do."""
        raise NotImplementedError

    def make_work(self, game: Game) -> Any:
        raise NotImplementedError

    def set_up(self, pos: Position) -> None:
        self._kept.work = self.make_work(pos.game)
        pos.game.prepare(self.kernel, self._kept.work, 1, self._kept.rng)

    def begin(self, pos: Position, known: tuple[int, ...], seed: int) -> None:
        work, self._kept.rng = self._kept.work, new_rng(seed)
        work.states[-1] = pos.state
        work.rounds[0] = UNLIMITED if self.searches_on else 1
        payoffs = pos.play_all(known).returns
        if payoffs is not None:
            work.line[-1, : len(known)], work.length[-1], work.score[-1] = known, len(known), payoffs[0]

    def advance(self, pos: Position, amount: int) -> bool:
        return bool(pos.game.run(self.kernel, self._kept.work, amount, self._kept.rng))

    def result(self, pos: Position, seconds: float) -> SearchResult:
        work = self._kept.work
        line = tuple(work.line[-1, : work.length[-1]].tolist())
        return self.found(pos, line, (float(work.score[-1]),), seconds)

    def found(self, pos: Position, line: tuple[int, ...], values: tuple[float, ...], seconds: float) -> SearchResult:
        work = self._kept.work
        visits = tuple(work.visits[: len(pos.moves())].tolist())
        return line_result(pos, line, values, visits, int(work.nodes[0]), int(work.played[0]), seconds)


def line_result(
    pos: Position,
    line: tuple[int, ...],
    values: tuple[float, ...] | None = None,
    visits: tuple[int, ...] = (),
    nodes: int = 0,
    sims: int = 0,
    seconds: float = 0.0,
) -> SearchResult:
    """The result for playing this line."""
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
