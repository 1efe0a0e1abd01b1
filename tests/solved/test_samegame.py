"""Small SameGame boards, whose best scores are found by trying everything."""

from copy import deepcopy

import pytest

import damier
from damier import Position
from tests.reference.naive_solo import Same

BEST = {
    "1": 0,  # nothing can be removed
    "11": 1000,
    "12/21": 0,
    "111/222/111": 1017,  # the middle first: then six at a stroke
    "112/221": 1,
    "1221/2112/1331": 1020,
    "1213/2133/1322/3211": 1014,
}


@pytest.mark.parametrize("board", BEST)
def test_the_best_score_is_that_of_naive_rules(board: str) -> None:
    ours = best_score(damier.game(f"samegame:board={board}").start())
    assert ours == best_naive_score(Same(0, 0, 0, 0, board)) == BEST[board]


def best_score(position: Position) -> int:
    here = int(position.game.score(position.state))
    return max((best_score(position.play(move)) for move in position.moves()), default=here)


def best_naive_score(board: Same) -> int:
    scores = []
    for move in board.moves():
        successor = deepcopy(board)
        successor.play(move)
        scores.append(best_naive_score(successor))
    return max(scores, default=board.score())


def test_a_board_of_one_colour_pays_1() -> None:
    """No score is higher than the one that payoffs are scaled by, and here it is reached."""
    position = damier.game("samegame:board=1111/1111/1111").start().play("a1")
    assert position.game.score(position.state) == position.game.rules.max_score == 10**2 + 1000
    assert position.returns == (1.0,)
