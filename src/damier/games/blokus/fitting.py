"""Where a colour's pieces fit: all legal placements that cover a given point, looked up at once.

A word of `state.maps` is one row of the board as one colour sees it:

    bits 0-3     set
    bits 4-23    the columns where this colour may place nothing: occupied, or beside a piece of its own; set from the
                 right edge of the board on
    bits 24-43   its points: free columns at the corner of a piece of its own, or where it starts
    bits 44-63   the columns that it occupies

Above the first row of a colour, and below the last one, there are four rows with all of the bits 0-23 set. A legal
placement covers at least one point and nothing that is closed. It belongs to the first point that it covers, so it is
found only once: seen from any other point, earlier points look closed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.bits import Bits, drop_lowest, lowest, nth_lowest, popcount
from damier.core.compile import kernel
from damier.core.protocol import Moves, Record, Rng
from damier.core.rng import below
from damier.games.blokus.tables import MOST_SETS, OFFSETS, WORDS

MARGIN = 4
MOST_ROWS = 20
ROWS_OF_COLOUR = MOST_ROWS + MARGIN
NUM_ROWS = 4 * ROWS_OF_COLOUR + MARGIN

U = np.uint64
NONE, ONE, TWO, THREE, FOUR, FIVE = U(0), U(1), U(2), U(3), U(4), U(5)
COLUMNS = U(MOST_ROWS)
POINTS, OCCUPIED = U(MARGIN + MOST_ROWS), U(MARGIN + 2 * MOST_ROWS)  # where these columns begin in a word
ROW = U((1 << MOST_ROWS) - 1)
CLOSED = U((1 << MARGIN + MOST_ROWS) - 1)
BEYOND = U(15 << MARGIN + MOST_ROWS)  # right of the largest board
ENTRY = U(3)  # STRIDE is 2 ** 3
AT_0, AT_1, AT_2, AT_3, AT_4, AT_5, AT_6, AT_7 = (U(offset) for offset in OFFSETS[:-1])

Pairs = tuple[Bits, Bits, Bits, Bits, Bits, Bits, Bits]
Parts = tuple[Bits, Bits, Bits, Bits, Bits, Bits, Bits, Bits]  # where in `fits` to look


@kernel
def first_row(colour: int) -> int:
    """The index in `state.maps` of the colour's top row."""
    return MARGIN + ROWS_OF_COLOUR * colour


@kernel
def points_in(word: Bits) -> Bits:
    return word >> POINTS & ROW


@kernel
def without_closed_points(word: Bits) -> Bits:
    """Remove closed squares from the points."""
    return word & ~((word >> FOUR & ROW) << POINTS)


@kernel
def above(word: Bits, col: Bits) -> Bits:
    """The neighbourhood in a row above the point; points there are earlier, so they look closed."""
    return (word | word >> COLUMNS | BEYOND) >> col


@kernel
def row_below(word: Bits, col: Bits) -> Bits:
    """The neighbourhood in a row below the point."""
    return (word | BEYOND) >> col


@kernel
def beside(word: Bits, col: Bits) -> Bits:
    """The neighbourhood in the point's own row; points to the left are earlier."""
    earlier = word >> COLUMNS & (ONE << col + FOUR) - ONE
    return (word | earlier | BEYOND) >> col


@kernel
def look_around(state: Record, row: int, column: int) -> Parts:
    """The closed squares around a point, part by part, as places in `fits`; see `tables`."""
    at, col = U(row), U(column)
    maps = state.maps
    middle = beside(maps[at], col)
    up = above(maps[at - FOUR], col) >> FOUR & ONE | above(maps[at - THREE], col) >> TWO & U(14)
    down = row_below(maps[at + FOUR], col) >> FOUR & ONE | row_below(maps[at + THREE], col) >> TWO & U(14)
    return (
        AT_0 + (up << ENTRY),
        AT_1 + ((above(maps[at - TWO], col) >> TWO & U(31)) << ENTRY),
        AT_2 + ((above(maps[at - ONE], col) >> ONE & U(127)) << ENTRY),
        AT_3 + ((middle & U(15)) << ENTRY),
        AT_4 + ((middle >> FIVE & U(15)) << ENTRY),
        AT_5 + ((row_below(maps[at + ONE], col) >> ONE & U(127)) << ENTRY),
        AT_6 + ((row_below(maps[at + TWO], col) >> TWO & U(31)) << ENTRY),
        AT_7 + (down << ENTRY),
    )


