"""Ratings: a maximum-likelihood fit of all games at once.

Bradley and Terry's model with draws (Davidson 1970), and its extension to any number of seats (Davidson and Luce;
Firth, Kosmidis, Turner 2019). A game with the set W of winners has the weight

    d_|W| exp( mean strength of the players in the seats of W ),    d_1 = 1

and its probability is that weight over the sum for all non-empty sets of seats. With two seats d_2 is the usual draw
parameter. The model uses only who won, because the payoffs do not distinguish the places behind the winners either. The
likelihood is concave; at its maximum every player's expected points are the actual ones. Newton's method finds it, and
the curvature there gives the intervals.

Elo: one unit of strength is 400 / log 10 points if there are no draws. Draws make the score less steep in the strength,
by the variance of a seat's points between equals. The scale is shrunk by that factor, so that between near equals a
difference in Elo means the usual score, whatever the share of draws. (If equals draw no game or half of them, this
holds at any distance; if they draw nearly all, a large difference in Elo is a larger score than usual.)

A player who never lost, or never took a point, has no finite strength, and players who never met can't be compared.
`separation` detects these cases. Only then do strengths get a wide normal prior, and the fit says so; the intervals are
then those of the likelihood ratio test.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from damier.arena.separation import has_top
from damier.arena.statistics import Z95, Interval
from damier.store.record import GameRecord

Vector = NDArray[np.float64]
Seats = tuple[int, ...]

ELO = 400 / math.log(10)  # one unit of strength
PRIOR_SPREAD = 800 / ELO  # of strengths, where a prior is needed
_STEPS = 100  # Newton's method takes about ten
_ENOUGH = 1e-4  # the share of the promised gain that a step must reach, or it is too long (Armijo 1966)
_STILL = 1e-9  # the largest change in the last step


@dataclass(frozen=True)
class Ratings:
    elo: tuple[float, ...]  # by player; their mean is 0
    intervals: tuple[Interval, ...]  # 95 %
    has_prior: bool  # the games alone don't decide: a player never lost, never took a point, or never met the others
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
    best = model.maximise(math.inf if model.has_top else PRIOR_SPREAD)
    from_mean = np.eye(num_players) - 1 / num_players
    return Ratings(
        elo=tuple(best.elo(contrast) for contrast in from_mean),
        intervals=tuple(best.interval(contrast) for contrast in from_mean),
        has_prior=best.spread < math.inf,
        fit=best,
    )


@dataclass(frozen=True)
class _Fit:
    """The maximum of the likelihood. A contrast is a weighted sum of strengths whose weights add up to 0."""

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
        """The interval from the curvature; with a prior the likelihood is asymmetric, and both sides are searched."""
        count = len(contrast)
        error = math.sqrt(max(0.0, float(contrast @ self.covariance[:count, :count] @ contrast)))
        if self.spread == math.inf:
            return self.elo(contrast) - Z95 * self.scale * error, self.elo(contrast) + Z95 * self.scale * error
        return self._where_unlikely(contrast, -error), self._where_unlikely(contrast, error)

    def _where_unlikely(self, contrast: Vector, step: float) -> float:
        """How far a contrast can go before the likelihood ratio test rejects it, in Elo."""
        start = float(contrast @ self.parameters[: len(contrast)])

        def is_likely(distance: float) -> bool:
            held = self.model.maximise(self.spread, contrast, start + distance)
            return 2 * (self.value - held.value) < Z95**2

        near, far = 0.0, step
        while is_likely(far):
            near, far = far, 2 * far
        for _ in range(20):  # to a hundredth of an Elo
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
        seatings = sorted({seating for seating, _ in games})
        # [seating, outcome, parameter]: the factors of the parameters in the logarithm of the weight
        self.features = np.array([[self._feature(seating, won) for won in self.outcomes] for seating in seatings])
        self.counts = np.zeros((len(seatings), len(self.outcomes)))
        for (seating, winners), count in games.items():
            self.counts[seatings.index(seating), self.outcomes.index(winners)] += count

    def _feature(self, seating: Seats, winners: Seats) -> Vector:
        """The points of each player, and the tie."""
        row = np.zeros(self.size)
        for seat in winners:
            row[seating[seat]] += 1 / len(winners)
        if len(winners) > 1:
            row[self.num_players + self.ties.index(len(winners))] = 1
        return row

    @property
    def has_top(self) -> bool:
        """Whether the likelihood has a maximum without a prior. Games never decide the sum of all strengths."""
        happened = self.features[self.counts > 0]
        possible = self.features[np.nonzero(self.counts)[0]]
        whole = math.lcm(*range(1, self.num_seats + 1))  # points are fractions: halves, thirds, quarters
        rows = (whole * (happened[:, None] - possible)).round().reshape(-1, self.size)
        return has_top(np.unique(rows, axis=0), self.size - 1)

    def maximise(self, spread: float, contrast: Vector | None = None, held: float = 0.0) -> _Fit:
        """The best parameters, by Newton's method. There must be a maximum. A contrast may be held at a value.

        The sum of all strengths, which the games can't decide, is held at 0.
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
            step = _newton_step(slope, curvature, sums)
            parameters, moved = self._climb(parameters, step, value, float(slope @ step), prior)
            value, slope, curvature = self._likelihood(parameters, prior)
            if moved < _STILL:
                break
        covariance = np.linalg.inv(curvature + sums.T @ sums).astype(np.float64)
        return _Fit(self, spread, parameters, covariance, value)

    def _climb(
        self, parameters: Vector, step: Vector, value: float, gain: float, prior: Vector
    ) -> tuple[Vector, float]:
        """The parameters after a step that was shortened until it gains, and how far they moved."""
        moved = float(np.abs(step).max())
        while moved >= _STILL and self._likelihood(parameters + step, prior)[0] < value + _ENOUGH * gain:
            step, gain, moved = step / 2, gain / 2, moved / 2
        return parameters + step, moved

    def _likelihood(self, parameters: Vector, prior: Vector) -> tuple[float, Vector, Vector]:
        """The log-likelihood, its slope, and minus its curvature."""
        scores = self.features @ parameters
        scores -= np.logaddexp.reduce(scores, axis=1, keepdims=True)
        games = self.counts.sum(axis=1, keepdims=True)
        expected = games * np.exp(scores)
        flat = self.features.reshape(-1, self.size)
        means = (expected[:, None, :] @ self.features)[:, 0]  # of each seating, times its games
        value = float((self.counts * scores).sum()) - 0.5 * float(prior @ parameters**2)
        slope = (self.counts - expected).reshape(-1) @ flat - prior * parameters
        curvature = (flat.T * expected.reshape(-1)) @ flat - means.T @ (means / games) + np.diag(prior)
        return value, slope, curvature

    def flatness(self, parameters: Vector) -> float:
        """The variance of a seat's points between equals, as a share of the variance without ties."""
        ties = dict(zip(self.ties, np.exp(parameters[self.num_players :]), strict=True))
        weights = np.array([ties.get(len(winners), 1.0) for winners in self.outcomes])
        points = np.array([1 / len(winners) if 0 in winners else 0.0 for winners in self.outcomes])
        chances = weights / weights.sum()
        variance = float(chances @ points**2 - (chances @ points) ** 2)
        return variance / ((1 - 1 / self.num_seats) / self.num_seats)


def _newton_step(slope: Vector, curvature: Vector, sums: Vector) -> Vector:
    """The step to the maximum of the parabola, among the steps that change no held sum."""
    corner = np.zeros((len(sums), len(sums)))
    system = np.block([[curvature, sums.T], [sums, corner]])
    step: Vector = np.linalg.solve(system, np.concatenate([slope, np.zeros(len(sums))]))[: len(slope)]
    return step
