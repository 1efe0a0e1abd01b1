"""Othello: enclose the other's discs in a line and they turn over; most discs at the end win.

A player's discs are a set of squares in the bits of a 64-bit word, square 0 in the top left corner:

        a  b  c  d  e  f  g  h
     1  0  1  2  3  4  5  6  7
     2  8  9 10 11 12 13 14 15
    ...
     8 56 57 58 59 60 61 62 63

All squares are treated at once: a whole set moves one step in a direction by a shift of the word. A player
who can't move must pass, which is a move and has the number size * size; when neither can, the game is over.
"""

from dataclasses import replace

import numpy as np

from damier.core.bits import Bits, bit, drop_lowest, lowest, popcount
from damier.core.protocol import Moves, Planes, Record, Rng, Values
from damier.core.rng import below
from damier.core.squares import Permutation, Squares
from damier.core.view import EMPTY, Grid

NONE = np.uint64(0)
ONE = np.uint64(1)


class Othello:
    """Othello (Reversi): enclosed discs turn over, most discs win."""

    version = 1
    State = np.dtype([("discs", np.uint64, (2,)), ("player", np.int8)])
    num_players = 2

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise ValueError(f"expected a size of 4, 6 or 8, got {size}")
        self.size = size
        self.pass_move = size * size
        self.num_actions = size * size + 1
        self.max_moves = size * size - 4
        self.max_length = 2 * (size * size - 4)  # a pass after every placement, at the very most
        self.encode_shape = (3, size, size)
        self._squares = Squares(size, size, first_row_on_top=True)

        board = (1 << size * size) - 1
        edges = sum(1 << row * size | 1 << row * size + size - 1 for row in range(size))
        corner = size - 1
        self.board = np.uint64(board)
        self.corners = np.uint64(1 | 1 << corner | 1 << size * corner | 1 << size * corner + corner)
        # A step to the right, down, and down the two diagonals; the opposite ones shift the other way.
        # Discs on the left and right edges are never enclosed sideways: leaving them out keeps a line
        # from running on in the next row.
        self.steps = np.array([1, size, size - 1, size + 1], np.uint64)
        self.enclosable = np.array([board & ~edges, board, board & ~edges, board & ~edges], np.uint64)

    def setup(self, state: Record) -> None:
        middle = self.size // 2
        top_left = (middle - 1) * self.size + middle - 1
        state.discs[0] = bit(top_left + 1) | bit(top_left + self.size)
        state.discs[1] = bit(top_left) | bit(top_left + self.size + 1)
        state.player = 0

    def moves(self, state: Record, out: Moves) -> int:
        mine, theirs = state.discs[state.player], state.discs[1 - state.player]
        targets = self.placements(mine, theirs)
        if targets == NONE:
            if self.placements(theirs, mine) == NONE:
                return 0
            out[0] = self.pass_move
            return 1
        count = 0
        while targets != NONE:
            out[count] = lowest(targets)
            targets = drop_lowest(targets)
            count += 1
        return count

    def sample(self, state: Record, rng: Rng) -> int:
        mine, theirs = state.discs[state.player], state.discs[1 - state.player]
        targets = self.placements(mine, theirs)
        if targets == NONE:
            return -1 if self.placements(theirs, mine) == NONE else self.pass_move
        for _ in range(below(rng, popcount(targets))):
            targets = drop_lowest(targets)
        return lowest(targets)

    def play(self, state: Record, move: int) -> None:
        me = state.player
        if move != self.pass_move:
            turned = self.enclosed(state.discs[me], state.discs[1 - me], bit(move))
            state.discs[me] |= turned | bit(move)
            state.discs[1 - me] &= ~turned
        state.player = 1 - me

    def returns(self, state: Record, out: Values) -> None:
        lead = popcount(state.discs[0]) - popcount(state.discs[1])
        out[0] = 1 if lead > 0 else -1 if lead < 0 else 0
        out[1] = -out[0]

    def placements(self, mine: Bits, theirs: Bits) -> Bits:
        """The empty squares at the end of a line of their discs that starts beside one of mine."""
        targets = NONE
        for direction in range(4):
            step = self.steps[direction]
            up, down = self.runs(mine, theirs & self.enclosable[direction], step)
            targets |= up << step | down >> step
        return targets & self.board & ~(mine | theirs)

    def enclosed(self, mine: Bits, theirs: Bits, placed: Bits) -> Bits:
        """Their discs on the lines between the placed disc and another of mine."""
        turned = NONE
        for direction in range(4):
            step = self.steps[direction]
            up, down = self.runs(placed, theirs & self.enclosable[direction], step)
            if up << step & mine != NONE:
                turned |= up
            if down >> step & mine != NONE:
                turned |= down
        return turned

    def runs(self, start: Bits, between: Bits, step: Bits) -> tuple[Bits, Bits]:
        """The unbroken lines within `between` that begin beside a square of `start`: up the bits, and down."""
        up = start << step & between
        down = start >> step & between
        for _ in range(self.size - 3):
            up |= up << step & between
            down |= down >> step & between
        return up, down

    def evaluate(self, state: Record, out: Values) -> None:
        """A weighted sum of three shares: corners, mobility (squares one could play on) and discs."""
        first, second = state.discs[0], state.discs[1]
        corners = self.share(popcount(first & self.corners), popcount(second & self.corners))
        mobility = self.share(
            popcount(self.placements(first, second)),
            popcount(self.placements(second, first)),
        )
        discs = self.share(popcount(first), popcount(second))
        out[0] = 0.5 * corners + 0.4 * mobility + 0.1 * discs
        out[1] = -out[0]

    def share(self, first: int, second: int) -> float:
        """How much more the first has, from -1 (nothing) to 1 (everything)."""
        return (first - second) / max(1, first + second)

    def encode(self, state: Record, out: Planes) -> None:
        """Planes: discs of player 0, discs of player 1, all ones if player 1 is to move."""
        for square in range(self.size * self.size):
            row, col = square // self.size, square % self.size
            out[0, row, col] = state.discs[0] >> np.uint64(square) & ONE
            out[1, row, col] = state.discs[1] >> np.uint64(square) & ONE
            out[2, row, col] = state.player

    def symmetries(self) -> list[tuple[Permutation, Permutation]]:
        """Those that leave the first four discs in place: the two diagonals and the half turn."""
        images = self._squares.symmetries()
        return [
            (images[name], np.append(images[name], self.pass_move))
            for name in ("diagonal", "anti-diagonal", "half turn")
        ]

    def format_move(self, state: Record, move: int) -> str:
        return "pass" if move == self.pass_move else self._squares.format(move)

    def view(self, state: Record) -> Grid:
        first, second = (int(discs) for discs in state.discs)
        squares = range(self.size * self.size)
        cells = [0 if first >> s & 1 else 1 if second >> s & 1 else EMPTY for s in squares]
        return replace(self._squares.grid(cells), motion="flip")
