"""How a compiled search keeps its time.

It works in chunks, and Python checks the clock between them; or it reads a flag that Python raises in time.
"""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

from damier.core import calls
from damier.core.budget import Budget
from damier.core.position import Position

CHUNK_SECONDS = 0.002
UNLIMITED = 1 << 62


def chunks(limit: int | None, seconds: float | None, began: float, first: int) -> Iterator[int]:
    """Give the size of the next chunk, again and again, until `limit` is done or the time is over.

    Without a limit it never ends; the work is still cut into chunks, so it can be interrupted.
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
        chunk = max(1, int(chunk * remaining / max(now - before, 1e-9)))


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
