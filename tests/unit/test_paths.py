"""A* and IDA*: what they return, budgets, memory, following the solution, and games they are not for."""

import pytest

import damier
from damier.core.position import Position

PLAYERS = ["astar:memory=16", "idastar"]


def puzzle(size: int = 3, scramble: int = 60, seed: int = 2, limit: int = 100) -> Position:
    return damier.game(f"sliding:size={size},scramble={scramble},seed={seed},limit={limit}").start()


@pytest.mark.parametrize("spec", PLAYERS)
def test_the_result_tells_the_whole_solution(spec: str) -> None:
    position = puzzle()
    result = damier.player(spec).search(position)
    assert position.play_all(result.pv).returns == result.values
    assert result.depth == len(result.pv) >= position.distance()
    assert result.pv[0] == result.move
    assert result.policy[result.moves.index(result.move)] == sum(result.policy) == 1
    assert result.nodes > result.depth - 1
    assert result.seconds > 0


@pytest.mark.parametrize("spec", PLAYERS)
def test_the_solution_is_played_without_searching_again(spec: str) -> None:
    player, position = damier.player(spec), puzzle()
    first = player.search(position)
    while not position.is_over:
        result = player.search(position)
        assert position.history + result.pv == first.pv
        position = position.play(result.move)
        assert result.nodes == 0
    assert position.returns == first.values
    other = puzzle().play(next(move for move in puzzle().moves() if move != first.move))
    assert player.search(other).nodes > 0
    assert player.search(puzzle(seed=5)).nodes > 0


def test_both_find_solutions_of_the_same_length() -> None:
    for seed in range(10):
        lengths = {damier.player(spec).search(puzzle(seed=seed)).depth for spec in PLAYERS}
        assert len(lengths) == 1


@pytest.mark.parametrize("spec", PLAYERS)
def test_a_budget_that_is_used_up_is_told(spec: str) -> None:
    player = spec if ":" in spec else f"{spec}:keep=true"
    message = r"no solution within the budget, after 100 nodes, any has at least \d+ moves"
    with pytest.raises(damier.DamierError, match=message):
        damier.player(f"{player},nodes=100").search(puzzle(4, 200))
    with pytest.raises(damier.DamierError, match="no solution within the budget"):
        damier.player(f"{player},seconds=0.01").search(puzzle(4, 200, seed=7, limit=1000))
    assert damier.player(f"{player},seconds=60,nodes=1000000").search(puzzle()).depth > 0


def test_a_full_memory_is_told() -> None:
    with pytest.raises(damier.DamierError, match=r"the memory is full after .* nodes without a solution"):
        damier.player("astar:memory=1").search(puzzle(4, 200))


@pytest.mark.parametrize("spec", PLAYERS)
def test_no_solution_within_the_limit_is_told(spec: str) -> None:
    shortest = damier.player(spec).search(puzzle(scramble=40)).depth
    assert damier.player(spec).search(puzzle(scramble=40, limit=shortest)).depth == shortest
    with pytest.raises(damier.DamierError, match=f"there is no solution within the game's {shortest - 1} moves"):
        damier.player(spec).search(puzzle(scramble=40, limit=shortest - 1))


@pytest.mark.parametrize("spec", PLAYERS)
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("leftmove", "needs a game with `distance`, and leftmove has none; try nested or nrpa"),
        ("tictactoe", "is for one player without chance, and tictactoe is not"),
        ("tests/conformance/games.py:Pig", "is for one player without chance"),
    ],
)
def test_games_they_are_not_for(spec: str, name: str, message: str) -> None:
    with pytest.raises(damier.SpecError, match=message):
        damier.player(spec).search(damier.game(name).start())


def test_wrong_options_are_told() -> None:
    for spec, message in (("astar:memory=0", "expected memory from 1"), ("idastar:nodes=0", "nodes above 0")):
        with pytest.raises(damier.SpecError, match=message):
            damier.player(spec)
