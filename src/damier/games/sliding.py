"""The sliding puzzle (8- and 15-puzzle): slide tiles into the gap until they are in order.

Cells are numbered row by row from the top left. The tiles are one 64-bit word with four bits per cell; 0 is the gap.
When solved, a cell holds the tile one above its number, and the gap is last:

     0  1  2        1  2  3
     3  4  5        4  5  6
     6  7  8        7  8

A move is the number of the tile that slides. Sliding it again takes the move back.
"""

import re
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from damier.core.bits import Bits
from damier.core.messages import say
from damier.core.protocol import Moves, Planes, Record, Values
from damier.core.rng import below, new_rng
from damier.core.squares import Squares
from damier.core.view import EMPTY, Grid, Symbol

SIZES = (2, 3, 4)
MAX_LIMIT = 10_000
DIGITS = "0123456789abcdef"
SYMBOLS = tuple(Symbol(str(tile), str(tile), -1) for tile in range(1, 16))
ONE, FOUR, FIFTEEN = np.uint64(1), np.uint64(4), np.uint64(15)


class Sliding:
    """Sliding puzzle: put the tiles in order, in as few moves as you can."""

    version = 1
    State = np.dtype([("tiles", np.uint64), ("num_moves", np.int16), ("gap", np.int8), ("player", np.int8)])
    num_players = 1

    def __init__(self, size: int = 3, scramble: int = 100, seed: int = 1, limit: int = 100, board: str = "") -> None:
        if size not in SIZES:
            raise ValueError(say("sliding.size", known=list(SIZES), got=size))
        if not 0 <= scramble <= MAX_LIMIT:
            raise ValueError(say("sliding.scramble", most=MAX_LIMIT, got=scramble))
        if not 1 <= limit <= MAX_LIMIT:
            raise ValueError(say("sliding.limit", most=MAX_LIMIT, got=limit))
        self.size, self.scramble, self.seed, self.limit, self.board = size, scramble, seed, limit, board
        self.num_cells = size * size
        self.max_moves, self.max_length = 4, limit
        self.num_actions = self.num_cells
        self.encode_shape = (self.num_cells + 1, size, size)
        self._squares = Squares(size, size)
        # For each cell: its neighbours, then -1.
        self.neighbours = np.full((self.num_cells, 4), -1, np.int8)
        for cell in range(self.num_cells):
            row, col = divmod(cell, size)
            steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
            inside = [(row + down, col + right) for down, right in steps if {row + down, col + right} <= {*range(size)}]
            self.neighbours[cell, : len(inside)] = [size * row + col for row, col in inside]
        self.row_distance, self.col_distance = _line_distances(size)  # [line, its tiles, 4 bits each]
        self.goal = _pack([*range(1, self.num_cells), 0])
        self.first = _pack(_read(board, size)) if board else self._scrambled()

    def setup(self, state: Record) -> None:
        state.tiles = self.first
        state.player = state.num_moves = state.gap = 0
        while self.tile(state, state.gap):
            state.gap += 1

    def tile(self, state: Record, cell: int) -> int:
        """The tile on a cell, 0 for the gap."""
        return int(state.tiles >> (FOUR * np.uint64(cell)) & FIFTEEN)

    def moves(self, state: Record, out: Moves) -> int:
        if state.tiles == self.goal or state.num_moves == self.limit:
            return 0
        count = 0
        for cell in self.neighbours[state.gap]:
            if cell >= 0:
                out[count] = self.tile(state, cell)
                count += 1
        return count

    def play(self, state: Record, move: int) -> None:
        for cell in self.neighbours[state.gap]:
            if cell >= 0 and self.tile(state, cell) == move:
                tile = np.uint64(move)
                state.tiles ^= tile << (FOUR * np.uint64(cell)) | tile << (FOUR * np.uint64(state.gap))
                state.gap = cell
                break
        state.num_moves += 1

    def score(self, state: Record) -> int:
        """The number of moves made; when the puzzle is solved, fewer are better."""
        return int(state.num_moves)

    def returns(self, state: Record, out: Values) -> None:
        out[0] = self.payoff(state.num_moves) if state.tiles == self.goal else -1

    def payoff(self, num_moves: int) -> float:
        """The payoff of solving the puzzle in that many moves: 1 for none, just above 0 at the limit."""
        return 1 - num_moves / (self.limit + 1)

    def evaluate(self, state: Record, out: Values) -> None:
        """The payoff of solving the puzzle in `distance` more moves."""
        least = state.num_moves + self.distance(state)
        out[0] = self.payoff(least) if least <= self.limit else -1

    def distance(self, state: Record) -> int:
        """Manhattan distance and linear conflicts (Hansson, Mayer, Yung 1992).

        Each tile slides at least its steps along rows and columns. If tiles are in their goal's line but in the wrong
        order, all but a longest ordered sequence must leave the line and come back.
        """
        total = 0
        for line in range(self.size):
            total += self.row_distance[line, self.row(state, line)] + self.col_distance[line, self.col(state, line)]
        return int(total)

    def row(self, state: Record, line: int) -> int:
        """The tiles of a row, four bits each."""
        width = np.uint64(4 * self.size)
        return int(state.tiles >> (width * np.uint64(line)) & ((ONE << width) - ONE))

    def col(self, state: Record, line: int) -> int:
        """The tiles of a column, four bits each."""
        tiles = 0
        for place in range(self.size):
            tiles |= self.tile(state, self.size * place + line) << (4 * place)
        return tiles

    def key(self, state: Record) -> Bits:
        """The tiles, without the number of moves; unique. When the moves are used up the game is over, which is another
        position: then a flipped bit makes two tiles equal."""
        if state.num_moves == self.limit and state.tiles != self.goal:
            return state.tiles ^ ONE
        return state.tiles

    def encode(self, state: Record, out: Planes) -> None:
        """A plane for the gap and each tile, and one with the share of the moves used up."""
        out[:] = 0
        for cell in range(self.num_cells):
            row, col = cell // self.size, cell % self.size
            out[self.tile(state, cell), row, col] = 1
            out[self.num_cells, row, col] = state.num_moves / self.limit

    def format_position(self, state: Record) -> str:
        """The rows, 0 for the gap, and how many moves were made: `123/456/780 12`."""
        digits = "".join(DIGITS[self.tile(state, cell)] for cell in range(self.num_cells))
        rows = "/".join(digits[start : start + self.size] for start in range(0, self.num_cells, self.size))
        return f"{rows} {state.num_moves}"

    def parse_position(self, state: Record, text: str) -> None:
        """Slashes may be left out; without a number it means 0 moves."""
        board, _, moves = text.partition(" ")
        tiles = _read(board.replace("/", ""), self.size)
        if not re.fullmatch("[0-9]{0,5}", moves.strip()) or int(moves or 0) > self.limit:
            raise ValueError(say("sliding.moves", most=self.limit, got=moves.strip()[:20]))
        state.tiles, state.gap, state.num_moves = _pack(tiles), tiles.index(0), int(moves or 0)

    def view(self, state: Record) -> Grid:
        tiles = [self.tile(state, cell) for cell in range(self.num_cells)]
        return self._squares.grid([tile - 1 if tile else EMPTY for tile in tiles], SYMBOLS)

    def _scrambled(self) -> Bits:
        """The tiles after random moves from the goal, none of which takes back the one before."""
        tiles, gap, before, rng = [*range(1, self.num_cells), 0], self.num_cells - 1, -1, new_rng(self.seed)
        for _ in range(self.scramble):
            cells = [int(cell) for cell in self.neighbours[gap] if cell >= 0 and cell != before]
            before, gap = gap, cells[below(rng, len(cells))]
            tiles[before], tiles[gap] = tiles[gap], 0
        return _pack(tiles)


