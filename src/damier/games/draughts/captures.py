"""Whole captures: every way in which a piece can jump until it can't jump any more.

A move is one number. An unfinished capture has the same form; it ends where the piece is now:

    bit 62       set if a man became a king on the way and went on as one
    bits 12-61   the squares of the captured pieces
    bits 6-11    where the move starts
    bits 0-5     where it ends

Captured pieces stay on the board until the whole capture is over. A piece can't jump them again or land on them. The
square where the capture started counts as empty.
"""

from typing import Any

import numpy as np

from damier.core.bits import Bits, bit, drop_lowest, lowest, popcount
from damier.core.compile import kernel
from damier.core.protocol import Moves, Record
from damier.games.draughts.sets import NONE, kings_may_capture, landings_of_men, occupied_by
from damier.games.draughts.variants import CONTINUE, FREE, FRISIAN, ITALIAN, KING, MOST, MOST_KINGS, STOP

PROMOTED = 1 << 62
CAPTURED_SHIFT = 12
ALL_SQUARES = np.uint64((1 << 50) - 1)
MOST_CAPTURED = 20  # no player has more pieces

# The number of captures found and their rank in one number: rank << COUNT_BITS | count.
COUNT_BITS = 16
COUNT_MASK = (1 << COUNT_BITS) - 1


@kernel
def start_of(move: int) -> int:
    return move >> 6 & 63


@kernel
def target_of(move: int) -> int:
    return move & 63


@kernel
def captured_of(move: int) -> Bits:
    """The set of captured pieces."""
    return np.uint64(move >> CAPTURED_SHIFT) & ALL_SQUARES


@kernel
def is_king(state: Record, move: int) -> bool:
    """Whether the piece moves as a king: it is one, or became one on the way."""
    return move & PROMOTED != 0 or state.kings[state.player] & bit(start_of(move)) != NONE


@kernel
def find_captures(game: Any, state: Record, out: Moves) -> int:
    """Write the legal captures and return how many there are. Those for which there is no room are only counted."""
    found = 0
    for direction in range(game.jumps[state.player, 0], game.jumps[state.player, 1]):
        landings, back = landings_of_men(game, state, direction), game.opposite[direction]
        while landings != NONE:
            start = game.steps[back, game.steps[back, lowest(landings)]]
            landings = drop_lowest(landings)
            found = jump_on(game, state, start << 6 | start, direction, direction + 1, 0, out, found)
    if kings_may_capture(game, state):
        kings = state.kings[state.player]
        while kings != NONE:
            start = lowest(kings)
            kings = drop_lowest(kings)
            found = jump_on(game, state, start << 6 | start, game.jumps[2, 0], game.jumps[2, 1], 0, out, found)
    return found & COUNT_MASK


@kernel
def jump_on(game: Any, state: Record, capture: int, first: int, last: int, order: int, out: Moves, found: int) -> int:
    """Continue a capture, in these directions and then in every possible way, to its end. `order` says when kings were
    captured."""
    king = is_king(state, capture)
    for direction in range(first, last):
        victim = victim_of(game, state, capture, direction, king)
        if victim < 0:
            continue
        taken = capture | 1 << victim + CAPTURED_SHIFT
        then = order_after(game, state, capture, victim, order)
        landings = landings_behind(game, state, taken, direction, victim)
        going_on = those_that_go_on(game, state, taken, landings)
        chosen = going_on if going_on else landings
        while chosen != NONE:
            jumped = land(game, state, taken, lowest(chosen))
            chosen = drop_lowest(chosen)
            if going_on:
                kind = 2 if is_king(state, jumped) else state.player
                found = jump_on(game, state, jumped, game.jumps[kind, 0], game.jumps[kind, 1], then, out, found)
            else:
                found = add(game, state, jumped, then, out, found)
    return found


@kernel
def can_jump(game: Any, state: Record, capture: int) -> bool:
    """Whether the piece can take another one from its square."""
    king = is_king(state, capture)
    kind = 2 if king else state.player
    if not game.prey[kind, target_of(capture)] & victims(game, state, capture, king):
        return False
    for direction in range(game.jumps[kind, 0], game.jumps[kind, 1]):
        if victim_of(game, state, capture, direction, king) >= 0:
            return True
    return False


