"""Compiled code on disk that can't be stale.

One folder holds the code compiled in one environment: damier's sources, the versions of Python, Numba and
NumPy, and the processor. If any of them changes, another folder is used. Inside, Numba finds a kernel by
its signature, and a game's type carries a hash of its rules (see `compile`); a kernel written outside
damier adds a hash of its own code. Code compiled from other sources is therefore never loaded.
`cache_files` manages the files of the folder.
"""

import contextlib
import hashlib
import os
import platform
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
import platformdirs
from numba.core import caching

from damier.core.cache_files import KernelFiles
from damier.core.fingerprint import fingerprint

_PACKAGE = Path(__file__).parents[1]
# Layers in which nothing is compiled.
_WITHOUT_KERNELS = ("arena", "cli", "experiments", "learning", "lessons", "store", "web", "work", "zero")
_DAYS_UNUSED = 30


@cache
def cache_folder() -> Path:
    """The folder of compiled code: `$DAMIER_CACHE_DIR`, or the user's cache directory."""
    root = Path(os.environ.get("DAMIER_CACHE_DIR") or platformdirs.user_cache_dir("damier"))
    folder = root / f"compiled-{_circumstances()}"
    if folder.is_dir():
        os.utime(folder)
    else:
        _remove_unused(root)
    return folder


def _circumstances() -> str:
    digest = hashlib.sha256()
    for part in (
        sys.version,
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        platform.machine(),
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
    ):
        digest.update(part.encode() + b"\0")
    for file in sorted(_PACKAGE.rglob("*.py")):
        if file.relative_to(_PACKAGE).parts[0] in _WITHOUT_KERNELS:
            continue
        digest.update(str(file.relative_to(_PACKAGE)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _remove_unused(root: Path) -> None:
    """Remove folders of other environments that were not used for a month."""
    oldest = time.time() - _DAYS_UNUSED * 24 * 3600
    for folder in root.glob("compiled-*"):
        if folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """Tells Numba's cache where a kernel's files are and which sources they belong to."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._function = function
        self._path = f"{file}:{function.__code__.co_firstlineno}"

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return fingerprint(self._function)

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._path.encode()).hexdigest()[:10]

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _CacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one kernel, in our folder.

    It is opened at the first call, not where the kernel is defined, because everything that the kernel
    refers to must exist to be hashed.
    """

    _impl_class = _CacheImpl

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self._pending: Callable[..., Any] | None = py_func

    def _open(self) -> None:
        if self._pending is not None:
            function, self._pending = self._pending, None
            super().__init__(function)
            self._cache_file = KernelFiles(
                cache_folder(), self._impl.filename_base, self._impl.locator.get_source_stamp()
            )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            self._open()
            return super().load_overload(sig, target_context)
        except Exception as error:  # a file may be forbidden, and code that was written well can fail to be read
            warnings.warn(f"compiled code in {cache_folder()} can't be read, compiling anew: {error}", stacklevel=2)
            with contextlib.suppress(OSError):
                self.flush()  # forget what was there
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            self._open()
            super().save_overload(sig, data)
        except OSError as error:
            warnings.warn(
                f"compiled code can't be kept in {cache_folder()}, so the next start compiles again: {error}; "
                "free some space there or set DAMIER_CACHE_DIR to a folder that can be written",
                stacklevel=2,
            )
