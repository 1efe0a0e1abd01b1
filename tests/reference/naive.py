"""The rules of the games once more, as plainly as possible: boards are lists of lists, and every question is
answered by looking at the whole board. Slow, short, and unlike the rules that are tested against them."""

from collections import Counter
from copy import deepcopy
from functools import cache
from typing import Any, Protocol

import damier
from damier.core.spec import split_spec
from damier.games import REGISTRY
from tests.reference.naive_blokus import Blokus
from tests.reference.naive_cards import GAMES as CARD_GAMES
from tests.reference.naive_dice import GAMES as DICE_GAMES
from tests.reference.naive_draughts import Draughts
from tests.reference.naive_hidden import GAMES as HIDDEN_GAMES
from tests.reference.naive_search import Walk
from tests.reference.naive_solo import GAMES as ONE_PLAYER_GAMES

BY_OPTIONS = ONE_PLAYER_GAMES | DICE_GAMES | HIDDEN_GAMES | CARD_GAMES  # made with all options of the game

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


class Board(Protocol):
    """A game that is being played. `player` moves next."""

    @property
    def player(self) -> int: ...

    def moves(self) -> list[int]: ...

    def play(self, move: int) -> None: ...

    def returns(self) -> tuple[float, ...]: ...


class Rows:
    """k in a row win. With gravity a move is a column and the stone falls; without, a move is a square."""

    def __init__(self, rows: int, cols: int, k: int, gravity: bool = False) -> None:
        self.rows, self.cols, self.k, self.gravity = rows, cols, k, gravity
        self.cells: list[list[int | None]] = [[None] * cols for _ in range(rows)]  # the top row first
        self.player = 0

    def moves(self) -> list[int]:
        if self.winner() is not None:
            return []
        if self.gravity:
            return [col for col in range(self.cols) if self.cells[0][col] is None]
        return [square for square in range(self.rows * self.cols) if self.owner(square) is None]

    def owner(self, square: int) -> int | None:
        return self.cells[square // self.cols][square % self.cols]

    def play(self, move: int) -> None:
        if self.gravity:
            row, col = max(row for row in range(self.rows) if self.cells[row][move] is None), move
        else:
            row, col = divmod(move, self.cols)
        self.cells[row][col] = self.player
        self.player = 1 - self.player

    def winner(self) -> int | None:
        for row in range(self.rows):
            for col in range(self.cols):
                owner = self.cells[row][col]
                if owner is not None and any(self.has_row(row, col, *direction) for direction in DIRECTIONS):
                    return owner
        return None

    def has_row(self, row: int, col: int, down: int, right: int) -> bool:
        """Whether k stones of one player lie in this direction, from this one on."""
        last_row, last_col = row + (self.k - 1) * down, col + (self.k - 1) * right
        if not (0 <= last_row < self.rows and 0 <= last_col < self.cols):
            return False
        return all(self.cells[row + i * down][col + i * right] == self.cells[row][col] for i in range(self.k))

    def returns(self) -> tuple[float, float]:
        winner = self.winner()
        return (0, 0) if winner is None else (1, -1) if winner == 0 else (-1, 1)


class Reversi:
    """Othello, ray by ray."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.cells: list[list[int | None]] = [[None] * size for _ in range(size)]
        half = size // 2
        self.cells[half - 1][half - 1] = self.cells[half][half] = 1
        self.cells[half - 1][half] = self.cells[half][half - 1] = 0
        self.player = 0

    def moves(self) -> list[int]:
        placements = self.placements(self.player)
        if not placements and self.placements(1 - self.player):
            return [self.size * self.size]  # pass
        return placements

    def placements(self, player: int) -> list[int]:
        squares = range(self.size * self.size)
        return [square for square in squares if self.turned(*divmod(square, self.size), player)]

    def turned(self, row: int, col: int, player: int) -> list[tuple[int, int]]:
        """The discs that turn over if this player places one here."""
        if self.cells[row][col] is not None:
            return []
        return [disc for direction in DIRECTIONS for disc in self.turned_along(row, col, player, *direction)]

    def turned_along(self, row: int, col: int, player: int, down: int, right: int) -> list[tuple[int, int]]:
        discs: list[tuple[int, int]] = []
        row, col = row + down, col + right
        while 0 <= row < self.size and 0 <= col < self.size:
            if self.cells[row][col] is None:
                return []
            if self.cells[row][col] == player:
                return discs
            discs.append((row, col))
            row, col = row + down, col + right
        return []

    def play(self, move: int) -> None:
        if move < self.size * self.size:
            row, col = divmod(move, self.size)
            for turned_row, turned_col in [*self.turned(row, col, self.player), (row, col)]:
                self.cells[turned_row][turned_col] = self.player
        self.player = 1 - self.player

    def returns(self) -> tuple[float, float]:
        owners = [owner for row in self.cells for owner in row]
        lead = owners.count(0) - owners.count(1)
        return (1, -1) if lead > 0 else (-1, 1) if lead < 0 else (0, 0)


def new_board(spec: str) -> Board:
    """The naive form of a game, by its text name."""
    name, options = split_spec(spec)
    if REGISTRY[name].locator == REGISTRY["draughts"].locator:
        return Draughts(damier.game(spec).options)
    if name in BY_OPTIONS:
        board: Board = BY_OPTIONS[name](**_options(spec))
        return board
    if name == "blokus":
        return Blokus(spec)
    if name == "tree":
        return Walk(damier.game(spec).rules._root)
    numbers = REGISTRY[name].preset | {option: int(value) for option, value in options.items()}
    if name == "tictactoe":
        return Rows(3, 3, 3)
    if name == "connect4":
        return Rows(numbers.get("rows", 6), numbers.get("cols", 7), 4, gravity=True)
    if name == "othello":
        return Reversi(numbers.get("size", 8))
    if REGISTRY[name].locator == REGISTRY["mnk"].locator:
        return Rows(numbers.get("rows", 5), numbers.get("cols", 5), numbers.get("k", 4))
    raise KeyError(f"the rules of {name} are not written here yet")


@cache
def _options(spec: str) -> dict[str, Any]:
    return damier.game(spec).options


def count(board: Board, depth: int) -> tuple[list[int], list[int]]:
    """After 1, 2, ... depth moves: the leaves of the move tree, and the different positions among them."""
    boards, ways = {_identity(board): board}, Counter({_identity(board): 1})
    leaves, positions = [], []
    for _ in range(depth):
        next_boards: dict[str, Board] = {}
        next_ways: Counter[str] = Counter()
        for identity, each in boards.items():
            for move in each.moves():
                successor = deepcopy(each)
                successor.play(move)
                next_boards[_identity(successor)] = successor
                next_ways[_identity(successor)] += ways[identity]
        boards, ways = next_boards, next_ways
        leaves.append(ways.total())
        positions.append(len(boards))
    return leaves, positions


def _identity(board: Board) -> str:
    return str(vars(board))
