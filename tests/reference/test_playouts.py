"""Random games in compiled code against a naive player who draws the same numbers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import damier
from damier import Position
from damier.core.compile import COMPILER_ON
from damier.core.protocol import Rng
from damier.core.rng import below, new_rng, uniform
from tests.conformance.games import CountUp, FarApart, HighCard, Pig
from tests.reference.naive import Board, Reversi, new_board

NIM = f"{Path(__file__).parents[2]}/examples/nim.py:Nim"
NUM_GAMES = 200 if COMPILER_ON else 20

Pick = Callable[[Board, Rng], int]


def short_name(rules: object) -> str:
    return rules.__name__ if isinstance(rules, type) else "Nim"


def one_of_the_list(board: Board | Position, rng: Rng) -> int:
    moves = board.moves()
    return moves[below(rng, len(moves))]


def one_of_the_list_or_pass(board: Board, rng: Rng) -> int:
    """To pass, one draws no number."""
    assert isinstance(board, Reversi)
    pass_move = board.size * board.size
    return pass_move if board.moves() == [pass_move] else one_of_the_list(board, rng)


def try_until_legal(choices: int) -> Pick:
    def pick(board: Board, rng: Rng) -> int:
        move = below(rng, choices)
        while move not in board.moves():
            move = below(rng, choices)
        return move

    return pick


@pytest.mark.parametrize(
    ("name", "pick"),
    [
        ("tictactoe", one_of_the_list),
        ("connect4", try_until_legal(7)),
        ("mnk:rows=4,cols=6,k=3", try_until_legal(24)),
        ("othello:size=6", one_of_the_list_or_pass),
    ],
)
def test_random_games_are_those_of_a_naive_player_with_naive_rules(name: str, pick: Pick) -> None:
    rng, plies, totals = new_rng(5), 0, np.zeros(2)
    for _ in range(NUM_GAMES):
        board = new_board(name)
        while board.moves():
            board.play(pick(board, rng))
            plies += 1
        totals += board.returns()
    found = damier.playouts(damier.game(name), games=NUM_GAMES, seed=5)
    assert (found.games, found.plies) == (NUM_GAMES, plies)
    assert found.returns == tuple(totals / NUM_GAMES)


@pytest.mark.parametrize("rules", [Pig, CountUp, HighCard, FarApart, NIM], ids=short_name)
def test_random_games_are_those_of_a_naive_player_who_also_rolls_the_dice(rules: object) -> None:
    start = damier.game(rules).start()
    rng, plies, totals = new_rng(6), 0, np.zeros(start.game.num_players)
    for _ in range(NUM_GAMES):
        position = start
        while not position.is_over:
            position = position.play(
                one_outcome(position, rng) if position.is_chance else one_of_the_list(position, rng)
            )
            plies += 1
        totals += position.returns or ()
    found = damier.playouts(start, games=NUM_GAMES, seed=6)
    assert found.plies == plies
    assert found.returns == tuple(totals / NUM_GAMES)


def one_outcome(position: Position, rng: Rng) -> int:
    """Each outcome has a stretch of [0, 1) as long as its probability."""
    drawn, end = uniform(rng), 0.0
    for outcome, probability in position.outcomes.items():
        end += probability
        if drawn < end:
            return outcome
    return outcome


def test_random_games_start_from_the_given_position() -> None:
    won = damier.game("tictactoe").start().play_all("a1 b1 a2 b2 a3")
    found = damier.playouts(won, games=10)
    assert (found.plies, found.returns) == (0, (1.0, -1.0))
