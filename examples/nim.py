"""Nim: take as many matches as you like from one heap; take the last match to win."""

import numpy as np


class Nim:
    """Nim with heaps of 1, 2, 3, ... matches."""

    num_players = 2

    def __init__(self, heaps: int = 3) -> None:
        if not 1 <= heaps <= 9:
            raise ValueError(f"expected 1 to 9 heaps, got {heaps}")
        self.heaps = heaps
        self.State = np.dtype([("player", np.int8), ("matches", np.int8, (heaps,))])
        self.max_moves = self.max_length = heaps * (heaps + 1) // 2

    def setup(self, state):
        state.player = 0
        for heap in range(self.heaps):
            state.matches[heap] = heap + 1

    def moves(self, state, out):
        count = 0
        for heap in range(self.heaps):
            for taken in range(1, state.matches[heap] + 1):
                out[count] = 10 * heap + taken  # "take `taken` from `heap`" as one number
                count += 1
        return count

    def play(self, state, move):
        state.matches[move // 10] -= move % 10
        state.player = 1 - state.player

    def returns(self, state, out):
        out[state.player] = -1  # the other one took the last match
        out[1 - state.player] = 1

    def format_move(self, state, move):
        return f"{'abcdefghi'[move // 10]}{move % 10}"

    def draw(self, state):
        return "\n".join(f"{'abcdefghi'[heap]}: {'|' * n}" for heap, n in enumerate(state.matches))
