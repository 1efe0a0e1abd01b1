"""Blokus: place your pieces corner to corner, never side to side, and cover more squares than the others.

Squares are numbered row by row from the top left. A move is the number of a placement: `tables` numbers them, `fitting`
finds the legal ones and explains the words of `state.maps`. A colour that can't place anything never will again: it
drops out and is skipped, so passing is not a move.
"""

from functools import cached_property
from typing import ClassVar

import numpy as np

from damier.core.bits import popcount
from damier.core.options import Given, without
from damier.core.protocol import Moves, Owners, Planes, Record, Rng, Values
from damier.core.squares import Permutation, Squares
from damier.core.view import Grid
from damier.games.blokus.blksgf import BLKSGF
from damier.games.blokus.encoding import encode, owners, plane_names, symmetries
from damier.games.blokus.fitting import (
    CLOSED,
    MARGIN,
    MOST_ROWS,
    NONE,
    NUM_ROWS,
    OCCUPIED,
    ONE,
    POINTS,
    ROW,
    THREE,
    U,
    can_place,
    draw_placement,
    draw_two,
    first_row,
    list_placements,
    without_closed_points,
)
from damier.games.blokus.judging import WORTH, merit, strength, weight
from damier.games.blokus.notation import format_move, format_score, parse_move, show
from damier.games.blokus.pieces import NAMES, PIECES, Cell
from damier.games.blokus.positions import format_position, parse_position
from damier.games.blokus.tables import HEIGHTS, ORIENTATIONS, SECOND_COPY, WIDTHS, Footprints, Pairs, Placements
from damier.games.blokus.variants import BOARDS, COLOURS, SCORINGS, check_choice, views

ALL_PLACED, SINGLE_LAST = 15, 5  # the bonuses of advanced scoring
SINGLE = NAMES.index("1")
NOBODY = -1
LONGEST_HISTORY = 8


