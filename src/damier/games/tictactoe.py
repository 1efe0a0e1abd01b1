"""Tic-tac-toe (noughts and crosses, le morpion): three in a row on a board of 3 x 3.

The squares, and the moves, are numbered as below; people write a1 to c3 with a1 at the bottom left. The
stones of a player are a set of squares, kept in the bits of a number.

     0 | 1 | 2
    ---+---+---
     3 | 4 | 5
    ---+---+---
     6 | 7 | 8
"""

import numpy as np

from damier.core.bits import popcount
from damier.core.messages import say
from damier.core.protocol import Moves, Planes, Record, Rng, Values
from damier.core.rng import below
from damier.core.squares import Permutation, Squares
from damier.core.view import EMPTY, Grid

_SQUARES = Squares(3, 3)
_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_LINES = np.array([sum(1 << square for square in row) for row in _ROWS])
FULL = 0b111_111_111


class TicTacToe:
    """Tic-tac-toe: three in a row on 3 x 3."""

    version = 1
    State = np.dtype([("player", np.int8), ("stones", np.int16, (2,))])
    num_players = 2
    max_moves = 9
    max_length = 9
    num_actions = 9
    encode_shape = (2, 3, 3)
    feature_names = ("open lines",)
    feature_weights = np.array([1 / 8])
    lines = _LINES
    # Of each of the 512 sets of squares: whether it has a line, and the squares outside of it, in order.
    has_line = (np.arange(512)[:, None] & _LINES == _LINES).any(axis=1)
    outside = np.argsort(np.arange(512)[:, None] >> np.arange(9) & 1, kind="stable").astype(np.int8)

    def setup(self, state: Record) -> None:
        state.stones[:] = 0
        state.player = 0

    def moves(self, state: Record, out: Moves) -> int:
        if self.has_line[state.stones[1 - state.player]]:
            return 0
        taken = state.stones[0] | state.stones[1]
        count = 9 - popcount(taken)
        for i in range(count):
            out[i] = self.outside[taken, i]
        return count

    def sample(self, state: Record, rng: Rng) -> int:
        taken = state.stones[0] | state.stones[1]
        if taken == FULL or self.has_line[state.stones[1 - state.player]]:
            return -1
        return self.outside[taken, below(rng, 9 - popcount(taken))]

    def play(self, state: Record, move: int) -> None:
        state.stones[state.player] |= 1 << move
        state.player = 1 - state.player

    def returns(self, state: Record, out: Values) -> None:
        last = 1 - state.player
        won = self.has_line[state.stones[last]]
        out[last] = 1 if won else 0
        out[state.player] = -1 if won else 0

    def open_lines(self, state: Record, player: int) -> int:
        """How many lines this player can still complete: those without a stone of the other."""
        count = 0
        for line in self.lines:
            if not state.stones[1 - player] & line:
                count += 1
        return count

    def evaluate(self, state: Record, out: Values) -> None:
        """The open lines of each player less those of the other, out of 8."""
        out[0] = (self.open_lines(state, 0) - self.open_lines(state, 1)) / 8
        out[1] = -out[0]

    def features(self, state: Record, out: Values) -> None:
        for player in range(2):
            out[player, 0] = self.open_lines(state, player)

    def encode(self, state: Record, out: Planes) -> None:
        """Planes: stones of the player to move, stones of the other."""
        mine, theirs = state.stones[state.player], state.stones[1 - state.player]
        for square in range(9):
            row, col = square // 3, square % 3
            out[0, row, col] = mine >> square & 1
            out[1, row, col] = theirs >> square & 1

    def symmetries(self) -> list[tuple[Permutation, Permutation]]:
        return [(image, image) for image in _SQUARES.symmetries().values()]

    def format_move(self, state: Record, move: int) -> str:
        return _SQUARES.format(move)

    def format_position(self, state: Record) -> str:
        return _SQUARES.format_stones(_cells(state), state.player)

    def parse_position(self, state: Record, text: str) -> None:
        cells, state.player = _SQUARES.parse_stones(text)
        for player in range(2):
            state.stones[player] = sum(1 << square for square, stone in enumerate(cells) if stone == player)
        if self.has_line[state.stones[state.player]]:
            raise ValueError(say("tictactoe.over"))

    def view(self, state: Record) -> Grid:
        return _SQUARES.grid(_cells(state))


def _cells(state: Record) -> list[int]:
    return [0 if state.stones[0] >> s & 1 else 1 if state.stones[1] >> s & 1 else EMPTY for s in range(9)]
