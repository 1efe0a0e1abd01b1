"""The boards: how large they are, where the colours start, which pieces there are."""

from dataclasses import dataclass

import numpy as np

from damier.core.squares import Permutation, Squares
from damier.games.blokus.pieces import NAMES, PIECES, Cell

COLOURS = ("blue", "yellow", "red", "green")
SCORINGS = ("advanced", "basic")
JUNIOR = ("1", "2", "I3", "V3", "I4", "L4", "O", "T4", "Z4", "I5", "L5", "P")


@dataclass(frozen=True)
class Board:
    """A board as it comes out of its box."""

    size: int
    players: int  # how many there usually are
    inset: int = 0  # how far from the corner of the board a colour starts, in rows and in columns
    pieces: tuple[str, ...] = NAMES
    copies: int = 1  # how often a colour has each piece
    largest: int = 5  # no piece has more squares

    def piece_set(self, largest: int | None) -> list[int]:
        """The pieces in play, by number."""
        limit = self.largest if largest is None else largest
        return [index for index, piece in enumerate(PIECES) if piece.name in self.pieces and piece.size <= limit]


BOARDS = {
    "classic": Board(20, players=4),
    "duo": Board(14, players=2, inset=4),
    "junior": Board(14, players=2, inset=4, pieces=JUNIOR, copies=2),
    "tiny": Board(8, players=2, largest=4),
}


def starts(size: int, inset: int, colours: int) -> list[Cell]:
    """Where each colour starts: clockwise from the top left; two with an inset face each other, as on Duo's board."""
    low, high = inset, size - 1 - inset
    clockwise = [(low, low), (low, high), (high, high), (high, low)]
    return clockwise[::2] if inset and colours == 2 else clockwise[:colours]


def views(squares: Squares, starts: list[Cell]) -> list[Permutation]:
    """[colour]: where each square is seen when the board is turned, or mirrored, so that this colour starts where the
    first one does and those after it where the second, the third ... do. Where the colours' starts don't allow that,
    as with three of four corners, nothing is turned."""
    plain = np.arange(squares.rows * squares.cols)
    all_views = [plain, *(np.argsort(image) for image in squares.symmetries().values())]
    corners = np.array([row * squares.cols + col for row, col in starts])
    found = []
    for colour in range(len(starts)):
        fitting = [view for view in all_views if (view[np.roll(corners, -colour)] == corners).all()]
        if not fitting:
            return [plain] * len(starts)
        found.append(fitting[0])
    return found