@kernel
def pairs_of(game: Any, pieces: Bits, word: int) -> Bits:
    """The pairs of one word that belong to these pieces."""
    w = U(word)
    return game.pair_sets[U(MOST_SETS) * w + (pieces >> game.first_piece[w] & game.set_mask[w])]


@kernel
def all_pairs_of(game: Any, pieces: Bits) -> Pairs:
    """The pairs of all words."""
    return (
        pairs_of(game, pieces, 0),
        pairs_of(game, pieces, 1),
        pairs_of(game, pieces, 2),
        pairs_of(game, pieces, 3),
        pairs_of(game, pieces, 4),
        pairs_of(game, pieces, 5),
        pairs_of(game, pieces, 6),
    )


@kernel
def fitting(game: Any, parts: Parts, word: int) -> Bits:
    """The pairs of one word that fit around the point."""
    fits, w = game.fits, U(word)
    return (
        fits[parts[0] + w]
        & fits[parts[1] + w]
        & fits[parts[2] + w]
        & fits[parts[3] + w]
        & fits[parts[4] + w]
        & fits[parts[5] + w]
        & fits[parts[6] + w]
        & fits[parts[7] + w]
    )


@kernel
def count_at(game: Any, state: Record, pairs: Pairs, row: int, col: int) -> int:
    """How many placements belong to a point, given the pairs of the pieces that are left."""
    parts = look_around(state, row, col)
    return (
        popcount(pairs[0] & fitting(game, parts, 0))
        + popcount(pairs[1] & fitting(game, parts, 1))
        + popcount(pairs[2] & fitting(game, parts, 2))
        + popcount(pairs[3] & fitting(game, parts, 3))
        + popcount(pairs[4] & fitting(game, parts, 4))
        + popcount(pairs[5] & fitting(game, parts, 5))
        + popcount(pairs[6] & fitting(game, parts, 6))
    )


@kernel
def can_place(game: Any, state: Record, colour: int) -> bool:
    """Whether a colour has any legal placement."""
    for row in range(first_row(colour), first_row(colour) + game.num_rows):
        points = points_in(state.maps[row])
        while points != NONE:
            if fits_at(game, state, state.left[colour], row, lowest(points)):
                return True
            points = drop_lowest(points)
    return False


@kernel
def fits_at(game: Any, state: Record, pieces: Bits, row: int, col: int) -> bool:
    """Whether any of these pieces has a placement that belongs to a point."""
    parts = look_around(state, row, col)
    for word in range(WORDS):
        if pairs_of(game, pieces, word) & fitting(game, parts, word):
            return True
    return False


@kernel
def count_placements(game: Any, state: Record, colour: int) -> int:
    """How many legal placements a colour has."""
    pairs = all_pairs_of(game, state.left[colour])
    count = 0
    for row in range(first_row(colour), first_row(colour) + game.num_rows):
        points = points_in(state.maps[row])
        while points != NONE:
            count += count_at(game, state, pairs, row, lowest(points))
            points = drop_lowest(points)
    return count


@kernel
def list_placements(game: Any, state: Record, colour: int, out: Moves) -> int:
    """Write a colour's legal placements, point by point; return how many."""
    count = 0
    for row in range(first_row(colour), first_row(colour) + game.num_rows):
        points = points_in(state.maps[row])
        while points != NONE:
            col = lowest(points)
            points = drop_lowest(points)
            parts = look_around(state, row, col)
            for word in range(WORDS):
                pairs = pairs_of(game, state.left[colour], word) & fitting(game, parts, word)
                while pairs != NONE:
                    out[count] = placement_of(game, 64 * word + lowest(pairs), row - first_row(colour), col)
                    pairs = drop_lowest(pairs)
                    count += 1
    return count


