"""A correct little game (count to five, one or two at a time) for the wrong ones to inherit from."""

import numpy as np


class Count:
    """Players add 1 or 2 to a sum; who reaches 5 wins."""

    State = np.dtype([("player", np.int8), ("total", np.int8)])
    num_players = 2
    max_moves = 2
    max_length = 5

    def setup(self, state):
        state.player = 0
        state.total = 0

    def moves(self, state, out):
        if state.total >= 5:
            return 0
        out[0] = 1
        out[1] = 2
        return 2

    def play(self, state, move):
        state.total += move
        state.player = 1 - state.player

    def returns(self, state, out):
        out[state.player] = -1
        out[1 - state.player] = 1
