"""Moves and positions as people write them: `c3-d4`, `22x15`, and FEN, `W:W21,K22:B1,2`.

A move is written with its start and end; if another legal capture shares both, with all the squares it lands
on. Squares have numbers or names, whichever is usual where the rules are from; both are read everywhere.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from damier.core.bits import Bits, drop_lowest, lowest
from damier.core.errors import DamierError
from damier.core.position import Position
from damier.core.protocol import Record
from damier.core.view import letters
from damier.games import game as find_game
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


class NotationError(DamierError):
    """A FEN or PDN text that can't be read."""


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
    """The square of this number or name; ValueError if there is none."""
    if not re.fullmatch(SQUARE, text):
        square = -1
    elif text.isdecimal():
        square = rules.num_squares - int(text) if rules.variant.one_is_whites else int(text) - 1
    else:
        square = rules.squares.at(rules.variant.size - int(text[1:]), ord(text[0].lower()) - ord("a"))
    if not 0 <= square < rules.num_squares:
        raise ValueError(f"expected a dark square, got {_shown(text)}")
    return square


def _members(squares: Bits) -> Iterator[int]:
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
        raise ValueError(f"expected a move like {'c3-d4' if rules.variant.algebraic else '22-18'}, got {_shown(text)}")
    squares = [parse_square(rules, word) for word in re.split("[-xX:]", text)]
    meant = _with_ends(rules, state, squares[0], squares[-1])
    if len(squares) > 2:
        meant = [move for move in meant if any(_is_part(squares, way) for way in routes(rules, state, move))]
    if len(meant) != 1:
        raise ValueError(f"expected a legal move, got {text}" if not meant else f"{text} is ambiguous")
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
                for landing in _members(landings_behind(rules, state, taken, direction, victim)):
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
    """Whether the way leads over these squares in this order, and perhaps over others."""
    rest = iter(way)
    return all(square in rest for square in squares)


# -- positions -----------------------------------------------------------------------------------------------


def format_fen(position: Position) -> str:
    """Who moves, the squares of White and of Black, and `:H` with the number of moves without progress if there
    are any. Squares are numbers whatever the rules, as most programs expect it."""
    rules, state = position.game.rules, position.state
    first = COLOURS.index(rules.variant.first)
    parts = ["WB"[position.player ^ first]]
    for colour, letter in enumerate("WB"):
        player = colour ^ first
        men = [(square_number(rules, square), "") for square in _members(state.men[player])]
        kings = [(square_number(rules, square), "K") for square in _members(state.kings[player])]
        parts.append(letter + ",".join(f"{king}{number}" for number, king in sorted(men + kings)))
    if state.quiet:
        parts.append(f"H{state.quiet}")
    return ":".join(parts)


def parse_fen(game: object, text: str) -> Position:
    """The position of a game of draughts, given as `damier.game` takes it."""
    found = find_game(game)
    if not hasattr(found.rules, "variant"):
        raise NotationError(f"expected a game of draughts, got {found.name}")
    try:
        return _read_fen(found.start(), text.strip().removesuffix("."))
    except ValueError as error:
        raise NotationError(f"FEN {_shown(text)}: {error}") from None


def _read_fen(start: Position, text: str) -> Position:
    turn, *parts = (part.strip() for part in text.split(":"))
    sections = {part[:1]: part[1:] for part in parts}
    if turn.upper() not in ("W", "B") or len(parts) != len(sections) or not {"W", "B"} <= set(sections) <= set("WBHF"):
        raise ValueError("expected W or B, the squares of W and of B: W:W21,K22:B1,2")
    rules, state = start.game.rules, start.state
    first = COLOURS.index(rules.variant.first)
    for colour, letter in enumerate("WB"):
        men, kings = _read_pieces(rules, sections[letter])
        state.men[colour ^ first], state.kings[colour ^ first] = men, kings
    state.player = "WB".index(turn.upper()) ^ first
    state.quiet = _read_count(sections.get("H", "0"), rules.quiet_limit)
    _check_pieces(rules, state)
    return Position(start.game, state)


def _read_pieces(rules: "Draughts", text: str) -> tuple[int, int]:
    """The sets of men and of kings."""
    sets = [0, 0]
    for word in filter(None, (word.strip() for word in text.split(","))):
        is_crowned = word[0] in "Kk"
        first, dash, last = word[is_crowned:].partition("-")
        low, high = sorted(parse_square(rules, end) for end in (first, last if dash else first))
        for square in range(low, high + 1):
            if (sets[0] | sets[1]) >> square & 1:
                raise ValueError(f"square {format_square(rules, square)} is given twice")
            sets[is_crowned] |= 1 << square
    return sets[0], sets[1]


def _read_count(text: str, limit: int) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or int(text) > limit:
        raise ValueError(f"expected H0 to H{limit}, got H{_shown(text)[1:-1]}")
    return int(text)


def _check_pieces(rules: "Draughts", state: Record) -> None:
    """What can't be on a board makes bounds and rules meaningless."""
    both = [int(state.men[player]) | int(state.kings[player]) for player in range(2)]
    for square in _members(np.uint64(both[0] & both[1])):
        raise ValueError(f"square {format_square(rules, square)} is given to both players")
    for player in range(2):
        limit = int(rules.home[player]).bit_count()
        if both[player].bit_count() > limit:
            raise ValueError(f"expected at most {limit} pieces of a colour, got {both[player].bit_count()}")
        for square in _members(state.men[player] & rules.king_row[player]):
            raise ValueError(f"a man can't be on {format_square(rules, square)}, where it becomes a king")


def _shown(text: str) -> str:
    """A text within a message: on one line, and not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
