"""The value of placements and positions: for playouts, for searches that try the best moves first, and for searches
that stop before the end.
"""

import math
from typing import Any

import numpy as np

from damier.core.bits import popcount
from damier.core.compile import inlined, kernel
from damier.core.protocol import Record
from damier.games.blokus.fitting import FOUR, OCCUPIED, ONE, ROW, U, count_placements, first_row, points_in

# The merit of a placement: for each of its squares, for each point of another colour that it covers and, for the first
# pieces of a colour, for each step toward the middle. Found by matches; see the page of the game.
PER_SQUARE, PER_BLOCKED, PER_STEP = 1.0, 1.0, 1.0
OPENING = 4  # pieces

# The logarithm of a placement's weight. First the worth of its piece; one that is hard to place later is worth more.
# Then a number for each of the `contacts` with the other players' colours, as a mean over them, and in the opening for
# each step from the middle. Fitted by benchmarks/blokus_weight.py to the moves that searches chose.
WORTH = (
    {"X": 5.9, "W": 4.7, "T5": 4.5, "I5": 4.4, "Z5": 4.4, "N": 4.1, "F": 4.0}
    | {"Y": 3.8, "V5": 3.8, "U": 3.8, "L5": 3.7, "P": 3.3, "O": 3.0, "T4": 2.8}
    | {"Z4": 2.7, "I4": 2.5, "L4": 2.1, "1": 2.0, "2": 1.7, "V3": 1.6, "I3": 1.6}
)
ON_POINT, NO_USE, BESIDE_PIECE, BESIDE_POINT, FROM_MIDDLE = 0.95, -0.6, 0.5, 0.6, -0.4

# The worth of a feature of a position, in squares. Chosen by hand and not tuned.
SQUARES, POINT, MOBILITY, SPACE = 1.0, 0.3, 0.02, 0.1


@inlined
def merit(game: Any, state: Record, move: int) -> float:
    """The merit of a placement: its squares, the points of others that it covers, and in the opening the way to the
    middle."""
    orientation = game.placement_orientation[move]
    total = PER_SQUARE * game.sizes[orientation]
    if num_placed(game, state) < OPENING:
        total -= PER_STEP * game.from_middle[move]
    top, col = game.placement_row[move], U(game.placement_col[move])
    for colour in range(game.num_colours):
        if colour != state.colour and game.owner_of[colour] != state.player:
            for row in range(game.heights[orientation]):
                cells = game.cell_rows[orientation, row + 1] << col >> ONE
                total += PER_BLOCKED * popcount(points_in(state.maps[first_row(colour) + top + row]) & cells)
    return total


@inlined
def weight(game: Any, state: Record, move: int) -> float:
    """How promising a placement looks."""
    orientation = game.placement_orientation[move]
    promise = game.worth[game.piece_of[orientation]]
    if num_placed(game, state) < OPENING:
        promise += FROM_MIDDLE * game.from_middle[move]
    hindrance, others = 0.0, 0
    for colour in range(game.num_colours):
        if colour != state.colour and game.owner_of[colour] != state.player:
            on_points, of_no_use, beside_pieces, beside_points = contacts(game, state, move, colour)
            hindrance += ON_POINT * on_points + NO_USE * of_no_use
            hindrance += BESIDE_PIECE * beside_pieces + BESIDE_POINT * beside_points
            others += 1
    return math.exp(promise + hindrance / others)


@inlined
def contacts(game: Any, state: Record, move: int, colour: int) -> tuple[int, int, int, int]:
    """How a placement gets in the way of another colour: how many of its squares are points of that colour, how many
    the colour can't use anyway, and how many squares and points of the colour are beside it."""
    orientation = game.placement_orientation[move]
    col, first = U(game.placement_col[move]), first_row(colour) + game.placement_row[move] - 1
    on_points = of_no_use = beside_pieces = beside_points = 0
    for row in range(game.heights[orientation] + 2):
        word = state.maps[first + row]
        cells = game.cell_rows[orientation, row] << col >> ONE
        beside = (game.side_rows[orientation, row] << col >> ONE) & ROW & ~cells
        on_points += popcount(points_in(word) & cells)
        of_no_use += popcount(word >> FOUR & ROW & cells)
        beside_pieces += popcount(word >> OCCUPIED & beside)
        beside_points += popcount(points_in(word) & beside)
    return on_points, of_no_use, beside_pieces, beside_points


@inlined
def num_placed(game: Any, state: Record) -> int:
    """How many pieces the colour to move has placed."""
    return popcount(game.full_set) - popcount(state.left[state.colour])


@kernel
def strength(game: Any, state: Record, colour: int) -> float:
    """A weighted sum of the squares placed with the bonus, points, mobility (legal placements) and space. For a colour
    that has dropped out, only its squares count."""
    total = SQUARES * game.colour_score(state, colour)
    if not state.dropped >> colour & 1:
        total += MOBILITY * count_placements(game, state, colour)
        total += POINT * num_points(game, state, colour) + SPACE * space(game, state, colour)
    return total


@kernel
def num_points(game: Any, state: Record, colour: int) -> int:
    """How many corners a colour can start from."""
    points = 0
    for row in range(first_row(colour), first_row(colour) + game.num_rows):
        points += popcount(points_in(state.maps[row]))
    return points


@kernel
def space(game: Any, state: Record, colour: int) -> int:
    """How many squares a colour could reach from its points, over squares that are not closed to it."""
    first = first_row(colour)
    reached = np.zeros(game.num_rows + 2, np.uint64)  # with a row above and one below
    for row in range(game.num_rows):
        reached[row + 1] = points_in(state.maps[first + row])
    count, found = -1, 0
    while found != count:
        count, found = found, 0
        for row in range(1, game.num_rows + 1):
            free = ~(state.maps[first + row - 1] >> FOUR) & ROW
            reached[row] |= (reached[row] << ONE | reached[row] >> ONE | reached[row - 1] | reached[row + 1]) & free
            found += popcount(reached[row])
    return count
