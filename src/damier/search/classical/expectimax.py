"""Expectimax: the best move against players who are not perfect, but play by known probabilities.

    value(n) = payoff of n                     if n is a leaf
             = max over s of value(s)          if I move in n
             = sum over s of P(s) value(s)     if chance or somebody else moves in n

P is that of chance, or a model of the others: `uniform`, where all moves are equally likely; `greedy`, the move after
which the evaluation is best for the player who makes it, with equal moves sharing; or a kernel of your own,

    @damier.kernel
    def model(game, stack, ply, count):
        ...  # for all i < count: stack.probs[ply, i] = the probability of stack.moves[ply, i] in stack.states[ply]

given as `Expectimax(depth=3, model=model)`. It is compiled again in every process, because machine code for a function
that is an argument can't be cached.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import types
from numba.core.extending import overload

from damier.core.compile import kernel
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.parts import PART
from damier.core.position import Position
from damier.search.classical.deepening import Deepening, Found, payoff, two_player_values
from damier.search.classical.stack import Stack, descend, enter, keep_line, keep_score

MODELS = ("uniform", "greedy")
UNIFORM, GREEDY = range(2)


@kernel
def expected(game: Any, stack: Any, model: Any, ply: int, depth: int, me: int) -> float:
    """The value of a node for me."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return stack.values[ply, me]
    player = stack.states[ply].player
    if player >= 0 and player != me:
        weigh(model, game, stack, ply, count)
    value = -np.inf if player == me else 0.0
    for i in range(count):
        move = stack.moves[ply, i]
        descend(game, stack, ply, move)
        found = expected(game, stack, model, ply + 1, depth - 1, me)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, found)
        if player != me:
            value += stack.probs[ply, i] * found
        elif found > value:
            value = found
            keep_line(stack, ply, move)
    return value


def weigh(model: Any, game: Any, stack: Any, ply: int, count: int) -> None:
    """Write the probabilities of another player's moves."""
    if callable(model):
        model(game, stack, ply, count)
    else:
        weigh_by_number(model, game, stack, ply, count)


@overload(weigh, strict=False, jit_options=PART)
def _weigh(model: Any, game: Any, stack: Any, ply: Any, count: Any) -> Callable[..., None]:
    def own(model, game, stack, ply, count):
        model(game, stack, ply, count)

    def known(model, game, stack, ply, count):
        weigh_by_number(model, game, stack, ply, count)

    return known if isinstance(model, types.Integer) else own


@kernel
def weigh_by_number(model: int, game: Any, stack: Any, ply: int, count: int) -> None:
    probs, values, player = stack.probs[ply], stack.values[ply + 1], stack.states[ply].player
    best, equals = -np.inf, 0
    for i in range(count):
        worth = 0.0
        if model == GREEDY:
            descend(game, stack, ply, stack.moves[ply, i])
            stack.evaluation.evaluate(game, stack.states[ply + 1], values)
            worth = values[player]
        probs[i] = worth
        if worth > best:
            best, equals = worth, 0
        equals += worth == best
    for i in range(count):
        probs[i] = 1 / equals if probs[i] == best else 0.0


@dataclass(frozen=True)
class Expectimax(Deepening):
    """Expectimax: the best move against opponents who follow a model, uniform or greedy."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"model": MODELS}

    model: str | Callable[..., None] = "uniform"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.model) and self.model not in MODELS:
            raise SpecError("spec.one-of", option="model", known=MODELS, got=self.model)

    @property
    def kernel(self) -> Callable[..., Any]:
        return expected

    def extra_plies(self, game: Game) -> int:
        return 1  # a model may look one move further

    def make_stack(self, game: Game, plies: int) -> Stack:
        return Stack(game, plies, self._kept.evaluation, has_probs=True)

    def arguments(self, depth: int, me: int = 0) -> tuple[Any, ...]:
        return self.model if callable(self.model) else MODELS.index(self.model), 0, depth, me

    def iterate(self, pos: Position, depth: int, found: Found) -> None:
        value = pos.game.run(expected, self.stack, *self.arguments(depth, pos.player))
        # The other players' values follow from mine only if there is one other player.
        values = {1: (payoff(value),), 2: two_player_values(pos, value)}.get(pos.game.num_players)
        found.take(self.stack, None if self.stack.stop[0] else values)
