"""Which players a visitor may sit down, without a server."""

from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core.errors import SpecError
from damier.core.position import Position
from damier.search.solve import Solver
from damier.web.catalogue import players_for
from damier.web.guard import ForbiddenError, check_seat
from damier.web.searching.process import Engine
from damier.web.settings import WebSettings
from tests.unit.command import ROOT

LATE = "a a a a a a b b b b b b c c c c c c e e"


def start(game: str) -> Position:
    return damier.game(game).start()


@pytest.mark.parametrize("game", ["connect4", "gomoku", "othello", "draughts", "blokus:board=duo"])
def test_a_player_that_can_not_keep_the_time_is_neither_offered_nor_accepted(game: str) -> None:
    assert "perfect" not in players_for(damier.game(game), WebSettings())
    with pytest.raises(SpecError, match=r"perfect can't choose a move of .* within 10 seconds"):
        check_seat("perfect", WebSettings(), start(game))


def test_it_is_where_it_can() -> None:
    assert "perfect" in players_for(damier.game("tictactoe"), WebSettings())
    assert "uct" in players_for(damier.game("gomoku"), WebSettings())
    check_seat("perfect", WebSettings(), start("connect4:rows=4,cols=4"))
    check_seat("perfect", WebSettings(), start("connect4").play_all(LATE))


def test_preparing_a_player_that_nothing_bounds_solves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solver, "solve", _fail)
    engine = Engine.__new__(Engine)
    engine.prepared = set()
    assert [kind for kind, _ in engine._compile(damier.game("connect4"), "perfect")] == ["preparing"]


OWN = f"{ROOT}/examples/epsilon_greedy.py:EpsilonGreedy"


def test_a_player_from_a_file_is_for_the_owner_to_allow(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise RuntimeError('loaded')")
    with pytest.raises(ForbiddenError, match="players from files are not allowed here; start the server with --allow-"):
        check_seat(f"{tmp_path}/mine.py:Mine", WebSettings(), start("tictactoe"))
    with pytest.raises(SpecError, match="can't be loaded: RuntimeError: loaded"):
        check_seat(f"{tmp_path}/mine.py:Mine", WebSettings(allow_files=True), start("tictactoe"))
    assert check_seat(f"{OWN}:playouts=3", WebSettings(allow_files=True), start("tictactoe")) == f"{OWN}:playouts=3"


def test_a_player_from_a_file_is_made_ready_and_analyses_once() -> None:
    engine = Engine.__new__(Engine)
    engine.prepared = set()
    assert [kind for kind, _ in engine._compile(damier.game("tictactoe"), OWN)] == ["preparing"]
    (found,) = engine._slices({"player": OWN, "seed": 1}, start("tictactoe"))
    assert found["best"] in start("tictactoe").notations()


def _fail(*_: Any, **__: Any) -> None:
    raise AssertionError("this takes minutes")
