"""Which players a visitor may sit down, without a server."""

from typing import Any

import pytest

import damier
from damier.core.errors import SpecError
from damier.core.position import Position
from damier.search.solve import Solver
from damier.web.catalogue import players_for
from damier.web.permissions import check_seat
from damier.web.searching.process import Searcher
from damier.web.settings import WebSettings

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
    searcher = Searcher.__new__(Searcher)
    searcher.prepared = set()
    assert [kind for kind, _ in searcher._compile(damier.game("connect4"), "perfect")] == ["preparing"]


def _fail(*_: Any, **__: Any) -> None:
    raise AssertionError("this takes minutes")
