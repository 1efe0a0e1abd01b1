"""Compiler errors in plain words.

When Numba refuses a kernel, its message lists every attempt it made, and some mistakes end in an internal
error. The cause is nearly always in one line of one rule. So we compile the rules one by one until one
fails, search its source for things that rules can't use, and report those.
"""

import ast
import builtins
import dis
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from damier.core.bring import (
    EXAMPLE_CHILD,
    EXAMPLE_LINE,
    EXAMPLE_NODE,
    ChildStatistics,
    Line,
    NodeStatistics,
    arguments_of,
    memory_of,
)
from damier.core.calls import example_arguments
from damier.core.compile import data_of, is_readable, object_type, rule_methods
from damier.core.errors import CompileError
from damier.core.generic import Buffers
from damier.core.messages import Message, say
from damier.core.protocol import CAPABILITIES

_NODES: dict[type[ast.AST], str] = {
    ast.List: "compile.list",
    ast.ListComp: "compile.list",
    ast.Dict: "compile.dict",
    ast.DictComp: "compile.dict",
    ast.Set: "compile.set",
    ast.SetComp: "compile.set",
    ast.JoinedStr: "compile.text",
    ast.GeneratorExp: "compile.generator",
    ast.Yield: "compile.yield",
    ast.Try: "compile.try",
    ast.With: "compile.with",
    ast.Lambda: "compile.lambda",
    ast.ClassDef: "compile.class",
    ast.Import: "compile.import",
    ast.ImportFrom: "compile.import",
}
_CALLS = {
    "list": "compile.list",
    "sorted": "compile.list",
    "dict": "compile.dict",
    "set": "compile.set",
    "str": "compile.text",
    "open": "compile.file",
    "input": "compile.input",
}
_FUNCTION = Callable[..., Any]


class _Complaint(NamedTuple):
    """What the compiler says of one rule: its whole text, and what is wrong in our words."""

    text: str
    what: Message


def explain(rules: Any, error: Exception, parts: Iterable[Any] = ()) -> CompileError | None:
    """One readable error for rules, or a part of the search, that do not compile; None if all compile."""
    for thing in (rules, *parts):
        for name, method in _compiled_methods(thing, of_game=thing is rules).items():
            arguments = _argument_types(rules, name, method) if thing is rules else _part_types(rules, thing, method)
            complaint = None if arguments is None else _complaint(name, method, arguments)
            if complaint is not None:
                return _describe(thing, rules, method, complaint)
    if "numba" in type(error).__module__:
        return CompileError("compile.whole", str(error), owner=type(rules).__qualname__, why=_reason(str(error)))
    return None


def _compiled_methods(thing: Any, of_game: bool) -> dict[str, _FUNCTION]:
    """The methods of a part, or the rules of a game and the methods that they call: others are helpers of what is for
    people."""
    methods = rule_methods(type(thing))
    rules = [method for name, method in methods.items() if not of_game or name in CAPABILITIES]
    called = _with_helpers(thing, *rules)
    return {name: method for name, method in methods.items() if method in called}


def _complaint(name: str, method: _FUNCTION, arguments: tuple[types.Type, ...]) -> _Complaint | None:
    """Numba's error for one rule compiled alone, or None."""
    dispatcher = numba.njit(method)
    try:
        dispatcher.compile(arguments)
    except Exception as error:  # Numba also fails in ways it did not foresee
        text = _without_colour(f"{type(error).__name__}: {error}")
        return _Complaint(text, say("compile.fails", why=_reason(_without_colour(str(error)))))
    returned = dispatcher.overloads[arguments].signature.return_type
    counts = name in CAPABILITIES and CAPABILITIES[name].returned is int
    if counts and not isinstance(returned, types.Integer | types.Boolean):
        return _Complaint(f"`{name}` returns {returned}", say("compile.returns", got=_plain_type(returned)))
    return None


