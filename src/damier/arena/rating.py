"""Ratings: a maximum-likelihood fit of all games at once.

Bradley and Terry's model with draws (Davidson 1970), and its extension to any number of seats (Davidson and Luce;
Firth, Kosmidis, Turner 2019). A game with the set W of winners has the weight

    d_|W| exp( mean strength of the players in the seats of W ),    d_1 = 1

and its probability is that weight over the sum for all non-empty sets of seats. With two seats d_2 is the usual draw
parameter. Only who won is used: the places behind the winners have no part in the payoffs either. At the top of the
likelihood, which is concave, every player is expected to have the points that they have. Newton's method finds it, and
the curvature there gives the intervals.

Elo: one unit of strength is 400 / log 10 points where nothing is drawn. Draws make the score less steep in the
strength, by the variance of a seat's points between equals, and the scale is shrunk by that factor, so that between
near equals a difference in Elo means the usual score, however much is drawn. (If equals draw no game or half of them
it does so at any distance; if they draw nearly all, a large difference in Elo is a larger score than usual.)

A player who never lost, or never took a point, has no finite strength. Then, and only then, strengths get a wide
normal prior, and the fit says so.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from damier.arena.record import GameRecord
from damier.arena.statistics import Z95, Interval

Vector = NDArray[np.float64]
Seats = tuple[int, ...]

ELO = 400 / math.log(10)  # one unit of strength
PRIOR_SPREAD = 800 / ELO  # of strengths, where a prior is needed
_STEPS = 100
_TOO_FAR = 30.0  # Newton's steps run away, one unit at a time, where there is no top


@dataclass(frozen=True)
class Ratings:
    elo: tuple[float, ...]  # by player; their mean is 0
    intervals: tuple[Interval, ...]  # 95 %
    covariance: tuple[tuple[float, ...], ...]
    has_prior: bool  # somebody never lost, or never took a point

    def difference(self, first: int, second: int) -> tuple[float, Interval]:
        """How much stronger the first player is, with its 95 % interval."""
        c = self.covariance
        variance = c[first][first] + c[second][second] - 2 * c[first][second]
        value, error = self.elo[first] - self.elo[second], Z95 * math.sqrt(max(0.0, variance))
        return value, (value - error, value + error)


def fit(records: Sequence[GameRecord], num_players: int) -> Ratings | None:
    """The ratings that make these games most likely; None without games."""
    if not records:
        return None
    model = _Model(Counter((record.seating, record.winners) for record in records), num_players)
    found = model.maximise(spread=math.inf)
    has_prior = found is None
    if found is None:
        found = model.maximise(PRIOR_SPREAD)
        assert found is not None
    parameters, covariance = found
    scale = ELO * model.flatness(parameters)
    centre = np.eye(num_players) - 1 / num_players
    elo = scale * centre @ parameters[:num_players]
    spread = scale**2 * centre @ covariance[:num_players, :num_players] @ centre.T
    errors = Z95 * np.sqrt(np.maximum(0, np.diag(spread)))
    return Ratings(
        elo=tuple(elo.tolist()),
        intervals=tuple(zip((elo - errors).tolist(), (elo + errors).tolist(), strict=True)),
        covariance=tuple(map(tuple, spread.tolist())),
        has_prior=has_prior,
    )


class _Model:
    """The parameters are the players' strengths, and log d of each kind of tie that occurred."""

    def __init__(self, games: Counter[tuple[Seats, Seats]], num_players: int) -> None:
        self.num_players = num_players
        self.num_seats = len(next(iter(games))[0])
        self.ties = sorted({len(winners) for _, winners in games} - {1})
        self.size = num_players + len(self.ties)
        self.outcomes = [
            winners for size in (1, *self.ties) for winners in itertools.combinations(range(self.num_seats), size)
        ]
        self.features: dict[Seats, Vector] = {}  # by seating: one row an outcome
        self.counts: dict[Seats, Vector] = {}
        for (seating, winners), count in games.items():
            if seating not in self.features:
                self.features[seating] = np.array([self._feature(seating, outcome) for outcome in self.outcomes])
                self.counts[seating] = np.zeros(len(self.outcomes))
            self.counts[seating][self.outcomes.index(winners)] += count

    def _feature(self, seating: Seats, winners: Seats) -> Vector:
        """What multiplies the parameters in the logarithm of the weight: the points of each player, and the tie."""
        row = np.zeros(self.size)
        for seat in winners:
            row[seating[seat]] += 1 / len(winners)
        if len(winners) > 1:
            row[self.num_players + self.ties.index(len(winners))] = 1
        return row

    def maximise(self, spread: float) -> tuple[Vector, Vector] | None:
        """The parameters and their covariance, or None if there is no top at finite strengths.

        The sum of all strengths, which the games can't tell, is held at 0.
        """
        parameters = np.zeros(self.size)
        fixed = np.zeros((1, self.size))
        fixed[0, : self.num_players] = 1
        prior = np.full(self.size, 1 / spread**2)
        value, slope, curvature = self._likelihood(parameters, prior)
        for _ in range(_STEPS):
            try:
                step = np.linalg.solve(curvature + fixed.T @ fixed, slope)
            except np.linalg.LinAlgError:
                return None
            while self._likelihood(parameters + step, prior)[0] < value - 1e-9 * abs(value):
                step /= 2  # it went too far
            parameters = parameters + step
            value, slope, curvature = self._likelihood(parameters, prior)
            if np.abs(parameters).max() > _TOO_FAR:
                return None
            if np.abs(step).max() < 1e-9:
                covariance = np.linalg.inv(curvature + fixed.T @ fixed).astype(np.float64)
                return parameters, covariance
        return None

    def _likelihood(self, parameters: Vector, prior: Vector) -> tuple[float, Vector, Vector]:
        """The log-likelihood, its slope, and minus its curvature."""
        value = -0.5 * float(prior @ parameters**2)
        slope = -prior * parameters
        curvature = np.diag(prior)
        for seating, features in self.features.items():
            counts = self.counts[seating]
            scores = features @ parameters
            scores -= np.logaddexp.reduce(scores)
            chances = np.exp(scores)
            games = counts.sum()
            mean = chances @ features
            value += float(counts @ scores)
            slope = slope + counts @ features - games * mean
            curvature = curvature + games * ((features.T * chances) @ features - np.outer(mean, mean))
        return value, slope, curvature

    def flatness(self, parameters: Vector) -> float:
        """The variance of a seat's points between equals, as a part of what it is without ties."""
        ties = dict(zip(self.ties, np.exp(parameters[self.num_players :]), strict=True))
        weights = np.array([ties.get(len(winners), 1.0) for winners in self.outcomes])
        points = np.array([1 / len(winners) if 0 in winners else 0.0 for winners in self.outcomes])
        chances = weights / weights.sum()
        variance = float(chances @ points**2 - (chances @ points) ** 2)
        return variance / ((1 - 1 / self.num_seats) / self.num_seats)
