"""Minimax, expectiminimax and max^n: the plain searches, which look at everything down to a depth.

    value(n) = payoffs of n                            if n is a leaf
             = value(s) of the s that is best for i    if player i moves in n
             = sum of P(s) value(s)                    if chance moves in n

with one value for each player. With two players this is minimax (von Neumann 1928, Shannon 1950), because one player
loses what the other gets; with chance it is expectiminimax (Michie 1966), with more players max^n (Luckhardt and Irani
1986). The first of equal moves is taken. Chance counts as a ply.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from damier.core.compile import kernel
from damier.core.protocol import CHANCE
from damier.search.classical.deepening import Deepening
from damier.search.classical.stack import descend, enter, keep_line, keep_score


@kernel
def back_up(game: Any, stack: Any, ply: int, depth: int) -> int:
    """Compute the values of a node for all players, in `stack.values[ply]`."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return 0
    stack.values[ply] = 0
    for i in range(count):
        descend(game, stack, ply, stack.moves[ply, i])
        back_up(game, stack, ply + 1, depth - 1)
        if stack.stop[0]:
            return 0
        take_in(stack, ply, i)
    return count


@kernel
def take_in(stack: Any, ply: int, i: int) -> None:
    """Use the result of the i-th move: chance adds its share, a player takes all of it if it is the best so far."""
    player, values, below = stack.states[ply].player, stack.values[ply], stack.values[ply + 1]
    if player == CHANCE:
        for each in range(values.size):
            values[each] += stack.probs[ply, i] * below[each]
    elif i == 0 or below[player] > values[player]:
        for each in range(values.size):
            values[each] = below[each]
        keep_line(stack, ply, stack.moves[ply, i])
    if ply == 0:
        keep_score(stack, i, below[player])


@dataclass(frozen=True)
class Minimax(Deepening):
    """Minimax: a full search to a fixed depth, without pruning; for any number of players, with or without chance."""

    scores_are_bounds: ClassVar[bool] = False

    @property
    def kernel(self) -> Callable[..., Any]:
        return back_up
