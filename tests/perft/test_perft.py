"""The leaves of the move tree and the different positions, counted as in the data files."""

import pytest

import damier
from damier import Position
from damier.search.perft import distinct, divide
from tests.perft.data import Case, cases
from tests.perft.walk import ended_by_length


@pytest.mark.parametrize("case", cases(), ids=str)
def test_leaves_of_the_move_tree(case: Case) -> None:
    start = damier.game(case.game).start().play_all(case.moves)
    for depth, expected in enumerate(case.perft, 1):
        found = damier.perft(start, depth)
        assert found == expected, _divide(start, depth)


@pytest.mark.parametrize("case", cases(), ids=str)
def test_different_positions(case: Case) -> None:
    start = damier.game(case.game).start().play_all(case.moves)
    assert list(distinct(start, len(case.distinct)))[1:] == case.distinct


def _divide(start: Position, depth: int) -> str:
    """Where the leaves are: compare with another program's list to find the move that differs."""
    listed = (f"{start.notation(move)} {leaves}" for move, leaves in divide(start, depth))
    return "\n".join([f"depth {depth} {start!r}", *listed])


def test_a_wrong_count_is_shown_move_by_move() -> None:
    shown = _divide(damier.game("tictactoe").start().play_all("a1 b2"), 2)
    assert shown.splitlines()[1:] == ["a3 6", "b3 6", "c3 6", "a2 6", "c2 6", "b1 6", "c1 6"]


def test_tictactoe_has_255168_games() -> None:
    ended = ended_by_length(damier.game("tictactoe"), 9)
    assert ended.tolist() == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]
    assert ended.sum() == 255_168


def test_tictactoe_has_5478_positions() -> None:
    assert sum(distinct(damier.game("tictactoe").start(), 9)) == 5_478


def test_othello_agrees_with_the_list_in_which_a_beaten_player_passes_once_more() -> None:
    """Aart Bik's count at depth 10 holds the games that are over after 9 moves, ours does not."""
    game = damier.game("othello")
    over = ended_by_length(game, 9)
    assert over.tolist() == [0] * 9 + [228]
    assert damier.perft(game, 10) + over[9] == 24_571_284
