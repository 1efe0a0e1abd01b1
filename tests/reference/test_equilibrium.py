"""Regret minimisation beside a plain rewrite, best responses beside all pure strategies, values beside a linear
program, and NashConv beside OpenSpiel's figures."""

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.experiments.equilibria import EXPERIMENTS
from damier.search.hidden.regrets import POWERS
from tests.reference.naive_equilibrium import NaiveCfr, Strategy, best_value, key_of, program_of, value

ODD_ONE = "tests/unit/hidden_games.py:OddOne"
SMALL = ["kuhn", f"{ODD_ONE}:players=2,rounds=2", ODD_ONE]


def moves_of(strategy: Strategy, pos: damier.Position) -> dict[int, float]:
    return strategy[key_of(pos)]


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("method", POWERS)
def test_a_plain_rewrite_finds_the_same_strategy(name: str, method: str) -> None:
    game, iterations = damier.game(name), 12
    naive = NaiveCfr(game, method)
    for number in range(1, iterations + 1):
        naive.iterate(number)
    found = damier.equilibrium(game, method, iterations)
    expected = naive.average()
    assert set(found.strategy) == set(expected)
    for key, moves in expected.items():
        assert found.strategy[key] == pytest.approx(moves, abs=1e-12), key
    assert found.value == pytest.approx(value(game.start(), expected), abs=1e-12)


@pytest.mark.parametrize("name", ["kuhn", ODD_ONE])
def test_no_pure_strategy_is_better_than_the_best_response(name: str) -> None:
    game = damier.game(name)
    found = damier.equilibrium(game, "linear", 7)
    strategy = dict(found.strategy)
    best = [best_value(game, strategy, player) for player in range(game.num_players)]
    assert found.best_response == pytest.approx(best, abs=1e-12)
    assert found.nash_conv == pytest.approx(sum(best) - sum(found.value), abs=1e-12)


VALUES = {
    "kuhn": (-1 / 18, 100_000),
    "leduc": (-0.0856064240780, 20_000),
    "liarsdice:sides=3": (1 / 9, 20_000),
    "liarsdice:sides=4": (1 / 16, 20_000),
    "goofspiel": (0, 20_000),
    "darkhex:rows=2,cols=2,rules=abrupt": (0.5, 20_000),
}


@pytest.mark.skipif(not COMPILER_ON, reason="that many iterations need the compiler")
@pytest.mark.parametrize("name", VALUES)
def test_the_value_is_that_of_the_linear_program(name: str) -> None:
    known, iterations = VALUES[name]
    program, optimal = program_of(name).solve()
    assert program == pytest.approx(known, abs=1e-9)
    found = damier.equilibrium(name, "discounted", iterations)
    assert found.value == pytest.approx((known, -known), abs=1e-9)
    assert -found.best_response[1] - 1e-12 <= known <= found.best_response[0] + 1e-12
    mixed = dict(found.strategy) | optimal  # an optimal strategy of player 0 loses nothing to a best response
    assert -damier.exploitability(name, mixed).best[1] == pytest.approx(known, abs=1e-9)


@pytest.mark.skipif(not COMPILER_ON, reason="large trees need the compiler")
def test_the_optimal_strategy_of_a_larger_program_loses_nothing() -> None:
    name = "liarsdice:sides=5"
    program, optimal = program_of(name).solve()
    assert program == pytest.approx(0.008, abs=1e-9)
    others = dict(damier.equilibrium(name, "cfr+", 1).strategy)
    assert -damier.exploitability(name, others | optimal).best[1] == pytest.approx(0.008, abs=1e-9)


@pytest.mark.skipif(not COMPILER_ON, reason="that many iterations need the compiler")
def test_nash_conv_is_that_of_open_spiel() -> None:
    distances = EXPERIMENTS["kuhn-cfr"].play()
    assert {(each.game, each.method) for each in distances} == {
        (g, m) for g in ("kuhn", "leduc") for m in ("cfr", "cfr+")
    }
    assert len(distances) == 14
    for each in distances:
        assert each.agrees, each


@pytest.mark.skipif(not COMPILER_ON, reason="a tree of 294,883 nodes needs the compiler")
def test_a_large_tree() -> None:
    found = damier.equilibrium("liarsdice", "cfr+", 100)
    assert (found.nodes, found.information_sets) == (294_883, (12_288, 12_288))
    assert program_of("liarsdice").solve()[0] == pytest.approx(-7 / 258, abs=1e-9)
    assert -found.best_response[1] < -7 / 258 < found.best_response[0]
    assert found.nash_conv < 0.01
    assert dict(found.curve)[1] == pytest.approx(1.561489, abs=1e-6), "the first strategy is uniform"
