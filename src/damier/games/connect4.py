"""Connect 4 (le puissance 4): discs fall into columns, four in a row win.

A player's discs are a set of cells in the bits of a 64-bit word. Each column takes rows + 1 bits, from the
bottom up; the bit above the top row stays empty, so that a line never runs from one column into the next.
On the usual board:

      6 13 20 27 34 41 48    <- always empty
      5 12 19 26 33 40 47
      4 11 18 25 32 39 46
      3 10 17 24 31 38 45
      2  9 16 23 30 37 44
      1  8 15 22 29 36 43
      0  7 14 21 28 35 42
      a  b  c  d  e  f  g

Adding the bottom bit of a column to the set of all discs carries to the lowest free cell of that column: a
disc falls in one addition (John Tromp's trick).
"""

from dataclasses import replace

import numpy as np

from damier.core.bits import Bits, popcount
from damier.core.messages import say
from damier.core.protocol import Moves, Planes, Record, Rng, Values
from damier.core.rng import below
from damier.core.squares import Permutation, Squares
from damier.core.view import EMPTY, Grid

ONE = np.uint64(1)


class Connect4:
    """Connect 4: discs fall, four in a row win."""

    version = 1
    State = np.dtype([("discs", np.uint64, (2,)), ("player", np.int8)])
    num_players = 2

    def __init__(self, rows: int = 6, cols: int = 7) -> None:
        if rows < 4 or cols < 4 or cols * (rows + 1) > 64:
            raise ValueError(say("connect4.size", rows=rows, cols=cols))
        self.rows, self.cols = rows, cols
        self.max_moves = self.num_actions = cols
        self.max_length = rows * cols
        self.encode_shape = (2, rows, cols)
        self._squares = Squares(rows, cols)

        height = rows + 1
        column = (1 << rows) - 1
        bits = [height * col for col in range(cols)]
        self.bottom = np.array([1 << bit for bit in bits], np.uint64)
        self.top = np.array([1 << bit + rows - 1 for bit in bits], np.uint64)
        self.column = np.array([column << bit for bit in bits], np.uint64)
        self.board = np.uint64(sum(column << bit for bit in bits))
        self.bottoms = np.uint64(sum(1 << bit for bit in bits))
        self.from_centre = np.array(sorted(range(cols), key=lambda col: abs(2 * col - cols + 1)))
        self.whole_column = np.uint64((1 << height) - 1)  # with the bit above it
        self.right = np.uint64(height)  # from a cell to its neighbour on the right

    def setup(self, state: Record) -> None:
        state.discs[:] = 0
        state.player = 0

    def moves(self, state: Record, out: Moves) -> int:
        if self.fours(state.discs[1 - state.player]):
            return 0
        filled = state.discs[0] | state.discs[1]
        count = 0
        for col in range(self.cols):
            if not filled & self.top[col]:
                out[count] = col
                count += 1
        return count

    def sample(self, state: Record, rng: Rng) -> int:
        first, second = state.discs[0], state.discs[1]
        filled, last_moved = first | second, first if state.player else second
        if filled == self.board or self.fours(last_moved):
            return -1
        while True:
            col = below(rng, self.cols)
            if not filled & self.top[col]:
                return col

    def play(self, state: Record, move: int) -> None:
        filled = state.discs[0] | state.discs[1]
        disc = (filled + self.bottom[move]) & self.column[move]
        # Random games are a fifth faster than with discs[state.player]: no address has to be waited for.
        if state.player == 0:
            state.discs[0] |= disc
        else:
            state.discs[1] |= disc
        state.player = 1 - state.player

    def returns(self, state: Record, out: Values) -> None:
        last = 1 - state.player
        won = self.fours(state.discs[last]) != 0
        out[last] = 1 if won else 0
        out[state.player] = -1 if won else 0

    def fours(self, discs: Bits) -> Bits:
        """The cells from which four in a row start, in any direction."""
        return (
            self.fours_along(discs, ONE)
            | self.fours_along(discs, self.right)
            | self.fours_along(discs, self.right - ONE)
            | self.fours_along(discs, self.right + ONE)
        )

    def fours_along(self, discs: Bits, step: Bits) -> Bits:
        """The cells from which four in a row start in one direction: two pairs, two steps apart."""
        pairs = discs & discs >> step
        return pairs & pairs >> step + step

    def open_fours(self, discs: Bits) -> int:
        """How many fours lie within this set of cells."""
        return (
            popcount(self.fours_along(discs, ONE))
            + popcount(self.fours_along(discs, self.right))
            + popcount(self.fours_along(discs, self.right - ONE))
            + popcount(self.fours_along(discs, self.right + ONE))
        )

    def evaluate(self, state: Record, out: Values) -> None:
        """The fours that each player can still complete less those of the other, out of all on the board."""
        free_of_second = self.open_fours(self.board & ~state.discs[1])
        free_of_first = self.open_fours(self.board & ~state.discs[0])
        out[0] = (free_of_second - free_of_first) / self.open_fours(self.board)
        out[1] = -out[0]

    def weight(self, state: Record, move: int) -> float:
        """The middle first: most fours go through it."""
        return 1 / (1 + abs(2 * move - (self.cols - 1)))

    def bounds(self, state: Record) -> tuple[int, int]:
        """The margin is 1 for a win with one's last disc, and each own disc earlier adds 1. Known without searching is
        who wins with this disc or the next, and how soon the one after could win."""
        mine, theirs = self.discs_of(state)
        filled = mine | theirs
        left = self.rows * self.cols - popcount(filled)
        safe, completing = self.safe(theirs, filled), self.completing(mine, filled)
        if self.fours(theirs):
            low = high = -(left // 2 + 1)
        elif completing & self.landing(filled):
            low = high = (left - 1) // 2 + 1
        elif left == 0:
            low = high = 0
        elif not safe:
            low = high = -((left - 2) // 2 + 1) if left > 1 else 0
        elif safe & completing >> ONE & completing >> ONE + ONE:
            low = high = (left - 1) // 2
        else:
            low, high = -max(0, (left - 2) // 2), max(0, (left - 1) // 2)
        return (-high, -low) if state.player else (low, high)

    def candidates(self, state: Record, out: Moves) -> int:
        """The discs that don't lose at once, those that create most threats first, then those near the centre."""
        mine, theirs = self.discs_of(state)
        filled = mine | theirs
        safe = self.safe(theirs, filled)
        is_forced = popcount(safe) == 1
        count = 0
        for col in self.from_centre:
            disc = safe & self.column[col]
            if disc:
                threats = 0 if is_forced else popcount(self.completing(mine | disc, filled))
                place = count
                while place > 0 and out[place - 1] >> 6 < threats:
                    out[place] = out[place - 1]
                    place -= 1
                out[place] = threats << 6 | col
                count += 1
        for place in range(count):
            out[place] &= 63
        return count

    def discs_of(self, state: Record) -> tuple[Bits, Bits]:
        """The discs of the player to move, and those of the other."""
        first, second = state.discs[0], state.discs[1]
        return (second, first) if state.player else (first, second)

    def landing(self, filled: Bits) -> Bits:
        """The cells into which a disc can fall."""
        return (filled + self.bottoms) & self.board

    def safe(self, theirs: Bits, filled: Bits) -> Bits:
        """The cells to play on after which the other does not win at once; none if two would have to be blocked."""
        landing, threats = self.landing(filled), self.completing(theirs, filled)
        forced = landing & threats
        if forced:
            landing = forced if popcount(forced) == 1 else forced ^ forced
        return landing & ~(threats >> ONE)

    def completing(self, discs: Bits, filled: Bits) -> Bits:
        """The empty cells that make four in a row."""
        cells = discs << ONE & discs << ONE + ONE & discs << ONE + ONE + ONE
        cells |= self.completing_along(discs, self.right)
        cells |= self.completing_along(discs, self.right - ONE)
        cells |= self.completing_along(discs, self.right + ONE)
        return cells & self.board & ~filled

    def completing_along(self, discs: Bits, step: Bits) -> Bits:
        """The cells at either end of three discs, or between one and two, in one direction."""
        two, three = step + step, step + step + step
        below = discs << step & discs << two
        above = discs >> step & discs >> two
        return below & (discs << three | discs >> step) | above & (discs >> three | discs << step)

    def key(self, state: Record) -> Bits:
        """Unique: the discs of player 0, and a bit above the highest disc of each column (Tromp)."""
        filled = state.discs[0] | state.discs[1]
        return state.discs[0] + filled + self.bottoms

    def symmetric_key(self, state: Record) -> Bits:
        """The lesser key of a position and its mirror image. On a board that is half full images are not met again."""
        key = self.key(state)
        if 2 * popcount(state.discs[0] | state.discs[1]) > self.rows * self.cols:
            return key
        left, mirrored = key, key ^ key
        for _ in range(self.cols):
            mirrored = mirrored << self.right | left & self.whole_column
            left >>= self.right
        return min(key, mirrored)

    def encode(self, state: Record, out: Planes) -> None:
        """Planes, top row first: discs of the player to move, discs of the other."""
        mine, theirs = state.discs[state.player], state.discs[1 - state.player]
        for row in range(self.rows):
            for col in range(self.cols):
                cell = np.uint64(col * (self.rows + 1) + self.rows - 1 - row)
                out[0, row, col] = mine >> cell & ONE
                out[1, row, col] = theirs >> cell & ONE

    def symmetries(self) -> list[tuple[Permutation, Permutation]]:
        return [(self._squares.symmetries()["left-right"], np.arange(self.cols)[::-1])]

    def format_move(self, state: Record, move: int) -> str:
        return self._squares.col_labels[move]

    def parse_move(self, state: Record, text: str) -> int:
        """Columns may also be numbered, from 1."""
        return int(text) - 1

    def format_position(self, state: Record) -> str:
        return self._squares.format_stones(self._cells(state), state.player)

    def parse_position(self, state: Record, text: str) -> None:
        cells, state.player = self._squares.parse_stones(text)
        for player in range(2):
            discs = [bit for bit, disc in zip(self._bits(), cells, strict=True) if disc == player]
            state.discs[player] = sum(discs)
        self._check_discs(state)

    def _check_discs(self, state: Record) -> None:
        """Discs lie on one another, and only the last one can have made four in a row."""
        last = state.discs[1 - state.player]
        filled = state.discs[0] | state.discs[1]
        if (filled + self.bottoms) & filled:
            raise ValueError(say("connect4.hanging"))
        if self.fours(state.discs[state.player]):
            raise ValueError(say("connect4.over"))
        tops = (filled + self.bottoms) >> ONE & last
        if self.fours(last) and all(self.fours(last & ~np.uint64(bit)) for bit in self._bits() if bit & int(tops)):
            raise ValueError(say("connect4.several"))

    def view(self, state: Record) -> Grid:
        return replace(self._squares.grid(self._cells(state)), motion="fall")

    def _cells(self, state: Record) -> list[int]:
        first, second = (int(discs) for discs in state.discs)
        return [0 if first & bit else 1 if second & bit else EMPTY for bit in self._bits()]

    def _bits(self) -> list[int]:
        """The bit of each cell, row by row from the top."""
        return [1 << col * (self.rows + 1) + row for row in reversed(range(self.rows)) for col in range(self.cols)]
