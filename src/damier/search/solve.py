"""Exact solving: the score of a position with best play on both sides, for two players without chance.

A score is a whole number, the **margin** by which player 0 wins, negative if player 1 does. A game with the rule
`bounds` has margins of its own: in Connect 4 sooner wins are worth more, in Othello each disc counts. Of any other game
the margin is 1, 0 or -1, as it pays.

The search asks questions of the form "is the margin at least t?" and halves the interval in which it lies (Pascal Pons,
Solving Connect 4, 2015: null-window searches, a table, moves ordered by created threats). Such a question is a tree in
which one player looks for one move and the other for a refutation of all; it is walked depth first, with a stack of its
own, so that it can be left at any node and taken up again. What is found of a position, a bound of its margin from
below or above, is kept in a table by its key.

What a game knows of itself makes it quick: `bounds` of the margin without searching, and `candidates`, the moves among
which a best one is, the most promising first.

How it deviates from Pons: by player number instead of for the side to move, a stack instead of recursion, and the
table keeps both bounds of a position in one word. The word also holds 48 bits of the mixed key, of which the place in
the table tells the rest, so that two keys are never taken for one another.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from damier.core.compile import Struct, inlined, kernel
from damier.core.errors import DamierError, RulesError, SpecError
from damier.core.game import Game
from damier.core.generic import candidate_moves, margin_bounds, position_key
from damier.core.position import Position
from damier.core.rng import mix
from damier.games import position
from damier.search.pace import chunks

MEMORY = 32  # megabytes of the table
LEAST_BITS = 16  # a smaller table could not tell all keys apart
FIRST_CHUNK = 20_000  # nodes before the first look at the clock
SHIFT = 128  # bounds are kept in bytes
NO, YES, UNKNOWN = 0, 1, 2
NOTHING, BYTE, CHECK = np.uint64(0), np.uint64(255), np.uint64(0xFFFF_FFFF_FFFF_0000)
EIGHT = np.uint64(8)


@dataclass(frozen=True)
class Solution:
    """The score, for the player to move; the same by player number; and that of each legal move, if asked for."""

    score: int
    values: tuple[int, ...]
    moves: dict[int, int]
    nodes: int
    seconds: float


def solve(where: object, moves: bool = False, memory: int = MEMORY) -> Solution:
    """Solve a position, or the start of a game; with `moves` each legal move besides."""
    return Solver(position(where).game, memory).solve(position(where), moves)


class Solver:
    """Solves positions of one game, and remembers what it has found."""

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        if game.num_players != 2 or game.has("chance"):
            raise SpecError(f"{game.name}: expected a game of two players without chance, which alone can be solved")
        if memory < 1:
            raise SpecError(f"expected memory of at least 1 megabyte, got {memory}")
        self.game = game
        self._work = _Work(game, memory)
        game.prepare(advance, self._work, 1)

    def solve(self, pos: Position, moves: bool = False) -> Solution:
        """The exact score of a position; with `moves` that of each legal move as well."""
        began = time.perf_counter()
        self._work.nodes[0] = 0
        margin = self._margin(pos)
        sign = -1 if pos.player == 1 else 1
        scores = {move: sign * self._margin(pos.play(move)) for move in pos.moves()} if moves else {}
        seconds = time.perf_counter() - began
        return Solution(sign * margin, (margin, -margin), scores, int(self._work.nodes[0]), seconds)

    def score(self, pos: Position) -> int:
        """The exact score for the player to move, and nothing else."""
        margin = self._margin(pos)
        return -margin if pos.player == 1 else margin

    def _margin(self, pos: Position) -> int:
        if pos.game != self.game:
            raise DamierError(f"expected a position of {self.game.name}, got {pos!r}")
        work = self._work
        work.states[0] = pos._state[0]
        work.interval[:] = -SHIFT, SHIFT - 1
        work.level[0] = -1
        for chunk in chunks(None, None, time.perf_counter(), FIRST_CHUNK):
            if self.game.run(advance, work, chunk):
                break
        return int(work.interval[0])


class _Work(Struct):
    """The stack of the search, one entry a level, and the table."""

    def __init__(self, game: Game, memory: int) -> None:
        depth = game.max_length + 1
        self.states = game.new_states(depth)
        self.keys = np.zeros(depth, np.uint64)
        self.moves = np.zeros((depth, game.max_moves), np.int64)
        self.count = np.zeros(depth, np.int64)  # of moves
        self.next = np.zeros(depth, np.int64)  # the move to be tried
        self.low = np.zeros(depth, np.int64)  # bounds of the margin, as far as they are known
        self.high = np.zeros(depth, np.int64)
        self.level = np.zeros(1, np.int64)  # where the search is; -1 between two questions
        self.target = np.zeros(1, np.int64)  # the question: is the margin at least this?
        self.interval = np.zeros(2, np.int64)  # in which the margin of the root lies
        self.values = np.zeros(2)
        self.nodes = np.zeros(1, np.int64)
        bits = max(LEAST_BITS, (memory * 2**20 // 8).bit_length() - 1)
        # By the low bits of the mixed key: its other bits, and both bounds. It is written now, since memory that is new
        # to the process comes slowly.
        self.table = np.full(1 << bits, NOTHING)


@kernel
def advance(game: Any, work: Any, nodes: int) -> bool:
    """Visit about that many positions; True when the interval is a single number."""
    last = work.nodes[0] + nodes
    level = work.level[0]
    answer = UNKNOWN
    while work.nodes[0] < last:
        if level < 0:
            if work.interval[0] == work.interval[1]:
                return True
            work.target[0] = next_target(work.interval[0], work.interval[1])
            level = 0
            answer = enter(game, work, level)
        while answer == UNKNOWN:
            move = work.moves[level, work.next[level]]
            work.next[level] += 1
            work.states[level + 1] = work.states[level]
            game.play(work.states[level + 1], move)
            level += 1
            answer = enter(game, work, level)
        while answer != UNKNOWN and level >= 0:
            level -= 1
            if level >= 0:
                answer = judge(work, level, answer)
        if level < 0:
            if answer == YES:
                work.interval[0] = work.target[0]
            else:
                work.interval[1] = work.target[0] - 1
            answer = UNKNOWN
            work.interval[0] = max(work.interval[0], work.low[0])
            work.interval[1] = min(work.interval[1], work.high[0])
    work.level[0] = level
    return False


@inlined
def next_target(low: int, high: int) -> int:
    """Halve the interval, but first look at its outer parts: early wins are found, or excluded, by small trees."""
    middle = low + (high - low) // 2
    if middle <= 0 and low // 2 < middle:
        middle = -(-low // 2)
    elif middle >= 0 and high // 2 > middle:
        middle = high // 2
    return middle + 1 if middle < high else high


@inlined
def enter(game: Any, work: Any, level: int) -> int:
    """Answer the question for a position, from what the game or the table knows; or list the moves to be tried."""
    state = work.states[level]
    work.nodes[0] += 1
    target = work.target[0]
    bounds = margin_bounds(game, state)
    low: Any = checked(bounds[0])
    high: Any = checked(bounds[1])
    key: Any = NOTHING
    if low < target <= high:
        key = mix(position_key(game, state))
        entry = work.table[np.int64(key & np.uint64(work.table.size - 1))]
        if (entry ^ key) & CHECK == NOTHING:
            low = max(low, np.int64(entry >> EIGHT & BYTE) - SHIFT)
            high = min(high, np.int64(entry & BYTE) - SHIFT)
    count = candidate_moves(game, state, work.moves[level]) if low < target <= high else 0
    work.keys[level], work.low[level], work.high[level] = key, low, high
    if low >= target:
        return YES
    if high < target:
        return NO
    if count == 0:
        game.returns(state, work.values)
        work.low[level] = work.high[level] = margin = whole(work.values[0])
        return YES if margin >= target else NO
    work.count[level] = count
    work.next[level] = 0
    return UNKNOWN


@kernel
def checked(bound: int) -> int:
    if bound < -SHIFT or bound >= SHIFT:
        raise RulesError("expected bounds of the margin from", -SHIFT, "to", SHIFT - 1, "and got", bound)
    return bound


@kernel
def whole(payoff: float) -> int:
    """The margin of a game that has no `bounds`."""
    if payoff not in (-1.0, 0.0, 1.0):
        raise RulesError("expected payoffs of -1, 0 and 1, or a rule `bounds`, to solve it; it pays", payoff)
    return int(payoff)


@inlined
def judge(work: Any, level: int, answer: int) -> int:
    """What the answer for the move just tried means for its position: player 0 looks for a yes, player 1 for a no. What
    is decided is kept in the table."""
    wanted = YES if work.states[level].player == 0 else NO
    if answer != wanted and work.next[level] < work.count[level]:
        return UNKNOWN
    if answer == YES:
        work.low[level] = work.target[0]
    else:
        work.high[level] = work.target[0] - 1
    key = work.keys[level]
    bounds = (work.low[level] + SHIFT) << 8 | work.high[level] + SHIFT
    work.table[np.int64(key & np.uint64(work.table.size - 1))] = key & CHECK | np.uint64(bounds)
    return answer
