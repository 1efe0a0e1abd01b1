"""The laws of rules that draw, weigh or mark moves."""

from collections import Counter
from collections.abc import Callable

import numpy as np

from damier.core import calls
from damier.core.conformance.trial import TOLERANCE, Trial
from damier.core.protocol import CHANCE
from damier.core.rng import new_rng

_DRAWS = 300  # how often `sample` is asked about a position
_WEIGHED = 20  # the weights of so many moves of a position are looked at


def check_sample(trial: Trial, moves: list[int], seed: int) -> None:
    if trial.position.player == CHANCE:
        return
    drawn = _check_draws(trial, "sample", calls.sample, moves, seed)
    if len(moves) > 1:
        # Pearson's chi-squared has mean k - 1 and variance 2 (k - 1); 8 deviations never happen by chance
        expected = _DRAWS / len(moves)
        counts = Counter(drawn)
        chi_squared = sum((counts[move] - expected) ** 2 / expected for move in moves)
        freedom = len(moves) - 1
        fair = chi_squared < freedom + 8 * (2 * freedom) ** 0.5 + 8
        trial.require(fair, "sample", f"in {_DRAWS} draws it gave {dict(counts)}")


def check_playout(trial: Trial, moves: list[int], seed: int) -> None:
    if trial.position.player != CHANCE:
        _check_draws(trial, "playout", calls.playout, moves, seed)


def _check_draws(trial: Trial, rule: str, compiled_rule: Callable[..., int], moves: list[int], seed: int) -> list[int]:
    rng, twin = new_rng(seed), new_rng(seed)
    plain = [int(trial.call_plain(rule, trial.plain, twin)) for _ in range(20)]
    drawn = [int(trial.game.run(compiled_rule, trial.compiled.array[0], rng)) for _ in range(_DRAWS)]
    trial.compare(rule)
    trial.require(drawn[:20] == plain, "agree", f"on `{rule}`")
    illegal = set(drawn) - set(moves or [-1])
    trial.require(not illegal, rule, f"it drew {illegal}, expected one of {moves or [-1]}")
    return drawn


def check_weight(trial: Trial, moves: list[int], seed: int) -> None:
    if trial.position.player == CHANCE:
        return
    for move in moves[:_WEIGHED]:
        plain = float(trial.call_plain("weight", trial.plain, move))
        weight = float(trial.game.run(calls.weight, trial.compiled.array[0], move))
        trial.compare("weight")
        trial.require(abs(weight - plain) <= TOLERANCE * abs(plain), "agree", f"on `weight` of {move}")
        trial.require(0 < weight < np.inf, "weight", f"the weight of {move} is {weight}")


def check_noisy(trial: Trial, moves: list[int], seed: int) -> None:
    if trial.position.player == CHANCE:
        return
    plain = [trial.call_plain("noisy", trial.plain, move) for move in moves]
    wrong = [answer for answer in plain if not isinstance(answer, bool | np.bool_)]
    trial.require(not wrong, "noisy", f"got {wrong[:3]}")
    compiled = [trial.game.run(calls.noisy, trial.compiled.array[0], move) for move in moves]
    trial.require(compiled == plain, "agree", "on `noisy`")
    trial.compare("noisy")
