"""What a game may have is declared in one table, and nothing else knows of it in secret."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

import damier
from damier.core import calls
from damier.core.bring import arguments_of
from damier.core.capability import Kind
from damier.core.conformance import LAWS
from damier.core.protocol import CAPABILITIES, FACTS, FOR_PEOPLE, OPTIONAL, REQUIRED, FullRules
from damier.games import REGISTRY, file_formats
from tests.conformance import broken

SOURCE = Path(damier.__file__).parent
LISTED_TOGETHER = ("moves", "chance")  # by `calls.list_moves`

MAY_NAME_GAMES = {
    "zero/recipes.py": "settings of trainings, one a game",
    "web/routes/learn.py": "the examples on the page",
    "web/routes/play.py": "the game with which the form begins",
    "web/routes/follow.py": "the game with which the form begins",
}


def probes(file: Path) -> Iterator[tuple[str, str | None, int]]:
    """What a file asks of games at run time: how, by what name if that is written there, and the line."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        names = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        name = names[0] if names else None
        if isinstance(node.func, ast.Attribute) and node.func.attr == "has":
            yield "has", name, node.lineno
        elif isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr"):
            asked = ast.unparse(node.args[0])
            if "game" in asked or "rules" in asked:
                yield node.func.id, name, node.lineno


def files_outside() -> Iterator[Path]:
    for file in sorted(SOURCE.rglob("*.py")):
        if file.relative_to(SOURCE).parts[0] not in ("core", "games"):
            yield file


def test_every_entry_says_what_it_is_for() -> None:
    for name, each in CAPABILITIES.items():
        assert each.says.endswith("."), name
        assert bool(each.default) == bool(each.unlocks), name
        assert each.is_required == (name in REQUIRED or name in ("State", "num_players", "max_moves", "max_length"))


def test_the_views_hold_every_entry_once() -> None:
    assert sorted([*REQUIRED, *OPTIONAL, *FOR_PEOPLE, *FACTS]) == sorted(CAPABILITIES)


def test_the_type_checkers_protocol_is_the_table() -> None:
    methods = {name for name, value in inspect.getmembers(FullRules, inspect.isfunction) if not name.startswith("_")}
    assert methods | set(get_type_hints(FullRules)) == set(CAPABILITIES)


@pytest.mark.parametrize("rule", [name for name, each in CAPABILITIES.items() if each.is_compiled])
def test_every_compiled_rule_has_a_kernel_with_its_arguments(rule: str) -> None:
    if rule in LISTED_TOGETHER:
        return
    kernel = getattr(calls, rule)
    signature = inspect.signature(getattr(kernel, "py_func", kernel))
    assert list(signature.parameters) == ["game", *CAPABILITIES[rule].parameters]


def test_no_law_is_of_something_undeclared() -> None:
    assert set(LAWS) - set(CAPABILITIES) == {"agree", "position"}


def test_nobody_asks_a_game_for_what_the_table_does_not_have() -> None:
    found = [
        f"{file.relative_to(SOURCE)}:{line}: {how} of '{name}'"
        for file in files_outside()
        for how, name, line in probes(file)
        if how != "has" or (name is not None and name not in CAPABILITIES and not arguments_of(name))
    ]
    assert not found, "\n".join(found)


def test_a_game_can_not_be_asked_for_an_unknown_capability() -> None:
    with pytest.raises(KeyError, match="piece_name"):
        damier.game("blokus:board=tiny").has("piece_name")


def test_a_fact_that_a_game_does_not_state_has_its_default() -> None:
    game = damier.game("tictactoe")
    assert (game.least_payoff, game.num_colours, game.endings_key, game.uses_chance) == (-1, 2, "tictactoe", False)
    assert damier.game("pig").uses_chance
    assert damier.game("blokus:players=2,colours=4,board=tiny").num_colours == 4


def test_no_code_outside_names_a_game() -> None:
    """Nor imports from its module. Explicit trees are what the lessons are about."""
    modules = {each.locator.split(":")[0].split(".")[2] for each in REGISTRY.values()} - {"trees"}
    found = []
    for file in files_outside():
        where = file.relative_to(SOURCE).as_posix()
        if where.startswith("experiments/") or where in MAY_NAME_GAMES:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.ImportFrom(module=str(module)) if module.startswith("damier.games."):
                    found += [f"{where}:{node.lineno}: {module}"] if module.split(".")[2] in modules else []
                case ast.Constant(value=str(text)) if text.partition(":")[0] in REGISTRY.keys() - {"tree"}:
                    found.append(f"{where}:{node.lineno}: '{text}'")
    assert not found, "\n".join(found)


def test_the_formats_of_the_games_are_found_by_extension() -> None:
    assert {name: each.name for name, each in file_formats().items()} == {"pdn": "PDN", "blksgf": "blksgf"}
    assert [each.extension for each in damier.game("dames8").file_formats] == ["pdn"]
    assert damier.game("connect4").file_formats == ()


def test_a_game_of_ones_own_brings_its_format() -> None:
    own = f"{Path(broken.__file__)}:FileForgetsTheLastMove"
    assert set(file_formats(own)) == {"pdn", "blksgf", "txt"}


def test_every_entry_is_of_one_kind() -> None:
    assert {each.kind for each in CAPABILITIES.values()} == set(Kind)
