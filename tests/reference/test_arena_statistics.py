"""Intervals, ratings and the sequential test agree with plain rewrites, with published values, and with simulations."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from damier.arena.rating import ELO, fit
from damier.arena.sprt import Sprt
from damier.arena.statistics import Z95, elo_of_score, p_value, score_of_elo, wilson
from damier.core.errors import SpecError
from tests.reference import naive_statistics as naive
from tests.unit.arena_games import record

# -- Wilson ----------------------------------------------------------------------------------------------------

# Newcombe, Statistics in Medicine 17 (1998), table I, method 3: the score method without continuity correction.
PUBLISHED = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("points", "games", "low", "high"), PUBLISHED)
def test_wilson_gives_the_published_intervals(points: int, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 5000), st.floats(0, 1))
def test_wilson_solves_its_equation(games: int, share: float) -> None:
    points = round(2 * share * games) / 2  # a draw is half a point
    assert wilson(points, games) == pytest.approx(naive.wilson(points, games, Z95), abs=1e-9)


@pytest.mark.parametrize("games", [20, 100])
def test_wilson_covers_the_true_score_as_often_as_it_says(games: int) -> None:
    covered = []
    for true in np.linspace(0.02, 0.98, 97):
        chances = [math.comb(games, won) * true**won * (1 - true) ** (games - won) for won in range(games + 1)]
        inside = [low <= true <= high for low, high in (wilson(won, games) for won in range(games + 1))]
        covered.append(sum(itertools.compress(chances, inside)))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)
    assert min(covered) > 0.88


def test_elo_and_score_are_each_others_inverse() -> None:
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)
    assert score_of_elo(200) == pytest.approx(0.7597, abs=1e-4)
    assert all(elo_of_score(score_of_elo(elo)) == pytest.approx(elo) for elo in (-700, -1, 0, 3, 400))
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)


def test_the_p_value_of_two_scores() -> None:
    assert p_value(0.5, 100, 0.5, 50) == 1
    assert p_value(1, 10, 1, 10) == 1
    # z = 0.1 / sqrt(0.55 * 0.45 * 2 / 100) = 1.4213
    assert p_value(0.6, 100, 0.5, 100) == pytest.approx(0.1552, abs=1e-4)


# -- ratings ---------------------------------------------------------------------------------------------------


def random_games(seats: int, players: int, games: int, seed: int) -> naive.Games:
    """Results without any model, in which every kind of tie occurs and everybody wins and loses."""
    dice = random.Random(seed)
    sizes = range(1, seats + 1)
    kinds = list(itertools.chain.from_iterable(itertools.combinations(range(seats), size) for size in sizes))
    seatings = [some for some in itertools.product(range(players), repeat=seats) if len(set(some)) > 1]
    sole = [(seating, (seat,)) for seating in itertools.permutations(range(players), seats) for seat in range(seats)]
    return sole + [(dice.choice(seatings), dice.choice(kinds)) for _ in range(games)]


def flatness(ties: dict[int, float], seats: int) -> float:
    """How much less the points of equals spread than without ties, from the definition of a variance."""
    weights = {
        size: math.comb(seats, size) * (1.0 if size == 1 else ties.get(size, 0.0)) for size in range(1, seats + 1)
    }
    total = sum(weights.values())
    # one seat is among `size` winners in size / seats of the cases, and then has 1 / size points
    squares = sum(weight / total * (size / seats) / size**2 for size, weight in weights.items())
    return (squares - 1 / seats**2) / (1 / seats - 1 / seats**2)


@pytest.mark.parametrize(("seats", "players"), [(2, 2), (2, 3), (2, 5), (3, 3), (4, 4), (3, 4)])
def test_ratings_agree_with_a_plain_climb(seats: int, players: int) -> None:
    games = random_games(seats, players, games=12, seed=10 * seats + players)
    strengths, ties = naive.fit(games, players)
    ratings = fit([record(*game) for game in games], players)
    assert ratings is not None
    assert not ratings.has_prior
    scale = ELO * flatness(ties, seats)
    assert ratings.elo == pytest.approx([scale * strength for strength in strengths], abs=0.01)
    assert sum(ratings.elo) == pytest.approx(0)


@pytest.mark.parametrize(("seats", "players"), [(2, 3), (3, 3)])
def test_the_intervals_are_those_of_the_curvature(seats: int, players: int) -> None:
    games = random_games(seats, players, games=12, seed=seats)
    strengths, ties = naive.fit(games, players)
    sizes = list(ties)
    top = np.array([*strengths, *map(math.log, ties.values())])

    def value(parameters: NDArray[np.float64]) -> float:
        logs = parameters[players:].tolist()
        return naive.log_likelihood(
            games, parameters[:players].tolist(), {size: math.exp(log) for size, log in zip(sizes, logs, strict=True)}
        )

    h = 1e-3
    steps = h * np.eye(len(top))
    curvature = [
        [
            (value(top + a + b) - value(top + a - b) - value(top - a + b) + value(top - a - b)) / (4 * h * h)
            for b in steps
        ]
        for a in steps
    ]
    variances = np.diag(np.linalg.pinv(-np.array(curvature), rcond=1e-4))[:players]
    errors = Z95 * ELO * flatness(ties, seats) * np.sqrt(variances)
    ratings = fit([record(*game) for game in games], players)
    assert ratings is not None
    assert [high - elo for elo, (_, high) in zip(ratings.elo, ratings.intervals, strict=True)] == pytest.approx(
        errors.tolist(), rel=1e-3
    )
    difference, (low, high) = ratings.difference(0, 1)
    assert difference == pytest.approx(ratings.elo[0] - ratings.elo[1])
    assert (low + high) / 2 == pytest.approx(difference)


@pytest.mark.parametrize(("won", "lost"), [(1, 1), (3, 1), (70, 30), (999, 1)])
def test_two_players_without_draws_have_the_elo_of_their_score(won: int, lost: int) -> None:
    ratings = fit([record((0, 1), (0,))] * won + [record((1, 0), (0,))] * lost, 2)
    assert ratings is not None
    difference, (low, high) = ratings.difference(0, 1)
    assert difference == pytest.approx(400 * math.log10(won / lost), abs=1e-6)
    # the standard error of a log-odds: the root of 1 / won + 1 / lost
    assert high - low == pytest.approx(2 * Z95 * ELO * math.sqrt(1 / won + 1 / lost))


@pytest.mark.parametrize("draws", [0, 20, 400, 2000])
def test_near_equality_elo_means_the_usual_score_however_much_is_drawn(draws: int) -> None:
    games = [record((0, 1), (0,))] * 102 + [record((0, 1), (1,))] * 98 + [record((0, 1), (0, 1))] * draws
    ratings = fit(games, 2)
    assert ratings is not None
    score = (102 + draws / 2) / (200 + draws)
    assert ratings.difference(0, 1)[0] == pytest.approx(elo_of_score(score), rel=1e-3)


def test_everybody_is_expected_to_have_the_points_that_they_have() -> None:
    games = random_games(3, 3, games=30, seed=5)
    strengths, ties = naive.fit(games, 3)
    for player in range(3):
        points = sum(sum(seating[seat] == player for seat in won) / len(won) for seating, won in games)
        expected = 0.0
        for seating, _ in games:
            outcomes = [some for size in (1, *ties) for some in itertools.combinations(range(3), size)]
            chances = [math.exp(naive.log_likelihood([(seating, some)], strengths, ties)) for some in outcomes]
            for some, chance in zip(outcomes, chances, strict=True):
                expected += chance * sum(seating[seat] == player for seat in some) / len(some)
        assert points == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("seats", "ties"), [(2, {}), (2, {2: 1.5}), (3, {2: 0.4, 3: 0.3})])
def test_known_strengths_are_found_within_the_intervals(seats: int, ties: dict[int, float]) -> None:
    strengths = [0.6, 0.0, -0.6]
    true = [ELO * flatness(ties, seats) * strength for strength in strengths]
    dice = random.Random(seats)
    seatings = list(itertools.permutations(range(3), seats))
    outcomes = [some for size in (1, *ties) for some in itertools.combinations(range(seats), size)]
    chances = {
        seating: [math.exp(naive.log_likelihood([(seating, some)], strengths, ties)) for some in outcomes]
        for seating in seatings
    }
    repeats, found, far_off = 150, 0, []
    for _ in range(repeats):
        games = [
            record(seating, winners)
            for seating in seatings
            for winners in dice.choices(outcomes, chances[seating], k=180 // len(seatings))
        ]
        ratings = fit(games, 3)
        assert ratings is not None
        difference, (low, high) = ratings.difference(0, 2)
        found += low <= true[0] - true[2] <= high
        far_off.append(difference - (true[0] - true[2]))
    assert 0.89 <= found / repeats <= 0.99  # 95 % expected, 1.8 % standard error
    assert abs(np.mean(far_off)) < 4 * np.std(far_off) / math.sqrt(repeats) + 3


SEPARATED: dict[str, tuple[naive.Games, int]] = {
    "one game": ([((0, 1), (0,))], 2),
    "all won": ([((0, 1), (0,)), ((1, 0), (1,))] * 50, 2),
    "won or drawn": ([((0, 1), (0,)), ((0, 1), (0, 1))] * 10, 2),
    "the last took nothing": ([((0, 1), (0,)), ((0, 1), (1,)), ((0, 2), (0,)), ((1, 2), (0,))] * 10, 3),
    "two classes": (
        [((0, 1), (0,)), ((0, 1), (1,)), ((2, 3), (0,)), ((2, 3), (1,)), ((0, 2), (0,)), ((1, 3), (0,))] * 5,
        4,
    ),
    "three seats": ([(some, (some.index(0),)) for some in itertools.permutations(range(3))], 3),
    "only draws": ([((0, 1), (0, 1))] * 5, 2),
}


@pytest.mark.parametrize("case", SEPARATED)
def test_where_no_finite_strength_fits_the_ratings_are_finite_and_say_so(case: str) -> None:
    games, players = SEPARATED[case]
    ratings = fit([record(*game) for game in games], players)
    assert ratings is not None
    assert ratings.has_prior
    assert all(math.isfinite(elo) and abs(elo) < 2000 for elo in ratings.elo)
    assert all(low <= elo <= high for elo, (low, high) in zip(ratings.elo, ratings.intervals, strict=True))
    assert ratings.elo[0] >= max(ratings.elo[1:]) - 1e-6


def test_who_won_twenty_games_of_twenty_is_stronger() -> None:
    ratings = fit([record((0, 1), (0,)) for _ in range(20)], 2)
    assert ratings is not None
    elo, (low, high) = ratings.difference(0, 1)
    assert 200 < low < elo < high
    once = fit([record((0, 1), (0,))], 2)
    assert once is not None
    assert once.difference(0, 1)[1][0] < 0


def test_without_games_there_are_no_ratings() -> None:
    assert fit([], 2) is None


# -- the sequential test ---------------------------------------------------------------------------------------

ROUNDING = 1e-3  # of each of 0, 1/2 and 1, see `sprt`


@settings(max_examples=12)
@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=80),
    st.sampled_from([(0, 20), (-10, 60), (0, 300)]),
)
def test_the_ratio_is_that_of_the_best_likelihoods(scores: list[float], elos: tuple[float, float]) -> None:
    counts = dict.fromkeys((0.0, 0.5, 1.0), ROUNDING)
    for score in scores:
        counts[score] = counts.get(score, 0) + 1
    best = [naive.best_likelihood(counts, score_of_elo(elo)) for elo in elos]
    expected = (best[1] - best[0]) * len(scores) / (len(scores) + 3 * ROUNDING)
    assert Sprt(*elos).llr(scores) == pytest.approx(expected, abs=1e-6)


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 10, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_nothing_is_decided_without_games() -> None:
    assert Sprt(0, 10).llr([]) == 0
    assert Sprt(0, 10).verdict([]) is None
    assert Sprt(0, 100).verdict([1.0] * 60) == "elo1"
    assert Sprt(0, 100).verdict([0.0] * 60) == "elo0"
    assert Sprt(-50, 50).llr([0.5] * 60) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("draws", [0.0, 0.4])
@pytest.mark.parametrize("truth", ["elo0", "elo1"])
def test_the_sequential_test_errs_as_seldom_as_it_promises(truth: str, draws: float) -> None:
    test = Sprt(0, 100)
    mean = score_of_elo(getattr(test, truth))
    chances = [mean - draws / 2, draws, 1 - mean - draws / 2]
    dice = random.Random(int(10 * draws))
    matches, errors, rounds = 150, 0, []
    for _ in range(matches):
        scores: list[float] = []
        while (verdict := test.verdict(scores)) is None:
            scores.append(sum(dice.choices([1.0, 0.5, 0.0], chances, k=2)) / 2)
            assert len(scores) < 2000
        errors += verdict != truth
        rounds.append(len(scores))
    assert errors / matches <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / matches)
    assert np.mean(rounds) < 60


@pytest.mark.parametrize("wrong", [(10, 10), (20, 0), (0, 10, 0.0), (0, 10, 0.05, 0.6)])
def test_a_sequential_test_that_makes_no_sense_is_refused(wrong: tuple[float, ...]) -> None:
    with pytest.raises(SpecError, match="expected"):
        Sprt(*wrong)
