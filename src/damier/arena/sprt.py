"""The sequential probability ratio test: stop as soon as the games have decided (Wald 1945).

The two hypotheses about a match are "the first player is elo0 stronger" and "... elo1 stronger". After each round the
log-likelihood ratio of the two is compared with two bounds. Each likelihood is that of the best-fitting distribution of
round scores whose mean is the hypothesis' expected score (generalised SPRT; Van den Bergh, "The GSPRT approximation").
This accounts for draws and for the correlation of games from the same opening.

    p_i  share of the rounds with score a_i
    under mean s:  p_i / (1 + x (a_i - s)),  with x such that they have the mean s
    LLR = n sum p_i log( (1 + x0 (a_i - s0)) / (1 + x1 (a_i - s1)) )
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from damier.arena.statistics import score_of_elo
from damier.core.errors import SpecError

_ROUNDING = 1e-3  # a little of every possible score, so none is impossible at the start
_FARTHEST = 2000  # Elo; beyond it a score is practically 0 or 1


@dataclass(frozen=True)
class Sprt:
    elo0: float
    elo1: float
    alpha: float = 0.05  # how often elo1 is accepted when elo0 holds
    beta: float = 0.05  # how often elo0 is accepted when elo1 holds

    def __post_init__(self) -> None:
        if not -_FARTHEST <= self.elo0 < self.elo1 <= _FARTHEST:
            raise SpecError("arena.elo-range", most=_FARTHEST, elo0=self.elo0, elo1=self.elo1)
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SpecError("arena.error-rates", alpha=self.alpha, beta=self.beta)

    @property
    def bounds(self) -> tuple[float, float]:
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, scores: Sequence[float]) -> float:
        """The log-likelihood ratio of these rounds, each with its score in [0, 1]."""
        if not scores:
            return 0.0
        counts = Counter({0.0: _ROUNDING, 0.5: _ROUNDING, 1.0: _ROUNDING})
        counts.update(Counter(scores))
        total = sum(counts.values())
        shares = {score: count / total for score, count in counts.items()}
        s0, s1 = score_of_elo(self.elo0), score_of_elo(self.elo1)
        x0, x1 = _tilt(shares, s0), _tilt(shares, s1)
        ratio = sum(share * math.log((1 + x0 * (a - s0)) / (1 + x1 * (a - s1))) for a, share in shares.items())
        return len(scores) * ratio

    def verdict(self, scores: Sequence[float]) -> str | None:
        """The accepted hypothesis, `elo0` or `elo1`; None if more games are needed."""
        low, high = self.bounds
        llr = self.llr(scores)
        return "elo0" if llr <= low else "elo1" if llr >= high else None


def _tilt(shares: dict[float, float], mean: float) -> float:
    """The x for which the tilted distribution has this mean, by bisection: the sum falls as x grows."""
    low, high = -1 / (max(shares) - mean), 1 / (mean - min(shares))
    for _ in range(64):  # enough for the precision of a float
        x = (low + high) / 2
        if sum(share * (a - mean) / (1 + x * (a - mean)) for a, share in shares.items()) > 0:
            low = x
        else:
            high = x
    return (low + high) / 2
