"""Whether an event is being played by any process on this computer.

A process that plays an event holds a lock. The lock ends with the process, however it ends, so a killed event does not
look like a running one. Several processes may play the same event: the lock is shared.
"""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without such locks: no event is known to be played
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def attending(url: str, event: int) -> Iterator[None]:
    """Hold the lock of an event of the database at `url`. If it can't be locked, the event is played anyway."""
    with contextlib.ExitStack() as stack:
        if fcntl is not None:
            with contextlib.suppress(OSError):
                file = stack.enter_context(_path(url).open("a+b"))
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, event)  # the byte with the event's number
        yield


def is_attended(url: str, event: int) -> bool:
    """Whether another process plays this event."""
    if fcntl is None:
        return False
    try:
        with _path(url).open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, event)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:  # no event was ever played here
        return False
    return False


def _path(url: str) -> Path:
    """The lock file of a database: beside a database file, otherwise in the temporary folder."""
    kind, _, place = url.partition(":///")
    if kind == "sqlite" and place and not place.startswith(":"):  # not ":memory:"
        return Path(f"{place}-playing")
    user = os.getuid() if hasattr(os, "getuid") else 0
    name = hashlib.sha256(url.encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"damier-{user}-{name}-playing"
