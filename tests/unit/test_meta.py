"""Every registered game has all that a game of this house has."""

from pathlib import Path

import pytest
from benchmarks.floors import floors

from damier.games import REGISTRY
from tests.perft import data
from tests.playthroughs import record

DOCS = Path(__file__).parents[2] / "docs" / "games"


@pytest.mark.parametrize("name", REGISTRY)
def test_a_game_has_a_perft_file(name: str) -> None:
    assert data.path_of(name).is_file()
    assert any(case.game == name and case.moves == "" for case in data.cases())


@pytest.mark.parametrize("name", REGISTRY)
def test_a_game_has_a_playthrough(name: str) -> None:
    assert record.path_of(name).is_file(), "write it with `python -m tests.playthroughs.record`"


@pytest.mark.parametrize("name", REGISTRY)
def test_a_game_has_a_page_in_the_documentation(name: str) -> None:
    assert (DOCS / f"{name}.md").is_file()


def test_no_file_is_left_of_a_game_that_is_gone() -> None:
    files = [*data.FOLDER.glob("*.json"), *record.FOLDER.glob("*.txt")]
    assert {file.stem for file in files} == set(REGISTRY)


def test_every_dependency_has_an_oldest_version_that_is_tried() -> None:
    """`make floors` installs them and runs a smoke test."""
    assert {"numba", "numpy", "typer", "torch", "ray"} <= set(floors(["train", "cluster"]))
