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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.budget import check_memory
from damier.core.compile import Struct, inlined, kernel
from damier.core.errors import DamierError, RulesError, SpecError
from damier.core.game import Game
from damier.core.generic import candidate_moves, margin_bounds, symmetric_key
from damier.core.position import Position
from damier.core.prefetch import prefetch
from damier.core.rng import mix
from damier.games import position
from damier.search.pace import chunks

MEMORY = 32  # megabytes of the table
LEAST_BITS = 16  # a smaller table could not tell all keys apart
FIRST_CHUNK = 20_000  # nodes before the first look at the clock
FIRST_TIMED = 50  # ... where time is short: in some games a node takes some microseconds
SHIFT = 128  # bounds are kept in bytes
NO, YES, UNDECIDED = 0, 1, 2
NO_LEVEL = -1  # between two questions
NOTHING, BYTE, CHECK = np.uint64(0), np.uint64(255), np.uint64(0xFFFF_FFFF_FFFF_0000)
EIGHT = np.uint64(8)


Told = Callable[[int], None]  # how many more moves are solved


@dataclass(frozen=True)
class Solution:
    """The score, for the player to move; the same by player number; and that of each legal move, if asked for."""

    score: int
    values: tuple[int, ...]
    moves: dict[int, int]
    nodes: int
    seconds: float


def solve(where: object, moves: bool = False, memory: int = MEMORY, told: Told | None = None) -> Solution:
    """Solve a position, or the start of a game; with `moves` each legal move besides."""
    return Solver(position(where).game, memory).solve(position(where), moves, told)


class Solver:
    """Solves positions of one game, and remembers what it has found."""

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        if game.num_players != 2 or game.has("chance"):
            raise SpecError("search.unsolvable", game=game.name)
        self.game = game
        self._work = _Work(game, check_memory(memory))
        game.prepare(advance, self._work, 1)

    @property
    def nodes(self) -> int:
        """How many positions were visited so far."""
        return int(self._work.question["nodes"].item())

    def solve(self, pos: Position, moves: bool = False, told: Told | None = None) -> Solution:
        """The exact score of a position; with `moves` that of each legal move, which makes that of the position."""
        began, before = time.perf_counter(), self.nodes
        sign = -1 if pos.player == 1 else 1
        scores: dict[int, int] = {}
        for move in pos.moves() if moves else ():
            scores[move] = sign * self._margin(pos.play(move))
            if told is not None:
                told(1)
        margin = sign * max(scores.values()) if scores else self._margin(pos)
        return Solution(sign * margin, (margin, -margin), scores, self.nodes - before, time.perf_counter() - began)

    def score(self, pos: Position) -> int:
        """The exact score for the player to move, and nothing else."""
        margin = self._margin(pos)
        return -margin if pos.player == 1 else margin

    def best_moves(
        self, pos: Position, nodes: int | None = None, seconds: float | None = None
    ) -> tuple[int, list[int]]:
        """Who wins, as a payoff of player 0, and the moves that keep it so, as far as they were found; no moves if the
        position takes more than so many nodes or seconds."""
        effort = _Effort(self, nodes, seconds)
        winner = self._who_wins(pos, effort)
        if winner is None:
            return 0, []
        if winner == (-1 if pos.player == 0 else 1):
            return winner, pos.moves()
        best = []
        for move in pos.moves():
            answer = self._is_at_least(pos.play(move), winner if pos.player == 0 else winner + 1, effort)
            if answer is None:
                break
            if answer == (pos.player == 0):
                best.append(move)
        return winner, best

    def forget(self) -> None:
        """Begin with an empty table."""
        self._work.table[:] = NOTHING

    def _who_wins(self, pos: Position, effort: "_Effort") -> int | None:
        for target in (1, 0):
            answer = self._is_at_least(pos, target, effort)
            if answer is None:
                return None
            if answer:
                return target
        return -1

    def _is_at_least(self, pos: Position, target: int, effort: "_Effort") -> bool | None:
        """Whether the margin is that; None if the effort is over before that is known."""
        work = self._work
        work.states[0] = pos._state[0]
        work.question["level"] = NO_LEVEL
        work.question["low"], work.question["high"] = target - 1, target
        for chunk in effort.chunks():
            if self.game.run(advance, work, chunk):
                return bool(work.question["low"].item() >= target)
        return None

    def ends(self, states: NDArray[Any], nodes: int) -> NDArray[np.int8]:
        """Who wins successive positions of one game: 1 player 0, -1 player 1, 0 nobody. From the last position
        backwards, as far as each takes no more than so many nodes; UNDECIDED before that.

        What is found does not depend on what was solved before.
        """
        found = np.full(states.size, UNDECIDED, np.int8)
        self.forget()
        self.game.run(solve_ends, self._work, states, nodes, found)
        return found

    def _margin(self, pos: Position) -> int:
        if pos.game != self.game:
            raise DamierError("search.other-game", game=self.game.name, position=repr(pos))
        work = self._work
        work.states[0] = pos._state[0]
        work.question["level"] = NO_LEVEL
        work.question["low"], work.question["high"] = -SHIFT, SHIFT - 1
        for chunk in chunks(None, None, time.perf_counter(), FIRST_CHUNK):
            if self.game.run(advance, work, chunk):
                break
        return int(work.question["low"].item())


