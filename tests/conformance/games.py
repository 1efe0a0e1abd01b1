"""Small games that are right, for what no registered game has: chance, one and three players, hidden cards,
moves that are not their own policy index, and moves in another order."""

from typing import Any

import numpy as np

from damier import CHANCE, below
from damier.core.protocol import Moves, Planes, Rng, Values
from damier.games.tictactoe import TicTacToe

ROLL, HOLD = 0, 1
LISTED = (4, 0, 7, 2, 8, 5, 6, 1, 3)


class Pig:
    """Pig for three: roll to gain points, hold to keep them, roll a 1 and lose them. Nine rolls in all."""

    State = np.dtype(
        [
            ("player", np.int8),
            ("turn", np.int8),  # whose turn it is, also while the die rolls
            ("gained", np.int8),
            ("rolls_left", np.int8),
            ("totals", np.int8, (3,)),
        ]
    )
    num_players = 3
    max_moves = 4
    max_length = 27  # nine rolls, nine dice, nine times hold
    num_actions = 2
    encode_shape = (5, 1, 1)

    def setup(self, state: Any) -> None:
        state.player = state.turn = state.gained = 0
        state.rolls_left = 9
        state.totals[:] = 0

    def moves(self, state: Any, out: Moves) -> int:
        if state.rolls_left == 0:
            return 0
        out[0] = ROLL
        if state.gained == 0:
            return 1
        out[1] = HOLD
        return 2

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        """A die with the sides 1, 2, 3, 4 that likes to show 1."""
        for side in range(4):
            out[side] = side + 1
            probs[side] = 0.4 if side == 0 else 0.2
        return 4

    def play(self, state: Any, move: int) -> None:
        if state.player == CHANCE:
            state.player = state.turn
            state.gained += move
            if move == 1:
                self.end_turn(state)
        elif move == ROLL:
            state.rolls_left -= 1
            state.player = CHANCE
        else:
            state.totals[state.turn] += state.gained
            self.end_turn(state)

    def end_turn(self, state: Any) -> None:
        state.gained = 0
        state.turn = (state.turn + 1) % 3
        state.player = state.turn

    def returns(self, state: Any, out: Values) -> None:
        best = max(state.totals[0], state.totals[1], state.totals[2])
        winners = 0
        for player in range(3):
            winners += state.totals[player] == best
        for player in range(3):
            is_winner = state.totals[player] == best
            out[player] = (3 - winners) / (2 * winners) if is_winner else -0.5

    def encode(self, state: Any, out: Planes) -> None:
        """What is left, what may be lost, and the totals from the player to move on."""
        out[0] = state.rolls_left / 9
        out[1] = state.gained / 9
        for turn in range(3):
            out[2 + turn] = state.totals[(state.turn + turn) % 3] / 9


class CountUp:
    """One player adds 1, 2 or 3 as often as she likes; the total pays, but more than 10 pays nothing."""

    State = np.dtype([("player", np.int8), ("stopped", np.int8), ("total", np.int8)])
    num_players = 1
    max_moves = 4
    max_length = 11

    def setup(self, state: Any) -> None:
        state.player = state.stopped = state.total = 0

    def moves(self, state: Any, out: Moves) -> int:
        if state.stopped or state.total >= 10:
            return 0
        for added in range(4):  # 0 is to stop
            out[added] = added
        return 4

    def sample(self, state: Any, rng: Rng) -> int:
        return -1 if state.stopped or state.total >= 10 else below(rng, 4)

    def play(self, state: Any, move: int) -> None:
        state.total += move
        state.stopped = move == 0

    def returns(self, state: Any, out: Values) -> None:
        out[0] = -1 if state.total > 10 else state.total / 5 - 1

    def evaluate(self, state: Any, out: Values) -> None:
        self.returns(state, out)


class HighCard:
    """Each of two players is dealt two cards of five and sees only them; twice the higher card takes a trick."""

    State = np.dtype(
        [
            ("player", np.int8),
            ("dealt", np.int8),
            ("led", np.int8),  # the card that waits for an answer, or -1
            ("owner", np.int8, (5,)),  # of each card: 0 in the pack, 1 + player in a hand, 3 played
            ("tricks", np.int8, (2,)),
            ("num_played", np.int8),
            ("played", np.int8, (4,)),  # the cards in the order in which they were played
        ]
    )
    num_players = 2
    max_moves = 5
    max_length = 8
    max_observation = 6 + 4

    def setup(self, state: Any) -> None:
        state.player = CHANCE
        state.dealt = 0
        state.led = -1
        state.num_played = 0
        state.played[:] = 0
        state.owner[:] = 0
        state.tricks[:] = 0

    def cards_of(self, state: Any, owner: int, out: Moves) -> int:
        count = 0
        for card in range(5):
            if state.owner[card] == owner:
                out[count] = card
                count += 1
        return count

    def moves(self, state: Any, out: Moves) -> int:
        return self.cards_of(state, 1 + state.player, out)

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        count = self.cards_of(state, 0, out)
        probs[:count] = 1 / count
        return count

    def play(self, state: Any, move: int) -> None:
        if state.player == CHANCE:
            state.owner[move] = 1 + state.dealt % 2
            state.dealt += 1
            if state.dealt == 4:
                state.player = 0
            return
        state.owner[move] = 3
        state.played[state.num_played] = move
        state.num_played += 1
        if state.led < 0:
            state.led = move
        else:
            state.tricks[1 if move > state.led else 0] += 1
            state.led = -1
        state.player = 1 - state.player

    def returns(self, state: Any, out: Values) -> None:
        out[0] = (state.tricks[0] - state.tricks[1]) / 2
        out[1] = -out[0]

    def observe(self, state: Any, player: int, out: Moves) -> int:
        """How many cards are dealt, one's own, and the cards that were played."""
        out[0] = state.dealt
        for card in range(5):
            out[1 + card] = state.owner[card] == 1 + player
        out[6 : 6 + state.num_played] = state.played[: state.num_played]
        return 6 + int(state.num_played)

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        """Put the other's hand back into the pack, and deal as many cards from it."""
        held = 0
        for card in range(5):
            if state.owner[card] == 2 - observer:
                state.owner[card] = 0
                held += 1
        while held > 0:
            card = below(rng, 5)
            if state.owner[card] == 0:
                state.owner[card] = 2 - observer
                held -= 1


