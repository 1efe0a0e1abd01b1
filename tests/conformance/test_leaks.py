"""Planted leaks of hidden information are found. The error says which observer, what differs, and after which moves."""

import re

import pytest

import damier
from damier.core.conformance import possible
from damier.core.errors import RulesError
from tests.compiler import without_compiler
from tests.conformance import leaks


def found(rules: type, games: int) -> str:
    with pytest.raises(RulesError) as caught:
        damier.check_game(rules(), games=games)
    return str(caught.value)


@without_compiler  # the same check, of rules that are wrong in either run
@pytest.mark.parametrize(("rules", "says"), leaks.LEAKS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_leak_is_found_and_named(rules: type, says: str) -> None:
    text = found(rules, games=3)
    assert re.match(rf"{rules.__name__} breaks a law {says}", text), text
    assert "\n" not in text


@without_compiler
@pytest.mark.parametrize(("rules", "says"), leaks.LARGE, ids=lambda each: getattr(each, "__name__", ""))
def test_a_leak_is_found_in_random_positions(rules: type, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible, "MOST_NODES", 0)
    text = found(rules, games=30)
    assert re.match(rf"{rules.__name__} breaks a law {says}", text), text


@without_compiler
@pytest.mark.parametrize("rules", [leaks.Ranks, leaks.Small])
def test_the_games_are_right_without_the_leaks(rules: type) -> None:
    assert damier.check_game(rules(), games=3).knowledge["is_exact"]
