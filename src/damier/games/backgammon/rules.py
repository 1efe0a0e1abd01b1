"""Backgammon: the board, the dice, the end.

Each player counts the points from home: 1 to 24; 25 is the bar and 0 is off the board. Both move downwards, so point p
of one is point 25 - p of the other. As player 0 sees it:

    13 14 15 16 17 18 | 19 20 21 22 23 24
    12 11 10  9  8  7 |  6  5  4  3  2  1    <- home

A turn is one move; `turns` explains its number. Before each turn chance rolls the dice. An outcome is 10 * higher die +
lower die; the first roll of the game is 10 * die of player 0 + die of player 1.
"""

from math import comb

import numpy as np

from damier.core.bits import Bits
from damier.core.messages import say
from damier.core.protocol import CHANCE, Moves, Planes, Record, Values
from damier.core.rng import mix
from damier.core.view import DISCS, EMPTY, Grid, Symbol
from damier.games.backgammon.notation import (
    START,
    format_move,
    format_position,
    orders,
    parse_id,
    parse_move,
    parse_position,
)
from damier.games.backgammon.turns import BAR, BASE, HOME, MAX_TURNS, OFF, list_turns

CHECKERS = 15
MAX_LIMIT = 10_000
DOUBLES = BASE * BASE  # policy indices from here on are doubles
FOUR, OVER = np.uint64(4), np.uint64(256)

# The weights of the features in `evaluate`, chosen by hand and not tuned.
RACE, HOME_POINT, POINT, BLOT, HIT = 2.0, 0.04, 0.02, 0.03, 0.06

_COUNTS = tuple(
    Symbol(f"{count}{disc.unicode}", f"{count}{disc.ascii}", disc.player)
    for disc in DISCS
    for count in range(1, CHECKERS + 1)
)
_NUMBERS = tuple(Symbol(str(point), str(point), -1, "transparent") for point in range(13, 25))
SYMBOLS = (*DISCS, *_COUNTS, *_NUMBERS)
COLUMNS = 14  # of the view: twelve points, the bar and the checkers off the board


