"""By how much was won. Payoffs say who wins; where that is all but decided, or hangs on chance, they tell one move from
another no more. With a margin a payoff is

    (1 - margin) payoff + margin evaluation / reach

the evaluation being what the game's own `evaluate` says of the end. It counts as a whole win from `reach` on: games in
which even a clear win is a few squares more than the other has need that, or hardly anything would be left of the
values. Below a margin of one half who wins counts for more than anything else, whatever the evaluation says. Compare
Pepels, Tak, Lanctot, Winands, Quality-based rewards for Monte-Carlo tree search simulations, 2014; and Wu, Accelerating
self-play learning in Go, 2019, where the score is added to the outcome in a like way.
"""

from typing import Any

from damier.core.compile import kernel
from damier.core.generic import heuristic
from damier.core.protocol import Record


@kernel
def add_margin(game: Any, state: Record, margin: float, reach: float, values: Any, room: Any) -> None:
    """Let the payoffs of the end of a game also tell by how much was won."""
    heuristic(game, state, room)
    for player in range(values.size):
        won_by = max(-1.0, min(1.0, room[player] / reach))
        values[player] += margin * (won_by - values[player])
