"""A Position is an immutable, checked value."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.games import REGISTRY

NAMES = ["tictactoe", "connect4", "othello", "mnk:rows=4,cols=3,k=3", "examples/nim.py:Nim"]


def test_moves_are_played_by_number_and_by_notation() -> None:
    start = damier.game("connect4").start()
    assert start.play(3) == start.play("d") == start.play("D") == start.play("4")
    assert start.play_all("d d c") == start.play_all([3, "d", 2]) == start.play("d").play("d").play("c")
    assert start.play_all("d d c").line() == "d d c"


def test_playing_leaves_the_position_as_it_was() -> None:
    start = damier.game("othello").start()
    before = start.draw(unicode=False), start.key, start.moves()
    start.play("d3")
    assert (start.draw(unicode=False), start.key, start.moves()) == before


def test_a_position_cannot_be_changed() -> None:
    start = damier.game("tictactoe").start()
    with pytest.raises(AttributeError, match="can't be changed"):
        start.history = (1,)
    state = start.state
    state.player = 1
    assert start.player == 0
    listed = start.moves()
    listed.clear()
    assert len(start.moves()) == 9


def test_equality_is_by_content_and_not_by_history() -> None:
    start = damier.game("tictactoe").start()
    one, other = start.play_all("a1 b2 c3"), start.play_all("c3 b2 a1")
    assert one == other
    assert hash(one) == hash(other)
    assert one.history != other.history
    assert one != start
    assert start != damier.game("mnk:rows=3,cols=3,k=3").start()
    assert damier.game("connect4").start() != damier.game("connect4:rows=7").start()
    assert start != "tictactoe"


def test_representations() -> None:
    start = damier.game("connect4:rows=4,cols=4").start()
    assert repr(start) == "<Position connect4:rows=4,cols=4 at the start: player 0 to move>"
    assert repr(start.play("a")) == "<Position connect4:rows=4,cols=4 after 'a': player 1 to move>"
    won = start.play_all("a b a b a b a")
    assert repr(won) == "<Position connect4:rows=4,cols=4 after 'a b a b a b a': over>"
    found = damier.Position(start.game, start.play("a").state).play("b")
    assert repr(found) == "<Position connect4:rows=4,cols=4 from '..../..../..../X... O' after 'b': player 0 to move>"
    assert repr(start.game) == "<Game connect4:rows=4,cols=4>"


def test_the_end_of_a_game() -> None:
    start = damier.game("tictactoe").start()
    assert start.returns is None
    won = start.play_all("a1 b1 a2 b2 a3")
    assert won.is_over
    assert won.moves() == []
    assert won.returns == (1.0, -1.0)
    drawn = start.play_all("b2 a1 c3 a3 a2 c2 b3 b1 c1")
    assert drawn.returns == (0.0, 0.0)


def test_illegal_moves_tell_what_was_expected_what_came_and_where() -> None:
    position = damier.game("tictactoe").start().play("b2")
    with pytest.raises(damier.MoveError, match="illegal move 'b2' in tictactoe after 'b2': expected one of a3 b3 c3"):
        position.play("b2")
    with pytest.raises(damier.MoveError, match=r"illegal move '4' .* expected one of 0 1 2 3 5"):
        position.play(4)
    with pytest.raises(damier.MoveError, match="illegal move ''"):
        position.play("")
    with pytest.raises(damier.MoveError, match=r"\.\.\. \(225 in all\)"):
        damier.game("gomoku").start().play("x99")


def test_boards_are_drawn_in_unicode_and_in_ascii() -> None:
    position = damier.game("tictactoe").start().play_all("b2 c2")
    assert position.draw(unicode=False) == (
        "  +---+---+---+\n"
        "3 |   |   |   |\n"
        "  +---+---+---+\n"
        "2 |   | X | O |\n"
        "  +---+---+---+\n"
        "1 |   |   |   |\n"
        "  +---+---+---+\n"
        "    a   b   c"
    )
    assert "│   │ ● │ ○ │" in position.draw(unicode=True)
    assert position.draw(unicode=True).isascii() is False


def test_a_game_without_a_board_shows_its_record(tmp_path: object) -> None:
    position = damier.game("tests/wrong/base.py:Count").start().play(2)
    assert str(position) == "player: 1\ntotal: 2"


def test_the_states_of_a_position_are_its_own() -> None:
    position = damier.game("connect4").start()
    assert isinstance(position.state, np.record)
    assert position.state is not position.state


@pytest.mark.parametrize("name", [*REGISTRY, "examples/breakthrough.py:Breakthrough:size=5"])
def test_games_and_positions_survive_pickling(name: str) -> None:
    game = damier.game(name)
    position = game.start().play(game.start().moves()[0])
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.history == position.history
    assert copy.game == game
    assert copy.game.name == name


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(NAMES), choices=st.lists(st.integers(0, 1000), max_size=12))
def test_any_line_of_play_can_be_written_down_and_read_back(name: str, choices: list[int]) -> None:
    position = damier.game(name).start()
    for choice in choices:
        if position.is_over:
            break
        position = position.play(position.moves()[choice % len(position.moves())])
    again = damier.game(name).start().play_all(position.line())
    assert again == position
    assert again.key == position.key


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(NAMES), text=st.text(max_size=6))
def test_no_text_but_a_move_is_a_move(name: str, text: str) -> None:
    start = damier.game(name).start()
    try:
        move = start.parse(text)
    except damier.MoveError:
        return
    assert move in start.moves()
