"""The 21 pieces: all ways to join one to five squares by their sides, and their 91 orientations.

The names are Pentobi's. The order is that of the bits in `fitting`: the pieces of a line below share a word there.
"""

from dataclasses import dataclass
from functools import cached_property

Cell = tuple[int, int]  # row and column, from the top left

DRAWINGS = (
    {"F": ".## ##. .#.", "T5": "### .#. .#."},
    {"L5": "#### #...", "U": "#.# ###"},
    {"N": ".### ##..", "V5": "#.. #.. ###"},
    {"P": "## ## #.", "W": "#.. ##. .##"},
    {"Y": ".#.. ####", "Z5": "##. .#. .##"},
    {"L4": "### #..", "Z4": "##. .##", "T4": "### .#."},
    {
        "V3": "#. ##",
        "I5": "#####",
        "I4": "####",
        "I3": "###",
        "X": ".#. ### .#.",
        "O": "## ##",
        "2": "##",
        "1": "#",
    },
)


@dataclass(frozen=True)
class Piece:
    """A piece, in its first orientation."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def size(self) -> int:
        return len(self.cells)

    @cached_property
    def orientations(self) -> tuple[tuple[Cell, ...], ...]:
        """Every distinct rotation and reflection: the cells, in order, in the smallest box from (0, 0)."""
        found: list[tuple[Cell, ...]] = []
        cells = self.cells
        for turn in range(8):
            if turn == 4:
                cells = tuple((row, -col) for row, col in cells)
            cells = _moved_home(tuple((col, -row) for row, col in cells))
            if cells not in found:
                found.append(cells)
        return tuple(sorted(found))


def _moved_home(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return tuple(sorted((row - top, col - left) for row, col in cells))


def _read(name: str, drawing: str) -> Piece:
    rows = drawing.split()
    cells = ((row, col) for row, line in enumerate(rows) for col, mark in enumerate(line) if mark == "#")
    return Piece(name, tuple(cells))


PIECES = tuple(_read(name, drawing) for line in DRAWINGS for name, drawing in line.items())
NAMES = tuple(piece.name for piece in PIECES)
FOR_PEOPLE = tuple(sorted(range(len(PIECES)), key=lambda index: (PIECES[index].size, NAMES[index])))
"""The pieces from the smallest to the largest, as they are listed for people."""
