"""Games in which two players place stones on one board, and each sees only their own.

A player tries a square. If it is empty, a stone is placed there. If the other has it, the player learns that, and no
stone is placed: with the classical rules they try again, with the abrupt rules the turn passes. The other player learns
nothing from a try, and with the classical rules not even how many tries were made.

A player tries no square twice. So the record holds, for each player and square, the number of the try: first 1, then 2.
Together with the owners of the squares that is all the players know, and nothing else is kept.
"""

from typing import Any, ClassVar

import numpy as np

from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.protocol import REFEREE, Moves, Observation, Planes, Record, Rng
from damier.core.rng import below, shuffle
from damier.core.squares import Squares
from damier.core.view import EMPTY, Grid

RULES = ("classical", "abrupt")


class Blind:
    """The parts of the rules that do not depend on who wins. A game adds `has_won` and `returns`."""

    num_players = 2
    choices: ClassVar = {"rules": RULES}
    size: int
    is_abrupt: bool
    _squares: Squares

    def set_board(self, squares: Squares, rules: str) -> None:
        """Set what follows from the board and the rules."""
        if rules not in RULES:
            raise ValueError(say("blind.rules", known=list(RULES), got=rules))
        self.rules, self.is_abrupt = rules, rules == "abrupt"
        self.rows, self.cols, self._squares = squares.rows, squares.cols, squares
        self.size = size = squares.rows * squares.cols
        self.max_moves = self.num_actions = self.max_observation = size
        self.max_length = 2 * size
        self.encode_shape = (2, squares.rows, squares.cols)
        self.State = np.dtype(
            [
                ("player", np.int8),
                ("won", np.int8),  # whether the last stone won
                ("num_stones", np.int16),
                ("num_tries", np.int16, (2,)),
                ("cells", np.int8, (size,)),  # 0 for an empty square, otherwise 1 + the player
                ("tries", np.int16, (2, size)),  # of each player: the number of their try on this square, from 1; or 0
            ]
        )

    def has_won(self, state: Record, square: int) -> bool:
        """Whether the stone on this square wins for its owner."""
        raise NotImplementedError

    def setup(self, state: Record) -> None:
        state.player = state.won = state.num_stones = 0
        state.num_tries[:] = 0
        state.cells[:] = 0
        state.tries[:] = 0

    def moves(self, state: Record, out: Moves) -> int:
        if state.won or state.num_stones == self.size:
            return 0
        count = 0
        for square in range(self.size):
            if not state.tries[state.player, square]:
                out[count] = square
                count += 1
        return count

    def sample(self, state: Record, rng: Rng) -> int:
        if state.won or state.num_stones == self.size:
            return -1
        while True:
            square = below(rng, self.size)
            if not state.tries[state.player, square]:
                return square

    def play(self, state: Record, move: int) -> None:
        mover = state.player
        state.num_tries[mover] += 1
        state.tries[mover, move] = state.num_tries[mover]
        if state.cells[move]:
            if self.is_abrupt:
                state.player = 1 - mover
            return
        state.cells[move] = 1 + mover
        state.num_stones += 1
        state.won = self.has_won(state, move)
        state.player = 1 - mover

    def encode(self, state: Record, out: Planes) -> None:
        """Planes: stones of the player to move, and those of the other that the player has found."""
        mover = state.player
        for square in range(self.size):
            row, col = square // self.cols, square % self.cols
            is_tried = state.tries[mover, square] > 0
            out[0, row, col] = is_tried and state.cells[square] == 1 + mover
            out[1, row, col] = is_tried and state.cells[square] == 2 - mover

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player knows the squares they tried, in order, and whether they got them."""
        for square in range(self.size):
            number = state.tries[player, square]
            if number:
                out[number - 1] = 2 * square + (state.cells[square] != 1 + player)
        return int(state.num_tries[player])

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """Draw the other's tries until they are possible. They hardly ever are not: see `draw_turns`."""
        other = 1 - observer
        num_turns = int(state.num_tries[other]) if self.is_abrupt else self.count_stones(state, other)
        turns = np.zeros(num_turns, np.int64)
        while not self.draw_turns(state, observer, turns, rng):
            pass
        if self.is_abrupt:
            state.tries[other] = 0
            for turn in range(num_turns):
                state.tries[other, turns[turn]] = 1 + turn
        else:
            self.draw_failures(state, observer, turns, rng)
        state.num_stones = self.count_stones(state, 0) + self.count_stones(state, 1)

    def count_stones(self, state: Record, player: int) -> int:
        count = 0
        for square in range(self.size):
            count += state.cells[square] == 1 + player
        return count

    def draw_turns(self, state: Record, observer: int, turns: Moves, rng: Rng) -> bool:
        """Draw the other's stones, and with the abrupt rules failed tries, one square a turn. Return False if no square
        is left for a turn, or none for the next move of the game.

        A stone that the observer found was placed before that: these get a turn first, the one with the fewest turns to
        choose from before the others, so that all ways are equally likely. The other turns get squares at random; one
        that would win is left out, because the game goes on.
        """
        other = 1 - observer
        for square in range(self.size):
            if state.cells[square] == 1 + other:
                state.cells[square] = 0
        turns[:] = -1
        own = np.zeros(self.size, np.int64)  # the observer's stones, in order
        time = self.place_found(state, observer, turns, own, rng)
        free = np.zeros(self.size, np.int64)
        num_free = 0
        for square in range(self.size):
            if not state.cells[square]:
                free[num_free] = square
                num_free += 1
        num_empty = num_free
        shuffle(free, num_free, rng)
        failed = 0  # tries on the observer's stones
        for turn in range(turns.size):
            if turns[turn] >= 0:
                continue
            released = 0
            while self.is_abrupt and released < time.size and 0 < time[released] <= turn + other:
                released += 1
            while True:
                choices = num_free + released - failed
                if choices == 0:
                    return False
                if below(rng, choices) >= num_free:
                    place = failed + below(rng, released - failed)
                    turns[turn] = own[place]
                    own[place] = own[failed]
                    failed += 1
                    break
                num_free -= 1
                square = free[num_free]
                state.cells[square] = 1 + other
                if not self.has_won(state, square):
                    turns[turn] = square
                    num_empty -= 1
                    break
                state.cells[square] = 0
        return num_empty > 0

    def place_found(self, state: Record, observer: int, turns: Moves, own: Moves, rng: Rng) -> Any:
        """Give each stone that the observer found a turn of the other before it was found. Write the observer's stones
        into `own`; return the number of the turn in which each was placed, and zeros after them."""
        order = np.zeros(self.size, np.int64)
        for square in range(self.size):
            if state.tries[observer, square]:
                order[state.tries[observer, square] - 1] = square
        time = np.zeros(self.size, np.int64)
        num_own = num_found = 0
        for number in range(state.num_tries[observer]):
            square = order[number]
            turn = 1 + (number if self.is_abrupt else num_own)
            if state.cells[square] == 1 + observer:
                own[num_own], time[num_own] = square, turn
                num_own += 1
                continue
            state.cells[square] = 2 - observer
            skipped = below(rng, turn - 1 + observer - num_found)
            num_found += 1
            place = 0
            while skipped > 0 or turns[place] >= 0:
                skipped -= turns[place] < 0
                place += 1
            turns[place] = square
        return time

    def draw_failures(self, state: Record, observer: int, turns: Moves, rng: Rng) -> None:
        """Draw the failed tries of the classical rules, as if the other tried squares at random; number all tries."""
        other = 1 - observer
        hit = np.zeros(self.size, np.int64)  # the observer's stones: first those found, then in the order of placing
        numbers = np.full(self.size + 1, -1)
        for square in range(self.size):
            if state.cells[square] == 1 + observer:
                numbers[state.tries[observer, square]] = square
        num_own = 0
        for number in range(numbers.size):
            if numbers[number] >= 0:
                hit[num_own] = numbers[number]
                num_own += 1
        state.tries[other] = 0
        count = num_found = 0
        for turn in range(turns.size + (state.player == other)):
            placed = turn + other  # stones of the observer before this turn
            while below(rng, self.size - turn - num_found) < placed - num_found:
                place = num_found + below(rng, placed - num_found)
                square = hit[place]
                hit[place] = hit[num_found]
                hit[num_found] = square
                num_found += 1
                count += 1
                state.tries[other, square] = count
            if turn < turns.size:
                count += 1
                state.tries[other, turns[turn]] = count
        state.num_tries[other] = count

    # -- for people --------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return self._squares.format(move)

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """Nobody sees where the other tries."""
        return HIDDEN

    def format_position(self, state: Record) -> str:
        """The tries of player 0 and those of player 1, in order: `b2,c1 b2,a3`; `-` for none."""
        return " ".join(",".join(map(self._squares.format, self._tried(state, player))) or "-" for player in (0, 1))

    def parse_position(self, state: Record, text: str) -> None:
        words = text.split()
        if len(words) != 2:
            raise ValueError(say("blind.position"))
        tries = [[] if word == "-" else [self._squares.parse(name) for name in word.split(",")] for word in words]
        self.setup(state)
        out = np.zeros(self.size, np.int64)
        while tries[state.player]:
            square = tries[state.player].pop(0)
            if square not in out[: self.moves(state, out)].tolist():
                raise ValueError(say("blind.tries"))
            self.play(state, square)
        if tries[0] or tries[1]:
            raise ValueError(say("blind.turns"))

    def view(self, state: Record, observer: int) -> Grid:
        return self._squares.grid([self._seen(state, square, observer) for square in range(self.size)])

    def _seen(self, state: Record, square: int, observer: int) -> int:
        """The owner of a square, if the observer knows."""
        is_seen = observer == REFEREE or state.tries[observer, square]
        return int(state.cells[square]) - 1 if is_seen else EMPTY

    def _tried(self, state: Record, player: int) -> list[int]:
        """The squares that a player tried, in order."""
        squares = np.flatnonzero(state.tries[player])
        return [int(square) for square in squares[np.argsort(state.tries[player][squares])]]
