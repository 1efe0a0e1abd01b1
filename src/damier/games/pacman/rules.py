"""Pac-Man: eat all the food of a maze and don't meet a ghost.

A layout is a text: `#` is a wall, `.` food, `P` Pac-Man, `G` a ghost, and a space is empty. Cells are numbered row by
row from the top left. Pac-Man moves, then each ghost in turn, one cell north, east, south or west: moves 0 to 3. Chance
moves the ghosts, all ways equally likely, or a second player does.
"""

import re
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from damier.core.files import folder_of, is_file, user_path
from damier.core.messages import say
from damier.core.options import FileName
from damier.core.protocol import CHANCE, Moves, Planes, Record, Values
from damier.core.squares import Squares
from damier.core.view import EMPTY, Grid, Symbol

LAYOUTS = folder_of(__file__) / "layouts"
GHOSTS = ("chance", "adversary")
DIRECTIONS = ("north", "east", "south", "west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
MAX_GHOSTS, MAX_CELLS, MAX_LIMIT = 4, 1000, 10_000
FAR = 9999
SIGNS = "%._"  # of walls, food and nothing in a position as text; in a layout # is a wall
SYMBOLS = (Symbol("█", "#", -1, "blue"), Symbol("•", ".", -1), Symbol("C", "C", 0), Symbol("☻", "G", 1))


class PacMan:
    """Pac-Man: eat all the food and avoid the ghosts, which wander at random or hunt."""

    version = 1
    max_moves = num_actions = 4
    choices: ClassVar = {"ghosts": GHOSTS, "layout": tuple(sorted(path.stem for path in LAYOUTS.glob("*.txt")))}

    def __init__(self, layout: FileName = "small", ghosts: str = "chance", limit: int = 100) -> None:
        if ghosts not in GHOSTS:
            raise ValueError(say("pacman.ghosts", known=list(GHOSTS), got=ghosts))
        if not 1 <= limit <= MAX_LIMIT:
            raise ValueError(say("pacman.limit", most=MAX_LIMIT, got=limit))
        self.layout, self.ghosts, self.limit = layout, ghosts, limit
        rows = _read(layout)
        text = "".join(rows)
        self.rows, self.cols = len(rows), len(rows[0])
        self.num_players = 1 if ghosts == "chance" else 2
        self.uses_chance = ghosts == "chance"
        self.ghost_player = CHANCE if self.uses_chance else 1
        self.num_ghosts = text.count("G")
        self.max_length = limit * (1 + self.num_ghosts)
        self.walls = np.array([cell == "#" for cell in text])
        self.first_food = np.array([cell == "." for cell in text], np.int8)
        self.num_food = text.count(".")
        self.first_pacman = text.index("P")
        self.first_ghosts = np.array([cell for cell, sign in enumerate(text) if sign == "G"])
        self.neighbours = _neighbours(self.walls, self.cols)  # [cell, direction], -1 where a wall is
        self.distances = _distances(self.neighbours)  # [cell, cell]
        self.State = np.dtype(
            [
                ("player", np.int8),
                ("mover", np.int8),  # 0 for Pac-Man, from 1 on the ghosts
                ("pacman", np.int16),
                ("ghosts", np.int16, (self.num_ghosts,)),
                ("num_steps", np.int16),
                ("food_left", np.int16),
                ("food", np.int8, (len(text),)),
            ]
        )
        self.encode_shape = (6, self.rows, self.cols)
        self._squares = Squares(self.rows, self.cols)

    def setup(self, state: Record) -> None:
        state.player = state.mover = state.num_steps = 0
        state.pacman, state.food_left = self.first_pacman, self.num_food
        for ghost in range(self.num_ghosts):
            state.ghosts[ghost] = self.first_ghosts[ghost]
        for cell in range(self.walls.size):
            state.food[cell] = self.first_food[cell]

    def moves(self, state: Record, out: Moves) -> int:
        return 0 if self.is_over(state) else self.ways(state, out)

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        count = self.ways(state, out)
        for way in range(count):
            probs[way] = 1 / count
        return count

    def ways(self, state: Record, out: Moves) -> int:
        """The directions in which there is no wall."""
        cell = state.pacman if state.mover == 0 else state.ghosts[state.mover - 1]
        count = 0
        for direction in range(4):
            if self.neighbours[cell, direction] >= 0:
                out[count] = direction
                count += 1
        return count

    def play(self, state: Record, move: int) -> None:
        if state.mover == 0:
            state.pacman = self.neighbours[state.pacman, move]
            state.num_steps += 1
            if not self.is_caught(state):
                state.food_left -= state.food[state.pacman]
                state.food[state.pacman] = 0
        else:
            state.ghosts[state.mover - 1] = self.neighbours[state.ghosts[state.mover - 1], move]
        state.mover = (state.mover + 1) % (1 + self.num_ghosts)
        state.player = 0 if state.mover == 0 or self.is_over(state) else self.ghost_player

    def is_caught(self, state: Record) -> bool:
        for ghost in range(self.num_ghosts):
            if state.ghosts[ghost] == state.pacman:
                return True
        return False

    def is_over(self, state: Record) -> bool:
        is_late = state.mover == 0 and state.num_steps == self.limit
        return is_late or state.food_left == 0 or self.is_caught(state)

    def score(self, state: Record) -> int:
        """The food eaten."""
        return int(self.num_food - state.food_left)

    def returns(self, state: Record, out: Values) -> None:
        out[0] = self.score(state) / self.num_food - (1 if self.is_caught(state) else 0)
        if self.num_players == 2:
            out[1] = -out[0]

    def evaluate(self, state: Record, out: Values) -> None:
        """The share of food eaten; lower if a ghost is near, and slightly higher if food is near."""
        ghost = food = FAR
        for number in range(self.num_ghosts):
            ghost = min(ghost, self.distances[state.pacman, state.ghosts[number]])
        for cell in range(self.walls.size):
            if state.food[cell]:
                food = min(food, self.distances[state.pacman, cell])
        value = self.score(state) / self.num_food - 1 / (1 + ghost) + 0.1 / (1 + food)
        out[0] = max(-1.0, min(1.0, value))
        if self.num_players == 2:
            out[1] = -out[0]

    def encode(self, state: Record, out: Planes) -> None:
        """Planes: walls, food, Pac-Man, ghosts, who moves next as a share of all, the share of the steps used up."""
        for cell in range(self.walls.size):
            row, col = cell // self.cols, cell % self.cols
            out[0, row, col] = self.walls[cell]
            out[1, row, col] = state.food[cell]
            out[2, row, col] = state.pacman == cell
            out[3, row, col] = 0
            out[4, row, col] = state.mover / (1 + self.num_ghosts)
            out[5, row, col] = state.num_steps / self.limit
        for ghost in range(self.num_ghosts):
            cell = state.ghosts[ghost]
            out[3, cell // self.cols, cell % self.cols] += 1

    def format_move(self, state: Record, move: int) -> str:
        return DIRECTIONS[move]

    def parse_move(self, state: Record, text: str) -> int:
        """The first letter is enough."""
        return "nesw".index(text.lower())

    def format_position(self, state: Record) -> str:
        """The maze with the food that is left, where Pac-Man and the ghosts are, the steps made and who moves, 0 for
        Pac-Man: `%%%%/%._%/%%%% P=c2 G=b2 steps=3 mover=0`."""
        cells = [0 if wall else 1 if food else 2 for wall, food in zip(self.walls, state.food, strict=True)]
        ghosts = ",".join(map(self._squares.format, state.ghosts))
        pacman = self._squares.format(state.pacman)
        maze = self._squares.format_cells(cells, SIGNS)
        return f"{maze} P={pacman} G={ghosts} steps={state.num_steps} mover={state.mover}"

    def parse_position(self, state: Record, text: str) -> None:
        match = re.fullmatch(r"(\S+) P=(\w+) G=([\w,]+) steps=([0-9]{1,5}) mover=([0-9])", text)
        if match is None:
            raise ValueError(say("pacman.position"))
        cells = np.array(self._squares.parse_cells(match[1], SIGNS))
        if (cells == EMPTY).any() or ((cells == 0) != self.walls).any() or (self.first_food < (cells == 1)).any():
            raise ValueError(say("pacman.other-maze"))
        places = [self._squares.parse(word) for word in (match[2], *match[3].split(","))]
        if len(places) != 1 + self.num_ghosts or self.walls[places].any():
            raise ValueError(say("pacman.in-wall", ghosts=self.num_ghosts))
        state.pacman, state.ghosts[:] = places[0], places[1:]
        state.food[:] = cells == 1
        state.food_left = int(state.food.sum())
        state.num_steps, state.mover = int(match[4]), int(match[5])
        self._check_counts(state)
        state.player = 0 if state.mover == 0 or self.is_over(state) else self.ghost_player

    def _check_counts(self, state: Record) -> None:
        if state.num_steps > self.limit or state.mover > self.num_ghosts or (state.mover and not state.num_steps):
            raise ValueError(say("pacman.steps", most=self.limit, ghosts=self.num_ghosts))
        if self.score(state) > state.num_steps:
            raise ValueError(say("pacman.eaten", most=state.num_steps, got=self.score(state)))
        if state.food[state.pacman] and not self.is_caught(state):
            raise ValueError(say("pacman.food-here"))

    def view(self, state: Record) -> Grid:
        cells = [0 if wall else 1 if food else EMPTY for wall, food in zip(self.walls, state.food, strict=True)]
        cells[state.pacman] = 2
        for ghost in state.ghosts:
            cells[ghost] = 3
        mover = "Pac-Man" if state.mover == 0 else say("board.ghost", number=state.mover)
        note = say("board.pacman", mover=mover, food=state.food_left, steps=self.limit - state.num_steps)
        grid = self._squares.grid(cells, SYMBOLS)
        return Grid(grid.cells, grid.row_labels, grid.col_labels, SYMBOLS, ruled=False, notes=(note,))


def _read(layout: str) -> list[str]:
    """The rows of a layout by its name, or by the path of a file that ends in .txt."""
    path = user_path(layout) if layout.endswith(".txt") else LAYOUTS / f"{layout}.txt"
    if not is_file(path):
        names = sorted(file.stem for file in LAYOUTS.glob("*.txt"))
        raise ValueError(say("pacman.no-layout", known=names, got=layout))
    try:
        rows = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    except OSError as error:
        raise ValueError(say("pacman.unreadable", layout=layout, why=error.strerror)) from None
    except UnicodeDecodeError:
        raise ValueError(say("pacman.no-text", layout=layout)) from None
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]) or set(row) - set("#. PG"):
            got = repr(row)[1:-1]
            raise ValueError(say("pacman.line", layout=layout, line=number, count=len(rows[0]), got=got))
    text = "".join(rows)
    if len(text) > MAX_CELLS or text.count("P") != 1 or not 1 <= text.count("G") <= MAX_GHOSTS or "." not in text:
        counts = {"pacmen": text.count("P"), "ghosts": text.count("G"), "food": text.count(".")}
        most = {"most": MAX_CELLS, "most_ghosts": MAX_GHOSTS}
        raise ValueError(say("pacman.signs", layout=layout, cells=len(text), **most, **counts))
    neighbours = _neighbours(np.array([cell == "#" for cell in text]), len(rows[0]))
    for cell, sign in enumerate(text):
        if sign in "PG" and neighbours[cell].max() < 0:
            line = 1 + cell // len(rows[0])
            raise ValueError(say("pacman.enclosed", layout=layout, line=line, sign=sign))
    return rows


def _neighbours(walls: NDArray[np.bool_], cols: int) -> NDArray[np.int16]:
    rows = len(walls) // cols
    found = np.full((len(walls), 4), -1, np.int16)
    for cell in np.flatnonzero(~walls):
        for direction, (down, right) in enumerate(STEPS):
            row, col = cell // cols + down, cell % cols + right
            if 0 <= row < rows and 0 <= col < cols and not walls[row * cols + col]:
                found[cell, direction] = row * cols + col
    return found


def _distances(neighbours: NDArray[np.int16]) -> NDArray[np.int16]:
    """The length of the shortest way between two cells, breadth first from each."""
    distances = np.full((len(neighbours), len(neighbours)), FAR, np.int16)
    for start in range(len(neighbours)):
        distances[start, start] = 0
        queue = [start]
        for cell in queue:
            for neighbour in neighbours[cell]:
                if neighbour >= 0 and distances[start, neighbour] == FAR:
                    distances[start, neighbour] = distances[start, cell] + 1
                    queue.append(int(neighbour))
    return distances
