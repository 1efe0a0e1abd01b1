"""A*: the shortest line to a won end, best first.

Hart, Nilsson, Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968. A* expands the open
position with the least f = g + h, where g is the moves made and h the game's `distance`. With a consistent h, a
position has a shortest path when it is first taken off the queue, and f never falls.

How it deviates: all moves cost 1, so the queue is one chain of positions for each f, last in first out, which prefers
positions near the goal among equals. A shorter way to an open position is a new entry; the old one is skipped when its
turn comes. Positions are identified by their 64-bit keys. A game with a move limit should leave the count out of its
`key`; otherwise the same position reached by ways of different length counts as several.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from damier.core.budget import check_memory
from damier.core.compile import kernel
from damier.core.game import Game
from damier.core.generic import Buffers, list_moves, position_key
from damier.core.position import Position
from damier.core.rng import mix
from damier.search.lines.path import EXHAUSTED, FULL, GOING_ON, SOLVED, PathSearch

NODE_BYTES = 28 + 16  # without its record; the table has two to four slots a node
NOBODY = -1


@dataclass(frozen=True)
class AStar(PathSearch):
    """A*: the shortest solution, best first. For one-player games with `distance`."""

    name = "astar"

    memory: int = 256  # megabytes

    def __post_init__(self) -> None:
        super().__post_init__()
        check_memory(self.memory)

    def set_up(self, pos: Position) -> None:
        kept = self._kept
        if kept.game != pos.game:
            kept.work, kept.game = Frontier(pos.game, self.memory * 2**20), pos.game
        kept.work.clear()
        pos.game.prepare(expand, kept.work, 1)
        pos.game.prepare(enqueue, kept.work, NOBODY, 0)

    def begin(self, pos: Position, known: tuple[int, ...], seed: int) -> None:
        self._kept.work.states[0] = pos.state
        pos.game.run(enqueue, self._kept.work, NOBODY, 0)

    def advance(self, pos: Position, amount: int) -> bool:
        self._kept.status = int(pos.game.run(expand, self._kept.work, amount))
        return self._kept.status == GOING_ON

    def lower_bound(self) -> int:
        return int(self._kept.work.lowest[0])

    def solution(self) -> tuple[int, ...]:
        front = self._kept.work
        node, line = int(front.goal[0]), []
        while front.parent[node] != NOBODY:
            line.append(int(front.move[node]))
            node = int(front.parent[node])
        return tuple(reversed(line))


class Frontier(Buffers):
    """The positions by node, the queue of the open ones, and a table to find them by key."""

    def __init__(self, game: Game, size: int) -> None:
        super().__init__(game.max_moves, game.num_players)
        capacity = max(size // (game.dtype.itemsize + NODE_BYTES), game.max_moves + 1)
        self.states = game.new_states(capacity)
        self.key = np.zeros(capacity, np.uint64)
        self.parent = np.zeros(capacity, np.int32)
        self.move = np.zeros(capacity, np.int64)  # the move that leads here from the parent
        self.cost = np.zeros(capacity, np.int32)  # g: moves from the root
        self.behind = np.zeros(capacity, np.int32)  # the next in the queue with the same f
        self.queue = np.zeros(game.max_length + 1, np.int32)  # [f]: the first in it
        self.table = np.zeros(1 << (2 * capacity).bit_length(), np.int32)  # 1 + node, by key; 0 where free
        self.lowest = np.zeros(1, np.int64)  # no open position has a lower f
        self.used = np.zeros(1, np.int64)
        self.nodes = np.zeros(1, np.int64)  # expanded
        self.goal = np.zeros(1, np.int64)

    def clear(self) -> None:
        """Prepare for another search. The table is written now, because the first use of new memory is slow."""
        self.table.fill(0)
        self.queue.fill(NOBODY)
        for number in (self.lowest, self.used, self.nodes):
            number[0] = 0


@kernel
def expand(game: Any, front: Any, nodes: int) -> int:
    """Expand that many positions, unless the search ends earlier."""
    for _ in range(nodes):
        node = take_best(front)
        if node == NOBODY:
            return EXHAUSTED
        if front.lowest[0] == front.cost[node]:  # h = 0
            front.goal[0] = node
            return SOLVED
        count = list_moves(game, front.states[node], front.moves, front.probs)
        if front.used[0] + count > front.cost.size:
            return FULL
        front.nodes[0] += 1
        for i in range(count):
            front.states[front.used[0]] = front.states[node]
            game.play(front.states[front.used[0]], front.moves[i])
            enqueue(game, front, node, front.moves[i])
    return GOING_ON


@kernel
def take_best(front: Any) -> int:
    """Take an open position with the least f off the queue."""
    while front.lowest[0] < front.queue.size:
        node = front.queue[front.lowest[0]]
        if node == NOBODY:
            front.lowest[0] += 1
            continue
        front.queue[front.lowest[0]] = front.behind[node]
        if front.table[find(front, front.key[node])] == node + 1:  # otherwise a shorter way was found meanwhile
            return node
    return NOBODY


@kernel
def enqueue(game: Any, front: Any, parent: int, move: int) -> None:
    """Put the position in the first free record into the queue, if its path is the shortest so far."""
    node = front.used[0]
    state = front.states[node]
    key = position_key(game, state)
    slot = find(front, key)
    cost = 0 if parent == NOBODY else front.cost[parent] + 1
    total = cost + game.distance(state)
    if (front.table[slot] > 0 and front.cost[front.table[slot] - 1] <= cost) or total >= front.queue.size:
        return
    front.table[slot] = node + 1
    front.key[node] = key
    front.parent[node] = parent
    front.move[node] = move
    front.cost[node] = cost
    front.behind[node] = front.queue[total]
    front.queue[total] = node
    front.used[0] += 1


@kernel
def find(front: Any, key: Any) -> Any:
    """The slot of a key in the table, or the free slot for it."""
    mask = np.uint64(front.table.size - 1)
    slot = mix(key) & mask
    while front.table[slot] > 0 and front.key[front.table[slot] - 1] != key:
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)
