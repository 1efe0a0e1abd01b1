"""What a network sees of a position, and the symmetries that keep it the same."""

from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.bits import Bits, drop_lowest, lowest
from damier.core.compile import inlined, kernel
from damier.core.protocol import Owners, Planes, Record
from damier.core.squares import Permutation
from damier.games.blokus.fitting import FOUR, NONE, OCCUPIED, ONE, ROW, U, first_row, points_in, reach
from damier.games.blokus.pieces import NAMES
from damier.games.blokus.tables import SECOND_COPY
from damier.games.blokus.variants import COLOURS

if TYPE_CHECKING:
    from damier.games.blokus.rules import Blokus


@kernel
def encode(game: Any, state: Record, out: Planes) -> None:
    """Planes, starting with the colour to move, with the board turned so that it has the first colour's corner, if
    possible: what each colour occupies, now and one, two ... moves ago; its points, what is closed to it, and what its
    next piece can cover; for each colour and piece how many are left, and whether it can be placed. If the colours
    still differ, which one moves, and if one colour belongs to no player, which player moves."""
    n, k, me = game.num_rows, game.num_colours, int(state.colour)
    first, num_pieces = (game.num_recent + 1) * k, len(game.pieces_in_set)
    out[: first + 3 * k] = 0  # the others are written as a whole
    reached = np.zeros(n, np.uint64)
    for turn in range(k):
        colour = (me + turn) % k
        placeable = reach(game, state, colour, reached)
        for row in range(n):
            word = state.maps[first_row(colour) + row]
            for age in range(game.num_recent + 1):
                mark(game, out, age * k + turn, me, row, word >> OCCUPIED)
            mark(game, out, first + turn, me, row, points_in(word))
            mark(game, out, first + k + turn, me, row, (word & ~game.closed_row) >> FOUR & ROW)
            mark(game, out, first + 2 * k + turn, me, row, reached[row])
        plane = first + 3 * k + 2 * num_pieces * turn
        for piece in game.pieces_in_set:
            left = (state.left[colour] >> U(piece) & ONE) + (state.left[colour] >> U(piece + SECOND_COPY) & ONE)
            out[plane] = left / game.copies
            out[plane + 1] = placeable >> U(piece) & ONE
            plane += 2
    encode_past(game, state, out)
    if not game.are_alike:
        plane = first + 3 * k + 2 * num_pieces * k
        out[plane:] = 0
        out[plane + me] = 1
        if game.num_players != k:
            out[plane + k + int(state.player)] = 1


@inlined
def mark(game: Any, out: Planes, plane: int, me: int, row: int, columns: Bits) -> None:
    """Set squares of a row in a plane, as the colour to move sees the board."""
    while columns != NONE:
        square = row * game.num_rows + lowest(columns)
        columns = drop_lowest(columns)
        out[plane, game.seen_row[me, square], game.seen_col[me, square]] = 1


@inlined
def encode_past(game: Any, state: Record, out: Planes) -> None:
    """Remove later placements from the planes of earlier positions."""
    for since in range(game.num_recent):
        if state.recent[since] == 0:
            break
        move = int(state.recent[since]) - 1
        orientation = game.placement_orientation[move]
        corner = game.placement_row[move] * game.num_rows + game.placement_col[move]
        for row in range(game.heights[orientation]):
            for col in range(game.widths[orientation]):
                if game.cell_rows[orientation, row + 1] >> U(col + 1) & ONE:
                    square = corner + row * game.num_rows + col
                    y, x = game.seen_row[state.colour, square], game.seen_col[state.colour, square]
                    for plane in range((since + 1) * game.num_colours, (game.num_recent + 1) * game.num_colours):
                        out[plane, y, x] = 0


@kernel
def owners(game: Any, state: Record, end: Record, out: Owners) -> None:
    """Whose each square is at the end, as the colour to move in `state` sees the board."""
    out[:] = -1
    n, players, me = game.num_rows, game.num_players, int(state.colour)
    for colour in range(game.num_colours):
        if game.owner_of[colour] < 0:
            continue
        owner = (game.owner_of[colour] - state.player + players) % players
        for row in range(n):
            columns = end.maps[first_row(colour) + row] >> OCCUPIED
            while columns != NONE:
                square = row * n + lowest(columns)
                columns = drop_lowest(columns)
                out[game.seen_row[me, square] * n + game.seen_col[me, square]] = owner


def plane_names(rules: "Blokus") -> tuple[str, ...]:
    """What each plane shows: of the colour to move, of another colour of the same player, or of others."""
    k = rules.num_colours
    owner_of = rules.owner_of.tolist()
    is_alternating = all(owner_of[turn] == owner_of[turn % rules.num_players] for turn in range(k))
    whose = [
        "mover",
        *("friend" if is_alternating and not turn % rules.num_players else "other" for turn in range(1, k)),
    ]
    ages = ["occupied", *(f"occupied {age} before" for age in range(1, rules.num_recent + 1))]
    names = [f"{each}: {what}" for what in (*ages, "points", "closed", "reached") for each in whose]
    for each in whose:
        for piece in rules.piece_set:
            names += [f"{each}: {NAMES[piece]} left", f"{each}: {NAMES[piece]} fits"]
    if not rules.are_alike:
        names += [f"{COLOURS[colour]} moves" for colour in range(k)]
        names += [f"player {player} moves" for player in range(rules.num_players) if rules.num_players != k]
    return tuple(names)


def symmetries(rules: "Blokus") -> list[tuple[Permutation, Permutation]]:
    """The symmetries of the board that keep each colour's start: on Duo's board one, on Classic none."""
    start_squares = [row * rules.num_rows + col for row, col in rules.starts]
    return [
        (cells, _mirrored_actions(rules, cells))
        for cells in rules.squares.symmetries().values()
        if all(cells[square] == square for square in start_squares)
    ]


def _mirrored_actions(rules: "Blokus", cells: Permutation) -> Permutation:
    """The permutation of the policy for one of squares; numbers without a placement are paired in order."""
    plain, mirrored = rules.actions[0], rules.placements.actions(np.argsort(cells))
    actions = np.full(rules.num_actions, -1, np.intp)
    actions[mirrored] = plain
    actions[actions < 0] = np.setdiff1d(np.arange(rules.num_actions), plain)
    return actions
