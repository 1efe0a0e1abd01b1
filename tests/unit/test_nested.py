"""The nested players: laws of the memorised line, budgets, following what is known, other players, chance."""

import time
from dataclasses import replace

import numpy as np
import pytest

import damier
from damier.core.position import Position
from damier.core.rng import new_rng
from damier.experiments.scores import scores
from damier.search.lines.nested import Nest, search
from damier.search.result import SearchResult

ONE_PLAYER = ["nested:level=1", "nested:level=2", "nrpa:level=1", "nrpa:level=2,iterations=10"]
CHANCE_GAME = "tests/conformance/games.py:Pig"


def left(depth: int = 12) -> Position:
    return damier.game(f"leftmove:depth={depth}").start()


def played(spec: str, position: Position, seed: int) -> tuple[list[SearchResult], Position]:
    """A whole game by one player, and what it thought."""
    player = damier.player(spec)
    results: list[SearchResult] = []
    while not position.is_over:
        results.append(player.search(position, seed + len(results)))
        position = position.play(results[-1].move)
    return results, position


def value(result: SearchResult) -> float:
    assert result.values is not None
    return result.values[0]


# -- the memorised line --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ONE_PLAYER)
def test_the_line_leads_to_what_the_result_says(spec: str) -> None:
    position = damier.game("samegame:rows=6,cols=6,colours=3").start()
    result = damier.player(spec).search(position, seed=3)
    assert position.play_all(result.pv).returns == result.values
    assert result.pv[0] == result.move
    assert result.depth == len(result.pv)
    assert result.moves == tuple(position.moves())
    assert sum(result.policy) == 1
    assert result.policy[result.moves.index(result.move)] == 1
    assert sum(result.visits) > 0
    assert result.nodes >= result.sims > 0


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_search_as_deep_as_the_game_is_exhaustive(level: int) -> None:
    for seed in range(20):
        assert damier.player(f"nested:level={level}").search(left(level), seed).values == (1.0,)


def test_searching_again_finds_the_best_line() -> None:
    for seed in range(5):
        assert damier.player("nested:level=3,sims=20000").search(left(8), seed).values == (1.0,)


def test_a_higher_level_scores_more() -> None:
    means = []
    for level in (1, 2, 3):
        player = damier.player(f"nested:level={level},keep=false")
        means.append(np.mean([value(player.search(left(30), seed)) for seed in range(20)]))
    assert means[0] < means[1] < means[2]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_score_of_a_level_never_falls_along_its_game(level: int) -> None:
    start = left(14)
    nest, rng = Nest(start.game, level), new_rng(5)
    nest.states[-1], nest.rounds[0] = start.state, 1
    seen = [-np.inf]
    while start.game.run(search, nest, 1, rng):
        assert nest.score[level] >= seen[-1]
        seen.append(nest.score[level])
    assert seen[-1] == nest.score[-1]


def test_the_number_of_playouts_is_that_of_the_algorithm() -> None:
    """On the left-move problem every game has `depth` steps of two moves."""
    for depth in (1, 5, 10):
        assert damier.player("nested:level=1").search(left(depth)).sims == 2 * depth
    assert damier.player("nrpa:level=2,iterations=7").search(left(5)).sims == 49


@pytest.mark.parametrize("spec", ONE_PLAYER)
def test_the_same_seed_gives_the_same_line(spec: str) -> None:
    position = damier.game("samegame:rows=5,cols=5,colours=3").start()
    first, second = (damier.player(spec).search(position, seed=9) for _ in range(2))
    assert first.pv == second.pv


# -- following what is known ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ONE_PLAYER)
def test_the_line_is_followed_without_searching_again(spec: str) -> None:
    results, end = played(spec, left(), seed=1)
    assert end.history == results[0].pv
    assert all(result.sims == 0 for result in results[1:])
    assert end.returns == results[0].values


@pytest.mark.parametrize("spec", ["nested:level=1,sims=60", "nrpa:level=1,iterations=20,sims=60"])
def test_with_a_budget_the_search_goes_on_and_its_value_never_falls(spec: str) -> None:
    for seed in range(5):
        results, end = played(spec, left(20), 100 * seed)
        values = [value(result) for result in results]
        assert values == sorted(values)
        assert all(result.sims == 60 for result in results)
        assert end.returns == (values[-1],)


