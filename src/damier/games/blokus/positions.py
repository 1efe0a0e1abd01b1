"""Positions as text: the board as in FEN, then the colour to move.

    BB12/B13/14/... Y out=R single=B recent=a14

Rows are written from the left, top row first: `B`, `Y`, `R`, `G` for a square of a colour, a number for that many free
squares. Pieces of a colour never touch at their sides, so the squares show which pieces are placed and which are left.
Three words follow if needed: the colours that have dropped out; those that placed all pieces, the single square last;
and, if the encoding shows them, a square of each of the last placements, the latest first.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from damier.core.messages import say
from damier.core.protocol import Record
from damier.core.view import EMPTY
from damier.games.blokus.fitting import OCCUPIED, can_place, first_row
from damier.games.blokus.notation import MARKS
from damier.games.blokus.pieces import NAMES
from damier.games.blokus.variants import colour_name

if TYPE_CHECKING:
    from damier.games.blokus.rules import Blokus

SIGNS = "".join(ascii for _, ascii in MARKS)
EXAMPLE = "BB12/B13/14/... Y"
_TEXT = re.compile(r"(\S+) ([BYRG])(?: out=([BYRG]+))?(?: single=([BYRG]+))?(?: recent=([a-z0-9,]+))?")


def format_position(rules: "Blokus", state: Record) -> str:
    rows = rules.squares.format_cells(squares_taken(rules, state), SIGNS)
    words = [re.sub(r"\.+", lambda free: str(len(free[0])), rows), SIGNS[state.colour]]
    for name, colours in (("out", int(state.dropped)), ("single", int(state.single_last))):
        if colours:
            words.append(f"{name}=" + "".join(sign for colour, sign in enumerate(SIGNS) if colours >> colour & 1))
    recent = [rules.cells_of(int(move) - 1)[0] for move in state.recent if move]
    return " ".join([*words, *(["recent=" + ",".join(map(rules.squares.format, recent))] if recent else [])])


def squares_taken(rules: "Blokus", state: Record) -> list[int]:
    """The colour that occupies each square, or EMPTY."""
    cells = [EMPTY] * rules.num_rows**2
    for colour in range(rules.num_colours):
        for row in range(rules.num_rows):
            occupied = int(state.maps[first_row(colour) + row] >> OCCUPIED)
            for col in range(rules.num_rows):
                if occupied >> col & 1:
                    cells[row * rules.num_rows + col] = colour
    return cells


def pieces_on_board(rules: "Blokus", cells: list[int]) -> list[tuple[int, list[int]]]:
    """The colour and squares of each piece: connected squares, because pieces of a colour never touch at their
    sides."""
    size, found = rules.num_rows, []
    waiting = {square for square, colour in enumerate(cells) if colour != EMPTY}
    while waiting:
        piece = [waiting.pop()]
        for square in piece:
            sides = [square - size, square + size]
            sides += [square - 1] if square % size else []
            sides += [square + 1] if (square + 1) % size else []
            beside = {side for side in waiting.intersection(sides) if cells[side] == cells[square]}
            waiting -= beside
            piece += beside
        found.append((cells[piece[0]], piece))
    return found


def parse_position(rules: "Blokus", state: Record, text: str) -> None:
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ValueError(say("blokus.position", example=EXAMPLE))
    rows = re.sub("[0-9]{1,2}", lambda free: "." * int(free[0]), match[1])
    cells = rules.squares.parse_cells(rows, SIGNS[: rules.num_colours])
    pieces = pieces_on_board(rules, cells)
    rules.setup(state)
    for colour, squares in pieces:
        _lay(rules, state, colour, squares)
    _check_corners(rules, pieces)
    state.colour = _colours(rules, match[2])[0]
    state.dropped = sum(1 << colour for colour in _colours(rules, match[3] or ""))
    state.single_last = sum(1 << colour for colour in _colours(rules, match[4] or ""))
    _check_turn(rules, state)
    _set_recent(rules, state, (match[5] or "").split(",") if match[5] else [], pieces)
    is_over = state.dropped == rules.everybody
    state.player = player_at_end(rules, state) if is_over else rules.player_of(state, state.colour)


def player_at_end(rules: "Blokus", state: Record) -> int:
    """Who made the last move; for the colour that all place in turn, the player before the next."""
    owner = int(rules.owner_of[state.colour])
    return owner if owner >= 0 else (rules.player_of(state, state.colour) - 1) % rules.num_players


def _colours(rules: "Blokus", signs: str) -> list[int]:
    colours = [SIGNS.index(sign) for sign in signs]
    if len(set(colours)) != len(colours) or any(colour >= rules.num_colours for colour in colours):
        raise ValueError(say("blokus.colours", known=SIGNS[: rules.num_colours], got=signs))
    return colours


def _lay(rules: "Blokus", state: Record, colour: int, squares: Iterable[int]) -> None:
    move = rules.numbers.get(frozenset(squares))
    shown = rules.squares.format(min(squares))
    if move is None:
        raise ValueError(say("blokus.strange-piece", square=shown))
    piece = NAMES.index(rules.piece_name(move))
    if not int(state.left[colour]) >> piece & 1:
        raise ValueError(say("blokus.another", colour=colour_name(colour), piece=NAMES[piece], square=shown))
    placements = rules.placements
    state.colour = colour
    rules.lay(state, placements.orientation[move], int(placements.row[move]), int(placements.col[move]))
    rules.take(state, piece)


def _check_corners(rules: "Blokus", pieces: list[tuple[int, list[int]]]) -> None:
    """Check that the first piece of a colour covers its start, and that each other piece touches an earlier one at a
    corner."""
    size = rules.num_rows
    for colour in range(rules.num_colours):
        waiting = [set(squares) for each, squares in pieces if each == colour]
        row, col = rules.starts[colour]
        reached = {row * size + col}
        while waiting:
            placed = next((piece for piece in waiting if piece & reached), None)
            if placed is None:
                raise ValueError(say("blokus.no-way", colour=colour_name(colour)))
            waiting.remove(placed)
            for square in placed:
                row, col = divmod(square, size)
                corners = ((row + down, col + right) for down in (-1, 1) for right in (-1, 1))
                reached |= {row * size + col for row, col in corners if 0 <= row < size and 0 <= col < size}


def _check_turn(rules: "Blokus", state: Record) -> None:
    """Check that active colours have placed equally many pieces, those before the one to move one more."""
    for colour in range(rules.num_colours):
        is_out = rules.is_out(state, colour)
        if is_out and can_place(rules, state, colour):
            raise ValueError(say("blokus.not-out", colour=colour_name(colour)))
        if state.single_last >> colour & 1 and state.left[colour]:
            raise ValueError(say("blokus.single", colour=colour_name(colour)))
    if state.dropped == rules.everybody:
        return
    if rules.is_out(state, state.colour) or not can_place(rules, state, state.colour):
        raise ValueError(say("blokus.cannot-move", colour=colour_name(state.colour)))
    placed = [_num_placed(rules, state, colour) for colour in range(rules.num_colours)]
    for colour in range(rules.num_colours):
        most = placed[state.colour] + (colour < state.colour)
        if placed[colour] > most or (placed[colour] < most and not rules.is_out(state, colour)):
            counts = [say("blokus.placed", count=count, colour=colour_name(of)) for of, count in enumerate(placed)]
            raise ValueError(say("blokus.turns", colour=colour_name(state.colour), placed=counts))


def _num_placed(rules: "Blokus", state: Record, colour: int) -> int:
    return int(rules.full_set).bit_count() - int(state.left[colour]).bit_count()


def _set_recent(rules: "Blokus", state: Record, names: list[str], pieces: list[tuple[int, list[int]]]) -> None:
    expected = min(rules.num_recent, len(pieces))
    if len(names) != expected:
        raise ValueError(say("blokus.recent", expected=expected, got=len(names)))
    for index, name in enumerate(names):
        square = rules.squares.parse(name)
        move = next((rules.numbers[frozenset(squares)] for _, squares in pieces if square in squares), None)
        if move is None:
            raise ValueError(say("blokus.recent-square", square=name))
        state.recent[index] = move + 1
