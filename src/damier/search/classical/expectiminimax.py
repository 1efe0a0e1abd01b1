"""Star1 and Star2: alpha-beta for two-player games with chance.

Ballard, The *-minimax search procedure for trees containing chance nodes, 1983. The values are those of
expectiminimax.

Values are bounded, so the value of a chance node is bounded by the known bounds of its outcomes. Star1 searches each
outcome with the interval outside which that outcome decides the whole node. Star2 first looks at one move of each
outcome. This bounds the outcome from one side, which is often enough for a cut before anything is searched fully.

How it deviates: it is fail-soft, and what Star2's first look has found is never searched again. The interval only
shrinks in between, so a move that failed still fails, and a value that was exact is exact. No leaf is visited twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.search.classical.deepening import Deepening, payoff
from damier.search.classical.minimax import back_up
from damier.search.classical.stack import Stack, descend, enter, keep_line, keep_score


class Bounds(Struct):
    """The known bounds of the outcomes of the chance nodes on the stack."""

    def __init__(self, game: Game, plies: int, probes: bool) -> None:
        self.probes = probes  # Star2
        self.low = np.zeros((plies, game.max_moves))  # [ply, outcome]: a lower bound of its value for Max
        self.high = np.zeros((plies, game.max_moves))  # ... and an upper bound
        self.begun = np.zeros((plies, game.max_moves), np.int64)  # how many moves of the outcome have been searched
        self.best = np.zeros((plies, game.max_moves))  # the best of them
        self.resumed = np.zeros(plies, np.int64)  # [ply]: how many moves are already known when the node is entered
        self.value = np.zeros(plies)  # the best of them


class BoundedStack(Stack):
    """The positions that are searched, with the bounds of their outcomes."""

    def __init__(self, game: Game, plies: int, evaluation: Any, probes: bool) -> None:
        super().__init__(game, plies, evaluation)
        self.bounds = Bounds(game, plies + 1, probes)


@kernel
def node_value(game: Any, stack: Any, ply: int, depth: int, alpha: float, beta: float) -> float:
    """The value of a node for Max."""
    bounds = stack.bounds
    count = enter(game, stack, ply, depth)
    begun, bounds.resumed[ply] = bounds.resumed[ply], 0
    if count == 0:
        return stack.values[ply, 0]
    player = stack.states[ply].player
    if player == CHANCE:
        forget(stack, ply, count)
        for turn in range(0 if bounds.probes else count, 2 * count):  # first Star2's look at each outcome
            i = turn % count
            if bounds.low[ply, i] == bounds.high[ply, i]:
                continue
            low, high = interval_of(stack, ply, i, count, alpha, beta)
            descend(game, stack, ply, stack.moves[ply, i])
            if turn >= count:
                bounds.resumed[ply + 1], bounds.value[ply + 1] = bounds.begun[ply, i], bounds.best[ply, i]
                found = node_value(game, stack, ply + 1, depth - 1, low, high)
                note(bounds, ply, i, found, low, high)
            elif can_probe(game, stack, ply, depth, i):
                found = node_value(game, stack, ply + 2, depth - 2, low, high)
                note_first(bounds, ply, i, found, low, high, stack.states[ply + 1].player)
            if stack.stop[0]:
                return 0.0
            if bounds.low[ply, i] >= high:
                return max(beta, mean(stack.probs[ply], bounds.low[ply], count, -1))
            if bounds.high[ply, i] <= low:
                return min(alpha, mean(stack.probs[ply], bounds.high[ply], count, -1))
        return mean(stack.probs[ply], bounds.low[ply], count, -1)
    sign = 1.0 if player == 0 else -1.0
    value = bounds.value[ply] if begun else -np.inf * sign
    for i in range(begun, count):
        if player == 0:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
        move = stack.moves[ply, i]
        descend(game, stack, ply, move)
        found = node_value(game, stack, ply + 1, depth - 1, alpha, beta)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, sign * found)
        if sign * found > sign * value:
            value = found
            keep_line(stack, ply, move)
    return value


@kernel
def forget(stack: Any, ply: int, count: int) -> None:
    """Reset the outcomes of a chance node: only the bounds of Max's payoffs are known, because the game is zero-sum."""
    bounds = stack.bounds
    for i in range(count):
        bounds.low[ply, i], bounds.high[ply, i] = stack.least, -stack.least
        bounds.begun[ply, i] = 0


@kernel
def interval_of(stack: Any, ply: int, i: int, count: int, alpha: float, beta: float) -> tuple[float, float]:
    """The interval outside which an outcome decides the chance node, whatever the others are worth."""
    probs, bounds = stack.probs[ply], stack.bounds
    low = (alpha - mean(probs, bounds.high[ply], count, i)) / probs[i]
    high = (beta - mean(probs, bounds.low[ply], count, i)) / probs[i]
    return low, high


@kernel
def note(bounds: Any, ply: int, i: int, found: float, low: float, high: float) -> None:
    """Record the search of an outcome: its value is exact within the interval, otherwise a bound."""
    if found > low:
        bounds.low[ply, i] = found
    if found < high:
        bounds.high[ply, i] = found


@kernel
def can_probe(game: Any, stack: Any, ply: int, depth: int, i: int) -> bool:
    """Star2: make the first move of an outcome, if there is one. A finished game is known at once."""
    child = ply + 1
    if stack.states[child].player == CHANCE or depth < 2:
        return False
    if enter(game, stack, child, depth - 1) == 0:
        if not stack.stop[0]:
            stack.bounds.low[ply, i] = stack.bounds.high[ply, i] = stack.values[child, 0]
        return False
    descend(game, stack, child, stack.moves[child, 0])
    return True


@kernel
def note_first(bounds: Any, ply: int, i: int, found: float, low: float, high: float, player: int) -> None:
    """Record the search of an outcome's first move: a bound from the side of the player who makes it."""
    bounds.begun[ply, i], bounds.best[ply, i] = 1, found
    if player == 0 and found > low:
        bounds.low[ply, i] = found
    if player != 0 and found < high:
        bounds.high[ply, i] = found


@kernel
def mean(probs: Any, bound: Any, count: int, without: int) -> float:
    """The expected value of a bound, with one outcome left out."""
    total = 0.0
    for i in range(count):
        if i != without:
            total += probs[i] * bound[i]
    return total


@dataclass(frozen=True)
class Expectiminimax(Deepening):
    """Expectiminimax: minimax with chance, pruned by Star1 or Star2; star=0 prunes nothing."""

    star: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.star not in (0, 1, 2):
            raise SpecError("spec.one-of", option="star", known=[0, 1, 2], got=self.star)

    @property
    def kernel(self) -> Callable[..., Any]:
        return node_value if self.star else back_up

    def check(self, game: Game) -> None:
        if self.star and game.num_players != 2:
            raise SpecError("search.star", game=game.name, players=game.num_players)

    def make_stack(self, game: Game, plies: int) -> Stack:
        if not self.star:
            return super().make_stack(game, plies)
        return BoundedStack(game, plies, self._kept.evaluation, self.star == 2)

    def arguments(self, depth: int) -> tuple[Any, ...]:
        return (0, depth, -np.inf, np.inf) if self.star else (0, depth)

    def values(self, pos: Position, value: float) -> tuple[float, ...] | None:
        return (payoff(value), payoff(-value)) if self.star else super().values(pos, value)
