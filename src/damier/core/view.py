"""Boards: the view of a game, and how a terminal draws it with characters.

A game's `view` returns a `Grid`, or a `CardTable` for games with cards or hidden dice. The terminal draws it here, and
the web page draws it with shapes.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO

from damier.core.messages import spoken

EMPTY = -1


@dataclass(frozen=True)
class Symbol:
    """A kind of piece: its Unicode character, its ASCII character, its player, and its colour if that does not follow
    from the player."""

    unicode: str
    ascii: str
    player: int
    colour: str = ""


DISCS = (Symbol("●", "X", 0), Symbol("○", "O", 1))
"""The pieces of a game in which each player has one kind."""


@dataclass(frozen=True)
class Tile:
    """A piece beside the board that may be placed on it, rotated and flipped."""

    name: str
    cells: tuple[tuple[int, int], ...]  # rows and columns, from (0, 0)
    symbol: int = 0  # its symbol on the board
    count: int = 1


@dataclass(frozen=True)
class Grid:
    """A rectangular board, top row first. A cell holds EMPTY or an index into `symbols`. A large board is drawn
    without lines between its cells (`ruled`). `notes` are lines of text to be shown below the board; the symbols of the
    pieces are written there as in Unicode.

    The web page, which draws the same grid with shapes, can be told more: that pieces "fall" into place or "flip" over
    (`motion`), that the cells in use are the dark ones of a chequered board, and which pieces the player to move can
    lay (`tray`).
    """

    cells: tuple[tuple[int, ...], ...]
    row_labels: tuple[str, ...]
    col_labels: tuple[str, ...]
    symbols: tuple[Symbol, ...] = DISCS
    ruled: bool = True
    notes: tuple[str, ...] = ()
    motion: str = ""
    chequered: bool = False
    tray: tuple[Tile, ...] = ()


@dataclass(frozen=True)
class Card:
    """A card, a die or a bid: its text in Unicode and in ASCII, and how to play it. A face-down card has no text."""

    unicode: str = ""
    ascii: str = ""
    colour: str = ""  # "red" for hearts and diamonds
    move: str = ""  # the notation of the move that plays it, if the observer may make it now
    player: int = EMPTY  # who has played it, where that matters


FACE_DOWN = Card()


@dataclass(frozen=True)
class Hand:
    """Cards that lie together: a player's hand, a trick, a row of dice."""

    title: str
    cards: tuple[Card, ...]
    player: int = EMPTY  # whose it is; EMPTY for the middle of the table


@dataclass(frozen=True)
class CardTable:
    """A table with hands of cards, as an observer sees it. `notes` are lines of text below it."""

    hands: tuple[Hand, ...]
    notes: tuple[str, ...] = ()


def draw_table(table: CardTable, unicode: bool) -> str:
    """The table as text, a line for each hand."""
    width = max((len(spoken(hand.title)) for hand in table.hands), default=0)
    lines = [f"{spoken(hand.title).ljust(width)}  {_cards(hand, unicode)}".rstrip() for hand in table.hands]
    return "\n".join((*lines, *(("", *map(spoken, table.notes)) if table.notes else ())))


def _cards(hand: Hand, unicode: bool) -> str:
    down = "▒" if unicode else "?"
    return " ".join(_text(card, unicode) or down for card in hand.cards)


def _text(card: Card, unicode: bool) -> str:
    """A card with the number of the player who has played it: `2:KS`."""
    text: str = spoken(card.unicode if unicode else card.ascii)
    return text if card.player == EMPTY else f"{card.player + 1}:{text}"


def draw_view(view: Grid | CardTable, unicode: bool) -> str:
    """A board or a table as text."""
    return draw_table(view, unicode) if isinstance(view, CardTable) else draw_grid(view, unicode)


def can_show_unicode(stream: TextIO | None = None) -> bool:
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    try:
        "●○┌─".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def draw_grid(grid: Grid, unicode: bool) -> str:
    """The board as text, with its labels on the left and below, and its notes."""
    board = _ruled(grid, unicode) if grid.ruled else _plain(grid, unicode)
    notes = "\n".join(("", "", *map(spoken, grid.notes))) if grid.notes else ""
    if notes and not unicode:
        for symbol in grid.symbols:
            notes = notes.replace(symbol.unicode, symbol.ascii)
    return board + notes


def _ruled(grid: Grid, unicode: bool) -> str:
    margin = max(map(len, grid.row_labels)) + 1
    lines = []
    for label, cells in zip(grid.row_labels, grid.cells, strict=True):
        drawn = (_character(grid, cell, unicode) for cell in cells)
        lines.append(_framed(label.rjust(margin - 1) + " ", drawn, "│" if unicode else "|"))
    width = len(grid.col_labels)
    if unicode:
        top, rule, bottom = (_rule(margin, width, *corners) for corners in ("┌┬┐", "├┼┤", "└┴┘"))
    else:
        top = rule = bottom = _rule(margin, width, "+", "+", "+", "-")
    columns = " " * (margin + 1) + " ".join(label.center(3) for label in grid.col_labels)
    return "\n".join([top, f"\n{rule}\n".join(lines), bottom, columns.rstrip()])


def _plain(grid: Grid, unicode: bool) -> str:
    margin = max(map(len, grid.row_labels))
    lines = [
        " ".join([label.rjust(margin), *(_character(grid, cell, unicode) for cell in cells)])
        for label, cells in zip(grid.row_labels, grid.cells, strict=True)
    ]
    return "\n".join([*lines, " " * margin + " " + " ".join(label[-1] for label in grid.col_labels)])


def _character(grid: Grid, cell: int, unicode: bool) -> str:
    if cell == EMPTY:
        return " "
    return grid.symbols[cell].unicode if unicode else grid.symbols[cell].ascii


def _framed(label: str, cells: Iterable[str], bar: str) -> str:
    return label + bar + bar.join(cell.rjust(2).ljust(3) for cell in cells) + bar


def _rule(margin: int, width: int, left: str, middle: str, right: str, line: str = "─") -> str:
    return " " * margin + left + middle.join([line * 3] * width) + right


def letters(count: int) -> tuple[str, ...]:
    """a, b, ... z, aa, ab, ...: the usual names of columns."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return tuple((alphabet[i // 26 - 1] if i >= 26 else "") + alphabet[i % 26] for i in range(count))