class Blokus:
    """Blokus: pieces of a colour touch only at corners; most squares win. Classic, Duo, Junior, 2 to 4 players."""

    version = 2
    State = np.dtype(
        [
            ("maps", np.uint64, (NUM_ROWS,)),  # the board as each colour sees it, row by row
            ("left", np.uint64, (len(COLOURS),)),  # the pieces that a colour has left
            ("recent", np.uint16, (LONGEST_HISTORY - 1,)),  # the last placements, + 1, if the encoding shows them
            ("player", np.int8),
            ("colour", np.int8),  # which colour is to be placed
            ("dropped", np.int8),  # the colours that can't place anything any more, as bits
            ("single_last", np.int8),  # the colours that placed everything and the single square last, as bits
        ]
    )
    best_search = "grave:widen=4,playout=heavy,bias=1e-3,margin=0.95"  # measured in docs/games/blokus.md
    choices: ClassVar = {"board": tuple(BOARDS), "scoring": SCORINGS}
    file_formats = (BLKSGF,)
    board, players, colours, size = Given(), Given(), Given(), Given()
    pieces, scoring, history = Given(), Given(), Given()

    def __init__(
        self,
        board: str = "classic",
        players: int | None = None,
        colours: int | None = None,
        size: int | None = None,
        pieces: int | None = None,
        scoring: str = "advanced",
        history: int = 1,
    ) -> None:
        given = {"board": board, "players": players, "colours": colours, "size": size, "pieces": pieces}
        given |= {"scoring": scoring, "history": history}
        check_choice("board", board, BOARDS)
        check_choice("scoring", scoring, SCORINGS)
        self.num_players = BOARDS[board].players if players is None else players
        self.num_colours = self.num_players if colours is None else colours
        kind = BOARDS[board].of(self.num_colours)
        self.num_rows = kind.size if size is None else size
        self.num_recent = history - 1
        self.has_bonus = scoring == "advanced"
        check_choice("players", self.num_players, (2, 3, 4))
        check_choice("colours", self.num_colours, (self.num_players, 4))
        check_choice("pieces", kind.largest if pieces is None else pieces, range(1, 6))
        check_choice("history", history, range(1, LONGEST_HISTORY + 1))
        decided = {"players": BOARDS[board].players, "colours": self.num_players}
        self._given = without(given, decided | {"size": kind.size, "pieces": kind.largest})
        check_choice("size", self.num_rows, range(max(5, 2 + sum(kind.insets[:2])), MOST_ROWS + 1))
        self.squares = Squares(self.num_rows, self.num_rows)
        self.piece_set = kind.piece_set(pieces)
        self.starts = kind.starts(self.num_rows, self.num_colours)
        self._make_tables(kind.copies)
        self._make_views(kind.corners(self.num_rows, self.num_colours))
        self._state_bounds(kind.copies)

    # -- what compiled rules read ----------------------------------------------------------------------------

    def _make_tables(self, copies: int) -> None:
        pairs, footprints = Pairs(), Footprints()
        self.placements = placements = Placements(self.num_rows, self.piece_set)
        self.fits, self.pair_sets = pairs.fits, pairs.sets
        self.first_piece, self.set_mask = pairs.first_piece, pairs.set_mask
        self.pair_orientation, self.pair_cell = pairs.orientation, pairs.cell
        self.cell_rows, self.side_rows, self.corner_rows = footprints.cells, footprints.sides, footprints.corners
        self.first_placement, self.placements_per_row = placements.first, placements.per_row
        self.placement_orientation, self.placement_row = placements.orientation, placements.row
        self.placement_col = placements.col
        self.piece_of = np.array([piece for piece, _ in ORIENTATIONS])  # [orientation]
        self.heights, self.widths = np.array(HEIGHTS), np.array(WIDTHS)  # [orientation]
        self.pieces_in_set = np.array(self.piece_set)
        self.sizes = np.array([PIECES[piece].size for piece, _ in ORIENTATIONS])  # [orientation]
        self.from_middle = placements.from_middle()
        self.worth = np.array([WORTH[name] for name in NAMES])  # [piece]
        self.copies = copies
        self.full_set = U(
            sum(1 << piece | (1 << piece + SECOND_COPY if copies == 2 else 0) for piece in self.piece_set)
        )
        self.closed_row = U(((1 << MARGIN + MOST_ROWS) - 1) & ~((1 << self.num_rows) - 1 << MARGIN))
        self.start_rows = np.array([row for row, _ in self.starts])  # [colour]
        self.start_cols = np.array([col for _, col in self.starts])
        # [colour]: whose it is; NOBODY: each player's in turn
        owners = [colour % 2 if self.num_players == 2 else colour for colour in range(self.num_colours)]
        self.owner_of = np.array([owner if owner < self.num_players else NOBODY for owner in owners])
        self.everybody = (1 << self.num_colours) - 1

    def _make_views(self, corners: list[Cell]) -> None:
        """How a network sees the board for each colour to move, and its index of each placement."""
        seen = views(self.squares, corners)
        self.seen_row, self.seen_col = np.divmod(seen, self.num_rows)  # [colour, square]
        self.actions = np.stack([self.placements.actions(view) for view in seen])  # [colour, placement]
        # whether a position looks the same for each colour, once the board is turned and all have started
        self.are_alike = len(np.unique(seen, axis=0)) == self.num_colours and NOBODY not in self.owner_of

    def _state_bounds(self, copies: int) -> None:
        self.max_moves = self.placements.count
        self.max_length = self.num_colours * copies * len(self.piece_set)
        self.num_actions = self.placements.num_planes * self.num_rows**2
        self.plane_names = plane_names(self)
        self.encode_shape = (len(self.plane_names), self.num_rows, self.num_rows)

    # -- the rules -------------------------------------------------------------------------------------------

    def setup(self, state: Record) -> None:
        state.maps[:] = CLOSED
        state.left[:] = NONE
        state.recent[:] = 0
        for colour in range(self.num_colours):
            for row in range(self.num_rows):
                state.maps[first_row(colour) + row] = self.closed_row
            start = first_row(colour) + self.start_rows[colour]
            state.maps[start] |= ONE << POINTS + U(self.start_cols[colour])
            state.left[colour] = self.full_set
        state.player = state.colour = state.dropped = state.single_last = 0

    def moves(self, state: Record, out: Moves) -> int:
        if state.dropped == self.everybody:
            return 0
        return list_placements(self, state, state.colour, out)

    def sample(self, state: Record, rng: Rng) -> int:
        if state.dropped == self.everybody:
            return -1
        return draw_placement(self, state, state.colour, state.left[state.colour], rng)

    def playout(self, state: Record, rng: Rng) -> int:
        """The better of two random placements."""
        if state.dropped == self.everybody:
            return -1
        first, second = draw_two(self, state, state.colour, rng)
        return first if merit(self, state, first) >= merit(self, state, second) else second

    def weight(self, state: Record, move: int) -> float:
        return weight(self, state, move)

    def play(self, state: Record, move: int) -> None:
        me = state.colour
        orientation = self.placement_orientation[move]
        self.lay(state, orientation, self.placement_row[move], self.placement_col[move])
        self.take(state, self.piece_of[orientation])
        if self.num_recent:
            for i in range(self.num_recent - 1, 0, -1):
                state.recent[i] = state.recent[i - 1]
            state.recent[0] = move + 1
        self.next_colour(state, me)

    def lay(self, state: Record, orientation: int, top: int, left: int) -> None:
        """Put a piece of the colour to move on the board, in the maps of all colours."""
        col, height = U(left), self.heights[orientation]
        for colour in range(self.num_colours):
            first = first_row(colour) + top - 1
            if colour == state.colour:
                for row in range(height + 2):
                    closed = self.side_rows[orientation, row] << col + THREE & CLOSED
                    points = (self.corner_rows[orientation, row] << col >> ONE & ROW) << POINTS
                    cells = self.cell_rows[orientation, row] << col >> ONE << OCCUPIED
                    state.maps[first + row] = without_closed_points(state.maps[first + row] | closed | points | cells)
            else:
                for row in range(1, height + 1):
                    closed = self.cell_rows[orientation, row] << col + THREE
                    state.maps[first + row] = without_closed_points(state.maps[first + row] | closed)

    def take(self, state: Record, piece: int) -> None:
        """Remove a piece from those that the colour to move has left."""
        me = state.colour
        second = ONE << U(piece + SECOND_COPY)
        state.left[me] &= ~(second if state.left[me] & second else ONE << U(piece))
        if state.left[me] == NONE and piece == SINGLE:
            state.single_last |= 1 << me

    def next_colour(self, state: Record, last: int) -> None:
        """Pass the turn to the next colour that can place something; those that can't drop out."""
        colour = last
        for _ in range(self.num_colours):
            colour = colour + 1 if colour + 1 < self.num_colours else 0
            if state.dropped >> colour & 1:
                continue
            if can_place(self, state, colour):
                state.colour = colour
                state.player = self.player_of(state, colour)
                return
            state.dropped |= 1 << colour

    def colour_to_move(self, state: Record) -> int:
        return int(state.colour)

    def is_out(self, state: Record, colour: int) -> bool:
        """Whether a colour has dropped out."""
        return bool(state.dropped >> colour & 1)

    def player_of(self, state: Record, colour: int) -> int:
        """Who places this colour next."""
        if self.owner_of[colour] != NOBODY:
            return int(self.owner_of[colour])
        placed = popcount(self.full_set) - popcount(state.left[colour])
        return placed % self.num_players

    # -- scores ----------------------------------------------------------------------------------------------

    def colour_score(self, state: Record, colour: int) -> int:
        """The squares that a colour has placed, and its bonus."""
        squares = self.squares_of(state, colour)
        if self.has_bonus and state.left[colour] == NONE:
            squares += ALL_PLACED + (SINGLE_LAST if state.single_last >> colour & 1 else 0)
        return squares

    def squares_of(self, state: Record, colour: int) -> int:
        squares = 0
        for row in range(first_row(colour), first_row(colour) + self.num_rows):
            squares += popcount(state.maps[row] >> OCCUPIED)
        return squares

    def returns(self, state: Record, out: Values) -> None:
        """Most squares win, over all colours of a player. The colour that all place in turn counts for nobody."""
        n = self.num_players
        out[:n] = 0
        for colour in range(self.num_colours):
            if self.owner_of[colour] != NOBODY:
                out[self.owner_of[colour]] += self.colour_score(state, colour)
        best = 0.0
        winners = 0
        for player in range(n):
            if out[player] > best:
                best, winners = out[player], 0
            if out[player] == best:
                winners += 1
        for player in range(n):
            out[player] = (n - winners) / (winners * (n - 1)) if out[player] == best else -1 / (n - 1)

    def evaluate(self, state: Record, out: Values) -> None:
        """Each player's share of the strength of all."""
        n = self.num_players
        out[:n] = 0
        total = 0.0
        for colour in range(self.num_colours):
            if self.owner_of[colour] != NOBODY:
                share = strength(self, state, colour)
                out[self.owner_of[colour]] += share
                total += share
        for player in range(n):
            out[player] = (n * out[player] / total - 1) / (n - 1)

    # -- for networks ----------------------------------------------------------------------------------------

    def encode(self, state: Record, out: Planes) -> None:
        encode(self, state, out)

    def action(self, state: Record, move: int) -> int:
        """The policy has a plane for each orientation; the index is the middle of the placement's box, as `encode`
        turns the board."""
        return int(self.actions[state.colour, move])

    def owners(self, state: Record, end: Record, out: Owners) -> None:
        owners(self, state, end, out)

    def symmetries(self) -> list[tuple[Permutation, Permutation]]:
        return symmetries(self)

    # -- for people ------------------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> dict[frozenset[int], int]:
        """The placements by the squares that they cover."""
        return {frozenset(self.cells_of(move)): move for move in range(self.placements.count)}

    def cells_of(self, move: int) -> list[int]:
        """The squares that a placement covers, row by row from the top."""
        top, left = int(self.placements.row[move]), int(self.placements.col[move])
        _, cells = ORIENTATIONS[self.placements.orientation[move]]
        return [(top + row) * self.num_rows + left + col for row, col in cells]

    def piece_name(self, move: int) -> str:
        return PIECES[ORIENTATIONS[self.placements.orientation[move]][0]].name

    def format_move(self, state: Record, move: int) -> str:
        return format_move(self, move)

    def parse_move(self, state: Record, text: str) -> int:
        return parse_move(self, state, text)

    def format_score(self, state: Record) -> str:
        return format_score(self, state)

    def format_position(self, state: Record) -> str:
        return format_position(self, state)

    def parse_position(self, state: Record, text: str) -> None:
        parse_position(self, state, text)

    def view(self, state: Record) -> Grid:
        return show(self, state)

    def trails(self, state: Record, move: int) -> list[tuple[int, ...]]:
        return [tuple(self.cells_of(move))]
