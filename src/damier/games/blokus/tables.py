"""Tables, computed once for a board, in which legal placements are looked up.

A *pair* is an orientation and one of its cells: one of 414 ways to cover a given point of the board. A set of pairs is
seven words of 64 bits; no piece is split between two words. Only the neighbourhood of a point matters, 41 cells:

    row -4          4              Each line is a part of the neighbourhood, the first two and the last two are one,
    row -3        3 4 5            and the point itself is left out. Which cells of a part are blocked is a small
    row -2      2 3 4 5 6          number. `fits` gives for that number the pairs that stay clear of all of them.
    row -1    1 2 3 4 5 6 7        What all eight parts allow fits there: eight loads instead of 414 trials.
    row  0  0 1 2 3   5 6 7 8
    ...
    row +4          4
"""

import numpy as np
from numpy.typing import NDArray

from damier.games.blokus.pieces import DRAWINGS, PIECES, Cell

WORDS = len(DRAWINGS)
STRIDE = 8  # from one entry of `fits` to the next: a line of the processor's cache
MOST_SETS = 256  # there are at most eight pieces in a word
SECOND_COPY = 32  # bit 32 + piece of `left`: two of this piece are left

# The parts of a neighbourhood: the cells, by row and column from the point, of each bit of the number.
PARTS: tuple[tuple[Cell, ...], ...] = (
    ((-4, 0), (-3, -1), (-3, 0), (-3, 1)),
    tuple((-2, col) for col in range(-2, 3)),
    tuple((-1, col) for col in range(-3, 4)),
    tuple((0, col) for col in range(-4, 0)),
    tuple((0, col) for col in range(1, 5)),
    tuple((1, col) for col in range(-3, 4)),
    tuple((2, col) for col in range(-2, 3)),
    ((4, 0), (3, -1), (3, 0), (3, 1)),
)
OFFSETS = tuple(STRIDE * sum(1 << len(part) for part in PARTS[:index]) for index in range(len(PARTS) + 1))
"""Where in `fits` the entries of each part begin."""

ORIENTATIONS = tuple((number, cells) for number, piece in enumerate(PIECES) for cells in piece.orientations)
"""The number of the piece, and the cells."""
HEIGHTS = tuple(1 + max(row for row, _ in cells) for _, cells in ORIENTATIONS)
WIDTHS = tuple(1 + max(col for _, col in cells) for _, cells in ORIENTATIONS)


