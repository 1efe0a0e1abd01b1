"""Moves and boards for people.

A move is written as in Pentobi, by the squares of the placement from a1 on, row by row: `e10,e11,f11`. Any order is
read, and also a piece with some of its squares: `L5 e10 h11` is the placement of L5 that covers both, if there is only
one.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from damier.core.errors import MoveError
from damier.core.messages import Message, message_of, say
from damier.core.protocol import Record
from damier.core.view import EMPTY, Grid, Symbol, Tile
from damier.games.blokus.fitting import OCCUPIED, first_row, points_in
from damier.games.blokus.pieces import FOR_PEOPLE, NAMES, PIECES
from damier.games.blokus.variants import COLOURS, colour_name

if TYPE_CHECKING:
    from damier.games.blokus.rules import Blokus

MARKS = (("■", "B"), ("●", "Y"), ("▲", "R"), ("◆", "G"))  # of the colours
POINT, FREE = len(MARKS), len(MARKS) + 1
SHOWN = 5  # the most placements named if a text means several
WIDTH = 78


def format_squares(rules: "Blokus", squares: list[int]) -> str:
    return ",".join(
        map(rules.squares.format, sorted(squares, key=lambda square: (-(square // rules.num_rows), square)))
    )


def parse_squares(rules: "Blokus", text: str) -> list[int]:
    """The squares that a text lists; ValueError says what was expected."""
    try:
        return [rules.squares.parse(word) for word in re.split(r"[\s,]+", text.strip())]
    except ValueError:
        last = rules.squares.format(rules.num_rows - 1)
        raise ValueError(say("blokus.squares", last=last, got=_shown(text))) from None


def _shown(text: str) -> str:
    return " ".join(text.split())[:60]


def format_move(rules: "Blokus", move: int) -> str:
    return format_squares(rules, rules.cells_of(move))


def parse_move(rules: "Blokus", state: Record, text: str) -> int:
    """The legal placement that a text means; MoveError if there is none, or more than one."""
    if state.dropped == rules.everybody:
        raise ValueError(text)  # the game is over
    first, _, others = text.strip().partition(" ")
    piece = {name.lower(): name for name in NAMES}.get(first.lower())
    listed = text if piece is None else others
    try:
        squares = set(parse_squares(rules, listed)) if listed.strip() or piece is None else set()
    except ValueError as error:
        raise MoveError("blokus.illegal-text", move=_shown(text), why=message_of(error)) from None
    out = np.empty(rules.max_moves, np.int64)
    legal = [int(move) for move in out[: rules.moves(state, out)]]
    if piece is None:
        found = [move for move in legal if squares == set(rules.cells_of(move))]
    else:
        found = [move for move in legal if rules.piece_name(move) == piece and squares <= set(rules.cells_of(move))]
    if len(found) == 1:
        return found[0]
    raise MoveError("blokus.illegal", move=_shown(text), why=_why_not(rules, state, found, piece, squares))


def _why_not(rules: "Blokus", state: Record, found: list[int], piece: str | None, squares: set[int]) -> Message:
    colour = colour_name(state.colour)
    if piece is None:
        return say("blokus.no-fit", colour=colour)
    if not int(state.left[state.colour]) >> NAMES.index(piece) & 1:
        return say("blokus.none-left", colour=colour, piece=piece)
    named = [rules.squares.format(square) for square in sorted(squares)]
    covered = say("blokus.covered", squares=named) if named else ""
    if not found:
        return say("blokus.no-place", colour=colour, piece=piece, covered=covered)
    ways = " ".join(format_move(rules, move) for move in found[:SHOWN])
    return say("blokus.many-ways", colour=colour, piece=piece, covered=covered, count=len(found), ways=ways)


def format_score(rules: "Blokus", state: Record) -> str:
    """The result as in Pentobi: with two players who leads and by how much, with more the score of each colour."""
    scores = [rules.colour_score(state, colour) for colour in range(rules.num_colours)]
    if rules.num_players > 2:
        return " ".join(map(str, scores))
    lead = sum(scores[::2]) - sum(scores[1::2])
    return f"B+{lead}" if lead > 0 else f"W+{-lead}" if lead else "0"


# -- the board -----------------------------------------------------------------------------------------------


def show(rules: "Blokus", state: Record) -> Grid:
    """The board, the points of the colour to move, and the pieces left."""
    size, is_over = rules.num_rows, state.dropped == rules.everybody
    cells = [FREE] * size**2
    for colour in range(rules.num_colours):
        for row in range(size):
            word = state.maps[first_row(colour) + row]
            occupied, points = int(word >> OCCUPIED), int(points_in(word))
            for col in range(size):
                if occupied >> col & 1:
                    cells[row * size + col] = colour
                elif colour == state.colour and points >> col & 1 and not is_over:
                    cells[row * size + col] = POINT
    symbols = [
        Symbol(*MARKS[colour], int(rules.owner_of[colour]), COLOURS[colour]) for colour in range(rules.num_colours)
    ]
    symbols += [Symbol(*MARKS[colour], EMPTY) for colour in range(rules.num_colours, len(MARKS))]
    grid = rules.squares.grid(cells, (*symbols, Symbol("+", "+", EMPTY), Symbol("·", ".", EMPTY)))
    notes = tuple(_tell(rules, state, colour, is_over) for colour in range(rules.num_colours))
    drawn = () if is_over else ("", *draw_pieces(_left(state, state.colour), MARKS[state.colour][0]))
    return replace(grid, ruled=False, notes=notes + drawn, tray=() if is_over else _tray(state))


def _tray(state: Record) -> tuple[Tile, ...]:
    """The pieces that the colour to move has left."""
    left, colour = int(state.left[state.colour]), int(state.colour)
    return tuple(Tile(NAMES[p], PIECES[p].cells, colour, 1 + (left >> 32 + p & 1)) for p in _left(state, colour))


def _left(state: Record, colour: int) -> list[int]:
    return [piece for piece in FOR_PEOPLE if int(state.left[colour]) >> piece & 1]


def _tell(rules: "Blokus", state: Record, colour: int, is_over: bool) -> str:
    """One line about a colour."""
    to_move = ">" if colour == state.colour and not is_over else " "
    copies = [2 if int(state.left[colour]) >> 32 + piece & 1 else 1 for piece in _left(state, colour)]
    names = [NAMES[piece] + ("x2" if n == 2 else "") for piece, n in zip(_left(state, colour), copies, strict=True)]
    left = say("board.left", pieces=" ".join(names)) if names else say("board.all-placed")
    return say(
        "board.blokus-out" if int(state.dropped) >> colour & 1 else "board.blokus",
        turn=to_move,
        mark=MARKS[colour][0],
        colour=colour_name(colour),
        score=rules.colour_score(state, colour),
        left=left,
    )


def draw_pieces(pieces: list[int], mark: str) -> list[str]:
    """Pieces side by side, each above its name."""
    lines: list[str] = []
    shelf: list[list[str]] = []
    for piece in pieces:
        drawing = _drawn(piece, mark)
        if shelf and sum(len(each[0]) + 2 for each in [*shelf, drawing]) > WIDTH:
            lines += [*_side_by_side(shelf), ""]
            shelf = []
        shelf.append(drawing)
    return lines + _side_by_side(shelf)


def _drawn(piece: int, mark: str) -> list[str]:
    cells, name = PIECES[piece].cells, NAMES[piece]
    height, width = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    rows = ["".join(mark if (row, col) in cells else " " for col in range(width)) for row in range(height)]
    width = max(width, len(name))
    return [row.ljust(width) for row in (*rows, name)]


def _side_by_side(drawings: list[list[str]]) -> list[str]:
    height = max(map(len, drawings), default=0)
    padded = [[" " * len(each[0])] * (height - len(each)) + each for each in drawings]
    return ["  " + "  ".join(parts).rstrip() for parts in zip(*padded, strict=True)]
