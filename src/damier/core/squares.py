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

from damier.core.view import DISCS, Grid, Symbol, letters

Permutation = NDArray[np.intp]


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
        if match is None:
            raise ValueError(text)
        return self.row_labels.index(match[2]) * self.cols + self.col_labels.index(match[1])

    def grid(self, cells: Sequence[int], symbols: tuple[Symbol, ...] = DISCS) -> Grid:
        """The board with these contents, square by square."""
        rows = tuple(tuple(cells[start : start + self.cols]) for start in range(0, len(cells), self.cols))
        return Grid(rows, self.row_labels, self.col_labels, symbols)

    def symmetries(self) -> dict[str, Permutation]:
        """The rotations and reflections of the board but the identity: `shown[permutation]` is the image."""
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
