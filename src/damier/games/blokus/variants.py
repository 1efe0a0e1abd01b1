"""The boards: their sizes, where the colours start, and their pieces."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from damier.core.messages import Message, say
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
    insets: tuple[int, ...] = (0, 0, 0, 0)  # [colour]: how far from its corner it starts, in rows and in columns
    are_opposite: bool = False  # whether two colours have opposite corners and not neighbouring ones
    pieces: tuple[str, ...] = NAMES
    copies: int = 1  # how often a colour has each piece
    largest: int = 5  # no piece has more squares
    for_two: "Board | None" = None  # what two colours have instead

    def of(self, colours: int) -> "Board":
        return self.for_two if self.for_two and colours == 2 else self

    def corners(self, size: int, colours: int) -> list[Cell]:
        """The corner of each colour, clockwise from the top left."""
        end = size - 1
        clockwise = [(0, 0), (0, end), (end, end), (end, 0)]
        return clockwise[::2] if self.are_opposite and colours == 2 else clockwise[:colours]

    def starts(self, size: int, colours: int) -> list[Cell]:
        """Where each colour starts."""
        corners = zip(self.corners(size, colours), self.insets, strict=False)
        return [(abs(row - inset), abs(col - inset)) for (row, col), inset in corners]

    def piece_set(self, largest: int | None) -> list[int]:
        """The pieces in play, by number."""
        limit = self.largest if largest is None else largest
        return [index for index, piece in enumerate(PIECES) if piece.name in self.pieces and piece.size <= limit]


BOARDS = {
    "classic": Board(20, players=4),
    "duo": Board(14, players=2, insets=(4, 4, 4, 4), are_opposite=True),
    "junior": Board(14, players=2, insets=(4, 4, 4, 4), are_opposite=True, pieces=JUNIOR, copies=2),
    # On 8 x 8 three or four colours are crowded, but two would hardly meet. Starting further in makes up for being
    # second.
    "tiny": Board(8, players=2, largest=4, for_two=Board(10, players=2, insets=(0, 2), are_opposite=True)),
}


def views(squares: Squares, corners: list[Cell]) -> list[Permutation]:
    """[colour]: where each square is seen when the board is turned or mirrored so that this colour has the first one's
    corner, and those after it have the second's, the third's ... If that is impossible, as with three of four corners,
    nothing is turned."""
    plain = np.arange(squares.rows * squares.cols)
    all_views = [plain, *(np.argsort(image) for image in squares.symmetries().values())]
    cells = np.array([row * squares.cols + col for row, col in corners])
    found = []
    for colour in range(len(corners)):
        fitting = [view for view in all_views if (view[np.roll(cells, -colour)] == cells).all()]
        if not fitting:
            return [plain] * len(corners)
        found.append(fitting[0])
    return found


def check_choice(option: str, value: object, known: Collection[object]) -> None:
    if value not in known:
        if isinstance(known, range):
            raise ValueError(say("blokus.between", option=option, least=known[0], most=known[-1], got=value))
        raise ValueError(say("blokus.one-of", option=option, known=list(dict.fromkeys(known)), got=value))


def colour_name(colour: int) -> Message:
    """A colour in words for people."""
    return say(f"colour.{COLOURS[colour]}")
