"""The legal turns of a roll: which checkers move by which die.

Each player counts points from home, as in `rules`: 1 to 24, the bar is 25, and 0 is off the board. A point p of one
player is the point 25 - p of the other.

A turn lists the points from which checkers step, the **sources**, in base 26: source of the higher die + 26 * source of
the lower, with 0 for a die that can't be played. A double has four steps, with the sources in descending order from the
lowest digit to the highest. The result of a turn depends only on the sources. The order of the steps decides only
whether they can be made.

A set of points is a number with their bits: `occupied` is the points with the player's own checkers, `open_` those that
the other player does not hold.
"""

from typing import Any

from damier.core.compile import kernel
from damier.core.protocol import Moves

BAR, OFF, HOME = 25, 0, 6
BASE = 26
PASS = 0
MAX_TURNS = 3060  # a double shares four steps among fifteen checkers: C(18, 4) ways

Points = Any  # [26] how many checkers a player has: off, on the points 1 to 24, on the bar


@kernel
def list_turns(own: Points, theirs: Points, high: int, low: int, out: Moves) -> int:
    """Write the turns that lead to different positions. As many dice as possible must be played; if either of the two
    can be played but not both, the higher."""
    occupied = open_ = 0
    for point in range(1, BAR + 1):
        occupied |= (own[point] > 0) << point
        open_ |= (point < BAR and theirs[25 - point] < 2) << point
    count = 0
    if high == low:
        for length in range(4, 0, -1):
            if count == 0:
                count = add_doubles(own.copy(), occupied, open_, high, length, out)
    else:
        count = add_pairs(own, theirs, occupied, open_, high, low, out)
        if count == 0:
            count = add_singles(sources(occupied, open_, high), 1, out)
        if count == 0:
            count = add_singles(sources(occupied, open_, low), BASE, out)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@kernel
def sources(occupied: int, open_: int, die: int) -> int:
    """The points from which a checker may step. Checkers on the bar come first, and none leaves the board before all
    are home. Only the rearmost checker may use a die that is too large."""
    can_move = 1 << BAR if occupied >> BAR else occupied
    found = can_move & open_ << die
    if occupied >> HOME + 1 == 0:
        found |= occupied & 1 << die
        rearmost = HOME
        while rearmost > 0 and not occupied >> rearmost & 1:
            rearmost -= 1
        if rearmost < die:
            found |= occupied & 1 << rearmost
    return found


@kernel
def after_step(own: Points, occupied: int, source: int, die: int) -> int:
    """The points where checkers are after a step."""
    if own[source] == 1:
        occupied ^= 1 << source
    return occupied | 1 << source - die if source > die else occupied


@kernel
def add_pairs(own: Points, theirs: Points, occupied: int, open_: int, high: int, low: int, out: Moves) -> int:
    """The turns that play both of two different dice, the higher first or the lower first."""
    count = 0
    for is_low_first in range(2):
        die, other = (low, high) if is_low_first else (high, low)
        first_steps = sources(occupied, open_, die)
        for first in range(BAR, 0, -1):
            if not first_steps >> first & 1:
                continue
            second_steps = sources(after_step(own, occupied, first, die), open_, other)
            for second in range(BAR, 0, -1):
                if second_steps >> second & 1:
                    by_high, by_low = (second, first) if is_low_first else (first, second)
                    if is_low_first and can_play(own, occupied, open_, by_high, high, by_low, low):
                        continue  # it was listed with the higher die first
                    if not is_repeated(own, theirs, occupied, open_, by_high, high, by_low, low):
                        out[count] = by_high + BASE * by_low
                        count += 1
    return count


@kernel
def can_play(own: Points, occupied: int, open_: int, first: int, die: int, second: int, other: int) -> bool:
    """Whether these two steps can be made in this order."""
    if not sources(occupied, open_, die) >> first & 1:
        return False
    return sources(after_step(own, occupied, first, die), open_, other) >> second & 1 == 1


@kernel
def is_repeated(
    own: Points, theirs: Points, occupied: int, open_: int, by_high: int, high: int, by_low: int, low: int
) -> bool:
    """Whether another turn, which is listed, leads to the same position.

    Two checkers that both leave the board may swap dice. One checker may use both dice in either order, if it hits
    nothing on the way.
    """
    if by_high <= high and by_low <= low:
        same_high, same_low = by_low, by_high
        if by_high >= by_low:
            return False
    elif by_high == by_low - low and by_low > high:
        same_high, same_low = by_low, by_low - high
        if theirs[25 - by_high] == 1 or theirs[25 - same_low] == 1:
            return False
    else:
        return False
    return can_play(own, occupied, open_, same_high, high, same_low, low) or can_play(
        own, occupied, open_, same_low, low, same_high, high
    )


@kernel
def add_singles(steps: int, digit: int, out: Moves) -> int:
    count = 0
    for source in range(BAR, 0, -1):
        if steps >> source & 1:
            out[count] = digit * source
            count += 1
    return count


@kernel
def add_doubles(own: Points, occupied: int, open_: int, die: int, length: int, out: Moves) -> int:
    """The turns of that many steps from descending points, depth first. If steps can be made in any order, they can be
    made in this one: steps from far behind make room for bearing off. `own` is changed, and changed back."""
    count = turn = made = 0
    source = BAR
    while True:
        steps = sources(occupied, open_, die) if made < length else 0
        while source > 0 and not steps >> source & 1:
            source -= 1
        if source > 0:
            occupied = move_checker(own, occupied, source, max(OFF, source - die))
            turn += source * BASE**made
            made += 1
            if made == length:
                out[count] = turn
                count += 1
        elif made > 0:
            made -= 1
            source = turn // BASE**made
            turn -= source * BASE**made
            occupied = move_checker(own, occupied, max(OFF, source - die), source)
            source -= 1
        else:
            return count


@kernel
def move_checker(own: Points, occupied: int, source: int, target: int) -> int:
    """Move a checker in `own`; return the points with checkers after it."""
    own[source] -= 1
    own[target] += 1
    if own[source] == 0:
        occupied &= ~(1 << source)
    return (occupied | 1 << target) & ~(1 << OFF)
