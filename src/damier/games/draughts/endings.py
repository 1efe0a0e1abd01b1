"""The endings of draughts, and a number for each position of an ending.

An ending is who has how many men and kings, whoever they belong to: KK v K. Its positions are numbered with the board
turned so that the player to move goes up. First come those in which that player has the first of the two sides, then
those in which he has the second. In such a half a number is made of four, like digits:

    his men      which squares, of those on which a man can stand
    their men    the same for the other player; on a square of his men there is no position
    his kings    which of the squares without men
    their kings  which of those that are left

A set of squares has its number in the combinatorial number system: the sum of C(square, 1 + how many are below it).
"""

from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

import numpy as np

from damier.core.bits import Bits, bit, drop_lowest, lowest, popcount
from damier.core.compile import kernel
from damier.core.messages import say
from damier.core.protocol import Record
from damier.games.draughts.variants import Variant

MOST_PIECES = 5
NONE = np.uint64(0)
ONE = np.uint64(1)

Side = tuple[int, int]  # men and kings


class Endings:
    """Which endings there are, in an order in which captures and promotions lead to earlier ones."""

    def __init__(self, variant: Variant, num_squares: int, per_row: int) -> None:
        self.num_squares, self.num_men_squares = num_squares, num_squares - per_row
        counts = range(MOST_PIECES)
        sides: list[Side] = [side for side in product(counts, counts) if 1 <= sum(side) < MOST_PIECES]
        if variant.king_moves:
            # How often a king has moved is no part of an ending. It counts for players with a king and a man.
            sides = [side for side in sides if side[0] == 0 or side == (1, 0)]
        sides.sort(key=lambda side: (sum(side), side[1]), reverse=True)  # the stronger side comes first in a name
        pairs = [pair for pair in combinations_with_replacement(sides, 2) if _pieces(*pair) <= MOST_PIECES]
        self.pairs = sorted(pairs, key=lambda pair: (_pieces(*pair), pair[0][0] + pair[1][0], pair))

    def listed(self, pieces: int) -> list[tuple[str, int]]:
        """Name and size of the endings of at most that many pieces."""
        if not 2 <= pieces <= MOST_PIECES:
            raise ValueError(say("draughts.endings", most=MOST_PIECES, got=pieces))
        return [
            (f"{_name(first)}v{_name(second)}", sum(self.halves(first, second)))
            for first, second in self.pairs
            if _pieces(first, second) <= pieces
        ]

    def halves(self, first: Side, second: Side) -> tuple[int, int]:
        """How many numbers there are with the first side to move, and with the second."""
        return self.half(first, second), self.half(second, first) if first != second else 0

    def half(self, mover: Side, other: Side) -> int:
        (men, kings), (their_men, their_kings) = mover, other
        free = self.num_squares - men - their_men
        men_ways = comb(self.num_men_squares, men) * comb(self.num_men_squares, their_men)
        return men_ways * comb(free, kings) * comb(free - kings, their_kings)

    def tables(self) -> tuple[Any, Any, Any]:
        """By men and kings of the player to move and of the other: the ending's number, or -1, and where this half of
        it begins. By the ending's number: the first side, the second, and where the second half begins."""
        size = (MOST_PIECES,) * 4
        numbers, starts = np.full(size, -1, np.int64), np.zeros(size, np.int64)
        sides = np.zeros((len(self.pairs), 5), np.int64)
        for number, (first, second) in enumerate(self.pairs):
            middle = self.half(first, second)
            numbers[*first, *second] = numbers[*second, *first] = number
            starts[*second, *first] = middle
            starts[*first, *second] = 0
            sides[number] = *first, *second, middle
        return numbers, starts, sides

    def binomials(self) -> Any:
        return np.array([[comb(n, k) for k in range(MOST_PIECES + 1)] for n in range(self.num_squares + 1)])


def _pieces(first: Side, second: Side) -> int:
    return sum(first) + sum(second)


def _name(side: Side) -> str:
    return "K" * side[1] + "M" * side[0]


