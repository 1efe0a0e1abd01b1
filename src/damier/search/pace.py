"""How a compiled search keeps its time.

It works in chunks, and Python checks the clock between them; or it reads a flag that Python raises in time.

With `pace=open` a search does not take the same time for every move: it stops early where the decision is settled, and
uses what it saved where the decision is open (Huang, Coulom, Lin, Time management for Monte-Carlo tree search applied
to the game of Go, 2010; Baier and Winands, Time management for Monte-Carlo tree search, 2016).
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from damier.core import calls
from damier.core.budget import Budget
from damier.core.errors import SpecError
from damier.core.position import Position

CHUNK_SECONDS = 0.002
UNLIMITED = 1 << 62

EVEN, OPEN = "even", "open"
PACES = (EVEN, OPEN)
MOST = 3  # times the mean, for one move
CLOSE = 0.5  # a move with this share of the visits of the best one is a rival to it
CHECKS = 16  # times in the mean that a search by simulations looks whether the decision is settled


def chunks(limit: int | None, seconds: float | None, began: float, first: int, is_fixed: bool = False) -> Iterator[int]:
    """Give the size of the next chunk, again and again, until `limit` is done or the time is over.

    Without a limit it never ends; the work is still cut into chunks, so it can be interrupted. Chunks of fixed size
    are all as large as the first one.
    """
    left, chunk = limit or UNLIMITED, first
    while left > 0:
        chunk = min(chunk, left)
        before = time.perf_counter()
        yield chunk
        left -= chunk
        now = time.perf_counter()
        remaining = CHUNK_SECONDS if seconds is None else min(CHUNK_SECONDS, began + seconds - now)
        if remaining <= 0:
            return
        chunk = first if is_fixed else max(1, int(chunk * remaining / max(now - before, 1e-9)))


def check_pace(pace: str) -> None:
    if pace not in PACES:
        raise SpecError("spec.one-of", option="pace", known=list(PACES), got=pace)


def keeps_pace(pace: str, budget: Budget, seconds: float) -> bool:
    """Whether no move takes longer than that by this pace: with a limit of simulations, seconds are never exceeded."""
    is_even = pace == EVEN or budget.sims is not None or budget.seconds is None
    return is_even or MOST * budget.seconds <= seconds  # type: ignore[operator]


class Purse:
    """What a search may spend with `pace=open`, in simulations or in seconds.

    Each move of a game brings `each`. What is not spent is saved for later moves, so that a game never takes more than
    `each` for every move so far. One move takes at most MOST times as much.
    """

    def __init__(self, each: float) -> None:
        self.each = each
        self._saved = 0.0

    def begin(self, follows: bool) -> None:
        """Begin a move. If it does not follow from the last one, nothing was saved."""
        if not follows:
            self._saved = 0.0

    @property
    def allowed(self) -> float:
        """The most that this move may take."""
        return max(0.0, min(MOST * self.each, self.each + self._saved))

    def pay(self, spent: float) -> None:
        """End a move."""
        self._saved += self.each - spent

    def goes_on(self, spent: float, is_settled: Callable[[float], bool], is_open: bool) -> bool:
        """Whether the search goes on: up to the mean until it is settled, and then while it is open.

        `is_settled` answers for what is left, in the unit of the purse.
        """
        usual = min(self.each, self.allowed)
        if spent >= usual:
            return is_open and spent < self.allowed and not is_settled(self.allowed - spent)
        return not is_settled(usual - spent)


def two_highest(numbers: Any) -> tuple[float, float]:
    """The highest number and the next one; 0 if there is none."""
    highest = [*sorted(numbers.tolist(), reverse=True)[:2], 0.0, 0.0]
    return float(highest[0]), float(highest[1])


def warm_up(pos: Position) -> None:
    """Compile the rules that a position needs: its moves, making and writing one, and the payoffs."""
    for move in pos.moves()[:1]:
        pos.notation(move)
        pos.play(move)
    pos.game.prepare(calls.returns, pos.state, pos.game.buffers().values)


@contextmanager
def on_the_clock(pos: Position, budget: Budget) -> Iterator[float]:
    """Give the time at which a search began, and keep everything else out of its time.

    Python's garbage collector is turned off: after a compilation it takes a tenth of a second at once. The rules that
    write a move are compiled before, because the search has to write its own move.
    """
    if budget.seconds is None:
        yield time.perf_counter()
        return
    pos.notation(pos.moves()[0])
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield time.perf_counter()
    finally:
        if was_on:
            gc.enable()
