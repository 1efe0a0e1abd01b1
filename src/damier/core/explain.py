"""The compiler's complaints in plain words.

When Numba refuses a kernel its message tells of every attempt it made. The cause is nearly always in one
line of one rule, so we compile the rules one by one until one fails, look at that line's source for what
rules can't use, and say that.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError

from damier.core.compile import data_of, game_type, rule_methods
from damier.core.errors import CompileError

_NODES: dict[type[ast.AST], str] = {
    ast.ListComp: "a Python list, which rules can't; write into `out` or loop over an array attribute",
    ast.List: "a Python list, which rules can't; write into `out` or keep a NumPy array in an attribute",
    ast.Dict: "a dict, which rules can't; keep a NumPy array in an attribute of the game",
    ast.DictComp: "a dict, which rules can't; keep a NumPy array in an attribute of the game",
    ast.Set: "a set, which rules can't; use the bits of a number or a NumPy array",
    ast.SetComp: "a set, which rules can't; use the bits of a number or a NumPy array",
    ast.GeneratorExp: "a generator, which rules can't; write a loop",
    ast.Yield: "`yield`, which rules can't; write into `out`",
    ast.JoinedStr: "an f-string, which rules can't; text belongs into `format_move` and `draw`",
    ast.Try: "`try`, which rules can't; test the condition with `if`",
    ast.With: "`with`, which rules can't",
    ast.Lambda: "a lambda, which rules can't; write a method",
    ast.Import: "`import` inside a rule; import at the top of the file",
    ast.ImportFrom: "`import` inside a rule; import at the top of the file",
    ast.ClassDef: "a class inside a rule, which rules can't",
}
_CALLS = {
    "list": _NODES[ast.List],
    "dict": _NODES[ast.Dict],
    "set": _NODES[ast.Set],
    "sorted": "`sorted`, which makes a Python list; rules can't",
    "str": "text, which rules can't; text belongs into `format_move` and `draw`",
    "open": "a file, which rules can't; read it in `__init__`",
    "input": "`input`, which rules can't: they are pure",
}


def explain(rules: Any, error: NumbaError) -> CompileError:
    """One readable error for a game whose rules do not compile."""
    for name, method in rule_methods(type(rules)).items():
        complaint = _complaint(rules, name, method)
        if complaint is not None:
            return _describe(rules, name, method, complaint)
    return CompileError(f"{type(rules).__qualname__} does not compile: {_reason(str(error))}", str(error))


def _complaint(rules: Any, name: str, method: Callable[..., Any]) -> NumbaError | None:
    """What Numba says of one rule, compiled alone; None if nothing, or if its arguments are unknown."""
    arguments = _argument_types(rules, method)
    if arguments is None:
        return None
    try:
        numba.njit(method).compile(arguments)
    except NumbaError as error:
        return error
    return None


def _argument_types(rules: Any, method: Callable[..., Any]) -> tuple[types.Type, ...] | None:
    """The types of a rule's arguments, known by the names that the protocol gives them."""
    record = numba.from_dtype(rules.State)
    values = types.Array(types.float64, 1, "C")
    known = {
        "self": game_type(rules),
        "state": record,
        "move": types.int64,
        "observer": types.int64,
        "probs": values,
        "rng": types.Array(types.uint64, 1, "C"),
    }
    known["out"] = {
        "moves": types.Array(types.int64, 1, "C"),
        "chance": types.Array(types.int64, 1, "C"),
        "encode": types.Array(types.float32, len(getattr(rules, "encode_shape", (0,))), "C"),
    }.get(method.__name__, values)
    names = list(inspect.signature(method).parameters)
    return tuple(known[name] for name in names) if all(name in known for name in names) else None


def _describe(rules: Any, name: str, method: Callable[..., Any], error: NumbaError) -> CompileError:
    text = _without_colour(str(error))
    culprit, line = _culprit(rules, method, text)
    file = Path(inspect.getsourcefile(culprit) or "?")
    found = _unusable(rules, culprit, line)
    if found is None:
        reason = f"does not compile: {_reason(text)}"
    else:
        line, used = found
        reason = f"uses {used}"
    return CompileError(f"{type(rules).__qualname__}: `{culprit.__name__}` {reason} ({file}, line {line})", text)


def _culprit(rules: Any, method: Callable[..., Any], text: str) -> tuple[Callable[..., Any], int]:
    """The method that holds the innermost line that Numba names, and that line."""
    places = [(Path(file).name, int(line)) for file, line in re.findall(r'File "([^"]+)", line (\d+)', text)]
    for file, line in places:
        for candidate in rule_methods(type(rules)).values():
            source, first = inspect.getsourcelines(candidate)
            if Path(inspect.getsourcefile(candidate) or "").name == file and first <= line < first + len(source):
                return candidate, line
    return method, inspect.getsourcelines(method)[1]


def _unusable(rules: Any, method: Callable[..., Any], near: int) -> tuple[int, str] | None:
    """The line and the words for what this rule uses and can't: on the line Numba names, else anywhere."""
    source, first = inspect.getsourcelines(method)
    tree = ast.parse(textwrap.dedent("".join(source)))
    found = [(first + line - 1, words) for line, words in _suspects(rules, tree)]
    return next((one for one in found if one[0] == near), found[0] if found else None)


def _suspects(rules: Any, tree: ast.AST) -> Iterator[tuple[int, str]]:
    readable = data_of(rules).keys() | rule_methods(type(rules)).keys()
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if type(node) in _NODES:
            yield line, _NODES[type(node)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            yield line, _CALLS[node.func.id]
        elif isinstance(node, ast.Attribute) and _is_self(node.value) and node.attr not in readable:
            yield line, _attribute(rules, node.attr)
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                inner = target.value if isinstance(target, ast.Subscript) else target
                if isinstance(inner, ast.Attribute) and _is_self(inner.value):
                    yield line, f"`self.{inner.attr} = ...`, but a game never changes; keep it in `state`"


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _attribute(rules: Any, name: str) -> str:
    if not hasattr(rules, name):
        return f"`self.{name}`, which the game does not have; set it in `__init__`"
    kind = type(getattr(rules, name)).__name__
    return f"`self.{name}`, which is a {kind}; rules can read numbers and NumPy arrays of numbers, with public names"


def _reason(text: str) -> str:
    """The part of Numba's message that says what is wrong, in one line."""
    skip = (
        "Failed in nopython",
        "During:",
        "File ",
        "There are",
        " - Of which",
        "With argument",
        "Overload ",
        "Rejected",
    )
    lines = [line.strip() for line in _without_colour(text).splitlines()]
    for line in lines:
        if line and not line.startswith(tuple(part.strip() for part in skip)):
            return line
    return "the compiler gives no reason"


def _without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
