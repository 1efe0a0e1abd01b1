"""The classical players: budgets, what is refused, and games whose value is known."""

import inspect
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core.errors import SpecError
from damier.games.trees.rules import ExplicitTree
from damier.search.classical.alphabeta import AlphaBeta
from damier.search.classical.expectimax import Expectimax
from damier.search.classical.multiplayer import BestReply, MaxN
from tests.conformance.games import Pig

TICTACTOE = damier.game("tictactoe").start()
ALL = ["minimax", "negamax", "alphabeta", "expectimax", "expectiminimax", "maxn", "paranoid", "bestreply"]


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
        result = AlphaBeta(nodes=nodes, memory=1).search(TICTACTOE)
        assert result.nodes <= nodes
        assert result.move in TICTACTOE.moves()
    complete = AlphaBeta(depth=2, memory=1).search(TICTACTOE)
    assert AlphaBeta(nodes=complete.nodes, depth=2, memory=1).search(TICTACTOE).depth == 2
    assert AlphaBeta(nodes=complete.nodes - 1, depth=2, memory=1).search(TICTACTOE).depth == 1


def test_what_a_broken_off_depth_has_proved_counts() -> None:
    """The longer the search, the deeper what its move rests on: it is never worse than the last whole depth's move."""
    pos = TICTACTOE.play_all("a1")  # only the middle draws
    moves = [AlphaBeta(nodes=nodes, memory=1).search(pos).notation for nodes in range(1, 1500, 50)]
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
        ("expectiminimax:star=3", "expected star to be 0, 1 or 2"),
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


# -- an evaluation of your own ---------------------------------------------------------------------------------


class Likes:
    """So much for a stone on one square."""

    def __init__(self, square: int = 5, much: float = 0.5) -> None:
        self.square, self.much = square, much

    def evaluate(self, game: Any, state: Any, out: Any) -> None:
        out[0] = self.much * (((state.stones[0] >> self.square) & 1) - ((state.stones[1] >> self.square) & 1))
        out[1] = -out[0]


@pytest.mark.parametrize("name", ALL)
def test_every_search_takes_an_evaluation_of_your_own(name: str) -> None:
    kind: Any = type(damier.player(name))
    for search, move, value in (
        (kind(depth=1, evaluation=Likes()), 5, 0.5),
        (kind(depth=1, evaluation=Likes), 5, 0.5),
        (kind(depth=2, evaluation=Likes(7, 0.25)), 7, 0.25),
    ):
        result = search.search(TICTACTOE)
        assert (result.move, result.values) == (move, (value, -value))
    by_default, by_name = (damier.player(f"{name}:depth=1{more}") for more in ("", ",evaluation=game"))
    assert by_default.search(TICTACTOE).values == by_name.search(TICTACTOE).values != (0.0, 0.0)


def test_an_evaluation_is_named_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"from typing import Any\n\n\n{inspect.getsource(Likes)}")
    likes = f"{tmp_path / 'mine.py'}:Likes"
    assert damier.player(f"minimax:depth=1,evaluation={likes}").search(TICTACTOE).values == (0.5, -0.5)
    with_options = damier.player(f"minimax:depth=1,evaluation=({likes}:square=7,much=0.25)").search(TICTACTOE)
    assert (with_options.move, with_options.values) == (7, (0.25, -0.25))
    assert damier.player("minimax:depth=1,evaluation=none").search(TICTACTOE).values == (0.0, 0.0)


def test_a_model_of_the_others_and_the_best_reply_ask_the_same_evaluation() -> None:
    greedy = Expectimax(depth=2, model="greedy", evaluation=Likes()).search(TICTACTOE)
    assert set(greedy.scores) == {0.5, -0.5}, "who leaves the square to the other has lost it"
    # B's favourite is its second move by the tree's evaluation, and its first one where all are alike. After another
    # move than the favourite C has no choice left, so A gets 5 or 1; the other move of A is worth 2.
    tree = damier.game(ExplicitTree(text="A(B(C[0 0 0]((5 0 0) (1 0 0)) C[0 9 0]((7 0 0) (6 0 0))) (2 0 0))")).start()
    assert [BestReply(depth=9, evaluation=name).search(tree).move for name in ("game", "none")] == [0, 1]


def test_only_the_own_evaluation_of_a_game_is_known_to_keep_to_its_least_payoff() -> None:
    """Shallow pruning cuts by the least that a value can be."""
    pos = damier.game(ExplicitTree(text="A(B((1 2 6) (4 2 3)) B((6 1 2) (7 4 1)))")).start()
    for evaluation, least in (("game", pos.game.rules.least_payoff), ("none", -1.0)):
        search = MaxN(depth=1, evaluation=evaluation)
        search.prepare(pos)
        assert search.stack.least == least
    assert pos.game.rules.least_payoff > -1


def test_an_evaluation_that_is_none_is_refused() -> None:
    with pytest.raises(SpecError, match=r"unknown evaluation 'gmae'; did you mean 'game'\?"):
        damier.player("alphabeta:evaluation=gmae")
    with pytest.raises(
        SpecError, match=r"Pig is no evaluation: it lacks the method evaluate\(self, game, state, out\)"
    ):
        AlphaBeta(evaluation=Pig())
