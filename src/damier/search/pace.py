"""How a search in compiled code keeps its time: it works in chunks, and Python looks at the clock between them; or
it looks at a flag, which Python raises in time."""

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
    """How much to do next, again and again, until `limit` is done or the time is over.

    Where neither is given it never ends; still the work is cut into chunks, so that it can be interrupted.
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
    """Compile what a position asks of the rules: its moves, how one is made and written, and what an end pays."""
    for move in pos.moves()[:1]:
        pos.notation(move)
        pos.play(move)
    pos.game.prepare(calls.returns, pos.state, pos.game.buffers().values)


@contextmanager
def on_the_clock(pos: Position, budget: Budget) -> Iterator[float]:
    """When a search began; nothing that is not its own gets into its time.

    Python's garbage collector keeps quiet: after a compilation it takes a tenth of a second at once. And what the rules
    compile to write a move is compiled before: the search will have to say its own.
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
