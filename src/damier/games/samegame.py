"""SameGame: remove groups of equal cells; cells above fall down, empty columns close up.

Cells are numbered column by column from the bottom left, so a column is a run of cells and falling moves them together.
On a board of 3 rows and 4 columns:

     2  5  8 11
     1  4  7 10
     0  3  6  9
     a  b  c  d

A move is the lowest number among the cells of a group, so each group is one move.
"""

import re

import numpy as np

from damier.core.messages import say
from damier.core.protocol import Moves, Planes, Record, Values
from damier.core.rng import below, new_rng
from damier.core.squares import Squares
from damier.core.view import EMPTY, Grid, Symbol

MAX_SIDE = 26
MAX_COLOURS = 9
BONUS = 1000  # for an empty board
COLOURS = "123456789"
SYMBOLS = tuple(Symbol(shape, str(number), -1) for number, shape in enumerate("●○■□▲△◆◇★", 1))


class SameGame:
    """SameGame: remove groups of equal cells, large groups if you can, and all cells if possible."""

    version = 1
    num_players = 1

    def __init__(self, rows: int = 15, cols: int = 15, colours: int = 5, seed: int = 1, board: str = "") -> None:
        self.seed, self.board = seed, board
        if board:
            lines = _read(board)  # its shape and colours override the other options
            rows, cols, colours = len(lines), len(lines[0]), max(map(max, lines))
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise ValueError(say("number.sides", most=MAX_SIDE, rows=rows, cols=cols))
        if not 1 <= colours <= MAX_COLOURS:
            raise ValueError(say("samegame.colours", most=MAX_COLOURS, got=colours))
        if not board:
            rng = new_rng(seed)
            lines = [[1 + below(rng, colours) for _ in range(cols)] for _ in range(rows)]
        self.rows, self.cols, self.colours = rows, cols, colours
        self.size = rows * cols
        self.first = np.array([lines[row][col] for col in range(cols) for row in reversed(range(rows))], np.int8)
        self.State = np.dtype(
            [
                ("player", np.int8),
                ("points", np.int32),
                ("cells", np.int8, (self.size,)),  # 0 for an empty cell, otherwise its colour
                ("group", np.int16, (self.size,)),  # the lowest cell of the group that a cell is in; -1 if it is empty
            ]
        )
        self.max_moves = max(1, self.size // 2)  # a group has at least two cells
        self.max_length = self.max_moves
        self.num_actions = self.size
        self.encode_shape = (colours, rows, cols)
        # (a - 2)^2 + (b - 2)^2 <= (a + b - 2)^2 for a, b >= 2: a colour pays most if it is removed at once.
        counts = [int((self.first == 1 + colour).sum()) for colour in range(colours)]
        self.max_score = BONUS + sum((count - 2) ** 2 for count in counts if count > 2)
        self._squares = Squares(rows, cols)

    def setup(self, state: Record) -> None:
        state.player = state.points = 0
        for cell in range(self.size):
            state.cells[cell] = self.first[cell]
        self.find_groups(state)

    def moves(self, state: Record, out: Moves) -> int:
        count = 0
        for cell in range(self.size):
            if state.group[cell] == cell and self.has_neighbour(state, cell):
                out[count] = cell
                count += 1
        return count

    def has_neighbour(self, state: Record, cell: int) -> bool:
        """Whether the group of this lowest cell has more cells: its neighbours in it are above and to the right."""
        colour = state.cells[cell]
        if cell + self.rows < self.size and state.cells[cell + self.rows] == colour:
            return True
        return (cell + 1) % self.rows != 0 and state.cells[cell + 1] == colour

    def play(self, state: Record, move: int) -> None:
        removed = self.remove_group(state, move)
        state.points += (removed - 2) ** 2
        if state.cells[0] == 0:
            state.points += BONUS
        self.find_groups(state)

    def remove_group(self, state: Record, move: int) -> int:
        """Remove a group, let the other cells fall and the columns close up to the left; return how many were
        removed."""
        removed = to_col = 0
        for col in range(self.cols):
            start, end = col * self.rows, (col + 1) * self.rows
            to = to_col * self.rows
            for cell in range(start, end):
                colour = state.cells[cell]
                if colour == 0:
                    break  # nothing is above an empty cell
                if state.group[cell] == move:
                    removed += 1
                else:
                    state.cells[to] = colour
                    to += 1
            if to > to_col * self.rows:
                to_col += 1
                state.cells[to : to_col * self.rows] = 0
        state.cells[to_col * self.rows :] = 0
        return removed

    def find_groups(self, state: Record) -> None:
        """Label each cell with the lowest cell of its group: a forest in which each points to a lower one."""
        state.group[:] = -1
        for start in range(0, self.size, self.rows):
            for cell in range(start, start + self.rows):
                colour = state.cells[cell]
                if colour == 0:
                    break
                is_as_below = cell > start and state.cells[cell - 1] == colour
                state.group[cell] = state.group[cell - 1] if is_as_below else cell
                if start and state.cells[cell - self.rows] == colour:
                    self.unite(state, cell, cell - self.rows)
        for cell in range(self.size):
            if state.cells[cell]:
                state.group[cell] = state.group[state.group[cell]]

    def unite(self, state: Record, cell: int, other: int) -> None:
        first, second = self.root(state, cell), self.root(state, other)
        if first < second:
            state.group[second] = first
        else:
            state.group[first] = second

    def root(self, state: Record, cell: int) -> int:
        while state.group[cell] != cell:
            cell = state.group[cell]
        return cell

    def score(self, state: Record) -> int:
        """The points so far."""
        return int(state.points)

    def returns(self, state: Record, out: Values) -> None:
        out[0] = 2 * self.score(state) / self.max_score - 1

    def encode(self, state: Record, out: Planes) -> None:
        """A plane for each colour, top row first."""
        for cell in range(self.size):
            row, col = self.rows - 1 - cell % self.rows, cell // self.rows
            for colour in range(self.colours):
                out[colour, row, col] = state.cells[cell] == 1 + colour

    def format_move(self, state: Record, move: int) -> str:
        return self._squares.format(self._square(move))

    def parse_move(self, state: Record, text: str) -> int:
        """Any cell of the group is read."""
        row, col = divmod(self._squares.parse(text), self.cols)
        return int(state.group[col * self.rows + self.rows - 1 - row])

    def format_position(self, state: Record) -> str:
        """The colours of each row, top row first, and the points: `1.../122. 9`."""
        return f"{self._squares.format_cells(self._cells(state), COLOURS)} {state.points}"

    def parse_position(self, state: Record, text: str) -> None:
        board, _, points = text.partition(" ")
        if not re.fullmatch("[0-9]{1,6}", points.strip()):
            raise ValueError(say("samegame.position", got=points[:20]))
        cells = self._squares.parse_cells(board, COLOURS[: self.colours])
        for cell in range(self.size):
            state.cells[cell] = cells[self._square(cell)] + 1
        state.points = int(points)
        self._check_cells(state)
        self.find_groups(state)

    def _check_cells(self, state: Record) -> None:
        """Check that cells have fallen and closed up, and that removing the missing ones can pay that many points."""
        columns = state.cells.reshape(self.cols, self.rows)
        heights = np.count_nonzero(columns, axis=1)
        is_hanging = any(columns[col, height:].any() for col, height in enumerate(heights))
        if is_hanging or heights[: np.count_nonzero(heights)].min(initial=1) == 0:
            raise ValueError(say("samegame.hanging"))
        most = BONUS if not heights.any() else 0
        for colour in range(1, self.colours + 1):
            removed = int((self.first == colour).sum()) - int((state.cells == colour).sum())
            if removed < 0 or removed == 1:
                raise ValueError(say("samegame.removed", got=-removed, colour=colour))
            most += (removed - 2) ** 2 if removed else 0
        if state.points > most:
            raise ValueError(say("samegame.points", most=most, got=state.points))

    def view(self, state: Record) -> Grid:
        return self._squares.grid(self._cells(state), SYMBOLS)

    def _cells(self, state: Record) -> list[int]:
        """The index of each square's colour, row by row from the top."""
        cells = [EMPTY] * self.size
        for cell, colour in enumerate(state.cells):
            cells[self._square(cell)] = int(colour) - 1 if colour else EMPTY
        return cells

    def _square(self, cell: int) -> int:
        """The number of a cell row by row from the top left, as boards are drawn."""
        col, height = divmod(cell, self.rows)
        return (self.rows - 1 - height) * self.cols + col


def _read(board: str) -> list[list[int]]:
    """`"112/221"`: the colours of each row, top row first."""
    rows = board.split("/")
    if not all(row.isdecimal() and len(row) == len(rows[0]) and "0" not in row for row in rows):
        raise ValueError(say("samegame.board", got=board))
    return [[int(colour) for colour in row] for row in rows]
