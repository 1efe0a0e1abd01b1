"""The kernels of exact solving: is the margin of a position at least t?

The question is a tree in which one player looks for one good move and the other for a refutation of every move. It is
searched depth first, with its own stack: the search can stop at any node and continue later. A table keeps, by a
position's key, the bounds of its margin that were found. See `damier.search.solve`, which asks the questions.

The table keeps both bounds of a position in one word. The word also holds 48 bits of the mixed key, and the place in
the table gives the rest: two keys are never confused.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, inlined, kernel
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.generic import candidate_moves, margin_bounds, symmetric_key
from damier.core.prefetch import prefetch
from damier.core.rng import mix

LEAST_BITS = 16  # a smaller table could not distinguish all keys
SHIFT = 128  # bounds are kept in bytes
NO, YES, UNDECIDED = 0, 1, 2
NO_LEVEL = -1  # between two questions
NOTHING, BYTE, CHECK = np.uint64(0), np.uint64(255), np.uint64(0xFFFF_FFFF_FFFF_0000)
EIGHT = np.uint64(8)


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


class Work(Struct):
    """The question, the stack of the search with one entry for each level, and the table."""

    def __init__(self, game: Game, memory: int) -> None:
        depth = game.max_length + 1
        self.question = np.zeros(1, _QUESTION)
        self.states = game.new_states(depth)
        self.levels = np.zeros(depth, _LEVEL)
        self.moves = np.zeros((depth, game.max_moves), np.int64)
        self.values = np.zeros(2)
        bits = max(LEAST_BITS, (memory * 2**20 // 8).bit_length() - 1)
        # By the low bits of the mixed key: its other bits, and both bounds. It is written now, because the first use of
        # new memory is slow.
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
    """The winner of the position at level 0, by any margin; UNDECIDED if that takes more nodes."""
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
    """Halve the interval, but first try its outer parts: small trees find or exclude early wins."""
    middle = low + (high - low) // 2
    if middle <= 0 and low // 2 < middle:
        middle = -(-low // 2)
    elif middle >= 0 and high // 2 > middle:
        middle = high // 2
    return middle + 1 if middle < high else high


@inlined
def narrow(work: Any, answer: int) -> None:
    """Narrow the interval by the answer for the root, and record what else it proves."""
    question, root = work.question[0], work.levels[0]
    if answer == YES:
        question.low = question.target
    else:
        question.high = question.target - 1
    question.low = max(question.low, root.low)
    question.high = min(question.high, root.high)


@inlined
def enter(game: Any, work: Any, level: int) -> int:
    """Answer the question for a position, from the game or the table; or list the moves to try.

    While the table's word is being loaded, the game says what it knows and lists its moves. If there is only one move,
    the position after it is looked up and kept instead of this one.
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
    """Apply the answer for the last move to its position: player 0 looks for a yes, player 1 for a no.

    A decided position is kept in the table.
    """
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
