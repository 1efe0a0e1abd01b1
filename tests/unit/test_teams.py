"""Partners sit together in the arena: matches, scores and forfeits count by team."""

from typing import Any

import pytest

import damier
from damier.arena.plan import Plan
from damier.arena.result import Match
from damier.core.errors import DamierError
from damier.core.protocol import Values
from damier.store.record import GameRecord
from damier.web.course import Course
from tests.unit.arena_games import Most


class Pairs(Most):
    """Two pairs: the highest sum of a pair wins."""

    teams = (0, 1, 0, 1)

    def __init__(self) -> None:
        super().__init__(4, 1)

    def returns(self, state: Any, out: Values) -> None:
        lead = state.sums[0] + state.sums[2] - state.sums[1] - state.sums[3]
        for player in range(4):
            sign = 1.0 if player % 2 == 0 else -1.0
            out[player] = 0.0 if lead == 0 else sign if lead > 0 else -sign


class Highest:
    """Names the highest number, or plays the last move that is listed."""

    def choose(self, pos: damier.Position) -> int:
        return pos.moves()[-1]


class Fails:
    def choose(self, pos: damier.Position) -> int:
        raise RuntimeError("it can't play")


def test_two_players_of_a_game_with_two_teams_sit_on_one_side_each() -> None:
    plan = Plan(damier.game(Pairs()), ("random", "uct:sims=1"), 10)
    assert plan.sides == ((0, 2), (1, 3))
    assert plan.seatings == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert plan.games_per_group == 10


def test_a_tournament_of_teams_is_a_round_robin_of_pairs() -> None:
    plan = Plan(damier.game(Pairs()), ("random", "uct:sims=1", "uct:sims=2"), 2)
    assert plan.groups == [(0, 1), (0, 2), (1, 2)]
    assert {plan.pairing(number).seating for number in range(plan.num_games)} == {
        (a, b, a, b) for a in range(3) for b in range(3) if a != b
    }


def test_games_without_teams_are_seated_as_before() -> None:
    assert len(Plan(damier.game(Most(4)), ("random", "uct:sims=1"), 1).seatings) == 14


def test_a_match_is_counted_by_team() -> None:
    result = damier.match(Pairs(), "random", Highest(), games=12, seed=1, workers=1)
    assert isinstance(result, Match)
    assert result.wins + result.losses + result.draws == result.games == 12
    assert len(result.per_seat) == len(result.seats) == 2, "a team is one seat"
    assert sum(seat.out_of for seat in result.per_seat) == 12
    assert result.score < 0.5
    assert result.score == pytest.approx((result.wins + result.draws / 2) / 12)
    assert all(record.seating in ((0, 1, 0, 1), (1, 0, 1, 0)) for record in result.records)


def test_ratings_are_those_of_a_game_for_two() -> None:
    """Three wins of four by a team are as many Elo as three wins of four by a player."""
    game = damier.game(Pairs())
    plan = Plan(game, ("a.py:A", "b.py:B"), 4)
    records = [_won(number, 0 if number < 3 else 1) for number in range(4)]
    assert Match(plan, tuple(records)).elo == pytest.approx(190.85, abs=0.01)


def _won(number: int, side: int) -> GameRecord:
    returns = (1.0, -1.0, 1.0, -1.0) if side == 0 else (-1.0, 1.0, -1.0, 1.0)
    return GameRecord(number, (0, 1, 0, 1), 0, (), returns, 0, (0.25,) * 4)


def test_the_time_of_partners_is_added() -> None:
    assert _won(0, 0).by_side(((0, 2), (1, 3))).seconds == (0.5, 0.5)


def test_the_partner_of_a_player_who_fails_loses_too() -> None:
    result = damier.match(Pairs(), Highest(), Fails(), games=2, workers=1)
    assert [record.returns for record in result.records] == [(1.0, -1.0, 1.0, -1.0), (-1.0, 1.0, -1.0, 1.0)]
    assert result.score == 1.0
    assert [standing.forfeits for standing in result.standings] == [0, 2]


def test_the_partner_of_a_player_who_resigns_loses_too() -> None:
    course = Course((damier.game(Pairs()).start(),), ("human",) * 4, resigned=3)
    assert course.returns == [1.0, -1.0, 1.0, -1.0]


def test_belote_is_a_match_of_two() -> None:
    result = damier.match("belote", "random", Highest(), games=6, seed=3, workers=1)
    assert result.games == 6
    for record in result.records:
        assert record.seating[0] == record.seating[2] != record.seating[1] == record.seating[3]
        assert record.returns[0] == record.returns[2] == -record.returns[1] == -record.returns[3]
        assert sum(record.points) == 1
    assert not result.forfeits


def test_a_game_says_its_teams_rightly_or_is_refused() -> None:
    class Odd(Pairs):
        teams = (0, 1, 0)  # type: ignore[assignment]

    with pytest.raises(DamierError, match="teams"):
        damier.check_game(Odd(), games=1)
