"""All pieces at once: the moves of a set of squares, in a few instructions and without a list.

Dark squares are numbered row by row, so a step in one direction adds the same number to all squares of every other
row: two shifts move a whole set. Random games look here first, because most positions have no capture at all.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.bits import Bits, bit, drop_lowest, lowest, popcount
from damier.core.compile import inlined, kernel
from damier.core.protocol import Record

NONE = np.uint64(0)


def shifts(steps: NDArray[np.int64]) -> NDArray[np.uint64]:
    """[direction, which of two, 3]: the squares to shift, and how far to shift them left and right."""
    table = np.zeros((len(steps), 2, 3), np.uint64)
    for direction, targets in enumerate(steps):
        squares = np.flatnonzero(targets >= 0)
        distances = targets[squares] - squares
        for which, distance in enumerate(np.unique(distances)):
            members = sum(1 << int(square) for square in squares[distances == distance])
            table[direction, which] = members, max(0, distance), max(0, -distance)
    return table


@kernel
def occupied_by(state: Record) -> Bits:
    return state.men[0] | state.men[1] | state.kings[0] | state.kings[1]


@inlined
def stepped(game: Any, squares: Bits, direction: int) -> Bits:
    """The squares one step further; squares on the edge drop out."""
    table = game.shifts
    one, other = squares & table[direction, 0, 0], squares & table[direction, 1, 0]
    one = one << table[direction, 0, 1] >> table[direction, 0, 2]
    other = other << table[direction, 1, 1] >> table[direction, 1, 2]
    return one | other


@kernel
def may_capture(game: Any, state: Record) -> bool:
    """Whether a piece of the player to move can capture another."""
    me = state.player
    for direction in range(game.jumps[me, 0], game.jumps[me, 1]):
        if landings_of_men(game, state, direction) != NONE:
            return True
    return kings_may_capture(game, state)


@inlined
def landings_of_men(game: Any, state: Record, direction: int) -> Bits:
    """Where the men of the player to move land by taking a piece in this direction."""
    me = state.player
    enemies = state.men[1 - me]
    if game.men_take_kings:
        enemies |= state.kings[1 - me]
    return stepped(game, stepped(game, state.men[me], direction) & enemies, direction) & ~occupied_by(state)


@kernel
def kings_may_capture(game: Any, state: Record) -> bool:
    kings, occupied = state.kings[state.player], occupied_by(state)
    if kings == NONE:
        return False
    enemies = state.men[1 - state.player] | state.kings[1 - state.player]
    for direction in range(game.jumps[2, 0], game.jumps[2, 1]):
        reached = stepped(game, kings, direction)
        while reached != NONE:
            if stepped(game, reached & enemies, direction) & ~occupied:
                return True
            reached = stepped(game, reached & ~occupied, direction) if game.is_flying else NONE
    return False


@kernel
def quiet_move(game: Any, state: Record, number: int, tired: int) -> int:
    """The move with that number among those that capture nothing; if there are only n of them, -1 - n."""
    me, free = state.player, ~occupied_by(state)
    passed = 0
    for direction in range(game.walks[me, 0], game.walks[me, 1]):
        targets = stepped(game, state.men[me], direction) & free
        if number < passed + popcount(targets):
            target = member(targets, number - passed)
            return int(game.steps[game.opposite[direction], target]) << 6 | target
        passed += popcount(targets)
    kings = state.kings[me] & ~bit(tired) if tired >= 0 else state.kings[me]
    if kings == NONE:
        return -1 - passed
    for direction in range(game.walks[2, 0], game.walks[2, 1]):
        targets = stepped(game, kings, direction) & free
        while targets != NONE:
            if number < passed + popcount(targets):
                target = member(targets, number - passed)
                start = game.steps[game.opposite[direction], target]
                while not kings & bit(start):
                    start = game.steps[game.opposite[direction], start]
                return int(start) << 6 | target
            passed += popcount(targets)
            targets = stepped(game, targets, direction) & free if game.is_flying else NONE
    return -1 - passed


@inlined
def member(squares: Bits, number: int) -> int:
    """The square with that number in a set; the lowest has number 0."""
    for _ in range(number):
        squares = drop_lowest(squares)
    return lowest(squares)
