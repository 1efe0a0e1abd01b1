"""Draughts on 4 x 4 to 10 x 10 squares, by the rules of ten countries and everything in between.

Men and kings are sets of dark squares in the bits of 64-bit words; `board` draws the numbering. A move is one number,
even a capture of several pieces; `captures` describes its parts.
"""

from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from damier.core.bits import bit, drop_lowest, lowest, popcount
from damier.core.features import read_weights, weighted_sum
from damier.core.options import FileName, Given, without
from damier.core.protocol import Moves, Planes, Record, Rng, Values
from damier.core.rng import below
from damier.core.view import Grid
from damier.games.draughts.board import ALL, DIAGONAL, DIRECTIONS, DOWN, UP, DarkSquares
from damier.games.draughts.captures import (
    PROMOTED,
    captured_of,
    find_captures,
    is_crowned,
    start_of,
    target_of,
)
from damier.games.draughts.encoding import action, encode, number_actions
from damier.games.draughts.endings import Endings, find_ending, set_up_ending
from damier.games.draughts.fen import format_fen, parse_fen
from damier.games.draughts.notation import format_move, parse_move, routes, show
from damier.games.draughts.pdn import PDN
from damier.games.draughts.sets import NONE, may_capture, occupied_by, quiet_move, shifts
from damier.games.draughts.variants import (
    CHOICES,
    COLOURS,
    PROMOTIONS,
    VARIANTS,
    Variant,
    check_choice,
    check_variant,
    endings_key,
)

MANY = 1 << 30  # more than there are moves
MOST_TRAILS = 16  # ways of one capture that are shown

# The worth of a piece, or of a feature of its place, in men. Chosen by hand and not tuned.
FLYING_KING, SHORT_KING = 3.0, 1.5
ADVANCE, GUARD, CENTRE = 0.02, 0.1, 0.05


