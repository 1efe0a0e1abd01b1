"""Evaluations that are weighted sums of named features: Eval = w_1 f_1 + ... + w_n f_n.

Such a game writes each player's amount of every feature in `features`, names them in `feature_names`, and keeps the
weights in `feature_weights`, where compiled rules read them and `damier tune` fits them.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import inlined
from damier.core.errors import SpecError
from damier.core.files import user_path
from damier.core.game import Game

Weights = NDArray[np.float64]


@inlined
def weighted_sum(weights: Any, features: Any) -> float:
    total = 0.0
    for i in range(weights.size):
        total += weights[i] * features[i]
    return total


def read_weights(text: str, default: Mapping[str, float]) -> Weights:
    """The weights in an option: empty for the defaults, numbers like 1/3/0.5, or a JSON file by name.

    They are not negative, and are scaled to the sum of the defaults: only their ratios count.
    """
    if not text:
        return np.array(list(default.values()), np.float64)
    if re.fullmatch(r"[-+.0-9eE/]+", text):
        try:
            weights = np.array([float(number) for number in text.split("/")])
        except ValueError:
            weights = np.zeros(0)
    else:
        weights = _read_file(user_path(text), default)
    if weights.size != len(default):
        example = "/".join(f"{weight:g}" for weight in default.values())
        raise SpecError("weights.expected", names=list(default), example=example, got=text)
    if not np.isfinite(weights).all() or weights.min() < 0 or weights.sum() <= 0:
        raise SpecError("weights.negative", got=str(weights.tolist()), text=text)
    return scaled(weights, default)


def scaled(weights: Weights, default: Mapping[str, float]) -> Weights:
    """The same ratios, with the sum of the default weights."""
    factor: float = sum(default.values()) / weights.sum()
    return weights * factor


def with_weights(game: Game, weights: str) -> Game:
    """The same game, with these weights in its evaluation."""
    if "weights" not in game.options:
        raise SpecError("weights.none", game=game.name)
    return Game(type(game.rules)(**game.options | {"weights": weights}), game.title, game.preset)


def _read_file(path: Path, default: Mapping[str, float]) -> Weights:
    try:
        named = json.loads(path.read_text(encoding="utf-8"))
        return np.array([float(named[name]) for name in default])
    except OSError as error:
        raise SpecError("file.unreadable", path=path, why=error.strerror) from None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        expected = ", ".join(f'"{name}": {weight:g}' for name, weight in default.items())
        raise SpecError("weights.no-json", expected=expected, path=path) from None