class Pairs:
    """The pairs, by their bits; the same for all boards."""

    def __init__(self) -> None:
        names = [list(line) for line in DRAWINGS]
        numbers = [[index for index, piece in enumerate(PIECES) if piece.name in line] for line in names]
        self.first_piece = np.array([line[0] for line in numbers], np.uint64)  # [word]
        self.set_mask = np.array([(1 << len(line)) - 1 for line in numbers], np.uint64)  # [word]
        self.orientation = np.full(64 * WORDS, -1, np.int64)  # [pair]
        self.cell = np.zeros((64 * WORDS, 2), np.int64)  # [pair, 2]: which cell of the orientation covers the point
        for word, line in enumerate(numbers):
            pair = 64 * word
            for orientation, (piece, cells) in enumerate(ORIENTATIONS):
                if piece in line:
                    self.orientation[pair : pair + len(cells)] = orientation
                    self.cell[pair : pair + len(cells)] = cells
                    pair += len(cells)
        self.sets = self._sets(numbers)
        self.fits = self._fits()

    def _sets(self, numbers: list[list[int]]) -> NDArray[np.uint64]:
        """[word * MOST_SETS + set of pieces of that word]: their pairs."""
        sets = np.zeros(WORDS * MOST_SETS, np.uint64)
        for word, line in enumerate(numbers):
            of_piece = [0] * len(line)
            for bit in range(64):
                orientation = self.orientation[64 * word + bit]
                if orientation >= 0:
                    of_piece[line.index(ORIENTATIONS[orientation][0])] |= 1 << bit
            for chosen in range(1 << len(line)):
                sets[word * MOST_SETS + chosen] = sum(bits for i, bits in enumerate(of_piece) if chosen >> i & 1)
        return sets

    def _fits(self) -> NDArray[np.uint64]:
        """[offset of the part + STRIDE * blocked cells + word]: the pairs that touch none of the blocked cells."""
        touching: dict[Cell, list[int]] = {cell: [0] * WORDS for part in PARTS for cell in part}
        for pair, orientation in enumerate(self.orientation):
            for row, col in ORIENTATIONS[orientation][1] if orientation >= 0 else ():
                offset = (row - int(self.cell[pair, 0]), col - int(self.cell[pair, 1]))
                if offset != (0, 0):
                    touching[offset][pair // 64] |= 1 << pair % 64
        fits = np.zeros(OFFSETS[-1], np.uint64)
        for start, part in zip(OFFSETS, PARTS, strict=False):
            touched = [[0] * WORDS]  # by the set of blocked cells
            for cell in part:
                touched += [[a | b for a, b in zip(each, touching[cell], strict=True)] for each in touched]
            for blocked, words in enumerate(touched):
                at = start + STRIDE * blocked
                fits[at : at + WORDS] = [~word & (1 << 64) - 1 for word in words]
        return fits


class Footprints:
    """For each orientation and each of seven rows, starting one row above it: what it covers and what it touches, as
    bits of columns, starting one column left of it."""

    def __init__(self) -> None:
        shape = (len(ORIENTATIONS), 7)
        self.cells, self.sides, self.corners = (np.zeros(shape, np.uint64) for _ in range(3))
        for index, (_, cells) in enumerate(ORIENTATIONS):
            sides = {
                (row + down, col + right) for row, col in cells for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            }
            corners = {(row + down, col + right) for row, col in cells for down in (-1, 1) for right in (-1, 1)}
            covered = set(cells)
            for table, found in (
                (self.cells, covered),
                (self.sides, sides | covered),  # where the colour may place nothing any more
                (self.corners, corners - sides - covered),
            ):
                for row, col in found:
                    table[index, row + 1] |= np.uint64(1 << col + 1)


class Placements:
    """The distinct ways to place a piece of a set on a board, numbered by orientation, row and column of their box."""

    def __init__(self, size: int, pieces: list[int]) -> None:
        self.size = size
        self.first = np.full(len(ORIENTATIONS), -1, np.int64)  # [orientation]; -1: the piece is not in the set
        self.per_row = np.array([max(0, size - width + 1) for width in WIDTHS])  # [orientation]
        rows = np.array([max(0, size - height + 1) for height in HEIGHTS])
        self.count = 0
        numbers: list[int] = []
        for orientation, (piece, _) in enumerate(ORIENTATIONS):
            if piece in pieces:
                self.first[orientation] = self.count
                self.count += int(rows[orientation] * self.per_row[orientation])
                numbers += [orientation]
        self.num_planes = len(numbers)
        self.planes = np.full(len(ORIENTATIONS), -1)  # [orientation]: its plane in the policy
        self.planes[numbers] = np.arange(len(numbers))
        counts = (rows * self.per_row)[numbers]
        self.orientation = np.repeat(numbers, counts)  # [placement]
        within = np.arange(self.count) - self.first[self.orientation]
        per_row = self.per_row[self.orientation]
        self.row, self.col = within // per_row, within % per_row  # [placement]: of the box's top left corner

    def from_middle(self) -> NDArray[np.float64]:
        """[placement]: the distance of its nearest square from the middle of the board."""
        middle = (self.size - 1) / 2
        found = np.zeros(self.count)
        for orientation, (_, cells) in enumerate(ORIENTATIONS):
            of = self.orientation == orientation
            top, left = self.row[of] - middle, self.col[of] - middle
            found[of] = np.min([np.hypot(top + row, left + col) for row, col in cells], axis=0)
        return found

    def actions(self, view: NDArray[np.intp]) -> NDArray[np.intp]:
        """[placement]: its index in a policy, on a board that is turned so that each square is seen at `view[square]`:
        a plane for each orientation, and in it the square in the middle of the box."""
        turned = self._turned(view)[self.orientation]
        height, width = np.array(HEIGHTS), np.array(WIDTHS)
        here = self.row * self.size + self.col
        opposite = here + (height[self.orientation] - 1) * self.size + width[self.orientation] - 1
        top, left = np.minimum(np.divmod(view[here], self.size), np.divmod(view[opposite], self.size))
        row, col = top + height[turned] // 2, left + width[turned] // 2
        return np.asarray((self.planes[turned] * self.size + row) * self.size + col)

    def _turned(self, view: NDArray[np.intp]) -> NDArray[np.intp]:
        """[orientation]: the orientation it is seen as."""
        numbers = {(piece, frozenset(cells)): number for number, (piece, cells) in enumerate(ORIENTATIONS)}
        found = []
        for piece, cells in ORIENTATIONS:
            seen = [divmod(int(view[row * self.size + col]), self.size) for row, col in cells]
            top, left = map(min, zip(*seen, strict=True))
            found.append(numbers[piece, frozenset((row - top, col - left) for row, col in seen)])
        return np.array(found)
