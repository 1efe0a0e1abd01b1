"""A hash of everything that ends up in the machine code of a function.

Numba's disk cache looks at the file of the function it compiles and at nothing else: edit a helper in
another module, or a constant there, and the old machine code is loaded without a word. So we hash what
the compiler reads: the byte code of the function and its constants, and then, name by name, the
functions and the values that this byte code refers to. A comment changes nothing; a changed constant
two modules away changes the hash.
"""

import dis
import hashlib
import sys
import types
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Protocol

import numpy as np


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...


def fingerprint(*functions: Callable[..., Any]) -> str:
    """The hash of these functions with all they refer to, as 16 hex digits."""
    digest = hashlib.sha256()
    seen: set[int] = set()
    for function in functions:
        _add_value(digest, function, frozenset(), seen)
    return digest.hexdigest()[:16]


def _add_value(digest: _Hash, value: Any, names: frozenset[str], seen: set[int]) -> None:
    """Add one value that compiled code uses. `names` are the attributes that the code looks up."""
    value = getattr(value, "py_func", value)  # a compiled function stands for its Python source
    value = getattr(value, "__wrapped__", value) if callable(value) else value  # ... and so does one that is cached
    if isinstance(value, types.ModuleType):
        _add_module(digest, value, names, seen)
    elif isinstance(value, types.FunctionType):
        _add_function(digest, value, seen)
    elif isinstance(value, type):
        digest.update(f"class {value.__module__}.{value.__qualname__}".encode())
        if not _is_library(value.__module__):
            for name in sorted(names & vars(value).keys()):
                _add_value(digest, vars(value)[name], names, seen)
    elif isinstance(value, np.ndarray):
        digest.update(f"array {value.dtype} {value.shape}".encode() + value.tobytes())
    elif isinstance(value, tuple | list):
        digest.update(f"{type(value).__name__} {len(value)}".encode())
        for item in value:
            _add_value(digest, item, names, seen)
    elif isinstance(value, frozenset | set):
        digest.update(repr(sorted(map(repr, value))).encode())  # the order of a set varies by process
    else:
        # For an object without a repr of its own this holds its address: never a hit, never stale.
        digest.update(f"{type(value).__qualname__} {value!r}".encode())


def _add_function(digest: _Hash, function: types.FunctionType, seen: set[int]) -> None:
    digest.update(f"function {function.__name__}".encode())
    if id(function) in seen or _is_library(function.__module__):
        return
    seen.add(id(function))
    codes = list(_nested(function.__code__))
    for code in codes:
        digest.update(code.co_code)
        digest.update(repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
        for constant in code.co_consts:
            if not isinstance(constant, types.CodeType) and constant != function.__doc__:
                _add_value(digest, constant, frozenset(), seen)
    names = frozenset(name for code in codes for name in code.co_names)
    for name, *path in sorted(set().union(*map(_global_paths, codes))):
        if name in function.__globals__:
            digest.update(".".join((name, *path)).encode())
            _add_value(digest, _end_of_path(function.__globals__[name], path), names, seen)
    for cell in function.__closure__ or ():
        _add_value(digest, cell.cell_contents, names, seen)
    _add_value(digest, function.__defaults__ or (), names, seen)


def _add_module(digest: _Hash, module: types.ModuleType, names: frozenset[str], seen: set[int]) -> None:
    """Add a module that is used as a value: the code may look up any of its names in it."""
    digest.update(f"module {module.__name__}".encode())
    if not _is_library(module.__name__):
        for name in sorted(names & set(dir(module))):
            digest.update(name.encode())
            _add_value(digest, getattr(module, name), names, seen)


@lru_cache(maxsize=4096)  # byte code never changes, and reading it takes longer than all the rest
def _global_paths(code: types.CodeType) -> frozenset[tuple[str, ...]]:
    """The globals that the code reads, each with the attributes read directly from it: `damier.popcount`."""
    paths: set[tuple[str, ...]] = set()
    path: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_GLOBAL":
            paths.add(path)
            path = (instruction.argval,)
        elif path and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path = (*path, instruction.argval)
        elif instruction.opname != "EXTENDED_ARG":
            paths.add(path)
            path = ()
    return frozenset(paths - {()})


def _end_of_path(value: Any, path: list[str]) -> Any:
    """The value of `damier.core.bits.popcount`: only modules are resolved, as in the compiler."""
    for name in path:
        if not isinstance(value, types.ModuleType) or _is_library(value.__name__):
            break
        value = getattr(value, name, None)
    return value


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nested(constant)


def _is_library(module_name: str) -> bool:
    """Whether a module's code is fixed by the versions in the cache folder's name (see `cache`)."""
    root = module_name.partition(".")[0]
    return root in _LIBRARIES or (root in sys.stdlib_module_names and root != "__main__") or module_name == _WORDS


_LIBRARIES = frozenset({"numpy", "numba", "llvmlite"})
# Methods for people say something. No word of it is compiled, and the language and the environment, which differ
# from process to process, are none of the rules' code.
_WORDS = "damier.core.messages"
