"""Hearts against OpenSpiel's (Lanctot et al. 2019), move by move in random games."""

from typing import Any

import pytest

import damier
from damier.core.compile import COMPILER_ON
from tests.random_games import random_positions

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

NUM_GAMES = 20 if COMPILER_ON else 5


@pytest.mark.parametrize(("passing", "pass_cards"), [("none", False), ("drawn", True)])
def test_hearts_agrees_with_open_spiel_in_random_games(
    passing: str, pass_cards: bool, pytestconfig: pytest.Config
) -> None:
    game, foreign = damier.game(f"hearts:passing={passing}"), pyspiel.load_game("hearts", {"pass_cards": pass_cards})
    for seed in range(pytestconfig.getoption("games") or NUM_GAMES):
        compare_a_game(game, foreign.new_initial_state(), seed)


def compare_a_game(game: damier.Game, foreign: Any, seed: int) -> None:
    before = None
    if game.options["passing"] == "none":
        foreign.apply_action(0)  # their chance draws "no passing", the only outcome
    for position in random_positions(game, seed):
        if before is not None:
            foreign.apply_action(theirs(before, position.history[-1]))
        assert sorted(theirs(position, move) for move in position.moves()) == foreign.legal_actions(), position
        assert position.is_over == foreign.is_terminal(), position
        if not position.is_over:
            assert position.player == foreign.current_player(), position
        before = position
    assert before is not None
    # They pay 26 minus the points; ours are how far the points are below the average.
    points = [26 - payoff for payoff in foreign.returns()]
    expected = [(sum(points) / 4 - each) / 19.5 for each in points]
    assert before.returns == pytest.approx(expected, abs=1e-12), before


def theirs(position: damier.Position, move: int) -> int:
    """Their number of a move: cards are rank * 4 + suit, directions of passing as ours."""
    return move if position.state.direction < 0 else move % 13 * 4 + move // 13
