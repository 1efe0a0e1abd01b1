"""Intervals for scores, and comparisons of two scores."""

import math
from statistics import NormalDist

Interval = tuple[float, float]

Z95 = NormalDist().inv_cdf(0.975)


def wilson(points: float, games: float, z: float = Z95) -> Interval:
    """The interval of a score, 95 % by default (Wilson 1927).

    The coverage is exact for games that are won or lost. With draws the results vary less than a coin, so the true
    coverage is higher than stated.
    """
    if games <= 0:
        return 0.0, 1.0
    mean = points / games
    centre = mean + z * z / (2 * games)
    half = z * math.sqrt(mean * (1 - mean) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def elo_of_score(score: float) -> float:
    """The difference in rating for which this is the expected score."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def p_value(first: float, first_games: float, second: float, second_games: float) -> float:
    """How often two equal players would show scores at least this different (two-proportion test, pooled).

    If both scores are 0 or both are 1, there is no difference and the answer is 1.
    """
    pooled = (first * first_games + second * second_games) / (first_games + second_games)
    variance = pooled * (1 - pooled) * (1 / first_games + 1 / second_games)
    if variance <= 0:
        return 1.0
    return 2 * (1 - NormalDist().cdf(abs(first - second) / math.sqrt(variance)))
