"""Our rules against those of OpenSpiel (Lanctot et al. 2019), move by move in random games."""

from typing import Any

import pytest

import damier
from damier.core.compile import COMPILER_ON
from tests.random_games import random_positions

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

NUM_GAMES = 300 if COMPILER_ON else 50

PAIRS = [
    ("tictactoe", "tic_tac_toe"),
    ("connect4", "connect_four"),
    ("connect4:rows=5,cols=8", "connect_four(rows=5,columns=8)"),
    ("othello", "othello"),
    ("mnk", "mnk(m=5,n=5,k=4)"),
    ("mnk:rows=6,cols=4,k=3", "mnk(m=4,n=6,k=3)"),  # m is the width
    ("mnk:rows=3,cols=3,k=3", "tic_tac_toe"),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_rules_agree_with_open_spiel_in_random_games(ours: str, theirs: str) -> None:
    """Both number squares row by row from the top left, and Othello's pass 64."""
    game, foreign = damier.game(ours), pyspiel.load_game(theirs)
    for seed in range(NUM_GAMES):
        _compare_a_game(game, foreign.new_initial_state(), seed)


def _compare_a_game(game: damier.Game, foreign: Any, seed: int) -> None:
    for position in random_positions(game, seed):
        if position.history:
            foreign.apply_action(position.history[-1])
        assert sorted(position.moves()) == foreign.legal_actions(), position
        assert position.is_over == foreign.is_terminal(), position
        if position.is_over:
            assert list(position.returns or ()) == foreign.returns(), position
        else:
            assert position.player == foreign.current_player(), position
