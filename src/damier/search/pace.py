"""How a search in compiled code keeps its time: it works in chunks, and Python looks at the clock between them; or
it looks at a flag, which Python raises in time."""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep Python's garbage collector quiet for a while: after a compilation it takes a tenth of a second at once."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
