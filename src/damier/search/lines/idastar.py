"""IDA*: the shortest line to a won end, depth first with a rising bound.

Korf, Depth-first iterative-deepening: an optimal admissible tree search, 1985. A depth-first search cuts off where
f = g + h exceeds the bound, which begins at the h of the root and then rises to the least f that was cut off. It needs
memory for one line only.

How it deviates: the moves on the line are kept on a stack, so that the search can stop after any node and go on later.
A move that leads straight back to the position before the last is left out; it is known by its key. A game whose moves
are limited should leave the count out of its `key`, or such moves are not recognised.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from damier.core.compile import kernel
from damier.core.game import Game
from damier.core.generic import Buffers, list_moves, position_key
from damier.core.position import Position
from damier.search.lines.path import EXHAUSTED, GOING_ON, SOLVED, PathSearch

NO_BOUND = 1 << 62


@dataclass(frozen=True)
class IdaStar(PathSearch):
    """IDA*: the shortest solution, depth first, without memory. For one-player games with `distance`."""

    name = "idastar"

    def set_up(self, pos: Position) -> None:
        work = self._kept.work = Stack(pos.game)
        work.next_bound[0] = pos.distance()
        pos.game.prepare(deepen, work, 1)

    def begin(self, pos: Position, known: tuple[int, ...], seed: int) -> None:
        self._kept.work.states[0] = pos.state

    def advance(self, pos: Position, amount: int) -> bool:
        self._kept.status = int(pos.game.run(deepen, self._kept.work, amount))
        return self._kept.status == GOING_ON

    def lower_bound(self) -> int:
        return int(self._kept.work.bound[0])

    def solution(self) -> tuple[int, ...]:
        stack = self._kept.work
        return tuple(int(stack.options[depth, stack.tried[depth] - 1]) for depth in range(stack.depth[0]))


class Stack(Buffers):
    """One position a depth, its moves, and how many of them have been tried."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.max_moves, game.num_players)
        self.max_length = game.max_length
        self.states = game.new_states(game.max_length + 2)  # [depth]
        self.key = np.zeros(game.max_length + 2, np.uint64)
        self.options = np.zeros((game.max_length + 2, game.max_moves), np.int64)
        self.num_options = np.zeros(game.max_length + 2, np.int64)
        self.tried = np.zeros(game.max_length + 2, np.int64)
        self.depth = np.full(1, -1)  # -1 between two searches
        self.bound = np.zeros(1, np.int64)
        self.next_bound = np.zeros(1, np.int64)
        self.nodes = np.zeros(1, np.int64)  # expanded


@kernel
def deepen(game: Any, stack: Any, nodes: int) -> int:
    """Go on for that many nodes, unless the search ends before."""
    last = stack.nodes[0] + nodes
    while stack.nodes[0] < last:
        depth = stack.depth[0]
        if depth < 0:
            if stack.next_bound[0] > stack.max_length:
                return EXHAUSTED
            stack.bound[0] = stack.next_bound[0]
            stack.next_bound[0] = NO_BOUND
            enter(game, stack, 0, position_key(game, stack.states[0]))
        elif stack.tried[depth] == stack.num_options[depth]:
            stack.depth[0] -= 1
        elif try_option(game, stack, depth):
            return SOLVED
    return GOING_ON


@kernel
def enter(game: Any, stack: Any, depth: int, key: Any) -> None:
    """Go on from the position at this depth."""
    state = stack.states[depth]
    stack.depth[0] = depth
    stack.nodes[0] += 1
    stack.key[depth] = key
    stack.num_options[depth] = list_moves(game, state, stack.options[depth], stack.probs)
    stack.tried[depth] = 0


@kernel
def try_option(game: Any, stack: Any, depth: int) -> bool:
    """Make the next move of the position at this depth; whether that solves it."""
    move = stack.options[depth, stack.tried[depth]]
    stack.tried[depth] += 1
    stack.states[depth + 1] = stack.states[depth]
    state = stack.states[depth + 1]
    game.play(state, move)
    key = position_key(game, state)
    if depth > 0 and key == stack.key[depth - 1]:
        return False
    left = game.distance(state)
    if depth + 1 + left > stack.bound[0]:
        stack.next_bound[0] = min(stack.next_bound[0], depth + 1 + left)
        return False
    enter(game, stack, depth + 1, key)
    return left == 0
