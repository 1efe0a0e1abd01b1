"""An evaluation of Othello by corners and mobility, for any search that takes an evaluation.

damier match othello alphabeta:depth=4,evaluation=examples/corners.py:Corners alphabeta:depth=4
"""

import numpy as np

from damier import popcount


class Corners:
    """Values corners and legal moves, and scales the difference to [-1, 1]."""

    def __init__(self, corner: float = 10.0, mobility: float = 1.0):
        self.corner = corner
        self.mobility = mobility

    def evaluate(self, game, state, out):
        own = popcount(state.discs[0] & game.corners) - popcount(state.discs[1] & game.corners)
        moves = np.empty(game.max_moves, np.int64)
        sign = 1.0 if state.player == 0 else -1.0
        difference = self.corner * own + sign * self.mobility * game.moves(state, moves)
        out[0] = difference / (abs(difference) + 20)
        out[1] = -out[0]
