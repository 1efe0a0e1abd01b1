"""Writing files whole or not at all: a kill at any moment leaves the old file or the new one.

Also the lock that keeps two processes from writing the same thing, and what pages need that stand alone.
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


def user_path(text: str | Path) -> Path:
    """The whole path of a file that a user names; `~` is their home, where they have one."""
    return Path(os.path.abspath(os.path.expanduser(text)))


def folder_of(module: str) -> Path:
    """The folder of a module, by its `__file__`: what comes with damier is beside the code that reads it."""
    return Path(module).parent


def is_file(path: Path) -> bool:
    """Whether there is such a file. A name that no file can have, one of 300 characters for example, names none:
    `Path.is_file` raises an error there."""
    return os.path.isfile(path)


def is_folder(path: Path) -> bool:
    """The same for a folder."""
    return os.path.isdir(path)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """What can't be read, or understood, is told in one line."""
    try:
        yield
    except OSError as error:
        raise SpecError("file.unreadable", path=path, why=error.strerror or error) from None
    except (ValueError, RecursionError) as error:  # no text, not of its format, or nested too deeply
        raise SpecError("file.unreadable", path=path, why=error) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the file system refuses (a full disk, a folder without permission) is told in one line."""
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
    """Beside it first, then renamed, each step on the disk before the next."""
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
    """Hold the lock of a folder, which ends with the process, however that ends.

    Where another process holds it, `taken` is the error's message; without one we wait.
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
def alone_in(folder: Path, does: str) -> Iterator[None]:
    """Nobody else does this in a folder meanwhile: who comes second is told so."""
    with contextlib.ExitStack() as until_the_end:
        with writing(folder):
            taken = f"another process {does} in '{folder}'; wait for its end or stop it"
            until_the_end.enter_context(locked(folder, taken))
        yield


def sync_folder(folder: Path) -> None:
    """A new name is on the disk only when its folder is. Systems that know no such thing don't need it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def embedded_json(document: Any) -> str:
    """JSON that can stand within a script element: no text in it can end the element or begin a comment."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