def _argument_types(rules: Any, name: str, method: _FUNCTION) -> tuple[types.Type, ...] | None:
    """The types of a rule's arguments: from the protocol's table, or for a helper function from their names."""
    declared = CAPABILITIES.get(name)
    own = dict.fromkeys(list(inspect.signature(method).parameters)[1:])
    state = np.zeros(1, np.dtype((np.record, np.dtype(rules.State))))[0]
    arguments = example_arguments(rules, state, declared.parameters if declared else own)
    return None if arguments is None else (object_type(rules), *map(numba.typeof, arguments))


def _part_types(rules: Any, part: Any, method: _FUNCTION) -> tuple[types.Type, ...] | None:
    """The types of a part's method's arguments: by position in the protocol, or for a helper function by name."""
    buffers = Buffers(1, 1)
    known = {
        "self": object_type(part),
        "game": object_type(rules),
        "state": numba.from_dtype(np.dtype(rules.State)),
        "out": types.Array(types.float64, 1, "C"),
        "rng": numba.from_dtype(np.dtype([("word", np.uint64)])),
        "buffers": buffers._numba_type_,
        "line": numba.typeof(EXAMPLE_LINE),
        "memory": numba.from_dtype(memory_of(part)),
        "payoffs": types.Array(types.float64, 1, "C"),
        "child": numba.typeof(EXAMPLE_CHILD),
        "node": numba.typeof(EXAMPLE_NODE),
        **dict.fromkeys(("move", "player", "visits"), types.int64),
    }
    given = list(inspect.signature(method).parameters)
    names = next((names for names in arguments_of(method.__name__) if len(names) == len(given)), given)
    return tuple(known[name] for name in names) if all(name in known for name in names) else None


def _describe(thing: Any, rules: Any, method: _FUNCTION, complaint: _Complaint) -> CompileError:
    """The place and the cause: the line that Numba names, or else a suspicious line of the method."""
    rule, line = _named_by_numba(thing, complaint.text) or (method, None)
    suspects = [(one, *found) for one in _with_helpers(thing, rule, method) for found in _unusable(thing, rules, one)]
    here = [one for one in suspects if one[0] is rule]
    likely = [one for one in here if one[1] == line] or here or ([] if line else suspects)
    what = complaint.what
    if likely:
        rule, line, used = likely[0]
        what = say("compile.uses", what=used)
    return CompileError(
        "compile.rule",
        complaint.text,
        owner=type(thing).__qualname__,
        rule=rule.__name__,
        what=what,
        file=inspect.getsourcefile(rule) or "?",
        line=line or inspect.getsourcelines(rule)[1],
    )


def _named_by_numba(rules: Any, text: str) -> tuple[_FUNCTION, int] | None:
    """The innermost line of a rule or a helper function that Numba's message names, and its function."""
    functions = _with_helpers(rules, *rule_methods(type(rules)).values())
    for file, line in re.findall(r'(?:File "|Raised from |at )([^"\n]+\.py)"?,? (?:line )?\(?(\d+)', text):
        for function in functions:
            source, first = inspect.getsourcelines(function)
            if Path(inspect.getsourcefile(function) or "").name == Path(file).name:
                if first < int(line) < first + len(source):
                    return function, int(line)
    return None


def _with_helpers(rules: Any, *functions: _FUNCTION) -> list[_FUNCTION]:
    """These functions, then the methods and the user's functions that they call."""
    known = rule_methods(type(rules))
    found = list(dict.fromkeys(functions))
    for function in found:
        for name in function.__code__.co_names:
            called = known.get(name) or function.__globals__.get(name)
            called = getattr(called, "py_func", called)  # of a kernel
            if isinstance(called, FunctionType) and not _is_ours(called) and called not in found:
                found.append(called)
    return found


def _is_ours(function: _FUNCTION) -> bool:
    return function.__module__.partition(".")[0] == "damier"


def _unusable(thing: Any, rules: Any, method: _FUNCTION) -> Iterator[tuple[int, Message]]:
    """The lines of a method that use what rules can't, and what that is."""
    source, first = inspect.getsourcelines(method)
    tree = ast.parse(textwrap.dedent("".join(source)))
    for node in ast.walk(tree):
        key = _NODES.get(type(node))
        used = say(key) if key else _wrong_use(thing, method, node) or _wrong_field(thing, rules, method, node)
        if used is not None:
            yield first + getattr(node, "lineno", 1) - 1, used