class Backgammon:
    """Backgammon: race your checkers home and off the board, and hit blots."""

    version = 1
    num_players = 2
    max_moves = MAX_TURNS
    num_actions = DOUBLES + comb(BASE + 3, 4)
    encode_shape = (20, 1, 24)
    State = np.dtype(
        [
            ("player", np.int8),
            ("turn", np.int8),  # whose turn it is, even while the dice roll; CHANCE before the first roll of a game
            ("dice", np.int8, (2,)),  # the higher one and the lower one; 0 before the roll
            ("num_turns", np.int16),
            ("points", np.int8, (2, 26)),  # how many checkers each player has on each point, as they count
        ]
    )

    def __init__(self, gammons: bool = False, limit: int = 1000, position: str = "") -> None:
        if not 1 <= limit <= MAX_LIMIT:
            raise ValueError(say("backgammon.limit", most=MAX_LIMIT, got=limit))
        self.gammons, self.limit, self.position = gammons, limit, position
        self.max_length = 2 * limit  # a roll before each turn
        self.first = np.array(parse_id(position or START), np.int8)  # [2, 26], player 0 is on roll
        if self.first[:, OFF].max() == CHECKERS:
            raise ValueError(say("backgammon.checkers", checkers=CHECKERS, got=position))
        self.first_turn = 0 if position else CHANCE
        # [k, n]: how many multisets of k numbers below n there are
        self.multisets = np.array([[comb(n + k - 1, k) if n else 0 for n in range(BASE)] for k in range(5)])

    def setup(self, state: Record) -> None:
        state.player, state.turn = CHANCE, self.first_turn
        state.dice[:] = 0
        state.num_turns = 0
        for player in range(2):
            for point in range(BAR + 1):
                state.points[player, point] = self.first[player, point]

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        """A roll of two dice; before the first turn one die for each player, rolled again if they are equal."""
        count = 0
        for first in range(1, 7):
            for second in range(1, 7):
                if state.turn == CHANCE and first != second:
                    out[count], probs[count] = 10 * first + second, 1 / 30
                    count += 1
                elif state.turn != CHANCE and first >= second:
                    out[count], probs[count] = 10 * first + second, 1 / 36 if first == second else 1 / 18
                    count += 1
        return count

    def moves(self, state: Record, out: Moves) -> int:
        if self.is_over(state):
            return 0
        me = state.player
        own = state.points[me].copy()
        return list_turns(own, state.points[1 - me], int(state.dice[0]), int(state.dice[1]), out)

    def play(self, state: Record, move: int) -> None:
        if state.player == CHANCE:
            self.roll(state, move // 10, move % 10)
            return
        for number in range(4):
            source = move // BASE**number % BASE
            if source:
                self.step(state, source, state.dice[min(number, 1)])
        state.num_turns += 1
        state.dice[:] = 0
        state.turn = 1 - state.turn
        state.player = state.turn if self.is_over(state) else CHANCE

    def roll(self, state: Record, first: int, second: int) -> None:
        if state.turn == CHANCE:
            state.turn = 0 if first > second else 1
        state.dice[0], state.dice[1] = max(first, second), min(first, second)
        state.player = state.turn

    def step(self, state: Record, source: int, die: int) -> None:
        """Move one checker, and send a single enemy checker to the bar."""
        me, target = state.turn, max(OFF, source - die)
        state.points[me, source] -= 1
        state.points[me, target] += 1
        if target != OFF and state.points[1 - me, 25 - target] == 1:
            state.points[1 - me, 25 - target] = 0
            state.points[1 - me, BAR] += 1

    def is_over(self, state: Record) -> bool:
        return state.points[0, OFF] == CHECKERS or state.points[1, OFF] == CHECKERS or state.num_turns == self.limit

    def returns(self, state: Record, out: Values) -> None:
        out[0] = out[1] = 0
        for winner in range(2):
            if state.points[winner, OFF] == CHECKERS:
                out[winner] = self.stake(state, 1 - winner) / 3 if self.gammons else 1
                out[1 - winner] = -out[winner]

    def stake(self, state: Record, loser: int) -> int:
        """The size of a loss: 2 for a gammon, with no checker off the board; 3 for a backgammon, if a checker is also
        on the bar or in the winner's home; otherwise 1."""
        if state.points[loser, OFF] > 0:
            return 1
        for point in range(25 - HOME, BAR + 1):
            if state.points[loser, point] > 0:
                return 3
        return 2

    def pips(self, state: Record, player: int) -> int:
        """How many points this player's checkers still have to go."""
        total = 0
        for point in range(1, BAR + 1):
            total += point * int(state.points[player, point])
        return total

    def structure(self, state: Record, player: int) -> float:
        """The held points, above all in the home board, minus the checkers that stand alone or are on the bar."""
        total = -HIT * state.points[player, BAR]
        for point in range(1, BAR):
            if state.points[player, point] == 1:
                total -= BLOT
            elif state.points[player, point] > 1:
                total += HOME_POINT if point <= HOME else POINT
        return total

    def evaluate(self, state: Record, out: Values) -> None:
        """The race, as a share of all pips, and the difference of the structures."""
        first, second = self.pips(state, 0), self.pips(state, 1)
        race = (second - first) / max(1, first + second)
        value = RACE * race + self.structure(state, 0) - self.structure(state, 1)
        out[0] = max(-1.0, min(1.0, value))
        out[1] = -out[0]

    def key(self, state: Record) -> Bits:
        """A hash of everything except the number of turns; only whether any are left counts."""
        word: Bits = np.uint64(int(state.turn) + 1 + 4 * int(state.dice[0]) + 32 * int(state.dice[1]))
        if self.is_over(state):
            word |= OVER
        for player in range(2):
            for half in range(2):
                hashed = np.uint64(mix(word))
                word = np.uint64(0)
                for point in range(13 * half, 13 * half + 13):
                    word = word << FOUR | np.uint64(state.points[player, point])
                word ^= hashed
        return mix(word)

    def encode(self, state: Record, out: Planes) -> None:
        """Planes over player 0's points: for each player four as in TD-Gammon (at least 1, 2, 3 checkers, and half of
        those beyond 3), the bar, and off the board; how many dice show 1 to 6; whose turn it is; turns used up."""
        for col in range(24):
            for player in range(2):
                count = state.points[player, col + 1 if player == 0 else 24 - col]
                for least in range(3):
                    out[6 * player + least, 0, col] = count > least
                out[6 * player + 3, 0, col] = max(0, count - 3) / 2
                out[6 * player + 4, 0, col] = state.points[player, BAR] / 2
                out[6 * player + 5, 0, col] = state.points[player, OFF] / CHECKERS
            for die in range(1, 7):
                out[11 + die, 0, col] = int(state.dice[0] == die) + int(state.dice[1] == die)
            out[18, 0, col] = state.turn
            out[19, 0, col] = state.num_turns / self.limit

    def action(self, state: Record, move: int) -> int:
        """The move itself; for a double, whose sources descend, its rank among all such numbers of four digits."""
        if state.dice[0] != state.dice[1]:
            return move
        rank = DOUBLES
        for number in range(4):
            rank += self.multisets[4 - number, move // BASE**number % BASE]
        return rank

    def format_move(self, state: Record, move: int) -> str:
        return f"{move:02}" if state.player == CHANCE else format_move(state, move)

    def parse_move(self, state: Record, text: str) -> int:
        """The parts of a turn may be in any order, with spaces or commas between them, and without stars."""
        if state.player == CHANCE:
            return int(text)
        out = np.zeros(MAX_TURNS, np.int64)
        return parse_move(state, text, out[: self.moves(state, out)].tolist())

    def format_position(self, state: Record) -> str:
        return format_position(state)

    def parse_position(self, state: Record, text: str) -> None:
        parse_position(state, text)
        if state.num_turns > self.limit:
            raise ValueError(say("backgammon.turns", most=self.limit, got=state.num_turns))
        is_waiting = state.dice[0] == 0 and not self.is_over(state)
        state.player = CHANCE if is_waiting else state.turn

    def view(self, state: Record) -> Grid:
        """Two rows of twelve points as player 0 sees them, with the bar in the middle and the checkers off the board at
        the end."""
        top = [self._cell(state, point) for point in range(13, 25)]
        bottom = [self._cell(state, point) for point in range(12, 0, -1)]
        numbers = [len(SYMBOLS) - 12 + place for place in range(12)]
        bars, offs = ([EMPTY, self._count(state, 1, place), self._count(state, 0, place)] for place in (BAR, OFF))
        lines = zip((numbers, top, bottom), bars, offs, strict=True)
        rows = tuple((*row[:6], bar, *row[6:], off) for row, bar, off in lines)
        columns = (*map(str, range(12, 6, -1)), "bar", *map(str, range(6, 0, -1)), "off")
        roll = say("board.rolled", disc=DISCS[state.turn].unicode, dice=f"{state.dice[0]}-{state.dice[1]}")
        return Grid(rows, ("", "", ""), columns, SYMBOLS, notes=(roll,) if state.dice[0] else ())

    def trails(self, state: Record, move: int) -> list[tuple[int, ...]]:
        """From point to point, in every order that can be played."""
        if state.player == CHANCE:
            return []
        player = int(state.player)
        return [tuple(_square(player, place) for step in way for place in step) for way in orders(state, move) if way]

    def _cell(self, state: Record, point: int) -> int:
        cell = self._count(state, 0, point)
        return self._count(state, 1, 25 - point) if cell == EMPTY else cell

    def _count(self, state: Record, player: int, point: int) -> int:
        count = int(state.points[player, point])
        return 1 + CHECKERS * player + count if count else EMPTY


def _square(player: int, place: int) -> int:
    """The cell of a player's place in the view, which is drawn as player 0 counts."""
    if place in (BAR, OFF):
        return (2 - player) * COLUMNS + (6 if place == BAR else 13)
    point = place if player == 0 else 25 - place
    row, along = (1, point - 13) if point > 12 else (2, 12 - point)
    return row * COLUMNS + along + (along >= 6)
