"""Morpion Solitaire: add a dot that completes a line of five, draw the line, as often as you can.

The first 36 dots are the outline of a cross. The grid has no end in the rules; here it has 32 x 32 points,
numbered row by row from the top left, with the cross in the middle. A move takes the dots at most one row further
out, and among 100,000 random games none came nearer than 6 rows to the edge. A dot on the edge itself, from which
the next could lead outside, is answered with an error.

A line is 4 * its first point + its direction, which is one of

    0 to the right    1 down to the right    2 down    3 down to the left

and a move is 5 * the line + the place in it, 0 to 4, of the new dot.

Each point is a byte: DOT, and a bit for each direction in which a line takes it. Lines in one direction may not
share a dot (5D), so that a line takes five points; or not more than an end (5T), so that it takes the four
segments between them, each known by its first point.
"""

from typing import ClassVar

import numpy as np

from damier.core.bits import Bits
from damier.core.errors import RulesError
from damier.core.messages import say
from damier.core.protocol import Moves, Planes, Record, Rng, Values
from damier.core.rng import below, mix
from damier.core.squares import Squares

SIDE = 32
POINTS = SIDE * SIDE
DOT = 16
ROOM = 128  # for the legal moves: 28 at the start, at most 41 in random games, 50 in games that go for many of them
CROSS = """
    ...oooo...
    ...o..o...
    ...o..o...
    oooo..oooo
    o........o
    o........o
    oooo..oooo
    ...o..o...
    ...o..o...
    ...oooo...
"""
MAX_LENGTH = {
    # A dot is on at most 4 lines and a line has 5 dots, so that n lines need 5 n <= 4 (36 + n).
    "5D": 144,
    # Demaine, Demaine, Langerman, Langerman: Morpion Solitaire, Theory of Computing Systems 39, 2006.
    "5T": 705,
}


