"""UCT with progressive bias (Chaslot et al., Progressive strategies for Monte-Carlo tree search, 2008).

    damier match othello "mcts:rule=examples/progressive_bias.py:ProgressiveBias,sims=300" uct:sims=300

The game's own `weight` of a move counts while the move has few visits.
"""

import math


class ProgressiveBias:
    """x + c sqrt(log N / n) + bias log(1 + weight) / (n + 1)."""

    uses = ("weight",)

    def __init__(self, c: float = 0.4, bias: float = 0.5):
        self.c = c
        self.bias = bias

    def score(self, child, node):
        return (
            child.mean
            + self.c * node.sqrt_log * child.spread
            + self.bias * math.log(1 + child.weight) / (child.visits + 1)
        )
