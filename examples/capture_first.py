"""A playout policy for games that mark captures as `noisy`, such as draughts: capture if you can.

damier match dames8 uct:sims=300,playout=examples/capture_first.py:CaptureFirst uct:sims=300
"""

import numpy as np

from damier import below


class CaptureFirst:
    """Draws a capture if there is one, otherwise any move, all equally likely; -1 at the end of the game."""

    def move(self, game, state, rng):
        moves = np.empty(game.max_moves, np.int64)
        count = game.moves(state, moves)
        noisy = 0
        for i in range(count):
            if game.noisy(state, moves[i]):
                moves[noisy] = moves[i]
                noisy += 1
        if noisy:
            return moves[below(rng, noisy)]
        return moves[below(rng, count)] if count else -1
