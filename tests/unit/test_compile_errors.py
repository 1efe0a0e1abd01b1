"""A rule that does not compile gives one readable error: game, method, file and line, and the reason."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.explain import explain
from tests.unit.command import run_damier

FILE = Path(__file__).parents[1] / "wrong" / "uncompilable.py"
REASONS = {
    "UsesList": "`moves` uses a Python list, which rules can't; write into `out`",
    "ReturnsList": "`moves` uses a Python list, which rules can't; write into `out`",
    "UsesDict": "`play` uses a dict",
    "UsesText": "`returns` uses `self.label`, which is a str",
    "UsesMissing": "`play` uses `self.step`, which the class does not have",
    "ChangesItself": "`play` uses `self.total = ...`, but a game never changes",
    "WritesTable": "`play` uses `self.table[...] = ...`, but a game never changes",
    "WritesTableByAnotherName": "`play` does not compile: it writes into an array of the game, but a game never "
    "changes; make a local array with np.zeros",
    "WritesTableInKernel": "`mark` does not compile: it writes into an array of the game",
    "UsesUnknownField": "`moves` uses `state.totale`, but State has the fields player, total",
    "UsesUnknownName": "`moves` uses `limit`, which is not defined",
    "UsesTry": "`play` uses `try`",
    "UsesFString": "`play` uses text",
    "HelperFails": "`helper` uses a Python list",
    "KernelFails": "`lesser` uses a Python list",
    "UsesPlainFunction": "`play` uses `twice`, a plain function; write @damier.kernel above it",
    "CallsItself": "`depth` uses itself",
    "MixesTypes": "`moves` returns None in some cases",
    "FloatIndex": "`moves` does not compile: an index is not a whole number",
}

pytestmark = pytest.mark.skipif(not COMPILER_ON, reason="the compiler is switched off")


def marked_line(cls: type) -> int:
    """The line of the class with the comment `# here`, or the line elsewhere with `# here: Class`."""
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
        if line.endswith(f"# here: {cls.__name__}"):
            return number
    lines, first = inspect.getsourcelines(cls)
    return next(first + offset for offset, line in enumerate(lines) if line.rstrip().endswith("# here"))


def play_a_game(game: damier.Game) -> Any:
    position = game.start()
    while not position.is_over:
        position = position.play(position.moves()[0])
    return position.returns


@pytest.mark.parametrize("name", REASONS)
def test_the_error_names_the_rule_the_line_and_the_reason(name: str) -> None:
    game = damier.game(f"{FILE}:{name}")
    with pytest.raises(damier.CompileError) as caught:
        play_a_game(game)
    message = str(caught.value)
    assert message.startswith(f"{name}: {REASONS[name]}")
    assert "\n" not in message
    line = re.search(r"\((.*uncompilable\.py), line (\d+)\)$", message)
    assert line is not None
    if name != "MixesTypes":  # what a rule returns has no line of its own
        assert int(line[2]) == marked_line(type(game.rules))


def test_the_reason_is_told_in_french_too() -> None:
    with pytest.raises(damier.CompileError) as caught:
        play_a_game(damier.game(f"{FILE}:UsesMissing"))
    assert caught.value.text("fr").startswith("UsesMissing : `play` utilise `self.step`, que le jeu n’a pas ; ")


def test_the_compilers_own_words_come_only_with_debug() -> None:
    spec = f"{FILE}:UsesDict"
    quiet, loud = run_damier("check", spec), run_damier("check", spec, "--debug")
    assert quiet.returncode == 2
    assert len(quiet.stderr.splitlines()) == 1
    assert "Traceback" not in quiet.stderr
    assert loud.returncode != 0
    assert "During: typing of" in loud.stderr
    assert "Traceback" in loud.stderr


def test_a_rule_with_wrong_arguments_is_refused_before_it_is_compiled() -> None:
    with pytest.raises(damier.RulesError, match=r"expected the method moves\(self, state, out\), got moves"):
        damier.game(f"{FILE}:WrongArguments")


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_nothing_is_said_of_rules_that_compile(name: str) -> None:
    assert explain(damier.game(name).rules, ValueError("something else")) is None