@kernel
def victims(game: Any, state: Record, capture: int, king: bool) -> Bits:
    """The pieces that may still be taken."""
    other = 1 - state.player
    enemies = state.men[other]
    if king or game.men_take_kings:
        enemies |= state.kings[other]
    return enemies & ~captured_of(capture)


@kernel
def victim_of(game: Any, state: Record, capture: int, direction: int, king: bool) -> int:
    """The square of the piece that can be taken in a direction, or -1."""
    occupied = occupied_by(state) & ~bit(start_of(capture))
    victim = game.steps[direction, target_of(capture)]
    if king and game.is_flying:
        while victim >= 0 and not occupied & bit(victim):
            victim = game.steps[direction, victim]
    if victim < 0 or not victims(game, state, capture, king) & bit(victim):
        return -1
    behind = game.steps[direction, victim]
    if behind < 0 or occupied & bit(behind):
        return -1
    return victim


@kernel
def landings_behind(game: Any, state: Record, capture: int, direction: int, victim: int) -> Bits:
    """The squares behind this victim on which the piece can land."""
    occupied = occupied_by(state) & ~bit(start_of(capture))
    landing = game.steps[direction, victim]
    landings = bit(landing)
    if game.is_flying and is_king(state, capture):
        landing = game.steps[direction, landing]
        while landing >= 0 and not occupied & bit(landing):
            landings |= bit(landing)
            landing = game.steps[direction, landing]
    return landings


@kernel
def those_that_go_on(game: Any, state: Record, capture: int, landings: Bits) -> Bits:
    """The landing squares from which the piece can take another; if there are any, it must choose one."""
    going_on = NONE
    while landings != NONE:
        landing = lowest(landings)
        landings = drop_lowest(landings)
        jumped = land(game, state, capture, landing)
        if not (game.promotion_rule == STOP and is_crowned(game, state, jumped)) and can_jump(game, state, jumped):
            going_on |= bit(landing)
    return going_on


@kernel
def is_crowned(game: Any, state: Record, move: int) -> bool:
    """Whether the piece is a man on the row that makes it a king."""
    return not is_king(state, move) and game.king_row[state.player] & bit(target_of(move)) != NONE


@kernel
def land(game: Any, state: Record, capture: int, landing: int) -> int:
    """The capture with the piece on this square."""
    jumped = capture & ~63 | landing
    if game.promotion_rule == CONTINUE and is_crowned(game, state, jumped):
        jumped |= PROMOTED
    return jumped


@kernel
def order_after(game: Any, state: Record, capture: int, victim: int, order: int) -> int:
    """A bit for each captured king; an earlier capture has a higher bit."""
    if game.choice_rule == ITALIAN and state.kings[1 - state.player] & bit(victim):
        return order | 1 << MOST_CAPTURED - 1 - popcount(captured_of(capture))
    return order


@kernel
def rank_of(game: Any, state: Record, capture: int, order: int) -> int:
    """How a capture compares with others: only those of the highest rank may be played. See CHOICES."""
    rule = game.choice_rule
    if rule == FREE:
        return 0
    by_king = 1 if state.kings[state.player] & bit(start_of(capture)) else 0
    if rule == KING:
        return by_king
    pieces = popcount(captured_of(capture))
    if rule == MOST:
        return pieces
    kings = popcount(captured_of(capture) & state.kings[1 - state.player])
    if rule == MOST_KINGS:
        return pieces << 5 | kings
    if rule == FRISIAN:
        return (100 * pieces + 99 * kings) << 1 | by_king
    return ((pieces << 1 | by_king) << 5 | kings) << MOST_CAPTURED | order


@kernel
def add(game: Any, state: Record, capture: int, order: int, out: Moves, found: int) -> int:
    """Add a finished capture to those found, unless they outrank it or include it by another route."""
    rank, best, count = rank_of(game, state, capture, order), found >> COUNT_BITS, found & COUNT_MASK
    if rank < best:
        return found
    if rank > best:
        count = 0
    for i in range(min(count, out.size)):
        if out[i] == capture:
            return found
    if count < out.size:
        out[count] = capture
    return rank << COUNT_BITS | min(count + 1, COUNT_MASK)
