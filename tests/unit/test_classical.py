"""The classical players: budgets, what is refused, and games whose value is known."""

import pytest

import damier
from damier.core.budget import Budget
from damier.core.errors import SpecError
from damier.players.classical import AlphaBeta
from damier.search.classical.alphabeta import Engine
from tests.conformance.games import Pig

TICTACTOE = damier.game("tictactoe").start()


def test_tictactoe_is_a_draw() -> None:
    result = damier.player("alphabeta:depth=9,memory=1").search(TICTACTOE)
    assert result.values == (0.0, 0.0)
    assert result.depth == len(result.pv) == 9


def test_of_two_wins_the_sooner_one_is_played_and_of_two_losses_the_later_one() -> None:
    win = TICTACTOE.play_all("a3 a1 b3 b1")  # c3 wins at once
    assert damier.player("alphabeta:depth=5,memory=1").search(win).notation == "c3"
    lost = TICTACTOE.play_all("a1 b1 a3 a2 c3")  # b3 and b2 both threaten; only one can be stopped
    result = damier.player("alphabeta:depth=9,memory=1").search(lost)
    assert result.values == (1.0, -1.0)
    assert len(result.pv) == 2
    assert result.depth == 2  # nothing more is to be seen


def test_a_limit_of_nodes_is_kept_and_a_move_is_made_with_any() -> None:
    for nodes in range(1, 2000, 97):
        result = Engine(Budget(nodes=nodes), memory=1).search(TICTACTOE)
        assert result.nodes <= nodes
        assert result.move in TICTACTOE.moves()
    complete = Engine(Budget(depth=2), memory=1).search(TICTACTOE)
    assert Engine(Budget(nodes=complete.nodes, depth=2), memory=1).search(TICTACTOE).depth == 2
    assert Engine(Budget(nodes=complete.nodes - 1, depth=2), memory=1).search(TICTACTOE).depth == 1


def test_what_a_broken_off_depth_has_proved_counts() -> None:
    """The longer the search, the deeper what its move rests on: it is never worse than the last whole depth's move."""
    pos = TICTACTOE.play_all("a1")  # only the middle draws
    moves = [Engine(Budget(nodes=nodes), memory=1).search(pos).notation for nodes in range(1, 1500, 50)]
    assert moves[-1] == "b2"
    first = moves.index("b2")
    assert set(moves[first:]) == {"b2"}


def test_a_limit_of_time_is_kept() -> None:
    result = AlphaBeta(seconds=0.1, memory=1).search(damier.game("connect4").start())
    assert 0.05 < result.seconds < 10  # on a busy machine; benchmarks/time_budget.py measures it finely


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("alphabeta:depth=0", "expected depth above 0"),
        ("alphabeta:memory=0", "expected memory from 1"),
        ("alphabeta:window=0", "expected window above 0"),
        ("negamax:form=three", "expected form to be two or negamax"),
        ("expectimax:model=nice", "expected model to be uniform or greedy"),
        ("expectiminimax:star=3", "expected star to be 1 or 2"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(spec: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        damier.player(spec)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("alphabeta", "alphabeta is for two players without chance, and Pig is not; try maxn, paranoid or bestreply"),
        ("expectiminimax", "Star1 and Star2 are for two players, and Pig has 3; try star=0"),
    ],
)
def test_a_game_that_does_not_fit_is_refused(spec: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        damier.player(spec).search(damier.game(Pig()).start())
