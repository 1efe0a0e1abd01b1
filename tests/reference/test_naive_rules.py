"""Our rules against the naive ones, move by move in random games."""

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.games import REGISTRY
from tests.random_games import random_positions
from tests.reference.naive import new_board
from tests.reference.naive_solo import BOARDS as ONE_PLAYER_BOARDS

BOARDS = [
    *REGISTRY,
    "connect4:rows=4,cols=4",
    "connect4:rows=7,cols=8",
    "connect4:rows=15,cols=4",
    "connect4:rows=5,cols=10",
    "mnk:rows=3,cols=3,k=3",
    "mnk:rows=1,cols=6,k=2",
    "mnk:rows=2,cols=7,k=3",
    "mnk:rows=7,cols=4,k=4",
    "mnk:rows=4,cols=4,k=1",
    "othello:size=4",
    "othello:size=6",
    *ONE_PLAYER_BOARDS,
    "backgammon:gammons=true,limit=20",
    "pig:goal=10,turns=2",
    "pacman:layout=tiny,ghosts=adversary",
    "pacman:layout=large,limit=20",
    "whist:players=4",
    "whist:players=3,cards=3",
    "whist:variant=german",
    "hearts:passing=drawn",
    "bridgeplay:cards=4,trump=NT,target=2",
    "phantom:rows=4,cols=4,k=4",
    "darkhex:rows=3,cols=4,rules=abrupt",
]
FEW = {
    "gomoku": 3,
    "connect5": 10,
    "draughts": 10,
    "dames8": 10,
    "samegame": 10,
    "morpion": 10,
    "morpion:variant=5T": 5,
    "blokus": 2,
    "backgammon": 3,
    "backgammon:gammons=true,limit=20": 3,
}
NUM_GAMES = 30 if COMPILER_ON else 10


@pytest.mark.parametrize("name", BOARDS)
def test_rules_agree_with_naive_ones_in_random_games(name: str, pytestconfig: pytest.Config) -> None:
    game = damier.game(name)
    for number in range(pytestconfig.getoption("games") or min(NUM_GAMES, FEW.get(name, NUM_GAMES))):
        compare_a_game(game, seed=number)


def compare_a_game(game: damier.Game, seed: int) -> None:
    board = new_board(game.name)
    for position in random_positions(game, seed):
        if position.history:
            board.play(position.history[-1])
        assert sorted(position.moves()) == board.moves(), position
        if position.game.has("score"):
            assert position.game.score(position.state) == board.score(), position  # type: ignore[attr-defined]
        if position.is_over:
            assert position.returns == pytest.approx(board.returns(), abs=1e-12), position
        else:
            assert position.player == board.player, position
            assert position.returns is None


@pytest.mark.parametrize("size", [4, 6, 8])
def test_random_othello_games_contain_passes(size: int) -> None:
    """Otherwise the comparison above would say nothing about them."""
    game = damier.game(f"othello:size={size}")
    histories = [list(random_positions(game, seed))[-1].history for seed in range(NUM_GAMES)]
    assert any(size * size in history for history in histories)