class _Effort:
    """What may be spent on several questions together."""

    def __init__(self, solver: Solver, nodes: int | None, seconds: float | None) -> None:
        self._solver, self._seconds, self._began = solver, seconds, time.perf_counter()
        self._last = None if nodes is None else solver.nodes + nodes

    def chunks(self) -> Iterator[int]:
        """How many nodes next, as long as there is something left."""
        left = None if self._last is None else self._last - self._solver.nodes
        is_late = self._seconds is not None and time.perf_counter() > self._began + self._seconds
        if is_late or (left is not None and left <= 0):
            return iter(())
        return chunks(left, self._seconds, self._began, FIRST_CHUNK if self._seconds is None else FIRST_TIMED)


def _record(**fields: type) -> np.dtype[Any]:
    return np.dtype((np.record, list(fields.items())))


_QUESTION = _record(
    target=np.int64,  # is the margin at least this?
    low=np.int64,  # the interval in which the margin of the root lies
    high=np.int64,
    level=np.int64,  # where the search is
    nodes=np.int64,  # visited
)

_LEVEL = _record(
    key=np.uint64,  # mixed
    low=np.int64,  # bounds of the margin, as far as they are known
    high=np.int64,
    count=np.int64,  # of moves
    next=np.int64,  # the move to be tried
)


