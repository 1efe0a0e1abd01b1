"""Moves and boards for people: `c3-d4`, `22x15`.

A move is written with its start and end. If another legal capture shares both, it is written with all the squares it
lands on. Squares have numbers or names, as is usual in the country of the rules; both are always read.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from damier.core.bits import Bits, drop_lowest, lowest
from damier.core.messages import say
from damier.core.protocol import Record
from damier.core.view import EMPTY, Grid, Symbol, letters
from damier.games.draughts.captures import (
    CAPTURED_SHIFT,
    captured_of,
    find_captures,
    is_king,
    land,
    landings_behind,
    start_of,
    target_of,
    victim_of,
)
from damier.games.draughts.variants import COLOURS

if TYPE_CHECKING:
    from damier.games.draughts.rules import Draughts

SQUARE = r"(?:[0-9]{1,2}|[a-jA-J][0-9]{1,2})"
MOVE = rf"{SQUARE}(?:[-xX:]{SQUARE})+"


# -- squares -------------------------------------------------------------------------------------------------


def square_number(rules: "Draughts", square: int) -> int:
    """1 is at the top left; in Spain it is at the bottom right."""
    return rules.num_squares - square if rules.variant.one_is_whites else square + 1


def format_square(rules: "Draughts", square: int) -> str:
    if not rules.variant.algebraic:
        return str(square_number(rules, square))
    row, col = rules.squares.place(square)
    return f"{letters(rules.variant.size)[col]}{rules.variant.size - row}"


def parse_square(rules: "Draughts", text: str) -> int:
    """The square with this number or name; ValueError if there is none."""
    if not re.fullmatch(SQUARE, text):
        square = -1
    elif text.isdecimal():
        square = rules.num_squares - int(text) if rules.variant.one_is_whites else int(text) - 1
    else:
        square = rules.squares.at(rules.variant.size - int(text[1:]), ord(text[0].lower()) - ord("a"))
    if not 0 <= square < rules.num_squares:
        raise ValueError(say("draughts.square", got=quoted(text)))
    return square


def members(squares: Bits) -> Iterator[int]:
    """The squares of a set."""
    while squares:
        yield lowest(squares)
        squares = drop_lowest(squares)


# -- moves ---------------------------------------------------------------------------------------------------


def format_move(rules: "Draughts", state: Record, move: int) -> str:
    ends = start_of(move), target_of(move)
    out = np.empty(rules.max_moves, np.int64)
    captures = out[: find_captures(rules, state, out)].tolist()
    is_shared = sum((start_of(capture), target_of(capture)) == ends for capture in captures) > 1
    squares = min(routes(rules, state, move)) if is_shared else ends
    return ("x" if captured_of(move) else "-").join(format_square(rules, square) for square in squares)


def parse_move(rules: "Draughts", state: Record, text: str) -> int:
    """The legal move from the first to the last of these squares, landing on those in between; ValueError if
    there is none, or more than one."""
    if not re.fullmatch(MOVE, text):
        raise ValueError(text)
    squares = [parse_square(rules, word) for word in re.split("[-xX:]", text)]
    meant = _with_ends(rules, state, squares[0], squares[-1])
    if len(squares) > 2:
        meant = [move for move in meant if any(_is_part(squares, way) for way in routes(rules, state, move))]
    if len(meant) != 1:
        raise ValueError(text)
    return meant[0]


def routes(rules: "Draughts", state: Record, move: int) -> Iterator[tuple[int, ...]]:
    """Every way in which a capture can be made: the squares it starts from, lands on and ends at."""

    def go_on(capture: int, way: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if capture == move:
            yield way
        king = bool(is_king(state, capture))
        left = int(captured_of(move) & ~captured_of(capture))
        for direction in range(*rules.jumps[2 if king else int(state.player)].tolist()):
            victim = int(victim_of(rules, state, capture, direction, king))
            if victim >= 0 and left >> victim & 1:
                taken = capture | 1 << victim + CAPTURED_SHIFT
                for landing in members(landings_behind(rules, state, taken, direction, victim)):
                    yield from go_on(int(land(rules, state, taken, landing)), (*way, landing))

    if captured_of(move):
        start = int(start_of(move))
        yield from go_on(start << 6 | start, (start,))
    else:
        yield start_of(move), target_of(move)


def _with_ends(rules: "Draughts", state: Record, start: int, target: int) -> list[int]:
    """The legal moves from one square to another."""
    out = np.empty(rules.max_moves, np.int64)
    moves = out[: rules.moves(state, out)].tolist()
    return [move for move in moves if start_of(move) == start and target_of(move) == target]


def _is_part(squares: list[int], way: tuple[int, ...]) -> bool:
    """Whether the way leads over these squares in this order; it may lead over others too."""
    rest = iter(way)
    return all(square in rest for square in squares)


# -- the board -----------------------------------------------------------------------------------------------


def show(rules: "Draughts", state: Record) -> Grid:
    size = rules.variant.size
    white = COLOURS.index(rules.variant.first)  # the player who has the white pieces
    symbols = (
        Symbol("⛀", "o", white),
        Symbol("⛁", "O", white),
        Symbol("⛂", "x", 1 - white),
        Symbol("⛃", "X", 1 - white),
        Symbol("·", ".", EMPTY),  # a free dark square belongs to nobody
    )
    cells = [[EMPTY] * size for _ in range(size)]
    sets = [state.men[white], state.kings[white], state.men[1 - white], state.kings[1 - white]]
    for square in range(rules.num_squares):
        row, col = rules.squares.place(square)
        there = [kind for kind, pieces in enumerate(sets) if int(pieces) >> square & 1]
        cells[row][col] = there[0] if there else 4
    numbers = tuple(str(size - row) for row in range(size))
    return Grid(tuple(map(tuple, cells)), numbers, letters(size), symbols, chequered=True)


def quoted(text: str) -> str:
    """A text within a message: on one line, and not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")[1:-1]
