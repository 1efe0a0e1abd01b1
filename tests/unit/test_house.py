"""Laws of the house, checked by reading the source: sizes, parameters, names and the order of the layers.

Each list of exceptions is exact: an entry that is no longer needed fails, so that the lists only shrink.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from damier.core.protocol import CAPABILITIES
from tests.unit.command import ROOT

PACKAGE = ROOT / "src" / "damier"
MOST_LINES, MOST_PARAMETERS = 350, 8

TOO_LONG: set[str] = set()
TOO_MANY_PARAMETERS: set[str] = set()
# `damier.check_game` finds the game by its name and asks `core.conformance`; `main` is where a program starts.
SAME_IN_TWO_LAYERS = {"check_game", "main"}

# Where a module is imported whose name is not written there: a user's class, the package's own table, other libraries.
IMPORTS_BY_VARIABLE = {"__init__.py", "core/loading.py", "experiments/contestants.py"}
DECORATORS = {"kernel", "inlined", "uncached"}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def modules() -> dict[str, ast.Module]:
    return {name_of(path): ast.parse(path.read_text()) for path in sorted(PACKAGE.rglob("*.py"))}


def test_no_module_is_too_long() -> None:
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")]
    assert {name_of(path) for path in files if len(path.read_text().splitlines()) > MOST_LINES} == TOO_LONG


def kernels(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            if {name.id for name in node.decorator_list if isinstance(name, ast.Name)} & DECORATORS:
                yield node


def test_no_kernel_has_too_many_parameters() -> None:
    found = {f"{module}: {each.name}": each.args for module, tree in modules().items() for each in kernels(tree)}
    many = {
        name
        for name, args in found.items()
        if len(args.posonlyargs + args.args + args.kwonlyargs) > MOST_PARAMETERS or args.vararg or args.kwarg
    }
    assert many == TOO_MANY_PARAMETERS
    assert len(found) > 300, "kernels are found by their decorators"


def test_no_module_is_named_after_nothing() -> None:
    words = {"utils", "util", "helpers", "helper", "misc", "common"}
    assert [name for name in modules() if words & set(re.split(r"[/_.]", name))] == []


def named_functions(tree: ast.Module) -> Iterator[str]:
    """The public functions of a module, without those that a decorator registers: a command is named as it is typed,
    and a route after its address."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            if not any(isinstance(decorator, ast.Call) for decorator in node.decorator_list):
                yield node.name


def test_no_function_is_named_in_two_layers_for_two_things() -> None:
    """The name of a capability means that capability wherever it stands: in a game's module, or in a kernel that calls
    it."""
    found: dict[str, set[str]] = {}
    for module, tree in modules().items():
        layer = module.partition("/")[0]
        for name in named_functions(tree) if layer in layers() else ():
            found.setdefault(name, set()).add(layer)
    twice = {name for name, where in found.items() if len(where) > 1}
    assert twice - set(CAPABILITIES) == SAME_IN_TWO_LAYERS
    assert len(found) > 700, "functions are found by reading the modules"


# -- layers --------------------------------------------------------------------------------------------------------


@cache
def layers() -> list[str]:
    """From the lowest up, as import-linter has them; one in brackets may be missing."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    listed = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [layer.strip("()").removeprefix("damier.") for layer in reversed(listed)]


def test_every_folder_is_a_layer_and_the_map_shows_it_in_its_place() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= set(layers())
    shown = (ROOT / "CONTRIBUTING.md").read_text().partition("src/damier/\n")[2].partition("```")[0]
    assert re.findall(r"^  (\w+)/ ", shown, re.MULTILINE) == [layer for layer in layers() if layer in folders]


def names_of_modules(tree: ast.Module) -> Iterator[str]:
    """Texts like `damier.players.random:Random` or `damier.work.process`, whatever is done with them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"damier(\.\w+)+(:[\w.]+)?", node.value) and exists(node.value):
                yield node.value


def exists(name: str) -> bool:
    path = PACKAGE.joinpath(*name.partition(":")[0].split(".")[1:])
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def test_no_layer_names_a_module_above_it() -> None:
    """import-linter sees `import`; a registry, `python -m` or importlib names a module by a text."""
    upward, seen = [], 0
    for module, tree in modules().items():
        layer = module.partition("/")[0]
        if layer in layers():
            for name in names_of_modules(tree):
                seen += 1
                if layers().index(name.split(":")[0].split(".")[1]) > layers().index(layer):
                    upward.append(f"{module} names {name}")
    assert upward == []
    assert seen > 40, "the registries name their games and players"


def test_no_module_is_imported_by_a_name_that_cannot_be_read() -> None:
    found = set()
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
                if not isinstance(node.args[0], ast.Constant):
                    found.add(module)
                elif node.args[0].value == "damier":
                    raise AssertionError(f"{module} imports the whole package")
    assert found == IMPORTS_BY_VARIABLE


def test_nothing_but_the_command_line_looks_at_its_arguments() -> None:
    readers = {module for module, tree in modules().items() if "sys.argv" in ast.unparse(tree)}
    assert all(module.startswith("cli/") for module in readers)
