"""Writing files so that a kill at any moment leaves the old one or the new one, never half of one."""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from damier.core.errors import DamierError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the file system refuses (a full disk, a folder without permission) is told in one line."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DamierError(
            f"can't write '{path}': {reason}; what was there is untouched, see to it and --resume"
        ) from None


def write_file(path: Path, data: bytes) -> None:
    """Beside it first, then renamed, each step on the disk before the next."""
    beside = path.with_name(f".{path.name}.new")
    with writing(path):
        try:
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        sync_folder(path.parent)


def write_json(path: Path, document: Any) -> None:
    write_file(path, (json.dumps(document, indent=2) + "\n").encode())


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
