"""The Monte-Carlo players: laws between the rules, wins and threats, memory, threads, trees that are kept."""

import time
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import Record
from damier.search.montecarlo.amaf import NOWHERE, size_of
from damier.search.montecarlo.codes import NumberedMoves, move_code, number_of
from damier.search.montecarlo.tree import Tree

PLAYERS = ["flat:sims=7000", "uct", "tuned", "rave", "grave", "puct", "halving", "shuss", "uct:solver=true"]
CHANCE_GAME = "tests/conformance/games.py:Pig"


def connect4(moves: str) -> Position:
    return damier.game("connect4").start().play_all(moves)


def visits(spec: str, seed: int = 1) -> tuple[int, ...]:
    return damier.player(f"{spec},sims=500,keep=false").search(connect4("d d d"), seed).visits


# -- laws between the rules --------------------------------------------------------------------------------------


def test_rave_without_beta_is_uct() -> None:
    for seed in range(5):
        assert visits("rave:c=0.4,bias=1e18", seed) == visits("uct:c=0.4", seed)


def test_grave_with_ref_0_is_rave() -> None:
    position = connect4("d")
    for seed in range(5):
        grave = damier.player("grave:ref=0,sims=300").search(position, seed)
        assert grave.visits == damier.player("rave:sims=300").search(position, seed).visits


def test_flat_gives_every_move_the_same() -> None:
    counts = damier.player("flat:sims=700").search(connect4(""), seed=1).visits
    assert set(counts) == {100}


@pytest.mark.parametrize("spec", PLAYERS)
def test_the_same_seed_gives_the_same_search(spec: str) -> None:
    first, second = (damier.player(spec).search(connect4("d d"), seed=9) for _ in range(2))
    other = damier.player(spec).search(connect4("d d"), seed=10)
    assert first.visits == second.visits
    assert first.values == second.values != other.values


@pytest.mark.parametrize("spec", PLAYERS)
def test_the_result_tells_what_was_searched(spec: str) -> None:
    position = connect4("d d")
    result = damier.player(spec).search(position, seed=1)
    assert result.moves == tuple(position.moves())
    assert sum(result.visits) in (result.sims, result.sims - 1)
    assert sum(result.policy) == pytest.approx(1)
    assert result.values is not None
    assert sum(result.values) == pytest.approx(0)
    assert result.pv[0] == result.move
    assert result.notation == position.notation(result.move)
    assert 0 < result.depth <= 42
    assert result.seconds > 0
    position.play_all(result.pv)  # a line of legal moves


# -- strength that no player may lack ------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", PLAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_a_win_in_one_is_played(spec: str, seed: int) -> None:
    assert damier.player(spec).search(connect4("a a b b c c"), seed).notation == "d"


