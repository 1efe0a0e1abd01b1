"""Breakthrough (Dan Troyka, 2000): a pawn steps forward, straight or diagonally, and takes diagonally."""

import numpy as np

from damier import Squares


class Breakthrough:
    """Breakthrough: reach the far side with one pawn."""

    num_players = 2

    def __init__(self, size: int = 8) -> None:
        if not 4 <= size <= 20:
            raise ValueError(f"expected a size from 4 to 20, got {size}")
        self.size = size
        self.State = np.dtype([("player", np.int8), ("won", np.int8), ("cells", np.int8, (size * size,))])
        self.max_moves = 6 * size  # 2 * size pawns, 3 directions
        self.max_length = 4 * size * size  # each move brings one of 4 * size pawns a row forward
        self._squares = Squares(size, size)

    def setup(self, state):
        state.player = state.won = 0
        state.cells[:] = 0
        state.cells[: 2 * self.size] = 2  # the second player's pawns, in the top two rows
        state.cells[-2 * self.size :] = 1  # the first player's, in the bottom two

    def target(self, state, move):  # where move 3 * square + direction leads; directions 0, 1, 2 are left, ahead, right
        return move // 3 + (self.size if state.player else -self.size) + move % 3 - 1

    def moves(self, state, out):
        count = 0
        for move in range(0 if state.won else 3 * self.size * self.size):
            if state.cells[move // 3] == 1 + state.player and 0 <= move // 3 % self.size + move % 3 - 1 < self.size:
                found = state.cells[self.target(state, move)]
                if found == 0 or (found == 2 - state.player and move % 3 != 1):
                    out[count] = move
                    count += 1
        return count

    def play(self, state, move):
        target = self.target(state, move)
        state.cells[target] = 1 + state.player
        state.cells[move // 3] = 0
        state.won = target // self.size in (0, self.size - 1)
        state.player = 1 - state.player

    def returns(self, state, out):
        out[state.player] = -1  # the other one has arrived, or has taken the last pawn
        out[1 - state.player] = 1

    def format_move(self, state, move):
        return f"{self._squares.format(move // 3)}-{self._squares.format(self.target(state, move))}"

    def view(self, state):
        return self._squares.grid([int(cell) - 1 for cell in state.cells])
