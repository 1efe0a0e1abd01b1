"""The laws of rules that write arrays: payoffs, heuristic values, features, encodings; and of policy indices."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from damier.core import calls
from damier.core.conformance.trial import TOLERANCE, Guarded, Trial
from damier.core.protocol import CHANCE


def check_returns(trial: Trial) -> NDArray[np.float64]:
    payoffs = _check_values(trial, "returns", calls.returns)
    by_team = {team: payoffs[player] for player, team in enumerate(trial.game.teams)}
    same = all(abs(payoffs[player] - by_team[team]) < TOLERANCE for player, team in enumerate(trial.game.teams))
    trial.require(same, "teams", f"got {payoffs.tolist()}, and the teams are {trial.game.teams}")
    return payoffs


def check_evaluate(trial: Trial, moves: list[int], seed: int) -> None:
    _check_values(trial, "evaluate", calls.evaluate)


def _check_values(trial: Trial, rule: str, compiled_rule: Callable[..., None]) -> NDArray[np.float64]:
    """Check payoffs and heuristic values: in range, one per player, zero-sum."""
    count = trial.game.num_players
    compiled, plain = Guarded(count, np.dtype(float)), np.full(count, np.nan)
    compiled.array[:] = np.nan
    trial.call_plain(rule, trial.plain, plain)
    trial.game.run(compiled_rule, trial.compiled.array[0], compiled.array)
    shown = plain.tolist()
    trial.require(bool(np.all(np.abs(plain) <= 1 + TOLERANCE)), rule, f"got {shown}")
    trial.require(count == 1 or abs(plain.sum()) < TOLERANCE, rule, f"got {shown}, whose sum is not 0")
    least = trial.game.least_payoff
    trial.require(plain.min() >= least - TOLERANCE, "least_payoff", f"got {shown}, and it is {least}")
    if trial.game.has("format_value"):
        texts = [trial.guard("format_value", trial.game.rules.format_value, value) for value in plain]
        trial.require(all(isinstance(text, str) and text for text in texts), "format_value", f"got {texts} of {shown}")
    trial.require(np.allclose(plain, compiled.array, atol=1e-12), "agree", f"on `{rule}`")
    trial.require(compiled.is_intact(), rule, "it wrote outside of `out`")
    trial.compare(rule)
    return plain


def check_features(trial: Trial, moves: list[int], seed: int) -> None:
    shape = trial.game.num_players, len(trial.game.feature_names)
    compiled, plain = Guarded(shape[0] * shape[1], np.dtype(float)), np.full(shape, np.nan)
    compiled.array[:] = np.nan
    trial.call_plain("features", trial.plain, plain)
    trial.game.run(calls.features, trial.compiled.array[0], compiled.array.reshape(shape))
    trial.require(bool(np.isfinite(plain).all()), "features", f"got {plain.tolist()}")
    trial.require(np.allclose(compiled.array, plain.ravel(), atol=1e-12), "agree", "on `features`")
    trial.require(compiled.is_intact(), "features", "it wrote outside of `out`")
    trial.compare("features")


def check_encode(trial: Trial, moves: list[int], seed: int) -> None:
    shape = trial.game.encode_shape
    compiled, plain = Guarded(int(np.prod(shape)), np.dtype(np.float32)), np.full(shape, np.nan, np.float32)
    compiled.array[:] = np.nan
    trial.call_plain("encode", trial.plain, plain)
    trial.game.run(calls.encode, trial.compiled.array[0], compiled.array.reshape(shape))
    trial.require(bool(np.isfinite(plain).all()), "encode", "some numbers are not written, or not finite")
    trial.require(np.array_equal(compiled.array, plain.ravel()), "agree", "on `encode`")
    trial.require(compiled.is_intact(), "encode", "it wrote outside of `out`")
    trial.compare("encode")


def check_action(trial: Trial, moves: list[int], seed: int) -> None:
    """Check policy indices, also of a game with `encode` but without `action`, where the move is the policy index."""
    if trial.position.player == CHANCE:
        return
    actions = trial.game.num_actions
    indices = moves
    if trial.game.has("action"):
        indices = [int(trial.call_plain("action", trial.plain, move)) for move in moves]
        compiled = [trial.position.action(move) for move in moves]
        trial.require(compiled == indices, "agree", "on `action`")
    fits = len(set(indices)) == len(moves) and all(0 <= index < actions for index in indices)
    trial.require(fits, "action", f"the moves {moves[:20]} have the indices {indices[:20]} of {actions}")


def check_score(trial: Trial, moves: list[int], seed: int) -> None:
    plain = trial.call_plain("score", trial.plain)
    compiled = trial.game.run(calls.score, trial.compiled.array[0])
    is_number = isinstance(plain, int | float | np.number)
    trial.require(is_number and bool(np.isfinite(plain)), "score", f"got {plain!r}")
    trial.require(np.isclose(compiled, plain), "agree", f"`score` is {compiled} compiled and {plain} uncompiled")
    trial.compare("score")
