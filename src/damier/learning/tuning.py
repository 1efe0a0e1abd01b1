"""The weights of an evaluation, fitted to the results of games by logistic regression (Buro, From simple features to
sophisticated evaluation functions, 1998).

In a position the first player has d_i more of feature i than the second. With 1 for a win and 1/2 for a draw, the
model's expected score of the first player is

    1 / (1 + exp(-(c + w_1 d_1 + ... + w_n d_n)))

and the fit finds the non-negative weights that make the games most likely; c is the value of the first move, which no
weight should have to explain. Neighbouring positions of a game are much alike, so a few positions of each game are
drawn, and none from its last quarter, which a search solves anyway: there, discs decide Othello, and before they
mislead.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.protocol import Rng
from damier.core.rng import below, new_rng, next_word, uniform
from damier.core.secrets import without_passwords
from damier.players import player
from damier.store.database import Store

POSITIONS = 10  # drawn from each game
BEFORE_THE_END = 0.75  # the part of a game from which they are drawn
RANDOM = 0.1  # share of random moves in self-play, which makes games differ and shows mistakes
STEPS = 2000

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tuned:
    """The fitted weights and their loss, beside those before."""

    weights: dict[str, float]
    before: dict[str, float]
    loss: float
    loss_before: float
    positions: int
    games: int


def tune(
    game: Game,
    games: int = 200,
    spec: str = "alphabeta:depth=2,memory=1",
    seed: int = 0,
    database: str | None = None,
    watcher: Callable[[int], None] | None = None,
) -> Tuned:
    """Fit the weights of a game to its games in a database, or to games of a player against itself."""
    if not game.has("features"):
        raise SpecError("tuning.no-features", game=game.name)
    if game.num_players != 2:
        raise SpecError("tuning.two-players", game=game.name, players=game.num_players)
    if database is not None:
        lines: Iterable[tuple[int, ...]] = _kept(game, database, games)
    else:
        lines = (_self_play(game, spec, new_rng(seed, number)) for number in range(games))
    rng, count = new_rng(seed, games), 0
    differences, results = [], []
    for line in lines:
        for features, result in _samples(game, line, rng):
            differences.append(features)
            results.append(result)
        count += 1
        if watcher is not None:
            watcher(1)
    if len(set(results)) < 2:
        raise SpecError("tuning.all-alike", count=count, game=game.name)
    return _compared(game, np.array(differences), np.array(results), count)


def _kept(game: Game, database: str, games: int) -> list[tuple[int, ...]]:
    store = Store(database)
    try:
        lines = [record.moves for record in store.records_of(game.name, games)]
    finally:
        store.close()
    if not lines:
        raise SpecError("tuning.no-games", game=game.name, database=without_passwords(database))
    return lines


def _self_play(game: Game, spec: str, rng: Rng) -> tuple[int, ...]:
    seats = [player(spec), player(spec)]
    position = game.start()
    while not position.is_over:
        if position.is_chance or uniform(rng) < RANDOM:
            move = position.random_move(rng)
        else:
            move = seats[position.player].search(position, next_word(rng) >> 1).move
        position = position.play(move)
    return position.history


def _samples(game: Game, line: tuple[int, ...], rng: Rng) -> list[tuple[list[float], float]]:
    """The feature differences of the first player in some positions of a game, and the first player's score."""
    end = game.start().play_all(line)
    if end.returns is None or not line:
        return []
    plies = sorted(below(rng, math.ceil(BEFORE_THE_END * len(line))) for _ in range(POSITIONS))
    found = []
    for ply in plies:
        features = game.start().play_all(line[:ply]).features().values()
        found.append(([first - second for first, second in features], (end.returns[0] + 1) / 2))
    return found


def _compared(game: Game, differences: Array, results: Array, games: int) -> Tuned:
    names, before = game.rules.feature_names, np.asarray(game.rules.feature_weights)
    weights, loss = fit_weights(differences, results)
    if weights.sum() <= 0:
        raise SpecError("tuning.no-weight", games=games, game=game.name)
    weights *= before.sum() / weights.sum()
    # The old weights as one feature: their ratios stay, and only their scale is fitted.
    _, loss_before = fit_weights(differences @ before[:, None], results)
    return Tuned(
        dict(zip(names, weights.tolist(), strict=True)),
        dict(zip(names, before.tolist(), strict=True)),
        loss,
        loss_before,
        len(results),
        games,
    )


def fit_weights(differences: Array, results: Array) -> tuple[Array, float]:
    """The non-negative weights that make the results most likely, and the mean negative log-likelihood."""
    spread = differences.std(axis=0)
    spread[spread == 0] = 1.0
    inputs = np.hstack([differences / spread, np.ones((len(results), 1))])  # the last one is the constant
    weights = np.zeros(inputs.shape[1])
    step = 4 / np.linalg.eigvalsh(inputs.T @ inputs / len(results))[-1]  # the curvature is at most a quarter of that
    for _ in range(STEPS):
        weights -= step * (inputs.T @ (_expected(inputs, weights) - results)) / len(results)
        weights[:-1] = np.maximum(weights[:-1], 0.0)
    expected = np.clip(_expected(inputs, weights), 1e-12, 1 - 1e-12)
    loss = -(results * np.log(expected) + (1 - results) * np.log(1 - expected)).mean()
    return weights[:-1] / spread, float(loss)


def _expected(inputs: Array, weights: Array) -> Array:
    expected: Array = 0.5 * (1 + np.tanh(0.5 * (inputs @ weights)))  # 1 / (1 + exp(-x)), which never overflows
    return expected