def _pack(tiles: list[int]) -> Bits:
    return np.uint64(sum(tile << 4 * cell for cell, tile in enumerate(tiles)))


@cache
def _line_distances(size: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Tables of what the tiles of each row, and of each column, add to `distance`, for all tiles that can be in it.

    A row counts the steps of its tiles to the left and right and its conflicts, a column those up and down.
    """
    detours = np.array([2 * _in_the_way(places) for places in product(range(size + 1), repeat=size)])
    words = np.arange(16**size)
    tiles = np.minimum(words[:, None] >> (4 * np.arange(size)) & 15, size * size)  # [word, place]; none is higher
    goals = np.divmod(np.arange(-1, size * size), size)  # the row and the column of each tile
    distances = []
    for across, along in (goals, goals[::-1]):  # a tile belongs to the line `across`, at the place `along` in it
        steps = np.where(tiles > 0, abs(along[tiles] - np.arange(size)), 0).sum(axis=1)
        lines = []
        for line in range(size):
            places = np.where((tiles > 0) & (across[tiles] == line), 1 + along[tiles], 0)
            lines.append(steps + detours[places @ (size + 1) ** np.arange(size)[::-1]])
        distances.append(np.array(lines, np.int8))
    return distances[0], distances[1]


def _in_the_way(places: tuple[int, ...]) -> int:
    """How many tiles of a line must leave it. `places` gives, for each cell of the line, the goal place of its tile in
    the line, from 1 on; 0 if the tile belongs elsewhere."""
    longest: list[int] = []  # ordered sequence that ends with each tile
    own = [place for place in places if place]
    for i, place in enumerate(own):
        longest.append(1 + max((longest[j] for j in range(i) if own[j] < place), default=0))
    return len(own) - max(longest, default=0)


def _read(board: str, size: int) -> list[int]:
    """The tiles of a board written like 123456780: one hexadecimal digit per cell, 0 for the gap."""
    solved = DIGITS[1 : size * size] + "0"
    if sorted(board.lower()) != sorted(solved):
        raise ValueError(say("sliding.board", digits=solved, got=board))
    tiles = [DIGITS.index(digit) for digit in board.lower()]
    # Every move exchanges a tile with the gap, and moves the gap one step nearer or farther.
    gap = tiles.index(0)
    steps = 2 * size - 2 - gap // size - gap % size
    exchanges, order = 0, [tile or size * size for tile in tiles]
    for cell in range(len(order)):
        while order[cell] != cell + 1:
            other = order[cell] - 1
            order[cell], order[other] = order[other], order[cell]
            exchanges += 1
    if exchanges % 2 != steps % 2:
        raise ValueError(say("sliding.unsolvable", board=board))
    return tiles
