"""Retrograde analysis: all positions of one ending are solved together, backward from the decided ones.

After Thompson (1986) and, for draughts, Lake, Schaeffer and Lu (1994). A game need not be able to take a move back:
each position is visited once, forward. Moves that leave the ending lead to solved positions; the others are stored and
reversed. Then, level by level: a position is won in n moves if a move leads to one that is lost in n - 1; it is lost in
n if all moves lead to won ones, the last of them in n - 1. Positions that are never decided are draws.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import Struct, inlined, kernel
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.generic import check_count
from damier.search.endgames.packing import NO_POSITION, ZERO, Results
from damier.search.endgames.probing import NO_RESULT, Endgames, stored_result

NEVER = ZERO - 2  # the level of undecided positions; results are below ZERO
CHUNK = 1 << 15  # positions that a thread takes at a time
BYTES = 100  # of memory for each position, at most about: 18, and 8 for each of ten moves within the ending
ROOM = 8  # expected moves within the ending for each position; with more, the chunk is cut

Targets = NDArray[np.int32]
NO_TARGETS: Targets = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Counts:
    """How the positions of an ending end, for the player to move."""

    positions: int
    wins: int
    draws: int
    losses: int
    longest: int  # moves to the end


class Ending(Struct):
    """The data of the positions of an ending during the analysis."""

    def __init__(self, number: int, size: int) -> None:
        self.number = number
        self.moves_within = np.zeros(size, np.int16)  # moves that stay in the ending
        # Moves that may still hold: those to positions not known to be won for the other player. A position with none
        # left is lost. A move out of the ending that holds stays, as does one that wins.
        self.holding = np.zeros(size, np.int16)
        self.due = np.full(size, NEVER, np.int16)  # the level at which a position is decided, as far as known
        self.resistance = np.zeros(size, np.int16)  # if it is lost, the earliest level at which it can be
        self.results = np.zeros(size, np.int16)


class Visit(Struct):
    """The buffers of a thread that visits positions."""

    def __init__(self, game: Game) -> None:
        self.states = game.new_states(2)  # the position, and one after it
        self.moves = np.zeros(game.max_moves, np.int64)
        self.replies = np.zeros(game.max_moves, np.int64)
        self.values = np.zeros(game.num_players)
        self.targets = np.zeros(CHUNK * ROOM + game.max_moves, np.int32)  # of moves that stay in the ending


Told = Callable[[int], None]  # how many more positions were visited


def solve(game: Game, ending: Ending, solved: Endgames, workers: int, told: Told) -> Results:
    """The results of one ending; the earlier ones must be solved."""
    size = ending.results.size
    targets = []
    for first, found in zip(range(0, size, CHUNK), _visit_all(game, ending, solved, workers), strict=True):
        targets.append(found)
        told(min(CHUNK, size - first))
    starts = np.zeros(size + 2, np.int64)
    for found in targets:
        count_parents(found, starts)
    np.cumsum(starts, out=starts)
    parents = np.empty(starts[-1], np.int32)
    for chunk, found in enumerate(targets):
        fill_parents(found, ending.moves_within, chunk * CHUNK, starts, parents)
        targets[chunk] = NO_TARGETS  # frees its memory; a slice would keep it
    decide(ending, starts, parents)
    return ending.results


def _visit_all(game: Game, ending: Ending, solved: Endgames, workers: int) -> Iterator[Targets]:
    """Give the moves that stay in the ending, chunk by chunk. Kernels release the GIL, so threads share the work."""

    def visit_chunk(first: int) -> Targets:
        visit = Visit(game)
        found, last = [], min(first + CHUNK, ending.results.size)
        while first < last:
            first, count = game.run(visit_positions, ending, visit, solved, first, last)
            found.append(visit.targets[:count].copy())
        return np.concatenate(found)

    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(visit_chunk, range(0, ending.results.size, CHUNK))
    finally:
        pool.shutdown(cancel_futures=True)


def count_results(results: Results) -> Counts:
    there = results[results != NO_POSITION]
    wins, draws = int((there > 0).sum()), int((there == 0).sum())
    longest = int(np.abs(there).max(initial=1)) - 1
    return Counts(there.size, wins, draws, there.size - wins - draws, longest)


# -- visiting ------------------------------------------------------------------------------------------------


@kernel
def visit_positions(game: Any, ending: Any, visit: Any, solved: Any, first: int, last: int) -> tuple[int, int]:
    """Visit the moves of positions; return how far it came and how many moves stay in the ending."""
    state, count = visit.states[0], 0
    for index in range(first, last):
        if count + visit.moves.size > visit.targets.size:
            return index, count
        if not game.set_ending(state, ending.number, index):
            ending.results[index] = NO_POSITION
            continue
        num_moves = check_count(game.moves(state, visit.moves), visit.moves.size)
        if num_moves == 0:
            take_end(game, ending, visit, index)
        before = count
        for i in range(num_moves):
            visit.states[1] = state
            game.play(visit.states[1], visit.moves[i])
            target = take_move(game, ending, visit, solved, index)
            if target >= 0:
                visit.targets[count] = target
                count += 1
        ending.moves_within[index] = count - before
        ending.holding[index] += count - before
        if ending.holding[index] == 0:
            ending.due[index] = ending.resistance[index]
    return last, count


@inlined
def take_end(game: Any, ending: Any, visit: Any, index: int) -> None:
    """Record a finished game: a lost position has no move that holds, and is due at once."""
    result = finished_result(game, visit, visit.states[0])
    if result >= 0:
        ending.holding[index] = 1
    if result > 0:
        ending.due[index] = 0


@inlined
def take_move(game: Any, ending: Any, visit: Any, solved: Any, index: int) -> int:
    """The index that a move leads to in the ending, or -1 if it leads out: then its result is known."""
    after = visit.states[1]
    if after.player == visit.states[0].player:
        raise RulesError("endgame.moves-twice", "player", after.player)
    number, target, _ = game.ending(after)
    if number == ending.number:
        return target
    if number > ending.number:
        raise RulesError("endgame.later", "ending", ending.number, "other", number)
    result = stored_result(solved, number, target) if number >= 0 else finished_result(game, visit, after)
    if result == NO_RESULT:
        raise RulesError("endgame.leads-out", "ending", ending.number, "other", number)
    if result > 0:
        ending.resistance[index] = max(ending.resistance[index], result)
    else:
        ending.holding[index] = 1
        if result < 0:
            ending.due[index] = min(ending.due[index], -result)
    return -1


@inlined
def finished_result(game: Any, visit: Any, state: Any) -> int:
    """The result of a finished position; NO_RESULT if the game goes on."""
    if game.moves(state, visit.replies) != 0:
        return NO_RESULT
    game.returns(state, visit.values)
    payoff = visit.values[state.player]
    return 1 if payoff > 0 else -1 if payoff < 0 else 0


# -- going back ----------------------------------------------------------------------------------------------


@kernel
def count_parents(targets: Any, starts: Any) -> None:
    for i in range(targets.size):
        starts[targets[i] + 2] += 1


@kernel
def fill_parents(targets: Any, moves_within: Any, first: int, starts: Any, parents: Any) -> None:
    """Store which positions lead to each position.

    `starts[i + 1]` is where to write the next parent of i; in the end the parents of i are from `starts[i]` to
    `starts[i + 1]`.
    """
    parent, left = first, moves_within[first]
    for i in range(targets.size):
        while left == 0:
            parent += 1
            left = moves_within[parent]
        left -= 1
        place = targets[i] + 1
        parents[starts[place]] = parent
        starts[place] += 1


@kernel
def decide(ending: Any, starts: Any, parents: Any) -> None:
    """Level by level, give the due positions their results, and update the positions that lead to them."""
    level, last = 0, 0
    for index in range(ending.due.size):
        if ending.due[index] < NEVER:
            last = max(last, ending.due[index])
    while level <= last:
        for index in range(ending.due.size):
            if ending.due[index] != level:
                continue
            is_lost = ending.holding[index] == 0
            ending.results[index] = -level - 1 if is_lost else level + 1
            for i in range(starts[index], starts[index + 1]):
                parent = parents[i]
                if ending.due[parent] <= level:
                    continue  # it is won sooner
                if is_lost:
                    ending.due[parent] = min(ending.due[parent], level + 1)
                    last = max(last, level + 1)
                else:
                    ending.holding[parent] -= 1
                    if ending.holding[parent] == 0:
                        ending.due[parent] = max(ending.resistance[parent], level + 1)
                        last = max(last, ending.due[parent])
        level += 1
    if last >= NEVER:
        raise RulesError("endgame.too-long", "moves", last)
