"""Recorded games are told today as they were told before."""

import difflib

import pytest

from damier.games import REGISTRY
from tests.playthroughs.record import path_of, record


@pytest.mark.parametrize("name", REGISTRY)
def test_a_recorded_game_is_told_the_same(name: str) -> None:
    recorded = path_of(name).read_text().splitlines()
    told = record(name).splitlines()
    difference = "\n".join(difflib.unified_diff(recorded, told, path_of(name).name, "now", lineterm=""))
    assert not difference, f"if this is intended, run `python -m tests.playthroughs.record`\n{difference}"


def test_the_recorded_othello_game_contains_a_pass() -> None:
    assert "moves: 64=pass" in path_of("othello").read_text().splitlines()
