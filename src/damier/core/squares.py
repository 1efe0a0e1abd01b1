"""The squares of a rectangular board: their names, their symmetries, and how they are shown.

Squares are numbered row by row from the top left corner:

     0  1  2
     3  4  5
     6  7  8
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from damier.core.messages import say
from damier.core.view import DISCS, EMPTY, Grid, Symbol, letters

Permutation = NDArray[np.intp]

STONES = "".join(disc.ascii for disc in DISCS)
"""The signs of the two players in a position as text."""


class Squares:
    """A board of rows x cols. Columns are letters; rows are numbered from the bottom, or from the top."""

    def __init__(self, rows: int, cols: int, first_row_on_top: bool = False) -> None:
        self.rows, self.cols = rows, cols
        self.col_labels = letters(cols)
        numbers = [str(row + 1) for row in range(rows)]
        self.row_labels = tuple(numbers if first_row_on_top else reversed(numbers))

    def format(self, square: int) -> str:
        """4 -> "b2" on a board of 3 x 3."""
        row, col = divmod(int(square), self.cols)
        return self.col_labels[col] + self.row_labels[row]

    def parse(self, text: str) -> int:
        """The square of this name; ValueError if there is none."""
        match = re.fullmatch(r"([a-z]+)\s*(\d+)", text.lower())
        if match is None or match[1] not in self.col_labels or match[2] not in self.row_labels:
            raise ValueError(say("position.square", last=f"{self.col_labels[-1]}{self.rows}", got=text[:20]))
        return self.row_labels.index(match[2]) * self.cols + self.col_labels.index(match[1])

    def grid(self, cells: Sequence[int], symbols: tuple[Symbol, ...] = DISCS) -> Grid:
        """The board with these contents, square by square."""
        rows = tuple(tuple(cells[start : start + self.cols]) for start in range(0, len(cells), self.cols))
        return Grid(rows, self.row_labels, self.col_labels, symbols)

    # -- positions as text -----------------------------------------------------------------------------------

    def format_cells(self, cells: Sequence[int], signs: str) -> str:
        """The rows, top row first, with a sign for each kind of piece: `X.O/.../...`."""
        shown = "".join("." if cell == EMPTY else signs[cell] for cell in cells)
        return "/".join(shown[start : start + self.cols] for start in range(0, len(shown), self.cols))

    def parse_cells(self, text: str, signs: str) -> list[int]:
        """The contents of the squares, row by row; ValueError says what was expected."""
        rows = text.split("/")
        if len(rows) != self.rows or any(len(row) != self.cols for row in rows):
            lengths = sorted({len(row) for row in rows})
            raise ValueError(say("position.rows", rows=self.rows, cols=self.cols, got=len(rows), lengths=lengths))
        known = {".": EMPTY} | {sign.lower(): kind for kind, sign in enumerate(signs)}
        strange = [sign for sign in text.lower() if sign not in known and sign != "/"]
        if strange:
            raise ValueError(say("position.cells", known="".join(known).upper(), got=strange[0]))
        return [known[sign] for row in rows for sign in row.lower()]

    def format_stones(self, cells: Sequence[int], player: int) -> str:
        """A board on which two players place stones in turn, and the player to move: `X.O/.../... X`."""
        return f"{self.format_cells(cells, STONES)} {STONES[player]}"

    def parse_stones(self, text: str) -> tuple[list[int], int]:
        """The cells and the player to move. ValueError if the text is invalid or the players did not take turns."""
        board, _, side = text.partition(" ")
        if side.strip().upper() not in tuple(STONES):
            raise ValueError(say("position.side", known=[*STONES], got=side.strip()[:20]))
        cells, player = self.parse_cells(board, STONES), STONES.index(side.strip().upper())
        first, second = cells.count(0), cells.count(1)
        if first - second != player:
            key = "position.one-more-x" if player else "position.as-many-x"
            raise ValueError(say(key, first=first, second=second))
        return cells, player

    # -- symmetries ------------------------------------------------------------------------------------------

    def symmetries(self) -> dict[str, Permutation]:
        """The rotations and reflections of the board except the identity: `shown[permutation]` is the image."""
        index = np.arange(self.rows * self.cols).reshape(self.rows, self.cols)
        images = {"left-right": index[:, ::-1], "top-bottom": index[::-1], "half turn": index[::-1, ::-1]}
        if self.rows == self.cols:
            images |= {
                "diagonal": index.T,
                "anti-diagonal": index[::-1, ::-1].T,
                "quarter turn": np.rot90(index),
                "three-quarter turn": np.rot90(index, 3),
            }
        return {name: np.ascontiguousarray(image).ravel() for name, image in images.items()}