@pytest.mark.parametrize("spec", PLAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_a_threat_is_met(spec: str, seed: int) -> None:
    assert damier.player(spec).search(connect4("d a d g d"), seed).notation == "d"


@pytest.mark.parametrize("spec", ["uct:sims=20000", "tuned:sims=20000", "rave:sims=20000,c=0.3", "puct:sims=20000"])
def test_search_finds_the_only_drawing_reply_in_tictactoe(spec: str) -> None:
    start = damier.game("tictactoe").start()
    result = damier.player(spec).search(start.play("a1"), seed=1)
    assert result.notation == "b2"  # every other reply to a corner loses
    assert result.values is not None
    assert abs(result.values[0]) < 0.15
    assert damier.player(spec).search(start.play("b2"), seed=1).notation in ("a1", "a3", "c1", "c3")


def test_the_solver_proves_a_win_and_stops() -> None:
    position = damier.game("tictactoe").start().play_all("a1 b1 b2 c3")  # a1, b2 and two open lines: won
    result = damier.player("uct:solver=true,sims=100000").search(position, seed=1)
    assert result.sims < 100_000
    won = position.play(result.move)
    for reply in won.moves():
        after = won.play(reply)
        assert any(after.play(move).returns == (1.0, -1.0) for move in after.moves())


# -- any game ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [name for name in PLAYERS if "solver" not in name])
def test_games_with_chance_and_three_players_are_searched(spec: str) -> None:
    position = damier.game(CHANCE_GAME).start()
    while position.is_chance:
        position = position.play(position.moves()[0])
    result = damier.player(spec).search(position, seed=1)
    assert result.move in position.moves()
    assert result.values is not None
    assert len(result.values) == position.game.num_players


def test_the_solver_refuses_games_of_chance() -> None:
    position = damier.game(CHANCE_GAME).start()
    with pytest.raises(damier.SpecError, match="solver=true is for two players without chance"):
        damier.player("uct:solver=true").search(position)


def test_playouts_can_be_cut_and_evaluated() -> None:
    position = connect4("d d")
    cut = damier.player("uct:cutoff=4").search(position, seed=1)
    assert cut.values != damier.player("uct").search(position, seed=1).values
    assert damier.player("uct:cutoff=0").search(connect4("a a b b c c"), seed=1).notation == "d"


# -- memory, threads, kept trees -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["uct:sims=60000,memory=1", "grave:sims=20000,memory=1"])
def test_a_full_tree_does_not_grow_and_the_search_goes_on(spec: str) -> None:
    # a threat to meet: on the empty board even 60,000 simulations choose the middle in nine cases of ten only
    result = damier.player(spec).search(connect4("d a d g d"), seed=1)
    node_bytes = Tree(1).node_bytes()  # or a few more
    assert result.nodes * node_bytes <= 2**20
    assert result.nodes * node_bytes > 2**17
    assert sum(result.visits) == result.sims
    assert result.notation == "d"


def test_what_was_found_is_kept_for_the_next_move() -> None:
    position = connect4("")
    for spec in ("uct", "grave", "tuned"):
        player = damier.player(spec)
        first = player.search(position, seed=1)
        after = position.play_all(first.pv[:2])
        kept = player.search(after, seed=2)
        fresh = damier.player(f"{spec}:keep=false").search(after, seed=2)
        assert sum(kept.visits) > sum(fresh.visits) >= 999
        assert kept.sims == fresh.sims == 1000


@pytest.mark.parametrize(
    "spec", ["uct:sims=300", "rave:sims=300", "grave:sims=300", "uct:sims=5000,memory=1", "rave:sims=5000,memory=1"]
)
def test_a_tree_is_kept_through_a_whole_game(spec: str) -> None:
    player, position = damier.player(spec), connect4("")
    while not position.is_over:
        result = player.search(position, seed=1)
        assert sum(result.visits) >= result.sims - 1
        assert result.nodes <= player._growing.growers[0].tree.nodes.size  # type: ignore[attr-defined]
        position = position.play_all(result.pv[:2])


def test_the_child_chosen_ahead_is_the_best_one_also_in_a_tree_that_was_kept() -> None:
    player: Any = damier.player("uct:sims=3000,c=0.7")
    position, known = connect4(""), 0
    for seed in range(6):
        position = position.play(player.search(position, seed).move)
        tree = player._growing.growers[0].tree
        for node in np.flatnonzero(tree.chosen[: tree.used[0]]):
            record = tree.nodes[node]
            children = slice(record.first_child, record.first_child + record.num_children)
            scores = tree.value[children] + 0.7 * np.sqrt(np.log(record.visits)) * tree.spread[children]
            assert tree.chosen[node] - record.first_child == scores.argmax()
            known += 1
    assert known > 5000


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("dames8", "grave:sims=1500,c=0.4"),
        ("dames8", "grave:sims=3000,c=0.4,ref=1,memory=1"),
        ("blokus:board=tiny", "grave:sims=3000,widen=4"),
    ],
)
def test_tables_of_all_moves_as_first_share_a_pool(name: str, spec: str) -> None:
    """No two overlap, neither those in use nor those that were left, however often trees are kept and nodes move."""
    player: Any = damier.player(spec)
    position = damier.game(name).start()
    for seed in range(8):
        position = position.play(player.search(position, seed).move)
        check_pool(player._growing.growers[0].tree)


def check_pool(tree: Any) -> None:
    pool, taken = tree.pool, []
    for table in tree.tables[: int(tree.used[0])]:
        if table["first"] != NOWHERE:
            first, room = int(table["first"]), int(table["room"])
            numbers = pool.entries["number"][first : first + room]
            known = numbers[numbers > 0]
            assert len(set(known.tolist())) == known.size == table["used"] < room
            taken.append((first, room))
    assert len(taken) > 5
    for kind, first in enumerate(pool.free.tolist()):
        while first != NOWHERE:
            taken.append((first, size_of(kind)))
            first = int(pool.entries["visits"][first])
    taken.sort()
    ends = [first + room for first, room in taken]
    assert taken[0][0] == 1
    assert ends == [first for first, _ in taken[1:]] + [int(pool.used[0])]
    assert ends[-1] <= pool.entries.size


def test_moves_are_numbered_as_they_come_up_to_a_limit() -> None:
    work = NumberedMoves(1, 1, limit=1500)
    words = [np.uint64(move_code(move * 977, 1)) for move in range(1600)]
    first = [int(number_of(work, word)) for word in words]
    assert first == [*range(1, 1501), *[0] * 100]
    assert [int(number_of(work, word)) for word in words] == first
    assert work.num_slots[0] > 2 * 1024