@kernel
def reach(game: Any, state: Record, colour: int, squares: NDArray[np.uint64]) -> Bits:
    """Write the squares, row by row, that a colour's legal placements cover; return the pieces that it can place."""
    pieces = NONE
    squares[:] = NONE
    for row in range(first_row(colour), first_row(colour) + game.num_rows):
        points = points_in(state.maps[row])
        while points != NONE:
            col = lowest(points)
            points = drop_lowest(points)
            parts = look_around(state, row, col)
            for word in range(WORDS):
                pairs = pairs_of(game, state.left[colour], word) & fitting(game, parts, word)
                while pairs != NONE:
                    pair = 64 * word + lowest(pairs)
                    pairs = drop_lowest(pairs)
                    orientation = game.pair_orientation[pair]
                    pieces |= ONE << U(game.piece_of[orientation])
                    top, left = row - first_row(colour) - game.pair_cell[pair, 0], U(col - game.pair_cell[pair, 1])
                    for down in range(game.heights[orientation]):
                        squares[top + down] |= game.cell_rows[orientation, down + 1] << left >> ONE
    return pieces


@kernel
def draw_placement(game: Any, state: Record, colour: int, pieces: Bits, rng: Rng) -> int:
    """One of a colour's legal placements of these pieces, all equally likely; -1 if there is none."""
    total, chosen, _ = draw_points(game, state, colour, pieces, False, rng)
    return drawn_at(game, state, colour, pieces, chosen, rng) if total else -1


@kernel
def draw_two(game: Any, state: Record, colour: int, rng: Rng) -> tuple[int, int]:
    """Two of a colour's legal placements, each drawn as by `sample`."""
    pieces = state.left[colour]
    _, first, second = draw_points(game, state, colour, pieces, True, rng)
    return (
        drawn_at(game, state, colour, pieces, first, rng),
        drawn_at(game, state, colour, pieces, second, rng),
    )


@kernel
def draw_points(
    game: Any, state: Record, colour: int, pieces: Bits, is_second_drawn: bool, rng: Rng
) -> tuple[int, int, int]:
    """The number of a colour's legal placements of these pieces, and one or two points drawn by their shares of it."""
    pairs = all_pairs_of(game, pieces)
    total = first = second = 0
    for row in range(first_row(colour), first_row(colour) + game.num_rows):
        points = points_in(state.maps[row])
        while points != NONE:
            col = lowest(points)
            points = drop_lowest(points)
            count = count_at(game, state, pairs, row, col)
            total += count
            first = keep(first, row, col, count, total, rng)
            if is_second_drawn:
                second = keep(second, row, col, count, total, rng)
    return total, first, second


@kernel
def keep(chosen: int, row: int, col: int, count: int, total: int, rng: Rng) -> int:
    """Choose this point instead of the chosen one, with a probability equal to its share of the placements so far."""
    return (row << 5 | col) << 9 | count if below(rng, total) < count else chosen


@kernel
def drawn_at(game: Any, state: Record, colour: int, pieces: Bits, chosen: int, rng: Rng) -> int:
    return nth_at(game, state, colour, pieces, chosen >> 14, chosen >> 9 & 31, below(rng, chosen & 511))


@kernel
def nth_at(game: Any, state: Record, colour: int, pieces: Bits, row: int, col: int, n: int) -> int:
    """One of the placements of these pieces that belong to a point, counted from 0."""
    parts = look_around(state, row, col)
    for word in range(WORDS):
        pairs = pairs_of(game, pieces, word) & fitting(game, parts, word)
        size = popcount(pairs)
        if n < size:
            return placement_of(game, 64 * word + nth_lowest(pairs, n), row - first_row(colour), col)
        n -= size
    return -1


@kernel
def placement_of(game: Any, pair: int, row: int, col: int) -> int:
    """The number of the placement that covers a point of the board with this pair."""
    orientation = game.pair_orientation[pair]
    top, left = row - game.pair_cell[pair, 0], col - game.pair_cell[pair, 1]
    return int(game.first_placement[orientation] + top * game.placements_per_row[orientation] + left)
