"""By how much was won. Payoffs say who wins; where that is all but decided, or hangs on chance, they tell one move from
another no more. With a margin a payoff is

    (1 - margin) payoff + margin evaluation / reach

the evaluation being what the evaluation of the search, by default the game's own, says of the end. It counts as a
whole win from `reach` on: games in which even a clear win is a few squares more than the other has need that, or hardly
anything would be left of the values. Below a margin of one half who wins counts for more than anything else. Compare
Pepels, Tak, Lanctot, Winands, Quality-based rewards for Monte-Carlo tree search simulations, 2014; and Wu, Accelerating
self-play learning in Go, 2019, where the score is added to the outcome in a similar way.
"""

from typing import Any

from damier.core.compile import kernel


@kernel
def add_margin(margin: float, reach: float, values: Any, evaluated: Any) -> None:
    """Let the payoffs of the end of a game also say by how much was won, given what its evaluation is."""
    for player in range(values.size):
        won_by = max(-1.0, min(1.0, evaluated[player] / reach))
        values[player] += margin * (won_by - values[player])
