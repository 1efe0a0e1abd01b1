"""Alpha-beta, as the textbooks write it: in two functions, and as negamax. For two players without chance.

Alpha is what Max, player 0, has for certain on the way to a node, beta what Min has. A node whose value is not between
them does not matter, and the rest of it is cut off as soon as this is clear. With the best moves first, b^ceil(m/2) +
b^floor(m/2) - 1 of the b^m leaves are looked at (Knuth and Moore, An analysis of alpha-beta pruning, 1975).

Both are fail-soft (Fishburn 1983): a value outside the interval is a bound, as sharp as it was found. The two functions
are compiled again in every process, because machine code with mutual calls can't be cached; negamax is cached.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from damier.core.compile import kernel, uncached
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.search.classical.deepening import Deepening, Found, two_player_values
from damier.search.classical.stack import Stack, descend, enter, keep_line, keep_score, mover

FORMS = ("two", "negamax")


@uncached
def max_value(game: Any, stack: Any, ply: int, depth: int, alpha: float, beta: float) -> float:
    """The value for Max of a node in which Max moves."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return stack.values[ply, 0]
    value = -np.inf
    for i in range(count):
        move = stack.moves[ply, i]
        descend(game, stack, ply, move)
        if mover(stack.states[ply + 1]) == 0:
            found = max_value(game, stack, ply + 1, depth - 1, alpha, beta)
        else:
            found = min_value(game, stack, ply + 1, depth - 1, alpha, beta)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, found)
        if found > value:
            value = found
            if value > alpha:
                keep_line(stack, ply, move)
        if value >= beta:
            return value  # beta cut: Min avoids this node
        alpha = max(alpha, value)
    return value


@uncached
def min_value(game: Any, stack: Any, ply: int, depth: int, alpha: float, beta: float) -> float:
    """The value for Max of a node in which Min moves."""
    count = enter(game, stack, ply, depth)
    if count == 0:
        return stack.values[ply, 0]
    value = np.inf
    for i in range(count):
        move = stack.moves[ply, i]
        descend(game, stack, ply, move)
        if mover(stack.states[ply + 1]) == 0:
            found = max_value(game, stack, ply + 1, depth - 1, alpha, beta)
        else:
            found = min_value(game, stack, ply + 1, depth - 1, alpha, beta)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, -found)
        if found < value:
            value = found
            if value < beta:
                keep_line(stack, ply, move)
        if value <= alpha:
            return value  # alpha cut: Max avoids this node
        beta = min(beta, value)
    return value


@kernel
def negamax(game: Any, stack: Any, ply: int, depth: int, alpha: float, beta: float) -> float:
    """The value for the player to move: the other player's value with the opposite sign, and so is the interval."""
    count = enter(game, stack, ply, depth)
    player = mover(stack.states[ply])
    if count == 0:
        return stack.values[ply, player]
    value = -np.inf
    for i in range(count):
        move = stack.moves[ply, i]
        descend(game, stack, ply, move)
        if mover(stack.states[ply + 1]) == player:
            found = negamax(game, stack, ply + 1, depth - 1, alpha, beta)
        else:
            found = -negamax(game, stack, ply + 1, depth - 1, -beta, -alpha)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, found)
        if found > value:
            value = found
            if value > alpha:
                keep_line(stack, ply, move)
                alpha = value
            if alpha >= beta:
                break
    return value


def check_two_players(name: str, game: Game) -> None:
    if game.num_players != 2 or game.uses_chance:
        advice = "expectiminimax" if game.num_players == 2 else "maxn, paranoid or bestreply"
        raise SpecError("search.two-players", search=name, game=game.name, advice=advice)


@dataclass(frozen=True)
class Negamax(Deepening):
    """Alpha-beta in textbook form. For two players without chance."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"form": FORMS}

    form: str = "negamax"  # or "two" functions: the same nodes in the same order

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in FORMS:
            raise SpecError("spec.one-of", option="form", known=list(FORMS), got=self.form)

    @property
    def kernel(self) -> Callable[..., Any]:
        return negamax if self.form == "negamax" else max_value

    def check(self, game: Game) -> None:
        check_two_players("alpha-beta", game)

    def compile(self, game: Game, stack: Stack) -> None:
        super().compile(game, stack)
        if self.form == "two":
            game.prepare(min_value, stack, *self.arguments(1))

    def arguments(self, depth: int) -> tuple[Any, ...]:
        return 0, depth, -np.inf, np.inf

    def iterate(self, pos: Position, depth: int, found: Found) -> None:
        function = self.kernel
        if self.form == "two" and pos.player == 1:
            function = min_value
        value = pos.game.run(function, self.stack, *self.arguments(depth))
        score = -value if function is min_value else value
        found.take(self.stack, None if self.stack.stop[0] else two_player_values(pos, score))
