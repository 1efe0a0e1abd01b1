"""The version of the code that played: a hash of the files of a class of your own.

The hash includes the file of the class and every file of yours that it imports, directly or indirectly. Any edit, even
of a comment, makes it other code: games of two versions are never mixed. Files of Python, damier or installed packages
are not included, and neither are data files.
"""

import ast
import hashlib
import importlib.util
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from damier.core.fingerprint import fingerprint
from damier.core.loading import is_file_name, load_class
from damier.core.spec import split_spec
from damier.players import REGISTRY
from damier.players.guests import is_ours

_INSTALLED = {"site-packages", "dist-packages"}  # folders of packages


def source_of(cls: type) -> str:
    """The hash of the sources of a class, as 16 hex digits; empty for a class of ours."""
    if is_ours(cls):
        return ""
    module = sys.modules.get(cls.__module__)
    if module is None or _source(module) is None or _is_typed_in(cls):
        return _typed_in(vars(module) if module else vars(cls), cls.__module__)
    digest = hashlib.sha256()
    for name, source in _files(module):
        digest.update(f"{name} {len(source)} ".encode() + source)
    return digest.hexdigest()[:16]


def own_parts(cls: type, options: Mapping[str, Any]) -> Iterator[type]:
    """The classes of your own that are parts of a player, or players inside it: a selection rule `file.py:Class`, for
    example."""
    for option in (*getattr(cls, "parts", {}), *getattr(cls, "players", ())):
        given = options.get(option)
        if isinstance(given, str):
            name, inner = split_spec(given)
            if is_file_name(name):
                part = load_class(name)
                yield part
                yield from own_parts(part, inner)
            elif name in REGISTRY and option in getattr(cls, "players", ()):
                yield from own_parts(load_class(REGISTRY[name]), inner)
        elif given is not None:
            part = given if isinstance(given, type) else type(given)
            if not is_ours(part):
                yield part


def _source(module: types.ModuleType) -> bytes | None:
    """The source that was loaded; a file named as `file.py:Class` may have been edited since."""
    loaded: bytes | None = module.__dict__.get("__damier_source__")
    return loaded or _read(getattr(module, "__file__", None))


def _read(file: str | None) -> bytes | None:
    try:
        return Path(file).read_bytes() if file else None
    except OSError:
        return None


def _is_typed_in(cls: type) -> bool:
    """Whether a class was typed in at a prompt, after the file of its module was run."""
    functions = [value for value in vars(cls).values() if isinstance(value, types.FunctionType)]
    return any(function.__code__.co_filename == "<stdin>" for function in functions)


def _typed_in(names: Mapping[str, Any], module: str) -> str:
    """The code of a module without a file, such as a notebook: every function and class defined there."""
    functions: list[types.FunctionType] = []
    for _, value in sorted(names.items()):
        if getattr(value, "__module__", None) != module:
            continue
        for each in (value, *(vars(value).values() if isinstance(value, type) else ())):
            found = each.fget if isinstance(each, property) else getattr(each, "__func__", each)
            if isinstance(found, types.FunctionType):
                functions.append(found)
    return fingerprint(*functions)


def _files(module: types.ModuleType) -> Iterator[tuple[str, bytes]]:
    """The source of a module and of everything that it imports, each once, by the name of its module."""
    package = getattr(module, "__package__", None) or ""
    source = _source(module)
    assert source is not None
    waiting, seen = [("", package, source)], {module.__name__}
    while waiting:
        name, package, source = waiting.pop()
        yield name, source
        for imported in sorted(_imports(source, package) - seen):
            seen.add(imported)
            found = _found(imported)
            if found is not None:
                waiting.append((imported, *found))


def _imports(source: bytes, package: str) -> set[str]:
    """The names of modules that a source may import; `from a import b` may mean a module `a.b`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
                base = f"{above}.{base}".strip(".")
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return names


def _found(name: str) -> tuple[str, bytes] | None:
    """The package and the source of a module of the user."""
    root = name.partition(".")[0]
    if not root or root == "damier" or root in sys.stdlib_module_names:
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):  # not a module, but a function or a constant
        return None
    if spec is None or not spec.origin or not spec.origin.endswith(".py") or _INSTALLED & set(Path(spec.origin).parts):
        return None
    source = _read(spec.origin)
    return None if source is None else (spec.parent or "", source)
