"""Winning margins: payoffs that also count by how much a game was won.

Payoffs say who wins. In a nearly decided position, or where chance decides, they no longer distinguish one move from
another. With a margin a payoff is

    (1 - margin) payoff + margin evaluation / reach

where the evaluation is that of the search, by default the game's own, for the end of the game. From `reach` on it
counts as a whole win: otherwise little would be left of the values in games where even a clear win is by a few squares.
Below a margin of one half, who wins counts for more than anything else. Compare Pepels, Tak, Lanctot, Winands,
Quality-based rewards for Monte-Carlo tree search simulations, 2014; and Wu, Accelerating self-play learning in Go,
2019, where the score is added to the outcome in a similar way.
"""

from typing import Any

from damier.core.compile import kernel


@kernel
def add_margin(margin: float, reach: float, values: Any, evaluated: Any) -> None:
    """Add the winning margin to the payoffs of a finished game, given its evaluation."""
    for player in range(values.size):
        won_by = max(-1.0, min(1.0, evaluated[player] / reach))
        values[player] += margin * (won_by - values[player])