def _wrong_use(thing: Any, method: _FUNCTION, node: ast.AST) -> Message | None:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            return say(_CALLS[name])
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name == method.__name__:
            return say("compile.itself")
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
            return say("compile.sets" if hasattr(thing, "State") else "compile.part-sets", name=name)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name), ctx=ast.Store()):
            return say("compile.sets-item" if hasattr(thing, "State") else "compile.part-sets-item", name=name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return _attribute(thing, name)
        case ast.Name(id=name, ctx=ast.Load()) if name in _globals_of(method):
            meant = method.__globals__.get(name)
            if meant is None and not hasattr(builtins, name):
                return say("compile.undefined", name=name)
            if isinstance(meant, FunctionType) and not _is_ours(meant):
                return say("compile.plain-function", name=name)
    return None


def _wrong_field(thing: Any, rules: Any, method: _FUNCTION, node: ast.AST) -> Message | None:
    """What is wrong with `state.x`, and in a part of a search with `child.x`, `node.x` and `game.x`."""
    match node:
        case ast.Attribute(value=ast.Name(id=variable), attr=name):
            meant = _meanings(thing, method).get(variable)
        case _:
            return None
    fields = {
        "state": tuple(np.dtype(rules.State).names or ()),
        "child": ChildStatistics._fields,
        "node": NodeStatistics._fields,
        "line": Line._fields,
        "game": (*data_of(rules), *rule_methods(type(rules))),
    }.get(meant or "", (name,))
    if name in fields:
        return None
    if meant == "state":
        return say("compile.no-field", name=name, fields=fields)
    if meant == "game":
        return say("compile.no-game-attribute", variable=variable, name=name, game=type(rules).__qualname__)
    return say("compile.no-statistic", variable=variable, name=name, fields=fields)


def _meanings(thing: Any, method: _FUNCTION) -> dict[str, str]:
    """By the name of a variable, what it is in the protocol: a method may call its arguments as it likes."""
    own = list(inspect.signature(method).parameters)
    if hasattr(thing, "State"):
        return {"state": "state"}
    declared = next((names for names in arguments_of(method.__name__) if len(names) == len(own)), own)
    return dict(zip(own, declared, strict=True))


def _globals_of(method: _FUNCTION) -> set[str]:
    return {step.argval for step in dis.get_instructions(method) if step.opname == "LOAD_GLOBAL"}


def _attribute(rules: Any, name: str) -> Message | None:
    if name in data_of(rules) or name in rule_methods(type(rules)):
        return None
    if not hasattr(rules, name):
        return say("compile.no-attribute", name=name)
    if name.startswith("_") and is_readable(getattr(rules, name)):
        return say("compile.private", name=name)
    return say("compile.attribute", name=name, kind=type(getattr(rules, name)).__name__)


def _reason(text: str) -> str:
    """The part of Numba's message that says what is wrong, in one line."""
    asked = re.search(r">>> (\w+\(.*\))", text)
    if asked is not None:
        if asked[1].startswith("setitem(readonly array"):
            return say("compile.writes")
        if re.match(r"[gs]etitem\(.*\), float\d+", asked[1]):
            return say("compile.index")
        return say("compile.unknown-call", call=asked[1])
    noise = ("Failed in nopython", "During:", "File ", "- Resolution failure", "None", "<source elided>", "^")
    lines = [line.strip() for line in text.splitlines()]
    told = next((line for line in lines if line and not line.startswith(noise)), "")
    return told.removeprefix("Internal error at ") or say("compile.no-reason")


def _plain_type(returned: types.Type) -> str:
    if isinstance(returned, types.Optional):
        return say("compile.some-none")
    if isinstance(returned, types.NoneType):
        return say("compile.nothing")
    return say("compile.a-list") if isinstance(returned, types.List) else str(returned)


def _without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
