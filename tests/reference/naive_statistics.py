"""The statistics of the arena written plainly: from their definitions, by searching instead of solving."""

import itertools
import math
from collections.abc import Callable, Sequence

Games = Sequence[tuple[tuple[int, ...], tuple[int, ...]]]  # who sat where, and which seats won


def wilson(points: float, games: float, z: float) -> tuple[float, float]:
    """The true scores that lie z standard errors, as they would be for that true score, from the score seen."""
    seen = points / games

    def distance(true: float) -> float:
        return abs(seen - true) - z * math.sqrt(true * (1 - true) / games)

    return _root(distance, seen, 0.0), _root(distance, seen, 1.0)


def _root(function: Callable[[float], float], below: float, above: float) -> float:
    """Where the function passes from negative or zero at `below` to positive at `above`."""
    for _ in range(200):
        middle = (below + above) / 2
        if function(middle) <= 0:
            below = middle
        else:
            above = middle
    return below


def log_likelihood(games: Games, strengths: Sequence[float], ties: dict[int, float]) -> float:
    """Davidson and Luce: a set of winners weighs d times the geometric mean of its worths; d = 1 for a sole winner."""
    total = 0.0
    for seating, winners in games:
        weights = {}
        for size in (1, *ties):
            for some in itertools.combinations(range(len(seating)), size):
                worths = [math.exp(strengths[seating[seat]]) for seat in some]
                weights[some] = ties.get(size, 1.0) * math.prod(worths) ** (1 / size)
        total += math.log(weights[winners] / sum(weights.values()))
    return total


def fit(games: Games, num_players: int, spread: float = math.inf) -> tuple[list[float], dict[int, float]]:
    """Strengths with mean 0 and the weights of ties: one parameter after the other is moved uphill, until none can.

    `spread` is that of a normal prior on all parameters.
    """
    sizes = sorted({len(winners) for _, winners in games} - {1})
    parameters = [0.0] * (num_players + len(sizes))

    def value() -> float:
        prior = sum(parameter**2 for parameter in parameters) / (2 * spread**2)
        return log_likelihood(games, parameters, _ties(parameters, num_players, sizes)) - prior

    step = 1.0
    best = value()
    while step > 1e-7:
        moved = False
        for index, way in itertools.product(range(len(parameters)), (step, -step)):
            parameters[index] += way
            if (now := value()) > best:
                best, moved = now, True
            else:
                parameters[index] -= way
        if not moved:
            step /= 2
    mean = sum(parameters[:num_players]) / num_players
    return [strength - mean for strength in parameters[:num_players]], _ties(parameters, num_players, sizes)


def can_run_away(games: Games, num_players: int) -> bool:
    """Whether parameters can change for ever without any game becoming less likely: tried with small fractions.

    Enough for two players, and for three players at two seats.
    """
    sizes = sorted({len(winners) for _, winners in games} - {1})
    sixths = [sixth / 6 for sixth in range(-12, 13)]
    for strengths in itertools.product(range(3), repeat=num_players):
        for logs in itertools.product(sixths, repeat=len(sizes)):
            ties = dict(zip(sizes, logs, strict=True)) | {1: 0.0}
            if (len(set(strengths)) > 1 or any(logs)) and all(_no_less_likely(game, strengths, ties) for game in games):
                return True
    return False


def _no_less_likely(
    game: tuple[tuple[int, ...], tuple[int, ...]], strengths: Sequence[float], ties: dict[int, float]
) -> bool:
    seating, winners = game

    def weight(some: tuple[int, ...]) -> float:
        return ties[len(some)] + sum(strengths[seating[seat]] for seat in some) / len(some)

    others = (some for size in ties for some in itertools.combinations(range(len(seating)), size))
    return all(weight(some) < weight(winners) + 1e-9 for some in others)


def _ties(parameters: list[float], num_players: int, sizes: list[int]) -> dict[int, float]:
    return {size: math.exp(log) for size, log in zip(sizes, parameters[num_players:], strict=True)}


def best_likelihood(counts: dict[float, float], mean: float) -> float:
    """The largest log-likelihood of these scores for a distribution on them with this mean.

    The shares of all scores but 0 and 1 are free, those two make up for the rest: a search along the first free
    share, in which each step is a search along the next.
    """
    free = sorted(score for score in counts if 0 < score < 1)

    def climb(shares: list[float]) -> float:
        one = mean - sum(score * share for score, share in zip(free, shares, strict=False))  # left for 1
        zero = 1 - mean - sum((1 - score) * share for score, share in zip(free, shares, strict=False))
        if len(shares) == len(free):
            every = dict(zip(free, shares, strict=True)) | {0.0: zero, 1.0: one}
            return sum(count * math.log(every[score]) for score, count in counts.items())
        score = free[len(shares)]
        return _highest(lambda share: climb([*shares, share]), min(one / score, zero / (1 - score)))

    return climb([])


def _highest(function: Callable[[float], float], end: float) -> float:
    """The top of a concave function between 0 and `end`, by thirds."""
    low, high = 0.0, end
    for _ in range(80):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if function(left) < function(right):
            low = left
        else:
            high = right
    return function((low + high) / 2)