def test_another_line_is_searched_afresh() -> None:
    for spec in ("nested:level=2", "nrpa:level=1"):
        player = damier.player(spec)
        first = player.search(left(), seed=1)
        other = left().play(1 - first.move)
        assert player.search(other, seed=1).sims > 0
        assert player.search(left(13), seed=1).sims > 0
    assert damier.player("nested:level=1,keep=false").search(left()).sims > 0
    results, _ = played("nested:level=1,keep=false", left(4), seed=1)
    assert all(result.sims > 0 for result in results)


# -- budgets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["nested:level=2", "nested:level=4", "nrpa:level=2", "nrpa:level=5"])
def test_budgets_are_kept_inside_a_level(spec: str) -> None:
    position = left(60)
    for sims in (1, 7, 1000):
        assert damier.player(f"{spec},sims={sims}").search(position, seed=1).sims == sims
    player = damier.player(f"{spec},seconds=0.1")
    before = time.perf_counter()
    result = player.search(position, seed=1)
    assert 0.1 <= result.seconds <= time.perf_counter() - before
    assert result.sims > 0


def test_a_second_search_does_no_harm() -> None:
    for seed in range(5):
        once = damier.player("nested:level=1").search(left(40), seed)
        more = damier.player("nested:level=1,sims=800").search(left(40), seed)
        assert value(more) >= value(once)


# -- other players, and chance -------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["nested:level=1", "nested:level=2", "nested:level=1,sims=300"])
@pytest.mark.parametrize("seed", range(3))
def test_a_win_in_one_is_played(spec: str, seed: int) -> None:
    """Nothing counts more than a win after one move: it is certain, not likely."""
    position = damier.game("connect4").start().play_all("a a b b c c")
    assert damier.player(spec).search(position, seed).notation == "d"
    assert damier.player(spec).search(damier.game("tictactoe").start().play_all("a1 b1 a2 b2"), seed).notation == "a3"


@pytest.mark.parametrize("seed", range(5))
def test_a_threat_is_met_at_level_2(seed: int) -> None:
    """Below any other move the opponent of a nested search wins at once, with certainty."""
    position = damier.game("tictactoe").start().play_all("a1 b2 a2")
    for discount in ("true", "false"):
        assert damier.player(f"nested:level=2,sims=2000,discount={discount}").search(position, seed).notation == "a3"
    position = damier.game("connect4").start().play_all("d a d g d")
    assert damier.player("nested:level=2").search(position, seed).notation == "d"


def test_three_players_and_chance() -> None:
    position = damier.game(CHANCE_GAME).start()
    rng = np.random.default_rng(1)
    player = damier.player("nested:level=2,sims=200")
    while not position.is_over:
        if position.is_chance:
            position = position.play(int(rng.choice(position.moves())))
            continue
        result = player.search(position, seed=1)
        assert result.values is not None
        assert sum(result.values) == pytest.approx(0)
        assert result.move in position.moves()
        assert result.sims == 200
        position = position.play(result.move)


def test_a_budget_that_ends_before_any_search_still_gives_a_move() -> None:
    position = damier.game("connect4").start()
    result = damier.player("nested:level=3,sims=2").search(position, seed=1)
    assert result.move in position.moves()
    assert result.sims == 2


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nested:level=0", "expected level of at least 1, got 0"),
        ("nested:sims=0", "expected sims above 0, got 0"),
        ("nrpa:iterations=0", "expected iterations of at least 1, got 0"),
        ("nested:depth=3", "nested has no option 'depth'"),
    ],
)
def test_wrong_options_are_told(spec: str, message: str) -> None:
    with pytest.raises(damier.SpecError, match=message):
        damier.player(spec)


@pytest.mark.parametrize("name", ["tictactoe", CHANCE_GAME])
def test_nrpa_is_for_one_player(name: str) -> None:
    with pytest.raises(damier.SpecError, match=r"nrpa is for one player without chance, and .* is not"):
        damier.player("nrpa").search(damier.game(name).start())


def test_a_finished_game_is_not_searched() -> None:
    over = left(2).play(0).play(0)
    for spec in ("nested", "nrpa"):
        with pytest.raises(damier.DamierError, match="nothing to search"):
            damier.player(spec).search(over)


def test_scores_are_those_of_the_game() -> None:
    found = scores("leftmove:depth=12", "nested:level=1", runs=4, seed=3)
    assert [score.value for score in found] == [score.line.count(0) for score in found]
    assert found[1] == replace(scores("leftmove:depth=12", "nested:level=1", seed=4)[0], seconds=found[1].seconds)
    with pytest.raises(damier.SpecError, match="scores are for one player, and tictactoe has 2"):
        scores("tictactoe", "nested")
    with pytest.raises(damier.SpecError, match="does not give a line to the end"):
        scores("leftmove", "uct:sims=10")
