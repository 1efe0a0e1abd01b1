r"""Dark Hex: connect your two sides of the board, and nobody sees the other's stones. OpenSpiel's rules.

Hex is by Piet Hein, 1942, and John Nash, 1948; dark Hex is also called phantom or Kriegspiel Hex. Player 0 connects the
top and the bottom, player 1 the left and the right. Each row is shifted half a cell to the right of the one above, so a
cell touches up to six others. The rules of trying are those of `blind`. Cells and moves are numbered row by row from
the top left; people write a1 to c3 with a1 at the top left:

     a   b   c
     0 - 1 - 2      1
      \ / \ / \
       3 - 4 - 5    2
        \ / \ / \
         6 - 7 - 8  3
"""

import numpy as np

from damier.core.messages import say
from damier.core.protocol import Record, Values
from damier.core.squares import Squares
from damier.core.view import Grid
from damier.games.blind import Blind

MAX_SIDE = 15


class DarkHex(Blind):
    """Dark Hex: connect your two sides of the board, and you do not see the other's stones."""

    version = 1

    def __init__(self, rows: int = 3, cols: int = 3, rules: str = "classical") -> None:
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise ValueError(say("number.sides", most=MAX_SIDE, rows=rows, cols=cols))
        self.set_board(Squares(rows, cols, first_row_on_top=True), rules)
        # to the neighbours of a cell, in this order: above, above right, left, right, below left, below
        self.row_steps = np.array([-1, -1, 0, 0, 1, 1])
        self.col_steps = np.array([0, 1, -1, 1, -1, 0])

    def returns(self, state: Record, out: Values) -> None:
        """A full board always has a winner."""
        out[1 - state.player] = 1
        out[state.player] = -1

    def has_won(self, state: Record, square: int) -> bool:
        """Whether the stones connected to this one reach both sides of their owner."""
        owner = state.cells[square]
        waiting, is_reached = np.zeros(self.size, np.int64), np.zeros(self.size, np.bool_)
        waiting[0] = square
        is_reached[square] = True
        count = 1
        at_first = at_last = False
        while count:
            count -= 1
            row, col = waiting[count] // self.cols, waiting[count] % self.cols
            place, last = (row, self.rows - 1) if owner == 1 else (col, self.cols - 1)
            at_first |= place == 0
            at_last |= place == last
            for direction in range(6):
                next_row, next_col = row + self.row_steps[direction], col + self.col_steps[direction]
                if 0 <= next_row < self.rows and 0 <= next_col < self.cols:
                    cell = next_row * self.cols + next_col
                    if state.cells[cell] == owner and not is_reached[cell]:
                        is_reached[cell] = True
                        waiting[count] = cell
                        count += 1
        return bool(at_first and at_last)

    def view(self, state: Record, observer: int) -> Grid:
        grid = super().view(state, observer)
        return Grid(grid.cells, grid.row_labels, grid.col_labels, notes=(say("darkhex.sides"),))
