"""Best responses, values and exploitability, exactly.

A best response maximises at each of the player's information sets, from the last ones up:

    v(I) = max over actions a of  g(I a) + sum of v(J) over the sets J that follow I a

NashConv is the sum over the players of what a best response would gain. It is 0 exactly at a Nash equilibrium, and with
two players it is twice what is usually called exploitability (Lanctot and others, A unified game-theoretic approach to
multiagent reinforcement learning, 2017).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from damier.core.compile import kernel
from damier.core.protocol import Values
from damier.search.hidden.sequences import SequenceForm, end_values, follow


@dataclass(frozen=True)
class Measure:
    """What strategies are worth, by player, in the game's unit."""

    values: tuple[float, ...]  # if all follow them
    best: tuple[float, ...]  # if one player alone plays a best response instead

    @property
    def nash_conv(self) -> float:
        """What the players would gain by best responses, together."""
        return sum(best - value for best, value in zip(self.best, self.values, strict=True))


def measure(form: SequenceForm, strategy: Values) -> Measure:
    """The value of a strategy, a probability for each sequence, and of the best responses to it."""
    plan, scratch = np.zeros_like(strategy), np.zeros_like(strategy)
    values, best = np.zeros(form.num_players), np.zeros(form.num_players)
    measure_all(form, strategy, plan, scratch, values, best)
    return Measure(tuple(values.tolist()), tuple(best.tolist()))


@kernel
def measure_all(form: Any, strategy: Values, plan: Values, scratch: Values, values: Values, best: Values) -> None:
    """Write the value and the best response's value of every player."""
    for player in range(form.num_players):
        follow(form, strategy, player, plan)
    for player in range(form.num_players):
        end_values(form, plan, player, scratch)
        values[player] = planned_value(form, plan, player, scratch)
        best[player] = best_value(form, player, scratch)


@kernel
def planned_value(form: Any, plan: Values, player: int, ends: Values) -> float:
    """The value of a player's own plan, from the values of their sequences' ends."""
    total = ends[player]
    for sequence in range(form.first[form.sets_of[player]], form.first[form.sets_of[player + 1]]):
        total += plan[sequence] * ends[sequence]
    return total


@kernel
def best_value(form: Any, player: int, values: Values) -> float:
    """The value of a best response; `values` holds the values of the ends, and afterwards those of all sequences."""
    for number in range(form.sets_of[player + 1] - 1, form.sets_of[player] - 1, -1):
        best = -np.inf
        for sequence in range(form.first[number], form.first[number + 1]):
            best = max(best, values[sequence])
        values[form.parent[number]] += best
    return values[player]
