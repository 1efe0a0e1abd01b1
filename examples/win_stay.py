"""A playout policy that learns: in its playouts a player repeats the move that won for them last.

damier match connect4 uct:sims=300,playout=examples/win_stay.py:WinStay uct:sims=300
"""

import numpy as np

from damier import below


class WinStay:
    """Repeats a player's last move of the last simulation that they won, if it is legal; else draws any move."""

    Memory = np.dtype([("move", np.int64, 8), ("is_known", np.int8, 8)])

    def move(self, game, state, line, memory, buffers, rng):
        count = game.moves(state, buffers.moves)
        for i in range(count):
            if memory.is_known[state.player] and buffers.moves[i] == memory.move[state.player]:
                return buffers.moves[i]
        return buffers.moves[below(rng, count)] if count else -1

    def learn(self, line, memory, payoffs):
        for ply in range(line.length):
            player = line.players[ply]
            if player >= 0 and payoffs[player] > 0:
                memory.move[player] = line.moves[ply]
                memory.is_known[player] = 1
