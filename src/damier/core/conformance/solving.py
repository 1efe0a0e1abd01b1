"""The laws of rules for solvers and endgame databases: keys, bounds, candidates, distances, endings."""

from typing import Any

import numpy as np

from damier.core import calls
from damier.core.conformance.trial import GARBAGE, Trial, same_bytes
from damier.core.generic import position_key
from damier.core.position import Position
from damier.core.protocol import Rng
from damier.core.rng import below

_FEW_PIECES = 3  # the endings that are looked at
_POSITIONS = 5  # so many of each


def check_key(trial: Trial, moves: list[int], seed: int) -> None:
    plain = trial.guard("key", position_key, trial.game.rules, trial.plain)
    key = int(trial.game.run(calls.key, trial.compiled.array[0]))
    trial.require(key == plain, "agree", f"`key` is {key} compiled and {plain} uncompiled")
    trial.compare("key")
    what = trial.position.player, *moves
    met = trial.met.setdefault(("key", key), what)
    trial.require(met == what, "key", "two positions with other moves share one")


def check_symmetric_key(trial: Trial, moves: list[int], seed: int) -> None:
    plain = int(trial.call_plain("symmetric_key", trial.plain))
    key = int(trial.game.run(calls.symmetric_key, trial.compiled.array[0]))
    trial.require(key == plain, "agree", f"`symmetric_key` is {key} compiled and {plain} uncompiled")
    trial.compare("symmetric_key")
    bounds = trial.position.bounds() if trial.game.has("bounds") else None
    worth: Any = trial.position.player, len(moves), trial.position.returns, bounds
    met = trial.met.setdefault(("symmetric_key", key), worth)
    trial.require(met == worth, "symmetric_key", "two positions share one that are no images of each other")


def check_bounds(trial: Trial, moves: list[int], seed: int) -> None:
    low, high = map(int, trial.call_plain("bounds", trial.plain))
    compiled = trial.game.run(calls.bounds, trial.compiled.array[0])
    trial.require(compiled == (low, high), "agree", f"`bounds` are {compiled} compiled, {(low, high)} uncompiled")
    trial.compare("bounds")
    trial.require(low <= high, "bounds", f"got {low} and {high}")
    if trial.position.returns is not None:
        signs = np.sign([low, high, trial.position.returns[0]]).tolist()
        trial.require(low == high and len(set(signs)) == 1, "bounds", f"got {low} and {high} at the end")
    else:
        behind = [trial.game.run(calls.bounds, trial.position.play(move).state) for move in moves]
        best = max if trial.position.player == 0 else min
        least, most = (best(pair[side] for pair in behind) for side in (0, 1))
        fits = least <= high and most >= low
        trial.require(fits, "bounds", f"got {low} and {high}, but the best move has from {least} to {most}")


def check_candidates(trial: Trial, moves: list[int], seed: int) -> None:
    """Check the candidates, which are used only if the bounds leave something to decide."""
    if trial.game.has("bounds") and len(set(trial.position.bounds())) == 1:
        return
    plain, compiled = trial.game.buffers().moves, trial.game.buffers().moves
    plain[:], compiled[:] = GARBAGE
    count = int(trial.call_plain("candidates", trial.plain, plain))
    found = int(trial.game.run(calls.candidates, trial.compiled.array[0], compiled))
    listed = plain[:count].tolist()
    trial.require(compiled[:found].tolist() == listed, "agree", "on `candidates`")
    trial.compare("candidates")
    legal = len(set(listed)) == count and set(listed) <= set(moves)
    trial.require(legal, "candidates", f"got {listed}, the legal moves are {moves}")
    trial.require(count > 0 or not moves, "candidates", "there is none")


def check_distance(trial: Trial, before: int) -> int:
    """Check the distance of the position, given that of the one before."""
    distance = int(trial.call_plain("distance", trial.plain))
    compiled = int(trial.game.run(calls.distance, trial.compiled.array[0]))
    trial.require(compiled == distance, "agree", f"`distance` is {compiled} compiled and {distance} uncompiled")
    trial.compare("distance")
    trial.require(distance >= before - 1, "distance", f"from {before} it falls to {distance}")
    returns = trial.position.returns
    is_won = returns is not None and returns[0] > 0
    trial.require(distance == 0 if is_won else distance > 0, "distance", f"it is {distance}, the payoff {returns}")
    return distance


def check_endings(trial: Trial, rng: Rng) -> None:
    """Set up some positions of each ending of few pieces, compiled and uncompiled."""
    for number, (name, size) in enumerate(trial.guard("endings", trial.game.rules.endings, _FEW_PIECES)):
        left = _POSITIONS
        for _ in range(20 * _POSITIONS):  # not each number is a position
            left -= bool(left) and _is_position(trial, name, number, below(rng, size))


def _is_position(trial: Trial, name: str, number: int, index: int) -> bool:
    """Whether this is the number of a position; check the law if it is."""
    plain, compiled = trial.game.new_states(1)[0], trial.game.new_states(1)[0]
    exists = bool(trial.call_plain("set_ending", plain, number, index))
    agrees = trial.game.run(calls.set_ending, compiled, number, index) == exists and same_bytes(compiled, plain)
    trial.require(agrees, "agree", f"on `set_ending` of {name} {index}")
    if exists:
        _check_ending(trial, Position(trial.game, plain), f"{name} {index}", (number, index))
    return exists


def _check_ending(trial: Trial, pos: Position, what: str, numbers: tuple[int, int]) -> None:
    found = tuple(map(int, trial.call_plain("ending", pos.state)))
    compiled = trial.game.run(calls.ending, pos.state)
    trial.require(compiled == found, "agree", f"`ending` of {what} is {compiled} compiled, {found} uncompiled")
    trial.require(found[:2] == numbers, "ending", f"{what}, {numbers}, is found as {found[:2]}")
    for move in pos.moves():
        after = pos.play(move)
        number = trial.game.run(calls.ending, after.state)[0]
        fits = after.is_over if number < 0 else number <= numbers[0]
        trial.require(fits, "ending", f"from {what} a move leads to ending {number}")
