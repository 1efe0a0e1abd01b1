"""Perft: count the leaves of the move tree, the classical test of a move generator.

A leaf is a position exactly `depth` moves away; a game that ends earlier has none. Chance outcomes count as
moves.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import Struct, kernel
from damier.core.game import Game
from damier.core.generic import list_moves
from damier.core.numbers import whole_number
from damier.core.position import Position
from damier.games import position


def perft(where: object, depth: int) -> int:
    """The number of leaves at this depth below a position, or below the start of a game."""
    start = position(where)
    return int(start.game.run(count_leaves, _Stack(start, _checked(depth)), 0))


def divide(start: Position, depth: int) -> Iterator[tuple[int, int]]:
    """The leaves below each legal move: if two programs differ, this shows the move."""
    _checked(depth, at_least=1)
    for move in start.moves():
        yield move, perft(start.play(move), depth - 1)


def distinct(start: Position, depth: int) -> Iterator[int]:
    """The number of different positions after 0, 1, ... depth moves, by the records' bytes, up to the first 0."""
    game, states = start.game, np.array([start.state], start.game.dtype)
    yield 1
    for _ in range(_checked(depth)):
        successors = game.new_states(game.run(count_moves, states, game.buffers()))
        game.run(expand, states, successors, game.buffers())
        states = _unique(game, successors)
        yield len(states)
        if not len(states):
            return


def _checked(depth: int, at_least: int = 0) -> int:
    return whole_number("depth", depth, at_least)


def _unique(game: Game, states: NDArray[Any]) -> NDArray[Any]:
    return np.unique(states.view(f"V{game.dtype.itemsize}")).view(game.dtype)


class _Stack(Struct):
    """One position and its moves per level of the tree."""

    def __init__(self, start: Position, depth: int) -> None:
        depth = min(depth, start.game.max_length + 1)  # no game is longer, so every greater depth gives the same
        self.states = start.game.new_states(depth + 1)  # [depth + 1]
        self.states[0] = start.state
        self.moves = np.zeros((depth + 1, start.game.max_moves), np.int64)  # [depth + 1, max_moves]
        self.probs = np.zeros(start.game.max_moves)  # unused, but required
        self.depth = depth


@kernel
def count_leaves(game: Any, stack: Any, level: int) -> int:
    if level == stack.depth:
        return 1
    moves = stack.moves[level]
    count = list_moves(game, stack.states[level], moves, stack.probs)
    if level == stack.depth - 1:
        return count
    leaves = 0
    for i in range(count):
        stack.states[level + 1] = stack.states[level]
        game.play(stack.states[level + 1], moves[i])
        leaves += count_leaves(game, stack, level + 1)
    return leaves


@kernel
def count_moves(game: Any, states: NDArray[Any], buffers: Any) -> int:
    """The total number of moves of these positions."""
    total = 0
    for i in range(len(states)):
        total += list_moves(game, states[i], buffers.moves, buffers.probs)
    return total


@kernel
def expand(game: Any, states: NDArray[Any], successors: NDArray[Any], buffers: Any) -> None:
    """Write every position that one move leads to."""
    next_ = 0
    for i in range(len(states)):
        for j in range(list_moves(game, states[i], buffers.moves, buffers.probs)):
            successors[next_] = states[i]
            game.play(successors[next_], buffers.moves[j])
            next_ += 1
