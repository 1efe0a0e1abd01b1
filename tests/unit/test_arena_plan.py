"""A plan is fair, and knows every game before the first is begun."""

import itertools
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.arena.plan import Plan
from damier.arena.run import match
from tests.conformance.games import CountUp, Pig
from tests.unit.arena_games import Most

NAMES = ("random", "uct:sims=1", "uct:sims=2", "uct:sims=3", "uct:sims=4")
law = settings(deadline=None, derandomize=True, database=None, max_examples=40)


@st.composite
def plans(draw: Callable[..., Any], turns: int = 2) -> Plan:
    seats, players = draw(st.integers(2, 4)), draw(st.integers(2, 5))
    games, seed = draw(st.integers(1, 100)), draw(st.integers(0, 2**63 - 1))
    openings = draw(st.one_of(st.integers(0, seats), st.just(("0 1", "2", "", "1,1"))))
    return Plan(damier.game(Most(seats, turns)), NAMES[:players], games, seed, openings)


@law
@given(plans(), st.data())
def test_after_any_number_of_rounds_every_arrangement_was_played_equally_often(plan: Plan, data: st.DataObject) -> None:
    seats, players = plan.game.num_players, len(plan.players)
    rounds = data.draw(st.integers(1, plan.num_rounds))
    played = Counter(plan.pairing(number).seating for number in range(rounds * plan.round_size))
    everybody = min(seats, players)  # those who sit down; with fewer players than seats, some twice
    fair = [some for some in itertools.product(range(players), repeat=seats) if len(set(some)) == everybody]
    assert played == dict.fromkeys(fair, rounds)


@law
@given(plans())
def test_each_group_plays_at_least_as_often_as_wanted_and_not_a_round_more(plan: Plan) -> None:
    groups = Counter(frozenset(plan.pairing(number).seating) for number in range(plan.num_games))
    assert set(groups.values()) == {plan.games_per_group}
    assert 0 <= plan.games_per_group - plan.games < len(plan.seatings)


@law
@given(plans())
def test_each_opening_is_played_in_all_seatings(plan: Plan) -> None:
    for first in range(0, plan.num_games, plan.round_size):
        tasks = [plan.pairing(number) for number in range(first, first + plan.round_size)]
        assert len({task.opening for task in tasks}) == 1
        assert len({task.seating for task in tasks}) == plan.round_size


@law
@given(plans())
def test_a_task_follows_from_the_plan_and_its_number(plan: Plan) -> None:
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan
    numbers = range(min(plan.num_games, 50))
    tasks = [plan.pairing(number) for number in numbers]
    assert [again.pairing(number) for number in reversed(numbers)] == tasks[::-1]
    assert len({task.seed for task in tasks}) == len(tasks)
    assert all(0 <= task.seed < 2**63 for task in tasks), "a database holds 63 bits"


def test_another_seed_is_another_plan() -> None:
    game = damier.game("tictactoe")
    one, two = (Plan(game, NAMES[:2], 20, seed, 4) for seed in (1, 2))
    for number in range(20):
        assert one.pairing(number).seed != two.pairing(number).seed
    assert [one.opening(number) for number in range(10)] != [two.opening(number) for number in range(10)]


@pytest.mark.parametrize("plies", [1, 4, 6])
def test_random_openings_are_legal_as_long_as_asked_for_and_not_the_end(plies: int) -> None:
    game = damier.game("tictactoe")  # of random games, almost every fifth is over by the sixth move
    plan = Plan(game, NAMES[:2], 200, seed=3, openings=plies)
    openings = [plan.opening(number) for number in range(plan.num_rounds)]
    for opening in openings:
        assert len(opening) == plies
        assert not game.start().play_all(opening).is_over
    assert len(set(openings)) > (8 if plies == 1 else 90)


def test_random_openings_pass_through_chance() -> None:
    plan = Plan(damier.game(Pig()), NAMES[:3], 60, openings=5)
    openings = {plan.opening(number) for number in range(plan.num_rounds)}
    assert len(openings) > 3
    assert all(plan.game.start().play_all(opening).history == opening for opening in openings)


def test_listed_openings_take_turns() -> None:
    plan = Plan(damier.game("connect4"), NAMES[:2], 12, openings=("d d", "a,b,c"))
    listed = [(3, 3), (0, 1, 2)]
    assert [plan.pairing(number).opening for number in range(12)] == [listed[number // 2 % 2] for number in range(12)]


BAD: dict[str, tuple[Any, list[str], dict[str, Any], str]] = {
    "one seat": (CountUp(), ["random", "uct"], {}, "CountUp has one seat"),
    "one player": ("tictactoe", ["random"], {}, "expected at least two players, got 1: random"),
    "no player": ("tictactoe", [], {}, "expected at least two players, got 0"),
    "the same twice": ("tictactoe", ["random", "uct", "random"], {}, "'random' is named twice"),
    "a person": ("tictactoe", ["random", "human"], {}, "'human' can't play in the arena"),
    "nobody we know": ("tictactoe", ["random", "utc"], {}, "unknown player 'utc'; did you mean 'uct'?"),
    "a wrong option": ("tictactoe", ["random", "uct:sims=few"], {}, "uct: sims must be a whole number"),
    "no games": ("tictactoe", ["random", "uct"], {"games": 0}, "expected games of at least 1, got 0"),
    "an illegal opening": (
        "connect4:rows=4,cols=4",
        ["random", "uct"],
        {"openings": ("a b", "a a a a a")},
        "opening 2, 'a a a a a': illegal move 'a' in connect4:rows=4,cols=4 after 'a a a a'",
    ),
    "an opening to the end": (
        "tictactoe",
        ["random", "uct"],
        {"openings": ("a1 b1 a2 b2 a3",)},
        "opening 1, 'a1 b1 a2 b2 a3': the game is over before the players begin",
    ),
    "no openings": ("tictactoe", ["random", "uct"], {"openings": ()}, "expected at least one opening"),
    "too long an opening": ("tictactoe", ["random", "uct"], {"openings": 9}, "expected 0 to 8 random moves"),
    "less than no opening": ("tictactoe", ["random", "uct"], {"openings": -1}, "expected 0 to 8 random moves"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_plan_that_makes_no_sense_is_refused_with_the_reason(case: str) -> None:
    game, players, given_, expected = BAD[case]
    options = {"games": 2} | given_
    with pytest.raises(damier.DamierError) as refused:
        Plan(damier.game(game), tuple(players), **options).check_players()
    assert expected in str(refused.value)


def test_an_opening_that_always_ends_the_game_is_refused() -> None:
    plan = Plan(damier.game("mnk:rows=1,cols=3,k=1"), NAMES[:2], 2, openings=1)
    with pytest.raises(damier.DamierError, match="mostly ends within 1 random moves; ask for a shorter opening"):
        plan.pairing(0)


def test_one_text_is_no_list_of_openings() -> None:
    with pytest.raises(damier.SpecError, match="expected a number of moves or a list of openings, got the text 'd d'"):
        match("connect4", "random", "uct:sims=1", openings="d d")
