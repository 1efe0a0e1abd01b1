"""Twenty-one matches: take one, two or three; you win by taking the last one."""

import numpy as np


class Matches:
    """Take one, two or three matches; take the last one to win."""

    State = np.dtype([("player", np.int8), ("left", np.int16)])
    num_players, max_moves = 2, 3

    def __init__(self, start: int = 21):
        self.start = self.max_length = start

    def setup(self, state):
        state.player, state.left = 0, self.start

    def moves(self, state, out):
        count = min(3, state.left)
        for taken in range(count):
            out[taken] = taken + 1
        return count

    def play(self, state, move):
        state.left -= move
        state.player = 1 - state.player

    def returns(self, state, out):
        out[state.player], out[1 - state.player] = -1, 1
