"""Whatever the results are, ratings are finite, are those of a plain climb, and say when a prior decides them."""

import itertools
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.arena.plan import Plan
from damier.arena.rating import ELO, PRIOR_SPREAD, Ratings, fit
from damier.arena.result import Tournament
from tests.random_tournaments import NAMES
from tests.reference import naive_statistics as naive
from tests.unit.arena_games import record


@st.composite
def results(
    draw: st.DrawFn, most_seats: int = 4, most_players: int = 4, most_games: int = 12
) -> tuple[naive.Games, int]:
    """Games of anybody in any seats with any winners; often only of few kinds, so that somebody wins them all."""
    seats = draw(st.integers(2, most_seats))
    players = draw(st.integers(2, most_players))
    seating = st.tuples(*[st.integers(0, players - 1)] * seats)
    winners = st.lists(st.integers(0, seats - 1), min_size=1, unique=True).map(lambda some: tuple(sorted(some)))
    kinds = draw(st.lists(st.tuples(seating, winners), min_size=1, max_size=most_games, unique=True))
    return [kind for kind in kinds for _ in range(draw(st.integers(1, 3)))], players


def ratings_of(games: naive.Games, players: int) -> Ratings:
    ratings = fit([record(*game) for game in games], players)
    assert ratings is not None
    return ratings


@settings(max_examples=100, deadline=None)
@given(results())
def test_ratings_and_intervals_are_finite_whatever_happened(drawn: tuple[naive.Games, int]) -> None:
    games, players = drawn
    ratings = ratings_of(games, players)
    for elo, (low, high) in zip(ratings.elo, ratings.intervals, strict=True):
        assert -1e4 < low <= elo + 1e-6
        assert elo - 1e-6 <= high < 1e4
    assert sum(ratings.elo) == pytest.approx(0, abs=1e-6)
    difference, (low, high) = ratings.difference(0, 1)
    assert difference == pytest.approx(ratings.elo[0] - ratings.elo[1], abs=1e-6)
    assert -2e4 < low <= difference + 1e-6
    assert difference - 1e-6 <= high < 2e4


@settings(max_examples=60, deadline=None)
@given(results(most_seats=3, most_players=2, most_games=6) | results(most_seats=2, most_players=3, most_games=6))
def test_a_prior_is_used_where_strengths_could_run_away_and_nowhere_else(drawn: tuple[naive.Games, int]) -> None:
    games, players = drawn
    assert ratings_of(games, players).has_prior == naive.can_run_away(games, players)


@settings(max_examples=25, deadline=None)
@given(results(most_seats=3, most_players=3, most_games=5))
def test_ratings_are_those_of_a_plain_climb_with_the_prior_or_without(drawn: tuple[naive.Games, int]) -> None:
    games, players = drawn
    ratings = ratings_of(games, players)
    strengths, ties = naive.fit(games, players, PRIOR_SPREAD if ratings.has_prior else math.inf)
    scale = ratings.fit.scale / ELO
    assert ratings.elo == pytest.approx([scale * ELO * strength for strength in strengths], abs=0.1)
    found = ratings.fit.parameters[players:].tolist()
    assert found == pytest.approx([math.log(ties[size]) for size in sorted(ties)], abs=1e-3)


@pytest.mark.parametrize("rounds", range(1, 12))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_players_who_share_all_seats_when_one_wins_all(seats: int, rounds: int) -> None:
    seatings = [seating for seating in itertools.product((0, 1), repeat=seats) if len(set(seating)) > 1]
    ratings = ratings_of([(seating, (seating.index(0),)) for seating in seatings] * rounds, 2)
    assert ratings.has_prior
    elo, (low, high) = ratings.difference(0, 1)
    assert 0 < low < elo < high < 4000 or rounds * len(seatings) < 6


def test_a_long_chain_of_steep_steps_needs_no_prior() -> None:
    """The strengths are far out and finite: nobody wins against everybody."""
    players = 8
    games: naive.Games = [((player, player + 1), (0,)) for player in range(players - 1) for _ in range(1000)]
    ratings = ratings_of([*games, ((0, players - 1), (1,))], players)
    assert not ratings.has_prior
    assert ratings.elo[0] > 3000
    assert all(high - low < 2000 for low, high in ratings.intervals)


@pytest.mark.parametrize("meet", [False, True])
def test_groups_that_never_met_are_rated_with_a_prior_and_the_table_says_so(meet: bool) -> None:
    pairs = [(0, 1), (1, 0), (2, 3), (3, 2), *([(1, 2), (2, 1)] if meet else [])]
    records = [record(pair, (0,), number) for number, pair in enumerate(pairs)]
    table = Tournament(Plan(damier.game("tictactoe"), NAMES, games=2), tuple(records))
    assert table.ratings is not None
    assert table.ratings.has_prior is not meet
    assert any("prior" in remark for remark in table.remarks) is not meet
    assert table.as_json()["rated_with_prior"] is not meet
    json.dumps(table.as_json(), allow_nan=False)