class _Work(Struct):
    """The question, the stack of the search, one entry a level, and the table."""

    def __init__(self, game: Game, memory: int) -> None:
        depth = game.max_length + 1
        self.question = np.zeros(1, _QUESTION)
        self.states = game.new_states(depth)
        self.levels = np.zeros(depth, _LEVEL)
        self.moves = np.zeros((depth, game.max_moves), np.int64)
        self.values = np.zeros(2)
        bits = max(LEAST_BITS, (memory * 2**20 // 8).bit_length() - 1)
        # By the low bits of the mixed key: its other bits, and both bounds. It is written now, since memory that is new
        # to the process comes slowly.
        self.table = np.full(1 << bits, NOTHING)


@kernel
def advance(game: Any, work: Any, nodes: int) -> bool:
    """Visit about that many positions; True when the interval is a single number."""
    question = work.question[0]
    last = question.nodes + nodes
    level = question.level
    answer = UNDECIDED
    while question.nodes < last:
        if level == NO_LEVEL:
            if question.low >= question.high:
                return True
            question.target = next_target(question.low, question.high)
            level = 0
            answer = enter(game, work, level)
        while answer == UNDECIDED:
            here = work.levels[level]
            move = work.moves[level, here.next]
            here.next += 1
            work.states[level + 1] = work.states[level]
            game.play(work.states[level + 1], move)
            level += 1
            answer = enter(game, work, level)
        while answer != UNDECIDED and level > 0:
            level -= 1
            answer = judge(work, level, answer)
        if answer != UNDECIDED:
            narrow(work, answer)
            level = NO_LEVEL
            answer = UNDECIDED
    question.level = level
    return False


@kernel
def solve_ends(game: Any, work: Any, states: Any, nodes: int, out: Any) -> None:
    """See `Solver.ends`."""
    for number in range(states.size - 1, -1, -1):
        work.states[0] = states[number]
        out[number] = decide(game, work, nodes)
        if out[number] == UNDECIDED:
            return


@kernel
def decide(game: Any, work: Any, nodes: int) -> int:
    """Who wins the position at level 0, by however much; UNDECIDED if that takes more nodes."""
    question = work.question[0]
    last = question.nodes + nodes
    for target in (1, 0):
        question.level = NO_LEVEL
        question.low, question.high = target - 1, target
        if not advance(game, work, last - question.nodes):
            return UNDECIDED
        if question.low >= target:
            return target
    return -1


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
def narrow(work: Any, answer: int) -> None:
    """What the answer for the root means for the interval, and what else is known of the root."""
    question, root = work.question[0], work.levels[0]
    if answer == YES:
        question.low = question.target
    else:
        question.high = question.target - 1
    question.low = max(question.low, root.low)
    question.high = min(question.high, root.high)


@inlined
def enter(game: Any, work: Any, level: int) -> int:
    """Answer the question for a position, from what the game or the table knows; or list the moves to be tried.

    While the table's word is on its way the game says what it knows and lists its moves. Where there is but one move
    the position after it is looked up and kept, and not this one.
    """
    state, here = work.states[level], work.levels[level]
    work.question[0].nodes += 1
    target = work.question[0].target
    key: Any = mix(symmetric_key(game, state))
    place = np.int64(key & np.uint64(work.table.size - 1))
    prefetch(work.table, place)
    bounds = margin_bounds(game, state)
    low: Any = checked(bounds[0])
    high: Any = checked(bounds[1])
    count = candidate_moves(game, state, work.moves[level]) if low < target <= high else 0
    if count > 1:
        entry = work.table[place]
        if (entry ^ key) & CHECK == NOTHING:
            low = max(low, np.int64(entry >> EIGHT & BYTE) - SHIFT)
            high = min(high, np.int64(entry & BYTE) - SHIFT)
    here.key, here.low, here.high = key, low, high
    if low >= target:
        return YES
    if high < target:
        return NO
    if count == 0:
        game.returns(state, work.values)
        here.low = here.high = margin = whole(work.values[0])
        return YES if margin >= target else NO
    here.count = count
    here.next = 0
    return UNDECIDED


@kernel
def checked(bound: int) -> int:
    if bound < -SHIFT or bound >= SHIFT:
        raise RulesError("rules.bounds", "least", -SHIFT, "most", SHIFT - 1, "got", bound)
    return bound


@kernel
def whole(payoff: float) -> int:
    """The margin of a game that has no `bounds`."""
    if payoff not in (-1.0, 0.0, 1.0):
        raise RulesError("rules.payoff", "got", payoff)
    return int(payoff)


@inlined
def judge(work: Any, level: int, answer: int) -> int:
    """What the answer for the move just tried means for its position: player 0 looks for a yes, player 1 for a no. What
    is decided is kept in the table."""
    here = work.levels[level]
    wanted = YES if work.states[level].player == 0 else NO
    if answer != wanted and here.next < here.count:
        return UNDECIDED
    if answer == YES:
        here.low = work.question[0].target
    else:
        here.high = work.question[0].target - 1
    if here.count > 1:
        bounds = (here.low + SHIFT) << 8 | here.high + SHIFT
        work.table[np.int64(here.key & np.uint64(work.table.size - 1))] = here.key & CHECK | np.uint64(bounds)
    return answer
