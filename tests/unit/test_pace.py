"""`pace=open`: what is saved where a decision is settled is spent where one is open, and never more than that."""

import numpy as np
import pytest

import damier
from damier.core.budget import Budget
from damier.core.position import Position
from damier.search.pace import EVEN, MOST, OPEN, Purse, keeps_pace, two_highest
from damier.search.result import SearchResult
from damier.web.permissions import check_seat
from damier.web.settings import WebSettings

PLAYERS = ["uct:sims=160", "grave:sims=160,threads=2", "zero:sims=64", "zero:sims=64,root=puct", "zero:sims=64,batch=4"]


def game(spec: str, seed: int) -> list[tuple[Position, SearchResult]]:
    """A game of a player against random moves: its positions, and what it found."""
    player, position, found = damier.player(spec), damier.game("connect4").start(), []
    while not position.is_over:
        result = player.search(position, seed)
        found.append((position, result))
        position = position.play(result.move)
        if not position.is_over:
            position = position.play(position.moves()[seed % len(position.moves())])
    return found


@pytest.mark.parametrize("spec", PLAYERS)
def test_a_game_never_takes_more_than_the_mean_for_every_move(spec: str) -> None:
    each, played = int(spec.partition("sims=")[2].partition(",")[0]), []
    for seed in range(4):
        spent = 0
        for number, (_, result) in enumerate(game(f"{spec},pace=open", seed), start=1):
            spent += result.sims
            assert 1 <= result.sims <= MOST * each
            assert spent <= each * number
            played.append(result.sims)
    assert min(played) < each  # something was settled
    if spec.startswith("uct"):
        assert max(played) > each  # and something open


@pytest.mark.parametrize("spec", PLAYERS)
def test_the_same_seed_gives_the_same_game(spec: str) -> None:
    first, second = ([(each.move, each.sims, each.visits) for _, each in game(f"{spec},pace=open", 3)] for _ in "ab")
    assert first == second


def test_a_move_without_an_alternative_takes_no_time() -> None:
    position = damier.game("tictactoe").start().play_all("a1 b2 c3 a3 c1 b1 b3 a2")
    assert len(position.moves()) == 1
    for spec in ("uct:seconds=30", "zero:seconds=30", "zero:seconds=30,root=puct", "zero:seconds=30,threads=2"):
        assert damier.player(f"{spec},pace=open").search(position).seconds < 15
    assert damier.player("uct:sims=3200,pace=open").search(position).sims == 200


def test_a_lead_that_can_not_be_caught_up_ends_the_search() -> None:
    """The same move is played as by the whole budget."""
    position = damier.game("connect4").start().play_all("a a b b c")
    whole = damier.player("uct:sims=1600").search(position, seed=1)
    early = damier.player("uct:sims=1600,pace=open").search(position, seed=1)
    first, second = two_highest(np.array(early.visits))
    assert early.sims < whole.sims
    assert first - second > 1600 - early.sims
    assert early.move == whole.move


def test_another_game_begins_with_an_empty_purse() -> None:
    player, start = damier.player("uct:sims=160,pace=open,keep=false"), damier.game("connect4").start()
    threat = start.play_all("a a b b c")
    player.search(threat, seed=1)  # saves something, which the next position does not get
    assert player.search(start, seed=1).sims <= 160
    assert player.search(start, seed=1).sims <= 160


def test_a_purse() -> None:
    purse = Purse(100)
    purse.begin(follows=False)
    assert purse.allowed == 100
    assert purse.goes_on(99, lambda left: False, is_open=False)
    assert not purse.goes_on(50, lambda left: left == 50, is_open=True)  # settled for what is left of the mean
    assert not purse.goes_on(100, lambda left: False, is_open=True)  # nothing is saved
    purse.pay(40)
    purse.begin(follows=True)
    assert purse.allowed == 160
    assert purse.goes_on(150, lambda left: left < 10, is_open=True)
    assert not purse.goes_on(150, lambda left: False, is_open=False)
    assert not purse.goes_on(160, lambda left: False, is_open=True)
    purse.pay(10)
    purse.pay(10)
    purse.pay(10)
    assert purse.allowed == MOST * 100
    purse.begin(follows=False)
    assert purse.allowed == 100


def test_a_limit_of_somebody_else_counts_the_longest_move() -> None:
    assert keeps_pace(EVEN, Budget(seconds=9), 5)  # the server limits the option itself
    assert keeps_pace(OPEN, Budget(seconds=1), 5)
    assert not keeps_pace(OPEN, Budget(seconds=2), 5)
    assert keeps_pace(OPEN, Budget(seconds=5, sims=100), 5)
    settings, start = WebSettings(max_seconds=5), damier.game("connect4").start()
    for name in ("uct", "zero"):
        check_seat(f"{name}:seconds=1,pace=open", settings, start)
        assert "seconds=5" in check_seat(f"{name}:pace=open", settings, start)
        with pytest.raises(damier.SpecError, match=f"{name} can't choose a move of connect4 within 5 seconds"):
            check_seat(f"{name}:seconds=2,pace=open", settings, start)


def test_simulations_are_paced_within_the_seconds() -> None:
    for name in ("uct", "zero"):
        result = damier.player(f"{name}:sims=100,seconds=60,pace=open").search(damier.game("connect4").start(), seed=1)
        assert result.sims <= 100


@pytest.mark.parametrize("name", ["uct", "zero"])
def test_an_unknown_pace_is_refused(name: str) -> None:
    with pytest.raises(damier.SpecError, match="expected pace to be even or open, got 'hasty'"):
        damier.player(f"{name}:pace=hasty")
