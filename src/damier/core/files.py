"""Writing files whole or not at all: a kill at any moment leaves the old file or the new one.

It also has the lock that keeps two processes from writing the same file, and JSON for single-file pages.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from damier.core.errors import DamierError, SpecError
from damier.core.messages import say


def user_path(text: str | Path) -> Path:
    """The full path of a file that a user names; `~` is their home directory, if they have one."""
    return Path(os.path.abspath(os.path.expanduser(text)))


def folder_of(module: str) -> Path:
    """The folder of a module, by its `__file__`; damier's data files are beside the code that reads them."""
    return Path(module).parent


def is_file(path: Path) -> bool:
    """Whether the file exists; False for an impossible name, for example one of 300 characters, for which
    `Path.is_file` raises an error."""
    return os.path.isfile(path)


def is_folder(path: Path) -> bool:
    """The same for a folder."""
    return os.path.isdir(path)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn errors of reading and parsing a file into one line."""
    try:
        yield
    except OSError as error:
        raise SpecError("file.unreadable", path=path, why=error.strerror or error) from None
    except (ValueError, RecursionError) as error:  # no text, not of its format, or nested too deeply
        raise SpecError("file.unreadable", path=path, why=error) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of the file system (a full disk, a folder without permission) into one line."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DamierError("file.unwritable", path=path, why=reason) from None


def check_path(path: Path) -> None:
    """Refuse a path where nothing can be written."""
    if not is_folder(path.parent):
        raise DamierError("file.no-folder", path=path, folder=path.parent)
    if is_folder(path):
        raise DamierError("file.is-folder", path=path)
    if os.path.lexists(path) and not is_file(path):  # `write_file` would put a file in the place of /dev/null
        raise DamierError("file.is-device", path=path)
    with writing(path), tempfile.TemporaryFile(dir=path.parent), contextlib.suppress(FileNotFoundError):
        path.lstat()  # which refuses a name that is too long


def write_file(path: Path, data: bytes | str) -> None:
    """Write a temporary file beside the target, then rename it; each step is synced before the next."""
    beside = path.with_name(f".{digest(os.fsencode(path.name))[:16]}.{os.getpid()}.new")  # short, however long the name
    with writing(path):
        try:
            with beside.open("wb") as file:
                file.write(data.encode() if isinstance(data, str) else data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        sync_folder(path.parent)


def write_json(path: Path, document: Any) -> None:
    write_file(path, json.dumps(document, indent=2) + "\n")


@contextmanager
def locked(folder: Path, taken: str | None = None) -> Iterator[None]:
    """Hold the lock of a folder; it is released when the process ends in any way.

    If another process holds it, raise an error with the message `taken`, or wait if there is no message.
    """
    try:
        import fcntl
    except ImportError:  # a system without such locks
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a file system without such locks
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if taken else 0))
            except BlockingIOError:
                raise DamierError(taken or "") from None
        yield
    finally:
        os.close(handle)


@contextmanager
def alone_in(folder: Path, key: str) -> Iterator[None]:
    """Nobody else does this in a folder meanwhile: who comes second is told so, by the message of the key."""
    with contextlib.ExitStack() as until_the_end:
        with writing(folder):
            until_the_end.enter_context(locked(folder, say(key, folder=folder)))
        yield


def sync_folder(folder: Path) -> None:
    """Sync a folder, which makes a new name in it durable. Systems without this call don't need it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def embedded_json(document: Any) -> str:
    """JSON for a script element: no text in it can end the element or start a comment."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
