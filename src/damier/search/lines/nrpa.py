"""Nested Rollout Policy Adaptation (NRPA), for one player.

Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011. A policy gives every move m a weight,
and a playout chooses a legal move with probability

    p(m) = exp(w(m)) / sum of exp(w(m')) over the legal moves m'.

A search of level n repeats N = 100 times: search with level n - 1 and a copy of its policy, keep the better line (the
newer one of equals), and shift the policy towards the best line: at each of its positions the weight of its move rises
by alpha = 1, and the weight of every legal move falls by alpha p(m). Level 0 is a playout.

How it deviates. A move is identified by its number alone; in the paper each domain says which moves are the same. The
recursion is a row of counters, so it can stop after any playout and resume later. With a budget the whole search is
repeated from a fresh policy and the best line is kept.

It is not for several players: the line that is best for one of them would teach the others to lose. Nor is it for
chance: there a line can't be followed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from damier.core.compile import kernel
from damier.core.errors import RulesError, SpecError
from damier.core.game import Game
from damier.core.generic import draw_outcome, list_moves
from damier.core.position import Position
from damier.core.protocol import Record, Rng
from damier.search.lines.line import PlayoutSearch
from damier.search.montecarlo.codes import NumberedMoves, move_code, number_of

CODES = 1 << 16  # how many different moves can be distinguished; further ones share a weight


@dataclass(frozen=True)
class Nrpa(PlayoutSearch):
    """Nested rollout policy adaptation: playouts learn from the best line. For one player."""

    level: int = 2
    iterations: int = 100
    alpha: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in (("level", self.level), ("iterations", self.iterations)):
            if value < 1:
                raise SpecError("number.at-least", what=name, least=1, got=value)

    @property
    def kernel(self) -> Callable[..., bool]:
        return search

    def check(self, pos: Position) -> None:
        if pos.game.num_players > 1 or pos.game.has("chance"):
            raise SpecError("search.one-player-try", search="nrpa", game=pos.game.name, advice="nested")

    def make_work(self, game: Game) -> Any:
        return Adaptation(game, self.level, self.iterations, self.alpha)


class Adaptation(NumberedMoves):
    """A policy and a best line for each level. Level 0 is the last playout; above the top is the best of all."""

    def __init__(self, game: Game, level: int, iterations: int, alpha: float) -> None:
        super().__init__(game.max_moves, game.num_players, CODES)
        self.top, self.iterations, self.alpha = level, iterations, alpha
        self.max_length = game.max_length
        self.states = game.new_states(2)  # the position of the playout, and the root
        self.weights = np.zeros((level + 1, CODES + 1))  # [level, number of a move]; level 0: the policy in the making
        self.line = np.zeros((level + 2, game.max_length), np.int64)
        self.length = np.zeros(level + 2, np.int64)
        self.score = np.full(level + 2, -np.inf)
        self.iteration = np.zeros(level + 1, np.int64)  # how many are done
        self.rounds = np.zeros(1, np.int64)  # searches of the top level that are still to begin
        self.running = np.zeros(1, np.bool_)
        self.played = np.zeros(1, np.int64)  # playouts
        self.nodes = np.zeros(1, np.int64)  # moves made
        self.visits = np.zeros(game.max_moves, np.int64)  # [move of the root]: playouts that began with it
        self.numbers = np.zeros(game.max_moves, np.int64)  # of the legal moves


@kernel
def search(game: Any, work: Any, playouts: int, rng: Rng) -> bool:
    """Do that many more playouts; False when no search is left to begin."""
    for _ in range(playouts):
        if not work.running[0]:
            if work.rounds[0] == 0:
                return False
            work.rounds[0] -= 1
            work.running[0] = True
            work.weights[work.top] = 0
            for level in range(work.top, 0, -1):
                reset(work, level)
        play_out(game, work, rng)
        learn(game, work)
    return True


@kernel
def reset(work: Any, level: int) -> None:
    """Begin a search of this level, with a copy of the policy above it."""
    work.iteration[level] = 0
    work.score[level] = -np.inf
    if level < work.top:
        copy_policy(work, level + 1, level)


@kernel
def copy_policy(work: Any, source: int, target: int) -> None:
    for number in range(work.num_codes[0] + 1):
        work.weights[target, number] = work.weights[source, number]


@kernel
def play_out(game: Any, work: Any, rng: Rng) -> None:
    """Play a game by the policy of level 1."""
    work.states[0] = work.states[1]
    state, length = work.states[0], 0
    count = list_by_policy(game, state, work, 1)
    while count > 0:
        if length >= work.max_length:
            raise RulesError("rules.too-long", "limit", work.max_length)
        chosen = draw_outcome(work.probs, count, rng)
        if length == 0:
            work.visits[chosen] += 1
        work.line[0, length] = work.moves[chosen]
        length += 1
        game.play(state, work.moves[chosen])
        count = list_by_policy(game, state, work, 1)
    game.returns(state, work.values)
    work.score[0], work.length[0] = work.values[0], length
    work.played[0] += 1
    work.nodes[0] += length
    if work.score[0] > work.score[work.top + 1]:
        keep_line(work, 0, work.top + 1)


@kernel
def list_by_policy(game: Any, state: Record, work: Any, level: int) -> int:
    """List the legal moves, their numbers, and their probabilities by the policy of a level."""
    count = list_moves(game, state, work.moves, work.probs)
    highest = -np.inf
    for i in range(count):
        work.numbers[i] = number_of(work, move_code(work.moves[i], 0))
        work.probs[i] = work.weights[level, work.numbers[i]]
        highest = max(highest, work.probs[i])
    total = 0.0
    for i in range(count):
        work.probs[i] = np.exp(work.probs[i] - highest)  # avoids overflow and gives the same quotients
        total += work.probs[i]
    for i in range(count):
        work.probs[i] /= total
    return count


@kernel
def learn(game: Any, work: Any) -> None:
    """Learn from a finished playout: a step of level 1, and of each level above whose iterations are complete."""
    level = 1
    while level <= work.top:
        if work.score[level - 1] >= work.score[level]:
            keep_line(work, level - 1, level)
        adapt(game, work, level)
        work.iteration[level] += 1
        if work.iteration[level] < work.iterations:
            break
        level += 1
    if level > work.top:
        work.running[0] = False
    for lower in range(level - 1, 0, -1):
        reset(work, lower)


@kernel
def keep_line(work: Any, source: int, target: int) -> None:
    work.score[target], work.length[target] = work.score[source], work.length[source]
    for ply in range(work.length[source]):
        work.line[target, ply] = work.line[source, ply]


@kernel
def adapt(game: Any, work: Any, level: int) -> None:
    """Shift the policy of a level towards its best line, with the probabilities from before the shift."""
    copy_policy(work, level, 0)
    work.states[0] = work.states[1]
    state = work.states[0]
    for ply in range(work.length[level]):
        move = work.line[level, ply]
        for i in range(list_by_policy(game, state, work, level)):
            gain = (1.0 if work.moves[i] == move else 0.0) - work.probs[i]
            work.weights[0, work.numbers[i]] += work.alpha * gain
        game.play(state, move)
    copy_policy(work, 0, level)
