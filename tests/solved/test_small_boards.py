"""Small boards whose values are known."""

import pytest

import damier
from tests.solved.minimax import value


def test_connect4_on_4_by_4_is_a_draw() -> None:
    """John Tromp's table of Connect 4 on small boards."""
    assert value(damier.game("connect4:rows=4,cols=4").start()) == 0


def test_othello_on_4_by_4_is_won_by_the_second_player() -> None:
    """As on 6 by 6 (Joel Feinstein 1993)."""
    assert value(damier.game("othello:size=4").start()) == -1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mnk:rows=3,cols=4,k=3", 1),
        ("mnk:rows=4,cols=3,k=3", 1),
        ("mnk:rows=2,cols=6,k=3", 0),
        ("mnk:rows=1,cols=2,k=2", 0),
        ("mnk:rows=1,cols=3,k=2", 1),
    ],
)
def test_in_a_row_games_have_their_known_values(name: str, expected: int) -> None:
    """Jos Uiterwijk and Jaap van den Herik: The advantage of the initiative, 2000."""
    assert value(damier.game(name).start()) == expected