class Morpion:
    """Morpion Solitaire: add dots to a cross, each completing a line of five."""

    version = 1
    State = np.dtype(
        [
            ("lines", np.uint64),  # a hash of the lines drawn
            ("num_moves", np.int16),
            ("num_legal", np.int16),
            ("legal", np.int16, (ROOM,)),  # the legal moves, in order, then zeros
            ("points", np.uint8, (POINTS,)),
            ("player", np.int8),
        ]
    )
    num_players = 1
    max_moves = ROOM
    num_actions = 4 * POINTS
    encode_shape = (5, SIDE, SIDE)
    choices: ClassVar = {"variant": tuple(MAX_LENGTH)}

    def __init__(self, variant: str = "5D") -> None:
        if variant.upper() not in MAX_LENGTH:
            raise ValueError(say("morpion.variant", known=list(MAX_LENGTH), got=variant))
        self.variant = variant.upper()
        self.taken = 5 if self.variant == "5D" else 4  # how many points a line takes in its direction
        self.max_length = MAX_LENGTH[self.variant]
        self.step = np.array([1, SIDE + 1, SIDE, SIDE - 1])
        self.cross = np.array(_cross(), np.int16)
        self._squares = Squares(SIDE, SIDE)

    def setup(self, state: Record) -> None:
        state.lines = 0
        state.player = state.num_moves = state.num_legal = 0
        state.legal[:] = 0
        state.points[:] = 0
        for point in self.cross:
            state.points[point] = DOT
        for point in self.cross:
            self.add_lines_through(state, point)

    def moves(self, state: Record, out: Moves) -> int:
        for i in range(state.num_legal):
            out[i] = state.legal[i]
        return int(state.num_legal)

    def sample(self, state: Record, rng: Rng) -> int:
        return int(state.legal[below(rng, state.num_legal)]) if state.num_legal else -1

    def play(self, state: Record, move: int) -> None:
        line, place = move // 5, move % 5
        first, step = line // 4, self.step[line % 4]
        dot = first + place * step
        if dot % SIDE == 0 or dot % SIDE == SIDE - 1 or dot < SIDE or dot >= POINTS - SIDE:
            raise RulesError("morpion.too-wide")
        state.points[dot] |= DOT
        for i in range(self.taken):
            state.points[first + i * step] |= 1 << line % 4
        drawn: Bits = np.uint64(1 + line)
        state.lines ^= mix(drawn)
        state.num_moves += 1
        self.drop_illegal(state, line, dot)
        self.add_lines_through(state, dot)

    def drop_illegal(self, state: Record, line: int, dot: int) -> None:
        """Keep the moves that neither add the same dot nor overlap the new line."""
        kept = 0
        for i in range(state.num_legal):
            move = state.legal[i]
            other = move // 5
            is_elsewhere = other // 4 + move % 5 * self.step[other % 4] != dot
            if is_elsewhere and (other % 4 != line % 4 or self.is_free(state, other)):
                state.legal[kept] = move
                kept += 1
        state.legal[kept : state.num_legal] = 0
        state.num_legal = kept

    def add_lines_through(self, state: Record, dot: int) -> None:
        """Find the moves of which this dot is one of the four that are there already."""
        row, col = dot // SIDE, dot % SIDE
        for direction in range(4):
            down, right = 0 if direction == 0 else 1, 0 if direction == 2 else -1 if direction == 3 else 1
            for place in range(5):  # of the dot in the line
                first_row, first_col = row - place * down, col - place * right
                last_row, last_col = first_row + 4 * down, first_col + 4 * right
                if first_row >= 0 and last_row < SIDE and 0 <= first_col < SIDE and 0 <= last_col < SIDE:
                    self.add_if_legal(state, 4 * (SIDE * first_row + first_col) + direction)

    def add_if_legal(self, state: Record, line: int) -> None:
        """Add the move that draws this line, if four of its dots are there and it overlaps no other."""
        first, step = line // 4, self.step[line % 4]
        missing, place = 0, 0
        for i in range(5):
            if not state.points[first + i * step] & DOT:
                missing += 1
                place = i
        if missing == 1 and self.is_free(state, line):
            self.insert(state, 5 * line + place)

    def is_free(self, state: Record, line: int) -> bool:
        """Whether no line in its direction takes any of the points that this one would take."""
        first, step = line // 4, self.step[line % 4]
        for i in range(self.taken):
            if state.points[first + i * step] & (1 << line % 4):
                return False
        return True

    def insert(self, state: Record, move: int) -> None:
        """Put a move in its place among the legal ones, unless it is there: equal positions have equal lists."""
        i = state.num_legal
        while i > 0 and state.legal[i - 1] > move:
            i -= 1
        if i > 0 and state.legal[i - 1] == move:
            return
        if state.num_legal == ROOM:
            raise RulesError("morpion.too-many-moves")
        for j in range(state.num_legal, i, -1):
            state.legal[j] = state.legal[j - 1]
        state.legal[i] = move
        state.num_legal += 1

    def score(self, state: Record) -> int:
        """The number of moves made."""
        return int(state.num_moves)

    def returns(self, state: Record, out: Values) -> None:
        out[0] = 2 * self.score(state) / self.max_length - 1

    def key(self, state: Record) -> Bits:
        """Which lines are drawn says all: the other dots are those of the cross."""
        return state.lines

    def encode(self, state: Record, out: Planes) -> None:
        """Planes: the dots, and for each direction the points that lines take."""
        for point in range(POINTS):
            row, col = point // SIDE, point % SIDE
            out[0, row, col] = state.points[point] // DOT
            for direction in range(4):
                out[1 + direction, row, col] = state.points[point] >> direction & 1

    def action(self, state: Record, move: int) -> int:
        """The line: of its five dots one is missing."""
        return move // 5

    def format_move(self, state: Record, move: int) -> str:
        """The ends of the line."""
        line = move // 5
        first = line // 4
        return f"{self._squares.format(first)}-{self._squares.format(first + 4 * self.step[line % 4])}"

    def parse_move(self, state: Record, text: str) -> int:
        """The ends may come in any order."""
        first, second = text.split("-")
        ends = f"{second.strip()}-{first.strip()}".lower()
        legal = [int(move) for move in state.legal[: state.num_legal]]
        return next((move for move in legal if self.format_move(state, move) == ends), -1)

    def format_position(self, state: Record) -> str:
        """The lines drawn, each by its ends; before the first one `cross`."""
        return " ".join(self.format_move(state, 5 * line) for line in self._lines(state)) or "cross"

    def parse_position(self, state: Record, text: str) -> None:
        self.setup(state)
        waiting = [] if text == "cross" else text.lower().split()
        if not text or len(waiting) > self.max_length:
            raise ValueError(say("morpion.many-lines", most=self.max_length, got=len(waiting)))
        # Any line that can be drawn may be the next: as many dots as lines are added in the end, so none gets stuck.
        while waiting:
            legal = {self.format_move(state, move): int(move) for move in state.legal[: state.num_legal]}
            drawn = next((line for line in waiting if line in legal), None)
            if drawn is None:
                raise ValueError(say("morpion.line", got=waiting[0][:20]))
            waiting.remove(drawn)
            self.play(state, legal[drawn])

    def draw(self, state: Record) -> str:
        """The part of the grid where dots are, with `o` for a dot of the cross and `*` for one that was added."""
        dots = [divmod(point, SIDE) for point in range(POINTS) if state.points[point] & DOT]
        top, bottom = min(row for row, _ in dots) - 1, max(row for row, _ in dots) + 1
        left, right = min(col for _, col in dots) - 1, max(col for _, col in dots) + 1
        canvas = [[" "] * (4 * (right - left) + 1) for _ in range(2 * (bottom - top) + 1)]
        for row in range(top, bottom + 1):
            for col in range(left, right + 1):
                canvas[2 * (row - top)][4 * (col - left)] = self._character(state, SIDE * row + col)
        for point, direction in self._segments(state):
            row, col = divmod(point, SIDE)
            _stroke(canvas, 2 * (row - top), 4 * (col - left), direction)
        lines = ["".join(line).rstrip() for line in canvas]
        labels = [self._squares.row_labels[row] for row in range(top, bottom + 1)]
        drawn = [f"{label:>2} {line}" for label, line in zip(labels, lines[::2], strict=True)]
        between = [f"   {line}".rstrip() for line in lines[1::2]]
        board = [line for pair in zip(drawn, [*between, ""], strict=True) for line in pair]
        columns = "".join(f"{label:<4}" for label in self._squares.col_labels[left : right + 1])
        drawn = [*board[:-1], f"   {columns}".rstrip()]
        return say("board.morpion", board="\n".join(drawn), moves=state.num_moves)

    def _character(self, state: Record, point: int) -> str:
        if not state.points[point] & DOT:
            return "."
        return "o" if point in self.cross else "*"

    def _segments(self, state: Record) -> list[tuple[int, int]]:
        """The strokes from a point to the next in a direction."""
        lines = [(line // 4, line % 4) for line in self._lines(state)]
        return [(first + i * int(self.step[direction]), direction) for first, direction in lines for i in range(4)]

    def _lines(self, state: Record) -> list[int]:
        """The lines drawn. Where lines follow each other without a gap, the first of them begins where the run of
        taken points begins."""
        lines = []
        for direction in range(4):
            run: dict[int, int] = {}  # of each taken point: how many taken ones are before it
            for point in range(POINTS):
                if state.points[point] >> direction & 1:
                    run[point] = run.get(point - int(self.step[direction]), -1) + 1
                    if run[point] % self.taken == 0:
                        lines.append(4 * point + direction)
        return lines


def _stroke(canvas: list[list[str]], row: int, col: int, direction: int) -> None:
    if direction == 0:
        canvas[row][col + 1 : col + 4] = "---"
    elif direction == 2:
        canvas[row + 1][col] = "|"
    else:
        at = col + 2 if direction == 1 else col - 2
        mark = "\\" if direction == 1 else "/"
        canvas[row + 1][at] = mark if canvas[row + 1][at] == " " else "X"


def _cross() -> list[int]:
    rows = CROSS.split()
    margin = (SIDE - len(rows)) // 2
    return [
        SIDE * (margin + row) + margin + col
        for row, line in enumerate(rows)
        for col, character in enumerate(line)
        if character == "o"
    ]
