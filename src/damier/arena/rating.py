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
normal prior, and the fit says so; the intervals are then those of the likelihood ratio test.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

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
    has_prior: bool  # somebody never lost, or never took a point
    fit: "_Fit" = field(repr=False)

    def difference(self, first: int, second: int) -> tuple[float, Interval]:
        """How much stronger the first player is, with its 95 % interval."""
        contrast = np.eye(len(self.elo))[first] - np.eye(len(self.elo))[second]
        return self.fit.elo(contrast), self.fit.interval(contrast)


def fit(records: Sequence[GameRecord], num_players: int) -> Ratings | None:
    """The ratings that make these games most likely; None without games."""
    if not records:
        return None
    model = _Model(Counter((record.seating, record.winners) for record in records), num_players)
    best = model.maximise(spread=math.inf) or model.maximise(PRIOR_SPREAD)
    assert best is not None
    from_mean = np.eye(num_players) - 1 / num_players
    return Ratings(
        elo=tuple(best.elo(contrast) for contrast in from_mean),
        intervals=tuple(best.interval(contrast) for contrast in from_mean),
        has_prior=best.spread < math.inf,
        fit=best,
    )


@dataclass(frozen=True)
class _Fit:
    """The top of the likelihood. A contrast is a weighted sum of strengths whose weights add up to 0."""

    model: "_Model"
    spread: float  # of the prior
    parameters: Vector
    covariance: Vector
    value: float  # of the log-likelihood

    @cached_property
    def scale(self) -> float:
        return ELO * self.model.flatness(self.parameters)

    def elo(self, contrast: Vector) -> float:
        return self.scale * float(contrast @ self.parameters[: len(contrast)])

    def interval(self, contrast: Vector) -> Interval:
        """From the curvature; where a prior was needed the likelihood is lopsided, and is followed down both sides."""
        count = len(contrast)
        error = math.sqrt(max(0.0, float(contrast @ self.covariance[:count, :count] @ contrast)))
        if self.spread == math.inf:
            return self.elo(contrast) - Z95 * self.scale * error, self.elo(contrast) + Z95 * self.scale * error
        return self._where_unlikely(contrast, -error), self._where_unlikely(contrast, error)

    def _where_unlikely(self, contrast: Vector, step: float) -> float:
        """How far a contrast can go before the likelihood ratio test refuses it, in Elo."""
        start = float(contrast @ self.parameters[: len(contrast)])

        def is_likely(distance: float) -> bool:
            held = self.model.maximise(self.spread, contrast, start + distance)
            return held is not None and 2 * (self.value - held.value) < Z95**2

        near, far = 0.0, step
        while is_likely(far):
            near, far = far, 2 * far
        for _ in range(30):
            middle = (near + far) / 2
            near, far = (middle, far) if is_likely(middle) else (near, middle)
        return self.scale * (start + near)


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

    def maximise(self, spread: float, contrast: Vector | None = None, held: float = 0.0) -> _Fit | None:
        """The best parameters, or None if there is no top at finite strengths. A contrast may be held at a value.

        The sum of all strengths, which the games can't tell, is held at 0.
        """
        sums = np.zeros((1 if contrast is None else 2, self.size))  # what is held
        sums[0, : self.num_players] = 1
        parameters = np.zeros(self.size)
        if contrast is not None:
            sums[1, : self.num_players] = contrast
            parameters[: self.num_players] = held * contrast / float(contrast @ contrast)
        prior = np.full(self.size, 1 / spread**2)
        value, slope, curvature = self._likelihood(parameters, prior)
        for _ in range(_STEPS):
            corner = np.zeros((len(sums), len(sums)))
            try:  # Newton's step among those that change no sum
                step = np.linalg.solve(
                    np.block([[curvature, sums.T], [sums, corner]]), np.concatenate([slope, np.zeros(len(sums))])
                )[: self.size]
            except np.linalg.LinAlgError:
                return None
            while self._likelihood(parameters + step, prior)[0] < value - 1e-9 * abs(value):
                step /= 2  # it went too far
            parameters = parameters + step
            value, slope, curvature = self._likelihood(parameters, prior)
            if np.abs(parameters).max() > _TOO_FAR:
                return None
            if np.abs(step).max() < 1e-9:
                covariance = np.linalg.inv(curvature + sums.T @ sums).astype(np.float64)
                return _Fit(self, spread, parameters, covariance, value)
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
