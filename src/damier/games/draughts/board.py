"""The squares of a draughts board, and how pieces get from one to another.

Only the dark squares count. They are numbered row by row from the top left, as bits of a 64-bit word; people add 1.
White is at the bottom. On 8 x 8, and as people number and name the squares:

       .  0  .  1  .  2  .  3          .  1  .  2  .  3  .  4      8
       4  .  5  .  6  .  7  .          5  .  6  .  7  .  8  .      7
       .  8  .  9  . 10  . 11          .  9  . 10  . 11  . 12      6
      12  . 13  . 14  . 15  .         13  . 14  . 15  . 16  .      5
       . 16  . 17  . 18  . 19          . 17  . 18  . 19  . 20      4
      20  . 21  . 22  . 23  .         21  . 22  . 23  . 24  .      3
       . 24  . 25  . 26  . 27          . 25  . 26  . 27  . 28      2
      28  . 29  . 30  . 31  .         29  . 30  . 31  . 32  .      1
                                       a  b  c  d  e  f  g  h

On a mirrored board (Italian and Spanish) the top left square is dark and has the number 0.
"""

import numpy as np
from numpy.typing import NDArray

# (rows down, columns right) to the neighbour in each direction. The first two lead up, the next two down; the
# others, to the next dark square in the same row or column, are for captures in Frisian draughts only.
DIRECTIONS = ((-1, -1), (-1, 1), (1, -1), (1, 1), (-2, 0), (0, -2), (0, 2), (2, 0))
UP, DOWN, DIAGONAL, ALL = (0, 2), (2, 4), (0, 4), (0, 8)  # ranges of directions

Directions = tuple[int, int]


class DarkSquares:
    """Where the dark squares of a board are."""

    def __init__(self, size: int, mirrored: bool) -> None:
        self.size, self.mirrored = size, mirrored
        self.per_row = size // 2
        self.count = size * self.per_row

    def place(self, square: int) -> tuple[int, int]:
        """The row and column of a square, from the top left."""
        row, index = divmod(square, self.per_row)
        return row, 2 * index + self._first_column(row)

    def at(self, row: int, col: int) -> int:
        """The square at a row and column; -1 outside the board and for light squares."""
        on_board = 0 <= row < self.size and 0 <= col < self.size
        is_dark = (col - self._first_column(row)) % 2 == 0
        return row * self.per_row + col // 2 if on_board and is_dark else -1

    def _first_column(self, row: int) -> int:
        return (row + (0 if self.mirrored else 1)) % 2

    def rows(self, first: int, last: int) -> int:
        """The set of all squares of some rows, as bits."""
        return (1 << (last + 1) * self.per_row) - (1 << first * self.per_row)

    def steps(self) -> NDArray[np.int64]:
        """[direction, square]: the neighbour, or -1."""
        steps = np.full((len(DIRECTIONS), self.count), -1, np.int64)
        for direction, (down, right) in enumerate(DIRECTIONS):
            for square in range(self.count):
                row, col = self.place(square)
                steps[direction, square] = self.at(row + down, col + right)
        return steps

    def prey(self, steps: NDArray[np.int64], directions: Directions, far: bool) -> list[int]:
        """For each square the set of squares, as bits, on which a piece could be taken from there: the next ones in
        these directions, or all along the lines, except the last of a line, which has nothing behind it."""
        sets = [0] * self.count
        for square in range(self.count):
            for direction in range(*directions):
                victim = int(steps[direction, square])
                while victim >= 0 and steps[direction, victim] >= 0:
                    sets[square] |= 1 << victim
                    victim = int(steps[direction, victim]) if far else -1
        return sets