class Draughts:
    """Draughts: capture or block all pieces of the opponent; Russian, English, international and other rules."""

    version = 1
    num_players = 2
    State = np.dtype(
        [
            ("men", np.uint64, (2,)),
            ("kings", np.uint64, (2,)),
            ("player", np.int8),
            ("quiet", np.int16),  # moves in a row without progress
            ("last_king", np.int8, (2,)),  # where rules limit them: the king that a player moved last ...
            ("king_moves", np.int8, (2,)),  # ... and how often in a row
        ]
    )
    feature_names = ("men", "kings", "advance", "guard", "centre")
    choices: ClassVar = {"rules": tuple(VARIANTS), "choice": CHOICES, "promotion": PROMOTIONS, "first": COLOURS}
    file_formats = (PDN,)
    weights, rules, size, flying, backward = Given(), Given(), Given(), Given(), Given()
    choice, promotion, first, draw_after, man_resets = Given(), Given(), Given(), Given(), Given()

    def __init__(
        self,
        rules: str = "dames8",
        size: int | None = None,
        flying: bool | None = None,
        backward: bool | None = None,
        choice: str | None = None,
        promotion: str | None = None,
        first: str | None = None,
        draw_after: int | None = None,
        man_resets: bool | None = None,
        weights: FileName = "",
    ) -> None:
        options = {
            "size": size,
            "flying": flying,
            "backward": backward,
            "choice": choice,
            "promotion": promotion,
            "first": first,
            "draw_after": draw_after,
            "man_resets": man_resets,
        }
        check_choice("rules", rules, VARIANTS)
        self._given = {"rules": rules, "weights": weights, **without(options, vars(VARIANTS[rules]))}
        changed: dict[str, Any] = {option: value for option, value in options.items() if value is not None}
        self.variant = variant = replace(VARIANTS[rules], **changed)
        check_variant(variant)
        self.squares = DarkSquares(variant.size, variant.mirrored)
        self._read_choices(variant)
        king = FLYING_KING if variant.flying else SHORT_KING
        default = dict(zip(self.feature_names, (1.0, king, ADVANCE, GUARD, CENTRE), strict=True))
        self.feature_weights = read_weights(weights, default)
        self._make_tables(variant)
        self._state_bounds(variant)
        self.num_cells = variant.size**2
        self.actions, self.other_captures = number_actions(self.places, variant.size)  # [start, end]
        self.num_actions = self.other_captures + self.num_cells
        self._number_endings(variant)

    # -- what compiled rules read ----------------------------------------------------------------------------

    def _read_choices(self, variant: Variant) -> None:
        self.is_flying = variant.flying
        self.choice_rule = CHOICES.index(variant.choice)
        self.promotion_rule = PROMOTIONS.index(variant.promotion)
        self.men_take_kings = variant.men_take_kings
        self.quiet_limit = variant.draw_after
        self.is_reset_by_men = variant.man_resets
        self.king_moves_limit = variant.king_moves

    def _make_tables(self, variant: Variant) -> None:
        """Tables with two rows are by player; with three by kind: men of player 0, men of player 1, kings."""
        squares, last = self.squares, variant.size - 1
        rows = variant.size // 2 - 1
        goes_up = [variant.first == "white", variant.first == "black"]
        forward = [UP if up else DOWN for up in goes_up]
        everywhere = ALL if variant.orthogonal else DIAGONAL
        jumps = [*(everywhere if variant.backward else ahead for ahead in forward), everywhere]
        self.num_squares = squares.count
        self.is_turned = np.array([not up for up in goes_up])  # [player]: whether a network sees the board turned
        self.steps = squares.steps()  # [direction, square]
        self.shifts = shifts(self.steps)
        self.opposite = np.array([DIRECTIONS.index((-down, -right)) for down, right in DIRECTIONS])
        self.walks = np.array([*forward, DIAGONAL])  # [kind, 2]: the range of directions without a capture
        self.jumps = np.array(jumps)  # [kind, 2]: ... with one
        is_far = [False, False, variant.flying]
        prey = [squares.prey(self.steps, directions, far) for directions, far in zip(jumps, is_far, strict=True)]
        self.prey = np.array(prey, np.uint64)  # [kind, square]: where a piece could be taken from here
        top, bottom = squares.rows(0, rows - 1), squares.rows(variant.size - rows, last)
        self.home = np.array([bottom if up else top for up in goes_up], np.uint64)
        self.king_row = np.array([squares.rows(0, 0) if up else squares.rows(last, last) for up in goes_up], np.uint64)
        # [player, rows advanced]: the squares
        ahead = [[squares.rows(row, row) for row in (range(last, -1, -1) if up else range(last + 1))] for up in goes_up]
        self.advanced = np.array(ahead, np.uint64)
        middle = squares.rows(variant.size // 2 - 1, variant.size // 2)
        inner = [squares.place(square)[1] not in (0, 1, last - 1, last) for square in range(squares.count)]
        self.centre = np.uint64(
            sum(1 << square for square in range(squares.count) if inner[square] and middle >> square & 1)
        )
        self.places = np.array([squares.place(square) for square in range(squares.count)])  # [square, 2]

    def _state_bounds(self, variant: Variant) -> None:
        size, half = variant.size, self.squares.per_row
        rows = size // 2 - 1
        pieces = 2 * rows * half
        # Without a capture, 12 kings on 8 x 8 have fewer than 12 * 13 moves, and 20 on 10 x 10 fewer than 20 * 17.
        # Captures have no simple bound. A search for positions with many of them found 68 on 8 x 8, and on 10 x 10
        # 308, or 1237 with free choice. If there are more than this, they are counted and an error is raised.
        self.max_moves = 256 if size <= 8 else 2048 if variant.choice in ("free", "king") else 512
        # At most `pieces - 1` captures, each after fewer than draw_after other moves, and then the draw. A man on row r
        # moves size - 1 - r rows to the end, and two more for each piece captured backward, or four along a column.
        progress = pieces - 1
        if variant.man_resets:
            progress += 2 * half * sum(size - 1 - row for row in range(rows))
            progress += (4 if variant.orthogonal else 2) * (pieces - 1)
        self.max_length = variant.draw_after * (progress + 1)
        self.encode_shape = (5, size, size)

    def _number_endings(self, variant: Variant) -> None:
        self._endings = Endings(variant, self.num_squares, self.squares.per_row)
        self.num_men_squares = self._endings.num_men_squares
        self.binomials = self._endings.binomials()  # [n, k]
        self.ending_numbers, self.ending_starts, self.ending_sides = self._endings.tables()
        self.endings_key = f"draughts-{endings_key(variant)}"

    # -- the rules -------------------------------------------------------------------------------------------

    def setup(self, state: Record) -> None:
        for player in range(2):
            state.men[player] = self.home[player]
            state.kings[player] = 0
            state.last_king[player] = 0
            state.king_moves[player] = 0
        state.player = 0
        state.quiet = 0

    def moves(self, state: Record, out: Moves) -> int:
        if state.quiet >= self.quiet_limit:
            return 0
        count = find_captures(self, state, out)
        return count if count else self.quiet_moves(state, out)

    def sample(self, state: Record, rng: Rng) -> int:
        if state.quiet >= self.quiet_limit:
            return -1
        if may_capture(self, state):
            out = np.empty(self.max_moves, np.int64)
            return int(out[below(rng, min(find_captures(self, state, out), self.max_moves))])
        tired = self.tired_king(state)
        count = -1 - quiet_move(self, state, MANY, tired)
        return quiet_move(self, state, below(rng, count), tired) if count else -1

    def quiet_moves(self, state: Record, out: Moves) -> int:
        """Write the moves that capture nothing."""
        occupied = occupied_by(state)
        tired = self.tired_king(state)
        count = 0
        pieces = state.men[state.player] | state.kings[state.player]
        while pieces != NONE:
            start = lowest(pieces)
            pieces = drop_lowest(pieces)
            king = state.kings[state.player] & bit(start) != NONE
            if start == tired:
                continue
            kind = 2 if king else state.player
            for direction in range(self.walks[kind, 0], self.walks[kind, 1]):
                target = self.steps[direction, start]
                while target >= 0 and not occupied & bit(target):
                    if count < out.size:
                        out[count] = start << 6 | target
                    count += 1
                    if not (king and self.is_flying):
                        break
                    target = self.steps[direction, target]
        return count

    def tired_king(self, state: Record) -> int:
        """The square of the king that must rest because it moved too often in a row; -1 if none must."""
        me = state.player
        if self.king_moves_limit and state.men[me] and state.king_moves[me] >= self.king_moves_limit:
            return int(state.last_king[me])
        return -1

    def play(self, state: Record, move: int) -> None:
        me = state.player
        start, target, captured = start_of(move), target_of(move), np.uint64(captured_of(move))
        was_king = state.kings[me] & bit(start) != NONE
        becomes_king = move & PROMOTED != 0 or is_crowned(self, state, move)
        state.men[me] &= ~bit(start)
        state.kings[me] &= ~bit(start)
        if was_king or becomes_king:
            state.kings[me] |= bit(target)
        else:
            state.men[me] |= bit(target)
        state.men[1 - me] &= ~captured
        state.kings[1 - me] &= ~captured
        is_progress = captured != NONE or (self.is_reset_by_men and not was_king)
        state.quiet = 0 if is_progress else state.quiet + 1
        if self.king_moves_limit:
            self.count_king_moves(state, start, target, was_king and captured == NONE)
        state.player = 1 - me

    def count_king_moves(self, state: Record, start: int, target: int, counts: bool) -> None:
        me = state.player
        if not counts:
            state.king_moves[me] = 0
            state.last_king[me] = 0
            return
        goes_on = state.king_moves[me] > 0 and state.last_king[me] == start
        state.king_moves[me] = min(state.king_moves[me] + 1, self.king_moves_limit) if goes_on else 1
        state.last_king[me] = target

    def returns(self, state: Record, out: Values) -> None:
        """A player who can't move has lost, unless too many moves brought no progress."""
        is_drawn = state.quiet >= self.quiet_limit
        out[state.player] = 0 if is_drawn else -1
        out[1 - state.player] = 0 if is_drawn else 1

    # -- for searches and networks ---------------------------------------------------------------------------

    def features(self, state: Record, out: Values) -> None:
        """For each player: men, kings, rows the men have advanced, men that guard their last row, pieces in the
        centre."""
        for player in range(2):
            men, kings = state.men[player], state.kings[player]
            advance = 0
            for row in range(self.advanced.shape[1]):
                advance += row * popcount(men & self.advanced[player, row])
            out[player, 0] = popcount(men)
            out[player, 1] = popcount(kings)
            out[player, 2] = advance
            out[player, 3] = popcount(men & self.advanced[player, 0])
            out[player, 4] = popcount((men | kings) & self.centre)

    def evaluate(self, state: Record, out: Values) -> None:
        """Compare the strengths, the weighted sums of the features: (a - b) / (a + b)."""
        features = np.empty((2, self.feature_weights.size))
        self.features(state, features)
        first = weighted_sum(self.feature_weights, features[0])
        second = weighted_sum(self.feature_weights, features[1])
        out[0] = (first - second) / max(1.0, first + second)
        out[1] = -out[0]

    def noisy(self, state: Record, move: int) -> bool:
        """Captures are noisy: counting pieces in the middle of an exchange is misleading."""
        return bool(captured_of(move) != 0)

    def weight(self, state: Record, move: int) -> float:
        """Captures of many pieces first."""
        return 1.0 + popcount(np.uint64(captured_of(move)))

    def encode(self, state: Record, out: Planes) -> None:
        encode(self, state, out)

    def action(self, state: Record, move: int) -> int:
        return action(self, state, move)

    def ending(self, state: Record) -> tuple[int, int, int]:
        """See `endings`. An ending ignores moves without progress; the last number says how many are left."""
        number, index = find_ending(self, state)
        return number, index, int(self.quiet_limit - state.quiet)

    def set_ending(self, state: Record, number: int, index: int) -> bool:
        return bool(set_up_ending(self, state, number, index))

    # -- for people ------------------------------------------------------------------------------------------

    def endings(self, pieces: int) -> list[tuple[str, int]]:
        return self._endings.listed(pieces)

    def format_move(self, state: Record, move: int) -> str:
        return format_move(self, state, move)

    def parse_move(self, state: Record, text: str) -> int:
        return parse_move(self, state, text)

    def format_position(self, state: Record) -> str:
        return format_fen(self, state)

    def parse_position(self, state: Record, text: str) -> None:
        parse_fen(self, state, text)

    def view(self, state: Record) -> Grid:
        return show(self, state)

    def trails(self, state: Record, move: int) -> list[tuple[int, ...]]:
        """Every route of a capture."""
        return [tuple(map(self._cell, way)) for way in islice(routes(self, state, move), MOST_TRAILS)]

    def _cell(self, square: int) -> int:
        row, col = self.squares.place(square)
        return row * self.variant.size + col
