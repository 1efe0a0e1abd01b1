"""Walk through every game that can be played, down to some depth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import damier
from damier import Struct, kernel


class Walk(Struct):
    """One position and its moves per level of the tree, and how the games ended."""

    def __init__(self, game: damier.Game, depth: int) -> None:
        self.states = game.new_states(depth + 1)  # [depth + 1]
        self.moves = np.zeros((depth + 1, game.max_moves), np.int64)  # [depth + 1, max_moves]
        self.values = np.zeros(2)
        self.ended = np.zeros(depth + 1, np.int64)  # by length: how many games ended
        self.results = np.zeros(3, np.int64)  # lost, drawn and won by player 0
        self.depth = depth


def ended_by_length(game: damier.Game, depth: int) -> NDArray[np.int64]:
    """How many games are over after exactly 0, 1, ... depth moves."""
    return walked(game, depth).ended


def results(game: damier.Game) -> tuple[int, ...]:
    """How many of all games player 0 loses, draws and wins."""
    return tuple(walked(game, game.max_length).results.tolist())


def walked(game: damier.Game, depth: int) -> Walk:
    walk = Walk(game, depth)
    walk.states[0] = game.start().state
    game.run(walk_from, walk, 0)
    return walk


@kernel
def walk_from(game: Any, walk: Any, level: int) -> int:
    count = game.moves(walk.states[level], walk.moves[level])
    if count == 0:
        game.returns(walk.states[level], walk.values)
        walk.ended[level] += 1
        walk.results[int(walk.values[0]) + 1] += 1
        return 0
    if level == walk.depth:
        return 0
    for i in range(count):
        walk.states[level + 1] = walk.states[level]
        game.play(walk.states[level + 1], walk.moves[level, i])
        walk_from(game, walk, level + 1)
    return 0