@kernel
def find_ending(game: Any, state: Record) -> tuple[int, int]:
    """The number of the ending, -1 if it is none of ours, and that of the position."""
    me = state.player
    men, kings = popcount(state.men[me]), popcount(state.kings[me])
    their_men, their_kings = popcount(state.men[1 - me]), popcount(state.kings[1 - me])
    if men + kings == 0 or their_men + their_kings == 0 or men + kings + their_men + their_kings > MOST_PIECES:
        return -1, 0
    number = game.ending_numbers[men, kings, their_men, their_kings]
    row, free = game.num_squares - game.num_men_squares, game.num_squares - men - their_men
    my_men, his_men = seen_set(game, state.men[me], me), seen_set(game, state.men[1 - me], me)
    occupied = my_men | his_men
    my_kings, his_kings = seen_set(game, state.kings[me], me), seen_set(game, state.kings[1 - me], me)
    index = rank(game, my_men >> np.uint64(row), NONE)
    index = index * game.binomials[game.num_men_squares, their_men] + rank(game, his_men, NONE)
    index = index * game.binomials[free, kings] + rank(game, my_kings, occupied)
    index = index * game.binomials[free - kings, their_kings] + rank(game, his_kings, occupied | my_kings)
    return int(number), int(game.ending_starts[men, kings, their_men, their_kings] + index)


@kernel
def set_up_ending(game: Any, state: Record, number: int, index: int) -> bool:
    """Set up a position by its numbers, player 0 to move; False if no position has them."""
    first_men, first_kings = game.ending_sides[number, 0], game.ending_sides[number, 1]
    second_men, second_kings = game.ending_sides[number, 2], game.ending_sides[number, 3]
    middle = game.ending_sides[number, 4]
    is_second = index >= middle
    men, kings = (second_men, second_kings) if is_second else (first_men, first_kings)
    their_men, their_kings = (first_men, first_kings) if is_second else (second_men, second_kings)
    rest = index - middle if is_second else index
    row, free = game.num_squares - game.num_men_squares, game.num_squares - men - their_men
    ways = game.binomials[free - kings, their_kings]
    rest, their_kings_rank = rest // ways, rest % ways
    ways = game.binomials[free, kings]
    rest, kings_rank = rest // ways, rest % ways
    ways = game.binomials[game.num_men_squares, their_men]
    my_men = unrank(game, rest // ways, men, NONE) << np.uint64(row)
    his_men = unrank(game, rest % ways, their_men, NONE)
    if my_men & his_men:
        return False
    occupied = my_men | his_men
    my_kings = unrank(game, kings_rank, kings, occupied)
    his_kings = unrank(game, their_kings_rank, their_kings, occupied | my_kings)
    state.player = 0
    state.quiet = 0
    state.men[0], state.men[1] = seen_set(game, my_men, 0), seen_set(game, his_men, 0)
    state.kings[0], state.kings[1] = seen_set(game, my_kings, 0), seen_set(game, his_kings, 0)
    for player in range(2):
        state.last_king[player] = 0
        state.king_moves[player] = 0
    return True


@kernel
def seen_set(game: Any, squares: Bits, player: int) -> Bits:
    """Some squares, with the board turned so that this player goes up."""
    if not game.is_turned[player]:
        return squares
    seen = NONE
    while squares != NONE:
        seen |= bit(game.num_squares - 1 - lowest(squares))
        squares = drop_lowest(squares)
    return seen


@kernel
def rank(game: Any, squares: Bits, taken: Bits) -> int:
    """The number of a set among those of its size, the squares that are taken left out."""
    found, count = 0, 1
    while squares != NONE:
        square = lowest(squares)
        squares = drop_lowest(squares)
        found += game.binomials[square - popcount(taken & (bit(square) - ONE)), count]
        count += 1
    return found


@kernel
def unrank(game: Any, number: int, count: int, taken: Bits) -> Bits:
    """The set of this size and number."""
    squares = NONE
    place = game.num_squares - 1
    for size in range(count, 0, -1):
        while game.binomials[place, size] > number:
            place -= 1
        number -= game.binomials[place, size]
        squares |= bit(free_square(place, taken))
    return squares


@kernel
def free_square(place: int, taken: Bits) -> int:
    """The square that has so many free ones before it."""
    while taken != NONE and lowest(taken) <= place:
        taken = drop_lowest(taken)
        place += 1
    return place
