"""Star1 and Star2: alpha-beta for games of two with chance (Ballard, The *-minimax search procedure for trees
containing chance nodes, 1983). The values are those of expectiminimax.

Since values are bounded, so is a chance node's: by what its outcomes are known to be worth at least, and at most. Each
outcome is searched with the interval outside of which it decides about the whole node (Star1). Star2 first looks at one
move of each outcome, which bounds that outcome from one side, often enough for a cut before anything is searched fully.

How it deviates: fail-soft, and what Star2's first look has found is never searched again. The interval only shrinks in
between, so a move that failed still fails, and a value that was exact is exact. So no leaf is visited twice.
"""

from typing import Any

import numpy as np

from damier.core.budget import Budget
from damier.core.compile import Struct, kernel
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.search.deepening import Deepening, Found, Stack, descend, enter, keep_line, keep_score, two_player_values


class Bounds(Struct):
    """What is known about the outcomes of the chance nodes on the stack."""

    def __init__(self, game: Game, plies: int, probes: bool) -> None:
        least = float(getattr(game.rules, "least_payoff", -1.0))
        self.least, self.most = least, -least  # of what Max can get: the game is zero-sum
        self.probes = probes  # Star2
        self.low = np.zeros((plies, game.max_moves))  # [ply, outcome]: it is worth at least this to Max
        self.high = np.zeros((plies, game.max_moves))  # ... at most this
        self.begun = np.zeros((plies, game.max_moves), np.int64)  # how many moves of the outcome have been searched
        self.best = np.zeros((plies, game.max_moves))  # the best of them


@kernel
def node_value(
    game: Any, stack: Any, bounds: Any, ply: int, depth: int, alpha: float, beta: float, begun: int, best: float
) -> float:
    """What a node is worth to Max, if `begun` of its moves are known already and `best` is the best of them."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return stack.values[ply, 0]
    player = stack.states[ply].player
    if player == CHANCE:
        return chance_value(game, stack, bounds, ply, depth, alpha, beta, count)
    sign = 1.0 if player == 0 else -1.0
    value = best if begun else -np.inf * sign
    for i in range(begun, count):
        if player == 0:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
        move = stack.moves[ply, i]
        descend(game, stack, ply, move)
        found = node_value(game, stack, bounds, ply + 1, depth - 1, alpha, beta, 0, 0.0)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, sign * found)
        if sign * found > sign * value:
            value = found
            keep_line(stack, ply, move)
    return value


@kernel
def chance_value(
    game: Any, stack: Any, bounds: Any, ply: int, depth: int, alpha: float, beta: float, count: int
) -> float:
    """What a chance node is worth to Max."""
    probs, low, high = stack.probs[ply], bounds.low[ply], bounds.high[ply]
    for i in range(count):
        low[i], high[i], bounds.begun[ply, i] = bounds.least, bounds.most, 0
    for phase in range(0 if bounds.probes else 1, 2):
        for i in range(count):
            if low[i] == high[i]:
                continue
            rest_low, rest_high = mean(probs, low, count, i), mean(probs, high, count, i)
            child_alpha, child_beta = (alpha - rest_high) / probs[i], (beta - rest_low) / probs[i]
            descend(game, stack, ply, stack.moves[ply, i])
            if phase == 0:
                probe(game, stack, bounds, ply, depth, child_alpha, child_beta, i)
            else:
                begun, best = bounds.begun[ply, i], bounds.best[ply, i]
                found = node_value(game, stack, bounds, ply + 1, depth - 1, child_alpha, child_beta, begun, best)
                if found > child_alpha:
                    low[i] = found
                if found < child_beta:
                    high[i] = found
            if stack.stop[0]:
                return 0.0
            if low[i] >= child_beta:
                return max(beta, mean(probs, low, count, -1))
            if high[i] <= child_alpha:
                return min(alpha, mean(probs, high, count, -1))
    return mean(probs, low, count, -1)


@kernel
def probe(game: Any, stack: Any, bounds: Any, ply: int, depth: int, alpha: float, beta: float, i: int) -> None:
    """Star2: look at the first move of an outcome."""
    child = ply + 1
    if stack.states[child].player == CHANCE or depth < 2:
        return
    count = enter(game, stack, child, depth - 1)
    if count == 0:
        bounds.low[ply, i] = bounds.high[ply, i] = stack.values[child, 0]
        return
    descend(game, stack, child, stack.moves[child, 0])
    found = node_value(game, stack, bounds, child + 1, depth - 2, alpha, beta, 0, 0.0)
    bounds.begun[ply, i], bounds.best[ply, i] = 1, found
    if stack.states[child].player == 0:
        if found > alpha:
            bounds.low[ply, i] = found
    elif found < beta:
        bounds.high[ply, i] = found


@kernel
def mean(probs: Any, bound: Any, count: int, without: int) -> float:
    """The expected value of a bound, one outcome left out."""
    total = 0.0
    for i in range(count):
        if i != without:
            total += probs[i] * bound[i]
    return total


class Star(Deepening):
    """`star` is 1 or 2. Without pruning, expectiminimax is `minimax.Minimax`."""

    kernel = staticmethod(node_value)

    def __init__(self, budget: Budget, star: int = 2) -> None:
        if star not in (1, 2):
            raise SpecError(f"expected star 1 or 2, got {star}")
        super().__init__(budget)
        self.star = star
        self.bounds: Any = None

    def check(self, game: Game) -> None:
        if game.num_players != 2:
            raise SpecError(f"Star1 and Star2 are for two players, and {game.name} has {game.num_players}; try star=0")

    def set_up(self, game: Game, depth: int) -> None:
        self.stack = Stack(game, depth, has_probs=True)
        self.bounds = Bounds(game, depth + 1, self.star == 2)
        game.prepare(node_value, self.stack, *self.arguments(depth))

    def arguments(self, depth: int) -> tuple[Any, ...]:
        return self.bounds, 0, depth, -np.inf, np.inf, 0, 0.0

    def iterate(self, pos: Position, depth: int, found: Found) -> None:
        value = pos.game.run(node_value, self.stack, *self.arguments(depth))
        score = value if pos.player == 0 else -value
        found.take(self.stack, None if self.stack.stop[0] else two_player_values(pos, score))
