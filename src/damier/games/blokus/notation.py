"""Moves as Pentobi writes them: `e10,e11,f11`, the squares of the placement from a1 on, row by row."""

from typing import TYPE_CHECKING

from damier.core.protocol import Record
from damier.core.view import EMPTY, Grid, Symbol

if TYPE_CHECKING:
    from damier.games.blokus.rules import Blokus


def format_move(rules: "Blokus", move: int) -> str:
    squares = sorted(rules.cells_of(move), key=lambda square: (-(square // rules.num_rows), square))
    return ",".join(map(rules.squares.format, squares))


def parse_move(rules: "Blokus", state: Record, text: str) -> int:
    raise ValueError(text)


def show(rules: "Blokus", state: Record) -> Grid:
    return rules.squares.grid([EMPTY] * rules.num_rows**2)
