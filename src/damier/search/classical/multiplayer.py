"""Searches for three and more players: max^n with shallow pruning, paranoid, and best-reply search.

**max^n** (Luckhardt and Irani 1986): everybody takes the move that is best for themselves. Shallow pruning (Korf,
Multi-player alpha-beta pruning, 1991): payoffs add up to 0 and none is below the game's `least_payoff`. A player's
certain payoff therefore bounds what is left for the player who moved before, who may already have better.

**Paranoid** (Sturtevant and Korf 2000): everybody plays against me. That is a game of two, with alpha-beta.

**Best reply** (Schadd and Winands 2011): everybody plays against me, but in each round only one of them may choose.
How it deviates: in the paper the others pass, which most rules do not allow. Here they make the move that the
evaluation likes best for them, as in BRS+ (Esser, Gras, Winands, Schadd, Lanctot 2013). With two players both are
alpha-beta.

At chance nodes all three take the expected value, without pruning across it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from damier.core.compile import kernel
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.search.classical.deepening import Deepening, two_player_values
from damier.search.classical.minimax import take_in
from damier.search.classical.stack import Stack, begin_with, descend, enter, keep_line, keep_score

NOBODY = -2
ALL = 1 << 30  # choosers: more than there are moves in a game


@kernel
def max_n(game: Any, stack: Any, ply: int, depth: int, before: int, bound: float) -> int:
    """Compute the values of a node for all players. The player `before` has `bound` for certain elsewhere."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return 0
    player, values = stack.states[ply].player, stack.values[ply]
    values[:] = 0
    for i in range(count):
        descend(game, stack, ply, stack.moves[ply, i])
        has = values[player] if i > 0 and player != CHANCE else -np.inf
        max_n(game, stack, ply + 1, depth - 1, player, has)
        if stack.stop[0]:
            return 0
        take_in(stack, ply, i)
        if ply > 0 and player >= 0 and player != before and -values[player] - (values.size - 2) * stack.least <= bound:
            break  # this player takes at least that much, and each of the others gets at least the least payoff
    return count


@dataclass(frozen=True)
class MaxN(Deepening):
    """max^n: several players, each for themselves, with shallow pruning."""

    @property
    def kernel(self) -> Callable[..., Any]:
        return max_n

    def arguments(self, depth: int) -> tuple[Any, ...]:
        return 0, depth, NOBODY, -np.inf


class RoundStack(Stack):
    """The positions that are searched, and how many players may choose in a round."""

    def __init__(self, game: Game, plies: int, evaluation: Any, choosers: int) -> None:
        super().__init__(game, plies, evaluation)
        self.me = np.zeros(1, np.int64)
        self.choosers = choosers  # how many of the others may choose in a round


@kernel
def against_me(game: Any, stack: Any, ply: int, depth: int, alpha: float, beta: float, choosers: int) -> float:
    """The value of a node for me. `choosers` of the others may still choose in this round."""
    me, every = stack.me[0], stack.choosers
    count = enter(game, stack, ply, depth)
    if count == 0:
        return stack.values[ply, me]
    player = stack.states[ply].player
    if player == CHANCE:
        value = 0.0
        for i in range(count):
            descend(game, stack, ply, stack.moves[ply, i])
            value += stack.probs[ply, i] * against_me(game, stack, ply + 1, depth - 1, -np.inf, np.inf, choosers)
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
        found = against_me(game, stack, ply + 1, depth - 1, alpha, beta, left)
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
    """The move after which the evaluation is best for the player who makes it."""
    player, values = stack.states[ply].player, stack.values[ply + 1]
    best, favoured = -np.inf, stack.moves[ply, 0]
    for i in range(count):
        descend(game, stack, ply, stack.moves[ply, i])
        stack.evaluation.evaluate(game, stack.states[ply + 1], values)
        if values[player] > best:
            best, favoured = values[player], stack.moves[ply, i]
    return favoured


@dataclass(frozen=True)
class AgainstMe(Deepening):
    """The common part of paranoid and best-reply search: all the others are one opponent."""

    one_reply: ClassVar[bool] = False

    @property
    def kernel(self) -> Callable[..., Any]:
        return against_me

    def make_stack(self, game: Game, plies: int) -> Stack:
        choosers = 1 if self.one_reply and game.num_players > 2 else ALL
        return RoundStack(game, plies, self._kept.evaluation, choosers)

    def begin(self, pos: Position) -> None:
        self.stack.me[0] = pos.player

    def arguments(self, depth: int) -> tuple[Any, ...]:
        return 0, depth, -np.inf, np.inf, ALL

    def values(self, pos: Position, value: float) -> tuple[float, ...] | None:
        return two_player_values(pos, value) if pos.game.num_players == 2 else None


@dataclass(frozen=True)
class Paranoid(AgainstMe):
    """Paranoid search: all opponents play against the searching player."""


@dataclass(frozen=True)
class BestReply(AgainstMe):
    """Best-reply search: in each round only one of the others chooses, against me."""

    one_reply: ClassVar[bool] = True
