"""Blokus from its rule book: a board is a set of squares for each colour, and a placement is a set of squares."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import damier

Cell = tuple[int, int]
Shape = frozenset[Cell]

SIZES = {"classic": 20, "duo": 14, "junior": 14}
PLAYERS = {"classic": 4, "duo": 2, "junior": 2, "tiny": 2}
JUNIOR_FIVES = ({(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)}, {(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)})
JUNIOR_P = {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)}


def sides(cell: Cell) -> set[Cell]:
    row, col = cell
    return {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}


def corners(cell: Cell) -> set[Cell]:
    row, col = cell
    return {(row + down, col + right) for down in (-1, 1) for right in (-1, 1)}


def at_home(cells: Any) -> Shape:
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return frozenset((row - top, col - left) for row, col in cells)


def turned(shape: Any) -> set[Shape]:
    """Every way to lay a piece."""
    found = set()
    for _ in range(4):
        shape = {(col, -row) for row, col in shape}
        found |= {at_home(shape), at_home({(row, -col) for row, col in shape})}
    return found


@cache
def all_pieces() -> list[set[Shape]]:
    """Grown square by square, each with all the ways to lay it."""
    pieces = [turned({(0, 0)})]
    grown = list(pieces)
    for _ in range(4):
        shapes = {
            at_home({*shape, cell})
            for piece in grown
            for shape in piece
            for old in shape
            for cell in sides(old) - shape
        }
        grown = []
        while shapes:
            grown.append(turned(next(iter(shapes))))
            shapes -= grown[-1]
        pieces += sorted(grown, key=lambda piece: min(map(sorted, piece)))
    return pieces


@cache
def pieces_of(board: str, largest: int) -> list[set[Shape]]:
    """The pieces of a colour; Junior has each twice."""
    chosen = [piece for piece in all_pieces() if len(next(iter(piece))) <= largest]
    if board == "junior":
        fives = [turned(shape) for shape in (*JUNIOR_FIVES, JUNIOR_P)]
        chosen = 2 * [piece for piece in chosen if len(next(iter(piece))) < 5 or piece in fives]
    return chosen


def placements(size: int, pieces: list[set[Shape]]) -> Iterator[Shape]:
    for shape in {shape for piece in pieces for shape in piece}:
        for row in range(size):
            for col in range(size):
                cells = frozenset((row + r, col + c) for r, c in shape)
                if all(r < size and c < size for r, c in cells):
                    yield cells


@cache
def numbers(spec: str) -> dict[Shape, int]:
    """How our rules number the placements."""
    rules = damier.game(spec).rules
    size = rules.num_rows
    return {frozenset(divmod(square, size) for square in rules.cells_of(move)): move for move in range(rules.max_moves)}


class Blokus:
    """A game of Blokus that is being played."""

    def __init__(self, spec: str) -> None:
        options = damier.game(spec).options
        self.spec = spec
        board = options["board"]
        self.num_players = options["players"] or PLAYERS[board]
        self.num_colours = options["colours"] or self.num_players
        tiny_size, tiny_largest = (10, 5) if self.num_colours == 2 else (8, 4)
        self.size = options["size"] or SIZES.get(board, tiny_size)
        self.bonus = options["scoring"] == "advanced"
        self.starts = self.starting_cells(board)
        self.piece_set = (board, options["pieces"] or (tiny_largest if board == "tiny" else 5))
        self.cells: list[list[Cell]] = [[] for _ in range(self.num_colours)]  # in order
        self.left = [list(range(len(self.pieces))) for _ in range(self.num_colours)]
        self.single_last = [False] * self.num_colours
        self.turns = [0] * self.num_colours
        self.colour = 0

    def starting_cells(self, board: str) -> list[Cell]:
        inset = 4 if board in ("duo", "junior") else 0
        end = self.size - 1 - inset
        if board == "tiny" and self.num_colours == 2:
            return [(0, 0), (end - 2, end - 2)]
        if inset and self.num_colours == 2:
            return [(inset, inset), (end, end)]
        return [(inset, inset), (inset, end), (end, end), (end, inset)]

    @property
    def pieces(self) -> list[set[Shape]]:
        return pieces_of(*self.piece_set)

    @property
    def player(self) -> int:
        if self.num_players == 2:
            return self.colour % 2
        return self.turns[3] % 3 if self.num_players == 3 and self.colour == 3 else self.colour

    def moves(self) -> list[int]:
        return sorted(numbers(self.spec)[cells] for cells in self.legal(self.colour))

    def legal(self, colour: int) -> set[Shape]:
        mine = self.cells[colour]
        contacts = {cell for old in mine for cell in corners(old)} if mine else {self.starts[colour]}
        closed: set[Cell] = set().union(*self.cells, *map(sides, mine))
        free = self.on_board((row, col) for row in range(self.size) for col in range(self.size)) - closed
        shapes = {shape for number in self.left[colour] for shape in self.pieces[number]}
        found = set()
        for row, col in contacts & free:
            for shape in shapes:
                for r, c in shape:
                    if all((row + i - r, col + j - c) in free for i, j in shape):
                        found.add(frozenset((row + i - r, col + j - c) for i, j in shape))
        return found

    def on_board(self, cells: Any) -> set[Cell]:
        return {(row, col) for row, col in cells if 0 <= row < self.size and 0 <= col < self.size}

    def play(self, move: int) -> None:
        cells = next(cells for cells, number in numbers(self.spec).items() if number == move)
        self.cells[self.colour] = sorted([*self.cells[self.colour], *cells])
        left = self.left[self.colour]
        left.remove(next(number for number in left if at_home(cells) in self.pieces[number]))
        self.single_last[self.colour] = not left and len(cells) == 1
        self.turns[self.colour] += 1
        for _ in range(self.num_colours):
            self.colour = (self.colour + 1) % self.num_colours
            if self.legal(self.colour):
                return

    def score(self, colour: int) -> int:
        bonus = 0
        if self.bonus and not self.left[colour]:
            bonus = 20 if self.single_last[colour] else 15
        return len(self.cells[colour]) + bonus

    def returns(self) -> tuple[float, ...]:
        scores = [self.score(colour) for colour in range(self.num_colours)]
        if self.num_players == 2 and self.num_colours == 4:
            scores = [scores[0] + scores[2], scores[1] + scores[3]]
        scores = scores[: self.num_players]
        winners, n = scores.count(max(scores)), self.num_players
        win, loss = (n - winners) / (winners * (n - 1)), -1 / (n - 1)
        return tuple(win if score == max(scores) else loss for score in scores)
