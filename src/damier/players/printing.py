"""Output of foreign code is not part of our results: it goes to stderr."""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_inside: Counter[int] = Counter()  # by thread: how often it entered
_lock = threading.Lock()


class _ByThread:
    """Standard output, except for threads that run foreign code: they write to stderr."""

    def __init__(self, kept: TextIO) -> None:
        self.kept = kept

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if _inside[threading.get_ident()] else self.kept, name)


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Redirect this thread only: others may play other games, and the program itself may print meanwhile."""
    me = threading.get_ident()
    with _lock:
        if not _inside.total():
            sys.stdout = cast(TextIO, _ByThread(sys.stdout))
        _inside[me] += 1
    try:
        yield
    finally:
        with _lock:
            _inside[me] -= 1
            if not _inside.total():
                _inside.clear()
                sys.stdout = getattr(sys.stdout, "kept", sys.stdout)
