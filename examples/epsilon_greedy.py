"""A player of your own: flat Monte-Carlo search that chooses its playouts by epsilon-greedy.

Each playout tries the move with the best mean so far, or with probability epsilon any move.

    damier match tictactoe examples/epsilon_greedy.py:EpsilonGreedy random --games 10
"""

import damier


class EpsilonGreedy:
    """Flat search in plain Python: shares `playouts` random games among the moves by epsilon-greedy."""

    def __init__(self, playouts: int = 50, epsilon: float = 0.2) -> None:
        if playouts < 1:
            raise ValueError(f"expected at least one playout, got {playouts}")
        self.playouts, self.epsilon = playouts, epsilon

    def choose(self, pos, seed):
        rng = damier.new_rng(seed)
        moves = pos.moves()
        visits, total = dict.fromkeys(moves, 0), dict.fromkeys(moves, 0.0)

        def mean(move):
            return total[move] / visits[move] if visits[move] else 1.0  # a win, before anything is known

        for _ in range(self.playouts):
            explores = damier.uniform(rng) < self.epsilon
            move = moves[damier.below(rng, len(moves))] if explores else max(moves, key=mean)
            end = pos.play(move)
            while not end.is_over:
                end = end.play(end.random_move(rng))
            visits[move] += 1
            total[move] += end.returns[pos.player]
        return max(moves, key=lambda move: (visits[move], total[move]))
