"""The value of a small game, by looking at every game that matters."""

from typing import Any

import numpy as np

import damier
from damier import Struct, kernel


class Tree(Struct):
    """One position and its moves per level."""

    def __init__(self, game: damier.Game) -> None:
        self.states = game.new_states(game.max_length + 1)
        self.moves = np.zeros((game.max_length + 1, game.max_moves), np.int64)
        self.values = np.zeros(2)


def value(position: damier.Position) -> float:
    """What player 0 gets if both play perfectly."""
    tree = Tree(position.game)
    tree.states[0] = position.state
    return float(position.game.run(best_value, tree, 0, -1.0, 1.0))


@kernel
def best_value(game: Any, tree: Any, level: int, low: float, high: float) -> float:
    """Alpha-beta (Knuth and Moore 1975), by player number: player 0 wants much, player 1 little."""
    count = game.moves(tree.states[level], tree.moves[level])
    if count == 0:
        game.returns(tree.states[level], tree.values)
        return float(tree.values[0])
    player = tree.states[level].player
    for i in range(count):
        tree.states[level + 1] = tree.states[level]
        game.play(tree.states[level + 1], tree.moves[level, i])
        found = best_value(game, tree, level + 1, low, high)
        if player == 0:
            low = max(low, found)
        else:
            high = min(high, found)
        if low >= high:
            break
    return low if player == 0 else high
