"""Searches for three and more players: max^n with shallow pruning, paranoid, and best-reply search.

**max^n** (Luckhardt and Irani 1986): everybody takes the move that is best for himself. Shallow pruning (Korf,
Multi-player alpha-beta pruning, 1991): payoffs add up to 0 and none is below the game's `least_payoff`, so what one
player has for certain bounds what is left for the one who moved before, who may have better by then.

**Paranoid** (Sturtevant and Korf 2000): everybody plays against me. That is a game of two, with alpha-beta.

**Best reply** (Schadd and Winands 2011): everybody plays against me, but in each round only one of them may choose.
How it deviates: there the others pass, which most rules do not allow. Here they make the move that their own `evaluate`
likes best, as in BRS+ (Esser, Gras, Winands, Schadd, Lanctot 2013). With two players both are alpha-beta.

Where chance moves, all three take the expected value, without pruning across it.
"""

from typing import Any

import numpy as np

from damier.core.budget import Budget
from damier.core.compile import kernel
from damier.core.game import Game
from damier.core.generic import heuristic
from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.search.classical.deepening import (
    Deepening,
    Found,
    Stack,
    begin_with,
    descend,
    enter,
    keep_line,
    keep_score,
    two_player_values,
)
from damier.search.classical.minimax import take_in

NOBODY = -2


@kernel
def max_n(game: Any, stack: Any, ply: int, depth: int, before: int, bound: float, least: float) -> int:
    """Find the values of a node, for all players. The player `before` has `bound` for certain elsewhere."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return 0
    player, values = stack.states[ply].player, stack.values[ply]
    values[:] = 0
    for i in range(count):
        descend(game, stack, ply, stack.moves[ply, i])
        has = values[player] if i > 0 and player != CHANCE else -np.inf
        max_n(game, stack, ply + 1, depth - 1, player, has, least)
        if stack.stop[0]:
            return 0
        take_in(stack, ply, i)
        if ply > 0 and player >= 0 and player != before and -values[player] - (values.size - 2) * least <= bound:
            break  # whatever comes, this player takes that much, and the others at least the least
    return count


class MaxN(Deepening):
    """max^n with shallow pruning. Without it, it is `minimax.Minimax`."""

    kernel = staticmethod(max_n)

    def set_up(self, game: Game, depth: int) -> None:
        self._least = float(game.least_payoff)
        super().set_up(game, depth)

    def arguments(self, depth: int) -> tuple[Any, ...]:
        return 0, depth, NOBODY, -np.inf, self._least


@kernel
def against_me(
    game: Any, stack: Any, ply: int, depth: int, alpha: float, beta: float, me: int, choosers: int, every: int
) -> float:
    """What a node is worth to me. `choosers` of the others may still choose in this round, of `every` a round."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return stack.values[ply, me]
    player = stack.states[ply].player
    if player == CHANCE:
        value = 0.0
        for i in range(count):
            descend(game, stack, ply, stack.moves[ply, i])
            value += stack.probs[ply, i] * against_me(
                game, stack, ply + 1, depth - 1, -np.inf, np.inf, me, choosers, every
            )
        return value
    is_mine = player == me
    if is_mine:
        choosers = every
    elif every == 1:
        begin_with(stack.moves[ply], count, favourite(game, stack, ply, count))
        count = count if choosers else 1
    value = -np.inf if is_mine else np.inf
    for i in range(count):
        move = stack.moves[ply, i]
        descend(game, stack, ply, move)
        left = choosers if is_mine or i == 0 else choosers - 1
        found = against_me(game, stack, ply + 1, depth - 1, alpha, beta, me, left, every)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, found)
        if (found > value) if is_mine else (found < value):
            value = found
            keep_line(stack, ply, move)
        if is_mine:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return value


@kernel
def favourite(game: Any, stack: Any, ply: int, count: int) -> int:
    """The move after which the game's evaluation is best for the player who makes it."""
    player, values = stack.states[ply].player, stack.values[ply + 1]
    best, favoured = -np.inf, stack.moves[ply, 0]
    for i in range(count):
        descend(game, stack, ply, stack.moves[ply, i])
        heuristic(game, stack.states[ply + 1], values)
        if values[player] > best:
            best, favoured = values[player], stack.moves[ply, i]
    return favoured


class AgainstMe(Deepening):
    """Paranoid search; with `one_reply`, best-reply search."""

    kernel = staticmethod(against_me)

    def __init__(self, budget: Budget, one_reply: bool = False) -> None:
        super().__init__(budget)
        self.one_reply = one_reply

    def set_up(self, game: Game, depth: int) -> None:
        self._choosers = 1 if self.one_reply and game.num_players > 2 else game.num_players * game.max_length
        self.stack = Stack(game, depth)
        game.prepare(against_me, self.stack, *self.arguments(depth))

    def arguments(self, depth: int, me: int = 0) -> tuple[Any, ...]:
        return 0, depth, -np.inf, np.inf, me, self._choosers, self._choosers

    def iterate(self, pos: Position, depth: int, found: Found) -> None:
        value = pos.game.run(against_me, self.stack, *self.arguments(depth, pos.player))
        values = two_player_values(pos, value) if pos.game.num_players == 2 else None
        found.take(self.stack, None if self.stack.stop[0] else values)
