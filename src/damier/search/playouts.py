"""Random games, as many and as fast as possible: the basis of flat Monte-Carlo search."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import kernel
from damier.core.errors import RulesError
from damier.core.generic import Buffers, random_move
from damier.core.numbers import whole_number
from damier.core.protocol import Record, Rng, Values
from damier.core.rng import new_rng
from damier.games import position


@dataclass(frozen=True)
class Playouts:
    """The results of random games from a position."""

    games: int
    plies: int
    seconds: float
    returns: tuple[float, ...]
    """The mean payoff of each player."""


def playouts(where: object, games: int = 1000, seed: int = 0) -> Playouts:
    """Play random games to the end, every legal move equally likely, from a position or a game's start."""
    pos, games = position(where), whole_number("games", games, least=0)
    game = pos.game
    start, states, total = np.array([pos.state], game.dtype), game.new_states(1), np.zeros(game.num_players)
    buffers, rng = game.buffers(), new_rng(seed)
    arguments = (start, states, games, game.max_length, buffers, total, rng)
    game.prepare(play_games, *arguments)  # not part of the measured time
    began = time.perf_counter()
    plies = game.run(play_games, *arguments)
    return Playouts(games, plies, time.perf_counter() - began, tuple((total / max(1, games)).tolist()))


@kernel
def play_games(
    game: Any,
    start: NDArray[Any],
    states: NDArray[Any],
    games: int,
    limit: int,
    buffers: Buffers,
    total: Values,
    rng: Rng,
) -> int:
    """Play that many games from start[0] and add their payoffs to `total`; return the number of moves."""
    plies = 0
    for _ in range(games):
        states[0] = start[0]
        plies += finish_game(game, states[0], limit, buffers, rng)
        game.returns(states[0], buffers.values)
        for player in range(total.size):
            total[player] += buffers.values[player]
    return plies


@kernel
def finish_game(game: Any, state: Record, limit: int, buffers: Buffers, rng: Rng) -> int:
    """Play at random until the game is over; return the number of moves."""
    for ply in range(limit + 1):
        move = random_move(game, state, buffers, rng)
        if move < 0:
            return ply
        game.play(state, move)
    raise RulesError("rules.too-long", "limit", limit)