def test_another_game_or_line_starts_afresh() -> None:
    player = damier.player("uct:sims=200")
    player.search(connect4("d d"), seed=1)
    assert sum(player.search(connect4("a a"), seed=1).visits) == 200
    other = damier.game("tictactoe").start()
    assert sum(player.search(other, seed=1).visits) == 200


def test_threads_share_the_work_and_the_result_depends_on_the_seed_only() -> None:
    results = [damier.player("uct:sims=1001,threads=2").search(connect4("d"), seed=4) for _ in range(2)]
    assert results[0].visits == results[1].visits
    assert results[0].sims == 1001
    one = damier.player("uct:sims=1001,threads=1").search(connect4("d"), seed=4)
    assert one.visits == damier.player("uct:sims=1001").search(connect4("d"), seed=4).visits


@pytest.mark.parametrize("player", ["uct", "alphabeta", "zero"])
def test_what_it_takes_to_write_a_move_is_compiled_before_the_clock_runs(
    player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Draughts compiles a kernel when the first capture is written: that was half a second of somebody's time."""
    written, write = [], Game.format_move

    def note(game: Game, state: Record, move: int) -> str:
        written.append(time.perf_counter())
        return write(game, state, move)

    monkeypatch.setattr(Game, "format_move", note)
    damier.player(f"{player}:seconds=0.05").search(connect4(""), seed=1)
    assert written[-1] - written[0] > 0.03


def test_winning_by_more_counts_with_a_margin() -> None:
    """At the start of Blokus nobody can tell who wins; who lays more squares is ahead."""
    position = damier.game("blokus:board=tiny").start()
    plain, ahead = (damier.player(f"uct:sims=300,margin={margin}").search(position) for margin in (0, 0.9))
    assert plain.visits != ahead.visits
    assert plain.values is not None
    assert ahead.values is not None
    assert abs(ahead.values[0]) < abs(plain.values[0])  # shares of the squares differ less than wins do
    with pytest.raises(damier.DamierError, match="margin needs a game with `evaluate`, and"):
        damier.player("uct:margin=0.5").search(damier.game("examples/nim.py:Nim").start())


def test_a_budget_in_seconds_ends_the_search() -> None:
    result = damier.player("uct:seconds=0.02").search(connect4(""), seed=1)
    assert result.sims > 0
    assert damier.player("uct:seconds=5,sims=50").search(connect4(""), seed=1).sims == 50


@pytest.mark.parametrize("spec", ["halving", "shuss", "flat", "uct", "grave", "uct:threads=3"])
@pytest.mark.parametrize("sims", [1, 2, 6, 7, 8, 20, 99, 100])
def test_a_budget_is_spent_to_the_last_simulation(spec: str, sims: int) -> None:
    result = damier.player(f"{spec}{',' if ':' in spec else ':'}sims={sims}").search(connect4(""), seed=1)
    assert result.sims == sum(result.visits) == sims


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct:sims=0", "expected sims above 0, got 0"),
        ("uct:seconds=-1", "expected seconds above 0, got -1"),
        ("uct:threads=0", "expected threads from 1 to 256, got 0"),
        ("uct:margin=1", "expected margin from 0 to below 1, got 1"),
        ("uct:margin=0.1,solver=true", "margin and solver exclude each other"),
        ("uct:sims=many", "sims must be a whole number, got 'many'"),
        ("grave:depth=3", "grave has no option 'depth'; its options are sims=None"),
    ],
)
def test_wrong_options_are_told(spec: str, message: str) -> None:
    with pytest.raises(damier.SpecError, match=message):
        damier.player(spec)


def test_a_finished_game_is_not_searched() -> None:
    over = damier.game("tictactoe").start().play_all("a1 b1 a2 b2 a3")
    with pytest.raises(damier.DamierError, match="nothing to search"):
        damier.player("uct").search(over)


def test_stronger_searches_win_more() -> None:
    """Not a measurement: 200 simulations against a random player win 20 games of 20."""
    game, score = damier.game("connect4"), 0.0
    for number in range(20):
        players = [damier.player("uct:sims=200"), damier.player("random")]
        position = game.start()
        while not position.is_over:
            mover = (position.player + number) % 2
            position = position.play(players[mover].search(position, seed=number * 100 + len(position.history)).move)
        returns = position.returns
        assert returns is not None
        score += returns[number % 2]
    assert score == 20
