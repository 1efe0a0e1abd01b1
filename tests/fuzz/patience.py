"""How long an attempt may take, in the main thread; a system without such alarms waits for ever."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


class TooLongError(BaseException):
    """Raised in the middle of whatever takes too long. No `except Exception` keeps it."""


@contextlib.contextmanager
def at_most(seconds: int) -> Iterator[None]:
    old = signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TooLongError
