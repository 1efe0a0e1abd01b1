"""Tic-tac-toe is a draw, and how its 255,168 games end is known."""

import pytest

import damier
from tests.perft.walk import results
from tests.solved.minimax import value

SAME_GAME = pytest.mark.parametrize("name", ["tictactoe", "mnk:rows=3,cols=3,k=3"])


@SAME_GAME
def test_perfect_play_is_a_draw(name: str) -> None:
    assert value(damier.game(name).start()) == 0


@SAME_GAME
def test_the_second_player_must_answer_a_corner_in_the_centre(name: str) -> None:
    corner = damier.game(name).start().play("a1")
    values = {corner.notation(move): value(corner.play(move)) for move in corner.moves()}
    assert [notation for notation, result in values.items() if result == 0] == ["b2"]
    assert set(values.values()) == {0, 1}


@SAME_GAME
def test_how_all_games_end(name: str) -> None:
    lost, drawn, won = results(damier.game(name))
    assert (won, lost, drawn) == (131_184, 77_904, 46_080)
    assert won + lost + drawn == 255_168


def test_both_forms_of_the_rules_agree_on_every_position_after_three_moves() -> None:
    ours, other = damier.game("tictactoe").start(), damier.game("mnk:rows=3,cols=3,k=3").start()
    for line in _lines(ours, 3):
        assert value(ours.play_all(line)) == value(other.play_all(line))


def _lines(position: damier.Position, depth: int) -> list[list[int]]:
    if depth == 0:
        return [[]]
    return [[move, *line] for move in position.moves() for line in _lines(position.play(move), depth - 1)]
