"""Games that are no games, or whose rules lie."""

import numpy as np

from base import Count


class NoReturns:
    State = np.dtype([("player", np.int8)])
    num_players = max_moves = max_length = 1

    def setup(self, state):
        pass

    def moves(self, state, out):
        return 0

    def play(self, state, move):
        pass


class NoState(Count):
    State = None


class NoPlayer(Count):
    State = np.dtype([("total", np.int8)])


class TextInState(Count):
    State = np.dtype([("player", np.int8), ("name", "U5")])


class TakenName(Count):
    State = np.dtype([("player", np.int8), ("sum", np.int8)])


class NoMaxMoves(Count):
    max_moves = None


class ForgetsOption(Count):
    def __init__(self, limit: int = 5) -> None:
        pass


class TooManyMoves(Count):
    def moves(self, state, out):
        return 3


class NegativeMoves(Count):
    def moves(self, state, out):
        return -1


class Endless(Count):
    def play(self, state, move):
        state.player = 1 - state.player


class Unmakeable(Count):
    def __init__(self):
        self.size = {}["size"]


class ChanceWithoutDice(Count):
    def play(self, state, move):
        state.total += move
        state.player = -1


class ForgetsAField(Count):
    def setup(self, state):
        state.player = 0


class HelperFails(Count):
    def play(self, state, move):
        state.total += self.looked_up(move)
        state.player = 1 - state.player

    def looked_up(self, move):
        steps = np.zeros(2, np.int64)
        return steps[move]


class NobodyWins(Count):
    def returns(self, state, out):
        out[:] = 0
