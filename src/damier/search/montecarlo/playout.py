"""The playout of a simulation: the policy draws the moves to the end of the game, and may learn from the result.

A policy that only looks at the position takes `move(self, game, state, rng)`, or the same with buffers. One that looks
back takes the moves of the simulation so far and its memory too, and may have

    learn(self, line, memory, payoffs)

which is called after each simulation. The memory is one record of its type `Memory`, as a position is a record of a
game's type `State`. Each tree has its own, zero at the start, so threads and games share nothing. It is cleared
whenever the tree is planted anew, and kept with a tree that is kept.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.extending import overload

from damier.core.bring import LEARN, MOVE, Line
from damier.core.compile import inlined, kernel, num_arguments
from damier.core.errors import RulesError
from damier.core.generic import check_values, list_moves, random_move
from damier.core.parts import PART
from damier.core.protocol import CHANCE, Record, Rng
from damier.search.montecarlo.codes import move_code
from damier.search.montecarlo.selection import uses_amaf

WITH_BUFFERS, WITH_LINE = (signature.count(",") + 1 for signature in MOVE[1:])  # how many arguments `move` takes
LEARNS = LEARN[0].partition("(")[0]


@inlined
def play_out(game: Any, strategy: Any, state: Record, depth: int, work: Any, rng: Rng) -> int:
    """Finish the game by the playout policy, or cut it and evaluate; write the payoffs to `work.values`.

    Return how many moves were made.
    """
    length = depth
    while length - depth != strategy.cutoff:
        player = state.player
        move = drawn_move(game, strategy.playout, state, length, work, rng)
        if move < 0:
            game.returns(state, work.values)
            return length
        if length >= work.max_length:
            raise RulesError("rules.too-long", "limit", work.max_length)
        if uses_amaf(strategy.rule):
            work.movers[length] = player
            work.made[length] = move_code(move, player)
        note_move(strategy.playout, work, length, player, move)
        game.play(state, move)
        length += 1
    if list_moves(game, state, work.moves, work.probs) == 0:
        game.returns(state, work.values)
    else:
        strategy.evaluation.evaluate(game, state, work.values)
        check_values(work.values)
    return length


def drawn_move(game: Any, policy: Any, state: Record, length: int, work: Any, rng: Rng) -> int:
    """A move by the playout policy; for chance, an outcome by its probability. -1 at the end."""
    if state.player == CHANCE:
        return random_move(game, state, work, rng)
    arguments = num_arguments(type(policy).move)
    if arguments == WITH_LINE:
        line = Line(work.line, work.movers, length)
        return int(policy.move(game, state, line, work.memory[0], work, rng))
    return int(policy.move(game, state, work, rng) if arguments == WITH_BUFFERS else policy.move(game, state, rng))


@overload(drawn_move, strict=False, jit_options=PART)
def _drawn_move(game: Any, policy: Any, state: Any, length: Any, work: Any, rng: Any) -> Callable[..., int]:
    def with_line(game, policy, state, length, work, rng):
        return policy.move(game, state, Line(work.line, work.movers, length), work.memory[0], work, rng)

    def with_buffers(game, policy, state, length, work, rng):
        return policy.move(game, state, work, rng)

    def alone(game, policy, state, length, work, rng):
        return policy.move(game, state, rng)

    arguments = policy.num_arguments("move")
    drawn = with_line if arguments == WITH_LINE else with_buffers if arguments == WITH_BUFFERS else alone
    if not game.has("chance"):
        return drawn
    drawn = kernel(drawn)

    def by_player_or_chance(game, policy, state, length, work, rng):
        if state.player == CHANCE:
            return random_move(game, state, work, rng)
        return drawn(game, policy, state, length, work, rng)

    return by_player_or_chance


def looks_back(policy: Any) -> bool:
    """Whether a policy wants the moves of the simulation so far, to draw a move or to learn."""
    return num_arguments(type(policy).move) == WITH_LINE or learns(policy)


def learns(policy: Any) -> bool:
    return callable(getattr(type(policy), LEARNS, None))


def note_move(policy: Any, work: Any, ply: int, player: int, move: int) -> None:
    """Write down a move of the simulation, if the policy wants to know."""
    if looks_back(policy):
        work.line[ply], work.movers[ply] = move, player


@overload(note_move, strict=False, jit_options=PART)
def _note_move(policy: Any, work: Any, ply: Any, player: Any, move: Any) -> Callable[..., None]:
    def noted(policy, work, ply, player, move):
        work.line[np.uint64(ply)] = move
        work.movers[np.uint64(ply)] = player

    def nothing(policy, work, ply, player, move):
        pass

    return noted if policy.has(LEARNS) or policy.num_arguments("move") == WITH_LINE else nothing


def teach(policy: Any, work: Any, length: int) -> None:
    """Show the policy a whole simulation and its payoffs, if it learns."""
    if learns(policy):
        policy.learn(Line(work.line, work.movers, length), work.memory[0], work.values)


@overload(teach, strict=False, jit_options=PART)
def _teach(policy: Any, work: Any, length: Any) -> Callable[..., None]:
    def taught(policy, work, length):
        policy.learn(Line(work.line, work.movers, length), work.memory[0], work.values)

    def nothing(policy, work, length):
        pass

    return taught if policy.has(LEARNS) else nothing
