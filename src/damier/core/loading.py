"""Loading classes from an importable module, or from the user's own file."""

import hashlib
import importlib
import sys
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

from damier.core.errors import RulesError, SpecError
from damier.core.files import is_file, reading, user_path
from damier.core.messages import add_messages, message_of, say
from damier.core.protocol import fact_of

_FILE = "damier_file_"  # how the name of a module begins that was named as `file.py:Class`


def files_in(pickled: bytes) -> list[str]:
    """The modules from files that pickled objects need; another process must load them first."""
    found = (name for name in sys.modules if name.startswith(_FILE))
    return sorted(name for name in found if name.encode() in pickled)


def is_file_name(name: str) -> bool:
    """Whether a name is `path/to/file.py:Class` rather than one of ours."""
    return ".py:" in name or name.endswith(".py")


def load_class(locator: str) -> type:
    """The class behind `package.module:Class` or `path/to/file.py:Class`."""
    place, _, class_name = locator.rpartition(":")
    if locator.endswith(".py") or not class_name:
        raise SpecError("load.no-class-name", name=locator)
    module = _load_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    found: object = module
    for name in class_name.split("."):
        found = getattr(found, name, None)
    if not isinstance(found, type):
        classes = [
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        ]
        there = say("load.classes", classes=classes) if classes else say("load.no-classes")
        raise SpecError("load.no-class", place=place, name=class_name, there=there)
    add_messages(fact_of(found, "messages"))
    return found


def locator_of(cls: type) -> str:
    """The name by which `load_class` finds this class, also in another process."""
    return f"{_file_of(cls) or cls.__module__}:{cls.__qualname__}"


def _load_file(path: Path) -> ModuleType:
    """Run a file as a module, once, and again after an edit. It may import its neighbours."""
    path = user_path(path)
    if not is_file(path):
        raise SpecError("load.no-file", path=path)
    path = path.resolve()
    with reading(path):
        source = path.read_bytes()
    name = f"{_FILE}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    loaded = sys.modules.get(name)
    if loaded is not None and loaded.__dict__.get("__damier_source__") == source:
        return loaded
    module = ModuleType(name)
    module.__dict__.update(__file__=str(path), __damier_file__=str(path), __damier_source__=source)
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    sys.modules[name] = module
    try:
        # Not by the import system: its .pyc files miss an edit within the same second.
        exec(compile(source, path, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        place, kind = _place(error, str(path)), type(error).__name__
        raise SpecError("load.failed", place=place, kind=kind, why=message_of(error)) from error
    return module


def place_in_own_file(cls: type, error: BaseException) -> str | None:
    """The file and line where the user's own class raised an error; None for a class of ours."""
    file = _file_of(cls)
    return None if file is None else _place(error, file)


def failure_in_file(error: BaseException) -> RulesError | None:
    """One line for an error that passed through a user's file: which line, and what happened; None for any other.

    Without the compiler the rules of a game and the parts of a search fail as plain Python does.
    """
    files = {vars(module)["__damier_file__"] for name, module in list(sys.modules.items()) if name.startswith(_FILE)}
    passed = {frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)}
    for file in sorted(files & passed):
        return RulesError("part.raises", place=_place(error, file), kind=type(error).__name__, why=message_of(error))
    return None


def _file_of(cls: type) -> str | None:
    file: str | None = getattr(sys.modules.get(cls.__module__), "__damier_file__", None)
    return file


def _place(error: BaseException, file: str) -> str:
    trace, line = error.__traceback__, error.lineno if isinstance(error, SyntaxError) else None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return say("load.line", file=file, line=line) if line else say("load.file", file=file)