MILLION = 1_000_000


class FarApart:
    """Two neighbours on a line of five squares win; the moves are 7, 1 000 007, 2 000 007 and so on."""

    State = np.dtype([("player", np.int8), ("won", np.int8), ("owner", np.int8, (5,))])
    num_players = 2
    max_moves = 5
    max_length = 5
    num_actions = 5
    encode_shape = (2, 1, 5)

    def setup(self, state: Any) -> None:
        state.player = state.won = 0
        state.owner[:] = 0

    def moves(self, state: Any, out: Moves) -> int:
        count = 0
        for square in range(0 if state.won else 5):
            if state.owner[square] == 0:
                out[count] = MILLION * square + 7
                count += 1
        return count

    def play(self, state: Any, move: int) -> None:
        square = move // MILLION
        mine = 1 + state.player
        state.owner[square] = mine
        if square > 0 and state.owner[square - 1] == mine:
            state.won = 1
        if square < 4 and state.owner[square + 1] == mine:
            state.won = 1
        state.player = 1 - state.player

    def returns(self, state: Any, out: Values) -> None:
        out[state.player] = -state.won
        out[1 - state.player] = state.won

    def sample(self, state: Any, rng: Rng) -> int:
        free = 0
        for square in range(0 if state.won else 5):
            free += state.owner[square] == 0
        if free == 0:
            return -1
        skipped = below(rng, free)
        square = 0
        while skipped > 0 or state.owner[square] != 0:
            skipped -= state.owner[square] == 0
            square += 1
        return MILLION * square + 7

    def key(self, state: Any) -> int:
        key = 0
        for square in range(5):
            key = 3 * key + int(state.owner[square])
        return key

    def encode(self, state: Any, out: Planes) -> None:
        for player in range(2):
            for square in range(5):
                out[player, 0, square] = state.owner[square] == 1 + player

    def action(self, state: Any, move: int) -> int:
        return move // MILLION

    def symmetries(self) -> list[tuple[Any, Any]]:
        backwards = np.arange(5)[::-1]
        return [(backwards, backwards)]


class OtherOrder(TicTacToe):
    """Tic-tac-toe whose squares are listed in an order that looks random."""

    outside = np.array([[s for s in LISTED if not taken >> s & 1] + [0] * taken.bit_count() for taken in range(512)])


# -- games that keep every law and are probably a mistake --------------------------------------------------------


class ThirdNeverMoves:
    """Three players, of whom two take squares in turn; nobody wins."""

    State = np.dtype([("player", np.int8), ("taken", np.int8)])
    num_players = 3
    max_moves = 2
    max_length = 3

    def setup(self, state: Any) -> None:
        state.player = state.taken = 0

    def moves(self, state: Any, out: Moves) -> int:
        out[0], out[1] = 0, 1
        return 2 if state.taken < 3 else 0

    def play(self, state: Any, move: int) -> None:
        state.taken += 1
        state.player = state.taken % 2

    def returns(self, state: Any, out: Values) -> None:
        out[:] = 0


class FirstAlwaysWins(ThirdNeverMoves):
    def returns(self, state: Any, out: Values) -> None:
        out[0], out[1], out[2] = 1, -0.5, -0.5


class NoChoice(ThirdNeverMoves):
    def moves(self, state: Any, out: Moves) -> int:
        out[0] = 0
        return 1 if state.taken < 3 else 0


class DiceThatNeverRoll(ThirdNeverMoves):
    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        out[0] = 0
        probs[0] = 1
        return 1


class PaysAlwaysTheSame(CountUp):
    def returns(self, state: Any, out: Values) -> None:
        out[0] = 0.5


SUSPICIOUS = [
    ("player 2 never moved", ThirdNeverMoves),
    ("nobody ever won", ThirdNeverMoves),
    ("player 2 never won", FirstAlwaysWins),
    ("no position had more than one move to choose from", NoChoice),
    ("the game has `chance`, and chance never moved; `uses_chance = False` would say so", DiceThatNeverRoll),
    ("every game paid 0.5", PaysAlwaysTheSame),
]
