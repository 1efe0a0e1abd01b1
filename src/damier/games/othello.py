"""Othello: discs that you enclose in a line turn over; most discs at the end win.

A player's discs are a set of squares in the bits of a 64-bit word, square 0 in the top left corner:

        a  b  c  d  e  f  g  h
     1  0  1  2  3  4  5  6  7
     2  8  9 10 11 12 13 14 15
    ...
     8 56 57 58 59 60 61 62 63

The rules treat all squares at once: a shift of the word moves a whole set one step. A player who can't move must pass;
the pass is a move with the number size * size. When neither player can move, the game is over.
"""

import re
from dataclasses import replace

import numpy as np

from damier.core.bits import Bits, bit, drop_lowest, lowest, nth_lowest, popcount
from damier.core.features import read_weights, weighted_sum
from damier.core.messages import say
from damier.core.options import FileName
from damier.core.protocol import Moves, Owners, Planes, Record, Rng, Values
from damier.core.rng import below
from damier.core.squares import Permutation, Squares
from damier.core.view import EMPTY, Grid

NONE = np.uint64(0)
ONE = np.uint64(1)

WEIGHTS = {"corners": 0.5, "mobility": 0.4, "discs": 0.1}
"""The weights of the features, chosen by hand and not tuned."""


class Othello:
    """Othello (Reversi): enclosed discs are flipped, most discs win."""

    version = 1
    State = np.dtype([("discs", np.uint64, (2,)), ("player", np.int8)])
    num_players = 2

    feature_names = tuple(WEIGHTS)

    def __init__(self, size: int = 8, weights: FileName = "") -> None:
        if size not in (4, 6, 8):
            raise ValueError(say("othello.size", got=size))
        self.size, self.weights = size, weights
        self.feature_weights = read_weights(weights, WEIGHTS)
        self.pass_move = size * size
        self.num_actions = size * size + 1
        self.max_moves = size * size - 4
        self.max_length = 2 * (size * size - 4)  # at most one pass after every placement
        self.encode_shape = (2, size, size)
        self.plane_names = ("mover", "other")
        self._squares = Squares(size, size, first_row_on_top=True)

        board = (1 << size * size) - 1
        edges = sum(1 << row * size | 1 << row * size + size - 1 for row in range(size))
        corner = size - 1
        self.board = np.uint64(board)
        self.corners = np.uint64(1 | 1 << corner | 1 << size * corner | 1 << size * corner + corner)
        beside = [row * size + col for row in (0, 1, corner - 1, corner) for col in (0, 1, corner - 1, corner)]
        self.beside_corners = np.uint64(sum(1 << square for square in set(beside))) & ~self.corners
        # A step to the right, down, and down the two diagonals; the opposite ones shift the other way.
        # Discs on the left and right edges are never enclosed sideways: leaving them out keeps a line from running on
        # in the next row.
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
        return nth_lowest(targets, below(rng, popcount(targets)))

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

    def bounds(self, state: Record) -> tuple[int, int]:
        """At the end the margin is the difference of the discs, and the winner gets the empty squares; before the end
        nothing is known."""
        first, second = state.discs[0], state.discs[1]
        squares = self.size * self.size
        if self.placements(first, second) != NONE or self.placements(second, first) != NONE:
            return -squares, squares
        lead = popcount(first) - popcount(second)
        empty = squares - popcount(first | second)
        margin = lead + empty if lead > 0 else lead - empty if lead < 0 else 0
        return margin, margin

    def candidates(self, state: Record, out: Moves) -> int:
        """The moves that leave the other player the fewest replies come first; a corner counts as two replies fewer."""
        count = self.moves(state, out)
        if count <= 1 or out[0] == self.pass_move:
            return count
        mine, theirs = state.discs[state.player], state.discs[1 - state.player]
        for index in range(count):
            square = out[index]
            turned = self.enclosed(mine, theirs, bit(square))
            replies = popcount(self.placements(theirs & ~turned, mine | turned | bit(square)))
            cost = replies + (0 if bit(square) & self.corners else 2)
            place = index
            while place > 0 and out[place - 1] >> 8 > cost:
                out[place] = out[place - 1]
                place -= 1
            out[place] = cost << 8 | square
        for index in range(count):
            out[index] &= 255
        return count

    def features(self, state: Record, out: Values) -> None:
        """Each player's shares of the taken corners, of the squares they could play on, and of the discs."""
        first, second = state.discs[0], state.discs[1]
        self.share(out, 0, popcount(first & self.corners), popcount(second & self.corners))
        self.share(out, 1, popcount(self.placements(first, second)), popcount(self.placements(second, first)))
        self.share(out, 2, popcount(first), popcount(second))

    def share(self, out: Values, feature: int, first: int, second: int) -> None:
        """Each player's share of what both have."""
        out[0, feature] = first / max(1, first + second)
        out[1, feature] = second / max(1, first + second)

    def evaluate(self, state: Record, out: Values) -> None:
        """The weighted sum of the features, minus that of the other player."""
        features = np.empty((2, self.feature_weights.size))
        self.features(state, features)
        out[0] = weighted_sum(self.feature_weights, features[0]) - weighted_sum(self.feature_weights, features[1])
        out[1] = -out[0]

    def weight(self, state: Record, move: int) -> float:
        """Corners first, and last the squares that give one away."""
        if move == self.pass_move:
            return 1.0
        return 8.0 if self.corners & bit(move) != NONE else 0.25 if self.beside_corners & bit(move) != NONE else 1.0

    def encode(self, state: Record, out: Planes) -> None:
        """Planes: discs of the player to move, discs of the other."""
        mine, theirs = state.discs[state.player], state.discs[1 - state.player]
        for square in range(self.size * self.size):
            row, col = square // self.size, square % self.size
            out[0, row, col] = mine >> np.uint64(square) & ONE
            out[1, row, col] = theirs >> np.uint64(square) & ONE

    def owners(self, state: Record, end: Record, out: Owners) -> None:
        mine, theirs = end.discs[state.player], end.discs[1 - state.player]
        for square in range(self.size * self.size):
            here = bit(square)
            out[square] = 0 if mine & here != NONE else 1 if theirs & here != NONE else -1

    def symmetries(self) -> list[tuple[Permutation, Permutation]]:
        """Those that leave the first four discs in place: the two diagonals and the half turn."""
        images = self._squares.symmetries()
        return [
            (images[name], np.append(images[name], self.pass_move))
            for name in ("diagonal", "anti-diagonal", "half turn")
        ]

    def format_move(self, state: Record, move: int) -> str:
        return "pass" if move == self.pass_move else self._squares.format(move)

    def format_position(self, state: Record) -> str:
        """OBF: the squares from a1 on, row by row, X for the first player, O for the other, and who moves."""
        return f"{''.join('XO-'[cell] for cell in self._cells(state))} {'XO'[state.player]}"

    def parse_position(self, state: Record, text: str) -> None:
        """Read a line of an OBF file; the scores of moves after the semicolon are ignored."""
        match = re.fullmatch(r"([XO*.-]+)\s*([XO*])", text.partition(";")[0].strip().upper())
        if match is None or len(match[1]) != self.size**2:
            raise ValueError(say("othello.position", squares=self.size**2))
        cells, state.player = match[1].replace("*", "X"), "XO".index(match[2].replace("*", "X"))
        for player, sign in enumerate("XO"):
            state.discs[player] = sum(1 << square for square, there in enumerate(cells) if there == sign)
        first = self.size // 2 * (self.size + 1)
        middle = (first - self.size - 1, first - self.size, first - 1, first)
        empty = [square for square in middle if cells[square] in "-."]
        if empty:
            raise ValueError(say("othello.middle", square=self._squares.format(empty[0])))

    def view(self, state: Record) -> Grid:
        return replace(self._squares.grid(self._cells(state)), motion="flip")

    def _cells(self, state: Record) -> list[int]:
        first, second = (int(discs) for discs in state.discs)
        return [0 if first >> s & 1 else 1 if second >> s & 1 else EMPTY for s in range(self.size * self.size)]
