"""Nested Monte-Carlo Search, for one player and for several.

Cazenave, Nested Monte-Carlo Search, IJCAI 2009. A search of level 0 is a random game. A search of level n plays a game
in which each move is chosen by searches of level n - 1, one below every legal move. For one player without chance the
best line found is *memorised*: it is followed whenever the searches of a step find nothing better, so the score of a
search never falls along its game.

With other players, or with chance, a player cannot follow a line, and nothing is memorised. At every step of a nested
search the player to move takes the move that came out best for them in that step (Cazenave, Saffidine, Schofield,
Thielscher, Nested Monte Carlo Search for Two-Player Games, AAAI 2016). Their discounting is there as well: a payoff
that is t moves away counts payoff / (1 + t), so the search prefers early wins and late losses.

How it deviates. The recursion is a stack of searches, one for each level, so it can stop after any playout and resume
later. A playout that beats the best of its level becomes the line of that level at once, on every level, instead of
when a search ends; the lines are the same. The first move to try is random, so no move is favoured among equals. With
several players a search of the top level stops after its first step, whose searches are repeated while the budget
lasts; the move with the best mean is played. A move below which no search has ended counts 0: lost games end soonest,
so a small budget sees their ends first. The two-player paper's cuts on won and deep lines are left out. At chance nodes
an outcome is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from damier.core.compile import kernel
from damier.core.errors import RulesError, SpecError
from damier.core.game import Game
from damier.core.generic import Buffers, draw_outcome, list_moves, random_move
from damier.core.position import Position
from damier.core.protocol import CHANCE, Rng
from damier.core.rng import below
from damier.search.lines.line import PlayoutSearch
from damier.search.result import SearchResult


@dataclass(frozen=True)
class Nested(PlayoutSearch):
    """Nested Monte-Carlo search: each move chosen by searches of the level below."""

    level: int = 2
    discount: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level < 1:
            raise SpecError("number.at-least", what="level", least=1, got=self.level)

    @property
    def kernel(self) -> Callable[..., bool]:
        return search

    def make_work(self, game: Game) -> Any:
        return Nest(game, self.level, self.discount)

    def result(self, pos: Position, seconds: float) -> SearchResult:
        work = self._kept.work
        if work.memorise:
            return super().result(pos, seconds)
        best = self._best_option(len(pos.moves()))
        payoffs = work.totals[best] / max(1, work.ended[best])
        chosen = self.found(pos, (pos.moves()[best],), tuple(payoffs.tolist()), seconds)
        return replace(chosen, depth=self.level)

    def _best_option(self, count: int) -> int:
        """The option with the best mean. Without a finished search it counts 0, and for one player not at all."""
        work = self._kept.work
        ended, unknown = work.ended[:count], 0.0 if work.values.size > 1 else -np.inf
        means = np.where(ended > 0, work.worth[:count] / np.maximum(1, ended), unknown)
        best = np.flatnonzero(means == means.max())
        return int(best[below(self._kept.rng, len(best))])


class Nest(Buffers):
    """One search for each level, the playouts at level 0. `top` is the highest; the level above has the best of all."""

    def __init__(self, game: Game, level: int, discount: bool = True) -> None:
        super().__init__(game.max_moves, game.num_players)
        self.top = level
        self.memorise = game.num_players == 1 and not game.has("chance")
        self.discount = discount and game.num_players > 1
        self.max_length = game.max_length
        self.states = game.new_states(level + 2)  # [level]: the position its game has reached; above the top: the root
        self.ply = np.zeros(level + 2, np.int64)  # ... and how many moves that is from the root
        self.options = np.zeros((level + 1, game.max_moves), np.int64)  # the legal moves there
        self.num_options = np.zeros(level + 1, np.int64)
        self.first = np.zeros(level + 1, np.int64)  # the option that is tried first
        self.tried = np.zeros(level + 1, np.int64)  # how many have been tried
        self.line = np.zeros((level + 2, game.max_length + 1), np.int64)  # the best moves, from the root on
        self.length = np.zeros(level + 2, np.int64)
        self.score = np.full(level + 2, -np.inf)  # what they pay
        self.made = np.zeros(game.max_length + 1, np.int64)  # the current game, from the root on
        self.active = np.full(1, level + 1)  # the level being searched
        self.rounds = np.zeros(1, np.int64)  # searches of the top level that are still to begin
        self.played = np.zeros(1, np.int64)  # playouts
        self.nodes = np.zeros(1, np.int64)  # moves made
        self.visits = np.zeros(game.max_moves, np.int64)  # [option of the root]: searches begun below it
        self.ended = np.zeros(game.max_moves, np.int64)  # how many of them have ended; several players
        self.worth = np.zeros(game.max_moves)  # the sum of their scores, for the player to move
        self.totals = np.zeros((game.max_moves, game.num_players))  # the sum of their payoffs


@kernel
def search(game: Any, nest: Any, playouts: int, rng: Rng) -> bool:
    """Do that many more playouts; False when no search is left to begin."""
    last = nest.played[0] + playouts
    while nest.played[0] < last:
        level = nest.active[0]
        if level > nest.top:
            if nest.rounds[0] == 0:
                return False
            nest.rounds[0] -= 1
            enter(nest, nest.top)
            list_options(game, nest, nest.top, rng)
        elif nest.tried[level] < nest.num_options[level]:
            try_option(game, nest, level, rng)
        else:
            make_move(game, nest, level, rng)
    return True


@kernel
def enter(nest: Any, level: int) -> None:
    """Begin a search of this level at the position of the level above."""
    nest.states[level] = nest.states[level + 1]
    nest.ply[level] = nest.ply[level + 1]
    nest.score[level] = -np.inf


@kernel
def try_option(game: Any, nest: Any, level: int, rng: Rng) -> None:
    """Make the next option of a search, and search below it."""
    option = (nest.first[level] + nest.tried[level]) % nest.num_options[level]
    nest.tried[level] += 1
    if level == nest.top and nest.ply[level] == 0:
        nest.visits[option] += 1
    enter(nest, level - 1)
    play_at(game, nest, level - 1, nest.options[level, option])
    if level > 1:
        list_options(game, nest, level - 1, rng)
    else:
        play_out(game, nest, rng)


@kernel
def play_at(game: Any, nest: Any, level: int, move: int) -> None:
    nest.made[nest.ply[level]] = move
    nest.ply[level] += 1
    nest.nodes[0] += 1
    game.play(nest.states[level], move)


@kernel
def list_options(game: Any, nest: Any, level: int, rng: Rng) -> None:
    """List the moves from which a search has to choose; chance moves are played."""
    options, state = nest.options[level], nest.states[level]
    count = list_moves(game, state, options, nest.probs)
    while count > 0 and state.player == CHANCE:
        play_at(game, nest, level, options[draw_outcome(nest.probs, count, rng)])
        count = list_moves(game, state, options, nest.probs)
    nest.active[0] = level
    nest.num_options[level] = count
    nest.tried[level] = 0
    if count > 0:
        nest.first[level] = below(rng, count)
    else:
        end(game, nest, level)


@kernel
def make_move(game: Any, nest: Any, level: int, rng: Rng) -> None:
    """Make the best move, once every option was tried."""
    if level == nest.top and not nest.memorise:
        nest.active[0] = level + 1  # only the first move is needed
        return
    play_at(game, nest, level, nest.line[level, nest.ply[level]])
    if not nest.memorise:
        nest.score[level] = -np.inf
    list_options(game, nest, level, rng)


@kernel
def play_out(game: Any, nest: Any, rng: Rng) -> None:
    """Play the search of level 0: a random game to the end."""
    state = nest.states[0]
    move = random_move(game, state, nest, rng)
    while move >= 0:
        if nest.ply[0] >= nest.max_length:
            raise RulesError("rules.too-long", "limit", nest.max_length)
        play_at(game, nest, 0, move)
        move = random_move(game, state, nest, rng)
    nest.played[0] += 1
    end(game, nest, 0)


@kernel
def end(game: Any, nest: Any, level: int) -> None:
    """End the game of a search, and update the levels above."""
    game.returns(nest.states[level], nest.values)
    nest.active[0] = level + 1
    if nest.memorise:
        memorise(nest, nest.ply[level])
    elif level < nest.top:
        compare(nest, level + 1, nest.ply[level])


@kernel
def memorise(nest: Any, length: int) -> None:
    """Keep a game on every level whose best it beats."""
    for level in range(1, nest.top + 2):
        if nest.values[0] > nest.score[level]:
            nest.score[level] = nest.values[0]
            nest.length[level] = length
            for ply in range(length):
                nest.line[level, ply] = nest.made[ply]


@kernel
def compare(nest: Any, level: int, length: int) -> None:
    """Compare the option that was tried with the best of this step, for the player to move."""
    ply = nest.ply[level]
    score = nest.values[nest.states[level].player]
    if nest.discount:
        score /= 1 + length - ply
    if score > nest.score[level]:
        nest.score[level] = score
        nest.line[level, ply] = nest.made[ply]
    if level == nest.top:
        option = (nest.first[level] + nest.tried[level] - 1) % nest.num_options[level]
        nest.ended[option] += 1
        nest.worth[option] += score
        for player in range(nest.values.size):
            nest.totals[option, player] += nest.values[player]
