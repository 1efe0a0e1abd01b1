"""How much of the grid and of the list of moves games of Morpion Solitaire take: docs/games/morpion.md tells."""

from typing import Any

import pytest

import damier
from damier import below, kernel
from damier.core.protocol import Rng
from damier.core.rng import new_rng
from damier.games.morpion import DOT, POINTS, ROOM, SIDE


@pytest.mark.parametrize(
    ("variant", "most_random", "most_greedy", "nearest"), [("5D", 35, 41, 8), ("5T", 41, 50, 6)], ids=["5D", "5T"]
)
def test_there_is_room(variant: str, most_random: int, most_greedy: int, nearest: int) -> None:
    game = damier.game(f"morpion:variant={variant}")
    states = game.new_states(2)
    assert game.run(play_games, states, 100_000, False, new_rng(1)) == (most_random, nearest)
    most, near = game.run(play_games, states, 3_000, True, new_rng(1))
    assert most == most_greedy < ROOM
    assert near >= nearest


@kernel
def play_games(game: Any, states: Any, games: int, is_greedy: bool, rng: Rng) -> tuple[int, int]:
    """The most legal moves in any position of these games, and the rows between the edge and the nearest dot."""
    most, nearest = 0, SIDE
    for _ in range(games):
        game.setup(states[0])
        while states[0].num_legal > 0:
            most = max(most, states[0].num_legal)
            game.play(states[0], most_moves(game, states, rng) if is_greedy else game.sample(states[0], rng))
        for point in range(POINTS):
            if states[0].points[point] & DOT:
                row, col = point // SIDE, point % SIDE
                nearest = min(nearest, row, col, SIDE - 1 - row, SIDE - 1 - col)
    return most, nearest


@kernel
def most_moves(game: Any, states: Any, rng: Rng) -> int:
    """The move after which there are the most moves; one of them at random."""
    best, best_move = -1, -1
    for i in range(states[0].num_legal):
        states[1] = states[0]
        game.play(states[1], states[0].legal[i])
        value = 1000 * states[1].num_legal + below(rng, 1000)
        if value > best:
            best, best_move = value, states[0].legal[i]
    return best_move
