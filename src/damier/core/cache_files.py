"""The files of one kernel's compiled code, each checked before it is used.

    NAME.nbi              the index: which file holds the code for which signature
    NAME.<digest>.nbc     the code for one signature

Machine code that was altered crashes the process, and so may unpickling it. So the name of a file of code is the
digest of its content, and the index begins with the digest of the rest. Because a name is made from the content, it
can't come to mean something else while another process writes too. A damaged file is removed, and compiled again.
"""

import contextlib
import glob
import hashlib
import pickle
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from numba.core.serialize import dumps

from damier.core.files import locked

_DIGEST = 32  # bytes in front of an index


class KernelFiles:
    """What Numba expects of a cache: to load, to save, and to flush. `stamp` says what the code was made from."""

    def __init__(self, folder: Path, name: str, stamp: str) -> None:
        self._folder, self._name, self._stamp = folder, name, stamp
        self._index = folder / f"{name}.nbi"

    def load(self, key: Any) -> Any:
        """The code for a signature; None if it is missing or damaged."""
        name = self._signatures().get(key)
        if name is None:
            return None
        path = self._folder / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:  # another process found it damaged, or swept it away
            return None
        if self._code_name(data) != name:
            _remove_damaged(path)
            return None
        return pickle.loads(data)

    def save(self, key: Any, code: Any) -> None:
        data = dumps(code)
        with locked(self._folder):  # an index that two processes extend must get both entries
            signatures = self._signatures() | {key: self._code_name(data)}
            _write(self._folder / signatures[key], data)
            index = dumps((self._stamp, signatures))
            _write(self._index, hashlib.sha256(index).digest() + index)
            self._sweep(signatures.values())

    def flush(self) -> None:
        """Forget everything."""
        with locked(self._folder):
            self._index.unlink(missing_ok=True)
            self._sweep(())

    def _signatures(self) -> dict[Any, str]:
        """The code files by signature; empty if they were made from other sources."""
        try:
            content = self._index.read_bytes()
        except FileNotFoundError:
            return {}
        digest, index = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(index).digest() != digest:
            _remove_damaged(self._index)
            return {}
        stamp, signatures = pickle.loads(index)
        return dict(signatures) if stamp == self._stamp else {}

    def _code_name(self, data: bytes) -> str:
        return f"{self._name}.{hashlib.sha256(data).hexdigest()[:32]}.nbc"

    def _sweep(self, used: Iterable[str]) -> None:
        """Remove code files that no signature refers to."""
        kept = set(used)
        for path in self._folder.glob(f"{glob.escape(self._name)}.*.nbc"):
            if path.name not in kept:
                path.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    """Write a file atomically, without syncing: the digest detects a file that a power loss damaged."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
        beside = Path(file.name)
        try:
            file.write(data)
            file.close()
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise


def _remove_damaged(path: Path) -> None:
    warnings.warn(f"the compiled code in '{path}' is damaged; it is removed and compiled again", stacklevel=2)
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
