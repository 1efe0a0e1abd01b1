"""m,n,k games: k in a row on a board of rows x cols. Tic-tac-toe and Gomoku are two of them.

Free style: k stones or more in a row win. Squares and moves are numbered row by row from the top left.
"""

import numpy as np

from damier.core.messages import say
from damier.core.protocol import Moves, Planes, Record, Rng, Values
from damier.core.rng import below
from damier.core.squares import Permutation, Squares
from damier.core.view import Grid

MAX_SIDE = 26


class MNK:
    """m,n,k game: k in a row on rows x cols."""

    version = 1
    num_players = 2

    def __init__(self, rows: int = 5, cols: int = 5, k: int = 4) -> None:
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise ValueError(say("number.sides", most=MAX_SIDE, rows=rows, cols=cols))
        if not 1 <= k <= max(rows, cols):
            raise ValueError(say("mnk.k", most=max(rows, cols), got=k))
        self.rows, self.cols, self.k = rows, cols, k
        size = rows * cols
        self.State = np.dtype(
            [
                ("player", np.int8),
                ("won", np.int8),  # whether the last stone made k in a row
                ("num_stones", np.int16),
                ("cells", np.int8, (size,)),  # 0 for an empty square, else 1 + the player
            ]
        )
        self.max_moves = self.max_length = self.num_actions = size
        self.encode_shape = (2, rows, cols)
        self._squares = Squares(rows, cols)
        # to the neighbour below, to the right, and along the two diagonals
        self.row_steps = np.array([1, 0, 1, 1])
        self.col_steps = np.array([0, 1, 1, -1])

    def setup(self, state: Record) -> None:
        state.cells[:] = 0
        state.player = 0
        state.won = 0
        state.num_stones = 0

    def moves(self, state: Record, out: Moves) -> int:
        if state.won:
            return 0
        count = 0
        for square in range(self.rows * self.cols):
            if not state.cells[square]:
                out[count] = square
                count += 1
        return count

    def sample(self, state: Record, rng: Rng) -> int:
        size = self.rows * self.cols
        if state.won or state.num_stones == size:
            return -1
        while True:  # a nearly full board takes `size` attempts, an average game about log(size) a move
            square = below(rng, size)
            if not state.cells[square]:
                return square

    def play(self, state: Record, move: int) -> None:
        state.cells[move] = 1 + state.player
        state.num_stones += 1
        state.won = self.makes_row(state, move)
        state.player = 1 - state.player

    def returns(self, state: Record, out: Values) -> None:
        out[1 - state.player] = 1 if state.won else 0
        out[state.player] = -1 if state.won else 0

    def makes_row(self, state: Record, move: int) -> bool:
        """Whether the stone on this square stands in a row of k or more."""
        for direction in range(4):
            length = 1 + self.run(state, move, direction, 1) + self.run(state, move, direction, -1)
            if length >= self.k:
                return True
        return False

    def run(self, state: Record, move: int, direction: int, sign: int) -> int:
        """How many stones of the same colour follow a square in a direction."""
        row_step, col_step = sign * self.row_steps[direction], sign * self.col_steps[direction]
        row, col = move // self.cols + row_step, move % self.cols + col_step
        length = 0
        while 0 <= row < self.rows and 0 <= col < self.cols and state.cells[row * self.cols + col] == state.cells[move]:
            length += 1
            row += row_step
            col += col_step
        return length

    def evaluate(self, state: Record, out: Values) -> None:
        """Over all rows of k squares that only one player has stones in or neither: (1 + stones)^2 for each
        player who can still complete it, then each player's share of the total."""
        first = second = 0
        for square in range(self.rows * self.cols):
            for direction in range(4):
                mine = self.stones_in_row(state, square, direction, 0)
                theirs = self.stones_in_row(state, square, direction, 1)
                if mine >= 0 and theirs <= 0:
                    first += (1 + mine) ** 2
                if theirs >= 0 and mine <= 0:
                    second += (1 + theirs) ** 2
        out[0] = (first - second) / max(1, first + second)
        out[1] = -out[0]

    def stones_in_row(self, state: Record, square: int, direction: int, player: int) -> int:
        """How many stones a player has among the k squares from this one on; -1 if they leave the board."""
        row_step, col_step = self.row_steps[direction], self.col_steps[direction]
        row, col = square // self.cols, square % self.cols
        last_row, last_col = row + (self.k - 1) * row_step, col + (self.k - 1) * col_step
        if last_row >= self.rows or not 0 <= last_col < self.cols:
            return -1
        count = 0
        for i in range(self.k):
            if state.cells[(row + i * row_step) * self.cols + col + i * col_step] == 1 + player:
                count += 1
        return count

    def encode(self, state: Record, out: Planes) -> None:
        """Planes: stones of the player to move, stones of the other."""
        for square in range(self.rows * self.cols):
            row, col = square // self.cols, square % self.cols
            out[0, row, col] = state.cells[square] == 1 + state.player
            out[1, row, col] = state.cells[square] == 2 - state.player

    def symmetries(self) -> list[tuple[Permutation, Permutation]]:
        return [(image, image) for image in self._squares.symmetries().values()]

    def format_move(self, state: Record, move: int) -> str:
        return self._squares.format(move)

    def format_position(self, state: Record) -> str:
        return self._squares.format_stones(state.cells - 1, state.player)

    def parse_position(self, state: Record, text: str) -> None:
        cells, state.player = self._squares.parse_stones(text)
        state.cells[:] = np.array(cells) + 1
        state.num_stones = np.count_nonzero(state.cells)
        if self._rows_of(state, state.player):
            raise ValueError(say("mnk.over", k=self.k))
        rows = self._rows_of(state, 1 - state.player)
        if rows and not set.intersection(*rows):
            raise ValueError(say("mnk.several", k=self.k))
        state.won = bool(rows)

    def _rows_of(self, state: Record, player: int) -> list[set[int]]:
        """The squares of each row of k stones of a player."""
        rows = []
        for square in np.flatnonzero(state.cells == 1 + player).tolist():
            for direction in range(4):
                if self.stones_in_row(state, square, direction, player) == self.k:
                    step = int(self.row_steps[direction] * self.cols + self.col_steps[direction])
                    rows.append({square + i * step for i in range(self.k)})
        return rows

    def view(self, state: Record) -> Grid:
        return self._squares.grid([int(cell) - 1 for cell in state.cells])
