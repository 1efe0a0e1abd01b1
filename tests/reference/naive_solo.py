"""The one-player games once more, as plainly as possible."""

from typing import Any

from damier.core.rng import below, new_rng

Point = tuple[int, int]

NEIGHBOURS = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Left:
    """The left-move problem: the moves, in a list."""

    player = 0

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.made: list[int] = []

    def moves(self) -> list[int]:
        return [0, 1] if len(self.made) < self.depth else []

    def play(self, move: int) -> None:
        self.made.append(move)
        self.made.sort()  # in which order they were made does not count

    def score(self) -> int:
        return self.made.count(0)

    def returns(self) -> tuple[float, ...]:
        return (2 * self.score() / self.depth - 1,)


class Same:
    """SameGame: the columns are lists of colours from the bottom up, and empty columns are not kept."""

    player = 0

    def __init__(self, rows: int, cols: int, colours: int, seed: int, board: str = "") -> None:
        if not board:
            rng = new_rng(seed)
            board = "/".join("".join(str(1 + below(rng, colours)) for _ in range(cols)) for _ in range(rows))
        lines = board.split("/")
        self.rows = len(lines)
        self.columns = [[int(line[col]) for line in reversed(lines)] for col in range(len(lines[0]))]
        counts = [board.count(colour) for colour in "123456789"]
        self.most = 1000 + sum(max(0, count - 2) ** 2 for count in counts)
        self.points = 0

    def moves(self) -> list[int]:
        cells = [(col, height) for col, column in enumerate(self.columns) for height in range(len(column))]
        groups = [self.group(cell) for cell in cells]
        return sorted({self.number(min(group)) for group in groups if len(group) >= 2})

    def number(self, cell: Point) -> int:
        return cell[0] * self.rows + cell[1]

    def group(self, cell: Point) -> set[Point]:
        found, waiting = {cell}, [cell]
        while waiting:
            col, height = waiting.pop()
            for right, up in NEIGHBOURS:
                other = (col + right, height + up)
                if other not in found and self.colour(other) == self.colour(cell):
                    found.add(other)
                    waiting.append(other)
        return found

    def colour(self, cell: Point) -> int | None:
        col, height = cell
        is_there = 0 <= col < len(self.columns) and 0 <= height < len(self.columns[col])
        return self.columns[col][height] if is_there else None

    def play(self, move: int) -> None:
        group = self.group((move // self.rows, move % self.rows))
        left = [
            [colour for height, colour in enumerate(column) if (col, height) not in group]
            for col, column in enumerate(self.columns)
        ]
        self.columns = [column for column in left if column]
        self.points += (len(group) - 2) ** 2 + (1000 if not self.columns else 0)

    def score(self) -> int:
        return self.points

    def returns(self) -> tuple[float, ...]:
        return (2 * self.points / self.most - 1,)


class Morpion:
    """Morpion Solitaire: the dots, and the lines as lists of five points."""

    player = 0
    SIDE = 32
    DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1))

    def __init__(self, variant: str) -> None:
        self.may_share = {"5D": 0, "5T": 1}[variant]  # how many dots lines in one direction may share
        self.longest = {"5D": 144, "5T": 705}[variant]
        # an arm of the cross is four dots wide, and they stand out by three
        outline = [(0, 3), (0, 4), (0, 5), (0, 6), (1, 3), (1, 6), (2, 3), (2, 6)]
        outline += [(3, 0), (3, 1), (3, 2), (3, 3), (3, 6), (3, 7), (3, 8), (3, 9), (4, 0), (4, 9)]
        halves = outline + [(9 - row, col) for row, col in outline]
        self.dots = sorted((11 + row, 11 + col) for row, col in halves)
        self.lines: list[tuple[int, list[Point]]] = []

    def moves(self) -> list[int]:
        rows, cols = [row for row, _ in self.dots], [col for _, col in self.dots]
        found = []
        for row in range(min(rows) - 1, max(rows) + 2):
            for col in range(min(cols) - 1, max(cols) + 2):
                for direction in range(4):
                    line = self.line((row, col), direction)
                    missing = [place for place, point in enumerate(line) if point not in self.dots]
                    if len(missing) == 1 and not self.overlaps(direction, line):
                        found.append(5 * (4 * (self.SIDE * row + col) + direction) + missing[0])
        return sorted(found)

    def line(self, first: Point, direction: int) -> list[Point]:
        down, right = self.DIRECTIONS[direction]
        return [(first[0] + i * down, first[1] + i * right) for i in range(5)]

    def overlaps(self, direction: int, line: list[Point]) -> bool:
        drawn = [other for drawn, other in self.lines if drawn == direction]
        return any(len({*line} & {*other}) > self.may_share for other in drawn)

    def play(self, move: int) -> None:
        point, direction = divmod(move // 5, 4)
        line = self.line(divmod(point, self.SIDE), direction)
        self.dots = sorted([*self.dots, line[move % 5]])
        self.lines = sorted([*self.lines, (direction, line)])

    def score(self) -> int:
        return len(self.lines)

    def returns(self) -> tuple[float, ...]:
        return (2 * len(self.lines) / self.longest - 1,)


class Slide:
    """The sliding puzzle: the tiles in rows, 0 for the gap."""

    player = 0

    def __init__(self, size: int, scramble: int, seed: int, limit: int, board: str = "") -> None:
        self.size, self.limit, self.made = size, limit, 0
        solved = [*range(1, size * size), 0]
        self.goal = [solved[row * size : (row + 1) * size] for row in range(size)]
        self.cells = [list(row) for row in self.goal]
        if board:
            tiles = [int(digit, 16) for digit in board]
            self.cells = [tiles[row * size : (row + 1) * size] for row in range(size)]
            return
        rng, last = new_rng(seed), 0
        for _ in range(scramble):
            movable = [tile for tile in self.movable() if tile != last]
            last = movable[below(rng, len(movable))]
            self.slide(last)

    def find(self, tile: int) -> Point:
        cells = ((row, col) for row in range(self.size) for col in range(self.size))
        return next((row, col) for row, col in cells if self.cells[row][col] == tile)

    def movable(self) -> list[int]:
        """The tiles beside the gap: above, on the left, on the right, below."""
        row, col = self.find(0)
        cells = [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
        return [self.cells[r][c] for r, c in cells if 0 <= r < self.size and 0 <= c < self.size]

    def slide(self, tile: int) -> None:
        (gap_row, gap_col), (row, col) = self.find(0), self.find(tile)
        self.cells[gap_row][gap_col], self.cells[row][col] = tile, 0

    def moves(self) -> list[int]:
        return [] if self.cells == self.goal or self.made == self.limit else sorted(self.movable())

    def play(self, move: int) -> None:
        self.slide(move)
        self.made += 1

    def score(self) -> int:
        return self.made

    def returns(self) -> tuple[float, ...]:
        return (1 - self.made / (self.limit + 1) if self.cells == self.goal else -1,)


GAMES: dict[str, type[Any]] = {"leftmove": Left, "samegame": Same, "morpion": Morpion, "sliding": Slide}

BOARDS = [
    "leftmove:depth=1",
    "samegame:rows=1,cols=9,colours=2",
    "samegame:rows=9,cols=1,colours=2,seed=2",
    "samegame:rows=6,cols=4,colours=3,seed=3",
    "samegame:board=1",
    "samegame:board=11/11",
    "morpion:variant=5T",
    "sliding:size=2,scramble=6",
    "sliding:scramble=4,limit=10",
    "sliding:size=4,seed=2",
    "sliding:size=4,board=fe169b4c0a73d852",
    "sliding:scramble=0",
]
"""Boards that are small or unusual, for tests of every kind."""
