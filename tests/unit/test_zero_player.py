"""The `zero` player: networks as files, budgets, the tree that is kept, and what it tells about a position."""

import itertools
import json
import math
import shutil
import time
from pathlib import Path

import numpy as np
import onnx
import pytest

import damier
from damier.core.budget import Budget
from damier.core.errors import DamierError, SpecError
from damier.experiments.every_line import by_network, by_player, lost_lines
from damier.search.guided.network import Network, read_card
from damier.search.guided.search import GuidedSearch
from damier.search.guided.selection import GUMBEL, Guide
from damier.search.guided.shipped import find_network, recommended_options, shipped_networks
from damier.search.guided.zero import networks_of
from damier.zero.configuration import parse_assignments, settings_for, validated
from damier.zero.export import metadata
from tests.random_network import write_network
from tests.unit.command import run_damier

GAME = damier.game("tictactoe")


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_network(tmp_path_factory.mktemp("networks") / "random.onnx", GAME)


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that knows nothing: all moves alike, all values 0."""
    return write_network(tmp_path_factory.mktemp("networks") / "blind.onnx", GAME, scale=0.0)


# -- networks ------------------------------------------------------------------------------------------------------


def test_a_network_evaluates_batches(net: Path) -> None:
    network = Network(net)
    network.fits(GAME)
    planes = np.stack([GAME.start().encode(), GAME.start().play("b2").encode()])
    logits, values = network.evaluate(planes)
    assert logits.shape == (2, 9)
    assert values.shape == (2, 2)
    assert np.allclose(network.evaluate(planes[1:])[1][0], values[1])


def test_a_network_says_what_its_values_mean(net: Path, tmp_path: Path) -> None:
    """One that has learnt by how much games are won counts the ends of games in the same way."""
    model = onnx.load(net)
    for key, value in metadata(GAME, margin=0.5, reach=0.8).items():
        model.metadata_props.add(key=key, value=value)
    onnx.save(model, tmp_path / "margin.onnx")
    winning = GAME.start().play_all([4, 1, 0, 2])
    plain, other = (
        damier.player(f"zero:sims=50,net={file}").search(winning) for file in (net, tmp_path / "margin.onnx")
    )
    wins = plain.moves.index(plain.move)
    won_by = winning.play(plain.move).evaluate()[0]
    assert plain.move_values[wins][0] == 1
    assert 0 < won_by < 0.8
    assert other.move_values[wins][0] == pytest.approx(0.5 + 0.5 * won_by / 0.8)
    with pytest.raises(SpecError, match="exact tells who wins, and the values of this network also by how much"):
        damier.player(f"zero:exact=true,net={tmp_path / 'margin.onnx'}").search(winning)
    model.metadata_props[-1].value = "wide"
    onnx.save(model, tmp_path / "damaged.onnx")
    with pytest.raises(DamierError, match=r"expected damier.margin_reach to be a number from 0 to 1, got 'wide'"):
        damier.player(f"zero:net={tmp_path / 'damaged.onnx'}").search(winning)


def test_a_network_for_another_game_is_refused(net: Path) -> None:
    with pytest.raises(
        DamierError, match=r"does not fit connect4: it was made for tictactoe; expected .* 2x6x7, 7 and 2"
    ):
        damier.player(f"zero:net={net}").search(damier.game("connect4").start())
    with pytest.raises(DamierError, match="has no `encode`, so no network can play it"):
        damier.player(f"zero:net={net}").search(damier.game("examples/nim.py:Nim").start())


def test_a_damaged_file_is_told_in_one_line(net: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(net.read_bytes()[:300])
    with pytest.raises(DamierError, match=r"damaged\.onnx is damaged or no ONNX file") as error:
        damier.player(f"zero:net={damaged}").search(GAME.start())
    assert "\n" not in str(error.value)


def test_networks_are_found(net: Path, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"no network in .*: expected best.onnx, as `damier train` writes it"):
        damier.player(f"zero:net={tmp_path}").search(GAME.start())
    (tmp_path / "best.onnx").write_bytes(net.read_bytes())
    of_run, of_file = (damier.player(f"zero:sims=20,net={where}") for where in (tmp_path, net))
    assert of_run.search(GAME.start()).visits == of_file.search(GAME.start()).visits
    with pytest.raises(
        SpecError, match="no network 'nothing': expected a file, the folder of a run, or a name; there is"
    ):
        damier.player("zero:net=nothing").search(GAME.start())
    with pytest.raises(SpecError, match=r"no network for mnk comes with damier: say net=FILE.onnx or net=RUN"):
        damier.player("zero").search(damier.game("mnk").start())


# -- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_a_network_that_is_not_the_one_on_its_card_is_never_used(place: float, tmp_path: Path) -> None:
    """ONNX Runtime reads most of the altered files, which then play badly and say nothing."""
    whole = shipped_networks()["tictactoe"]
    network, card = tmp_path / "mine.onnx", tmp_path / "mine.toml"
    data = bytearray(whole.read_bytes())
    data[int(place * len(data))] ^= 64
    network.write_bytes(data)
    shutil.copy(whole.with_suffix(".toml"), card)
    with pytest.raises(DamierError) as refused:
        damier.player(f"zero:net={network},sims=2").search(damier.game("tictactoe").start())
    assert str(refused.value) == (
        f"the network '{network}' was altered, or 'mine.toml' is about another one; get both files again, or delete the"
        " card to use the network all the same"
    )
    with pytest.raises(DamierError, match="was altered"):  # nor is it sent to others
        networks_of([damier.player(f"zero:net={network}")], damier.game("tictactoe"))
    shutil.copy(whole, network)
    Network(network).fits(damier.game("tictactoe"))


def test_a_card_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    network, card = tmp_path / "mine.onnx", tmp_path / "mine.toml"
    shutil.copy(shipped_networks()["tictactoe"], network)
    for damaged in (b"sha256 = ", b"\xff\xfe", b"\0"):
        card.write_bytes(damaged)
        with pytest.raises(DamierError, match=r"the card '.*mine.toml' can't be read: .*; get both files again"):
            Network(network)
    card.write_text("learning_rate = 0.1")  # somebody's own file of settings, and no card
    Network(network)


# -- networks that come with damier -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_networks())
def test_a_shipped_network_is_small_fits_its_game_and_tells_where_it_comes_from(name: str) -> None:
    file = shipped_networks()[name]
    card = read_card(file, file.read_bytes())
    assert file.stat().st_size == card["bytes"] <= 2_000_000
    game = damier.game(card["game"])
    Network(file).fits(game)
    assert find_network("", game) == find_network(name, game) == file, "`zero` alone plays with it"
    settings = validated(card["settings"], "the card")
    assert settings.seed == card["seed"]
    first, *later = card["command"].split("; ")
    assert first.startswith(f"damier train {card['game']}")
    if not later:  # nothing was changed on the way
        assert settings_for(card["game"], parse_assignments(first.split(" --set ")[1:])) == settings


@pytest.mark.parametrize("name", shipped_networks())
def test_a_shipped_network_is_recommended_by_its_card_alone(name: str) -> None:
    file = shipped_networks()[name]
    card = read_card(file, file.read_bytes())
    recommended = recommended_options(damier.game(card["game"]))
    assert recommended == card.get("recommended", {})
    assert set(recommended) in (set(), {"club", "strong"})
    for options in recommended.values():
        zero = damier.player(f"zero:{options}")
        assert not (zero.exact and Network(file).margin), "such a player can't sit down"  # type: ignore[attr-defined]


def test_the_shipped_tictactoe_player_never_loses(capsys: pytest.CaptureFixture[str]) -> None:
    """Against every line of an opponent who may play anything, from either seat."""
    alone = lost_lines(GAME, by_network(shipped_networks()["tictactoe"]))
    with capsys.disabled():
        print(f"\ntic-tac-toe: the network alone loses {alone[0]} lines as first, {alone[1]} as second")
    assert sum(alone) <= 5
    assert lost_lines(GAME, by_player("zero:sims=50,keep=false")) == (0, 0)


# -- searching -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["", "batch=8", "root=puct", "root=puct,noise=0.25", "temperature=1"])
def test_the_result_tells_what_was_searched(net: Path, options: str) -> None:
    position = GAME.start().play("b2")
    first, again, other = (
        damier.player(f"zero:net={net},sims=60,{options}".rstrip(",")).search(position, seed) for seed in (3, 3, 4)
    )
    assert first.move_values == again.move_values
    assert first.move == again.move
    assert (first.priors != other.priors) == ("noise" in options)
    assert first.moves == tuple(position.moves())
    assert sum(first.visits) == first.sims == 60
    assert sum(first.policy) == pytest.approx(1)
    assert sum(first.priors) == pytest.approx(1)
    assert first.values is not None
    assert all(-1 <= value <= 1 for value in first.values)
    assert [values[1] for values in first.move_values] == list(first.scores)
    assert first.pv[0] == first.move
    assert 1 < first.depth <= 8
    position.play_all(first.pv)


@pytest.mark.parametrize("options", ["root=puct", "root=puct,batch=8", "root=gumbel"])
def test_a_network_that_knows_nothing_finds_wins_and_meets_threats(blind: Path, options: str) -> None:
    for moves, answer in (("a1 b1 a2 b2", "a3"), ("a1 b2 c1", "b1"), ("b2 a1 b1", "b3")):
        result = damier.player(f"zero:net={blind},sims=120,{options}").search(GAME.start().play_all(moves), seed=1)
        assert result.notation == answer


def test_simulations_that_are_counted_are_made_one_by_one() -> None:
    position = damier.game("connect4").start()
    default, single, many = (
        damier.player(f"zero:sims=200{options}").search(position).move_values
        for options in ("", ",batch=1", ",batch=8")
    )
    assert default == single != many


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_what_was_found_is_kept_for_the_next_move(net: Path, root: str) -> None:
    player, position = damier.player(f"zero:net={net},sims=80,root={root},solver=false"), GAME.start()
    first = player.search(position)
    after = position.play_all(first.pv[:2])
    kept = player.search(after)
    assert kept.sims == 80
    assert sum(kept.visits) > 80
    fresh = damier.player(f"zero:net={net},sims=80,keep=false").search(after)
    assert sum(fresh.visits) == 80
    while not after.is_over:  # to the end, and in another game
        after = after.play(player.search(after).move)
    assert sum(player.search(position).visits) == 80


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_one_can_look_into_the_tree(net: Path, root: str) -> None:
    player, pos = damier.player(f"zero:net={net},sims=150,root={root}"), GAME.start().play_all("a1 b2")
    assert player.node(()) is None, "nothing was searched yet"
    result = player.search(pos)
    node = player.node(())
    assert node is not None
    assert tuple(child.move for child in node.children) == result.moves
    assert tuple(child.visits for child in node.children) == result.visits
    assert [child.prior for child in node.children] == pytest.approx(result.priors)
    total = sum(result.visits)
    for child, score in zip(node.children, result.scores, strict=True):
        assert (child.mean is None) == (child.visits == 0)
        if child.mean is not None:
            assert child.mean == pytest.approx(score)
            assert child.proven == {1.0: "won", -1.0: "lost"}.get(score)
            assert child.score is not None
            if root == "puct":
                bonus = 2.0 * child.prior * math.sqrt(total) / (1 + child.visits)
                assert child.bonus == pytest.approx(bonus)
                assert child.score == pytest.approx(score + bonus)
            else:  # the share of visits that is due to it, less the one it has
                share = result.policy[result.moves.index(child.move)]
                assert child.score == child.bonus == pytest.approx(share - child.visits / (1 + total))
    below = player.node(result.pv[:2])
    assert below is not None
    assert below.visits > 0
    assert {child.move for child in below.children} <= set(pos.play_all(result.pv[:2]).moves())
    assert player.node((*result.pv[:1], *result.pv[:1])) is None, "nobody can move there twice"


def test_of_a_chance_node_nothing_is_selected(tmp_path: Path) -> None:
    game = damier.game("tests/conformance/games.py:Pig")
    pos = game.start()
    while pos.is_chance:
        pos = pos.play(pos.moves()[0])
    player = damier.player(f"zero:net={write_network(tmp_path / 'pig.onnx', game)},sims=60")
    player.search(pos)
    rolls = next(move for move in pos.moves() if pos.play(move).is_chance)
    node = player.node((rolls,))
    assert node is not None
    assert [child.prior for child in node.children] == pytest.approx(list(pos.play(rolls).outcomes.values()))
    assert all(child.score is child.bonus is None for child in node.children)


def test_a_full_tree_does_not_grow_and_the_search_goes_on(net: Path) -> None:
    search = GuidedSearch(GAME, Network(net), Guide(GUMBEL), Budget(sims=300), keep=False)
    search.forest.capacity = 40
    result = search.search(GAME.start())
    assert result.nodes <= 40
    assert sum(result.visits) == 300


def test_a_budget_in_seconds_ends_the_search(net: Path) -> None:
    for root in ("puct", "gumbel"):
        result = damier.player(f"zero:net={net},seconds=0.05,root={root}").search(GAME.start())
        assert result.sims > 0
        assert sum(result.visits) == result.sims
        assert result.seconds < 10  # on a busy machine; see benchmarks/time_budget.py
        assert damier.player(f"zero:net={net},seconds=5,sims=30,root={root}").search(GAME.start()).sims == 30


def test_the_halving_divides_the_simulations_that_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that ticks when it is looked at. A third of the simulations are for all moves alike, a seventh each."""
    clock = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock) / 1000)
    result = damier.player("zero:seconds=1,batch=1").search(damier.game("connect4").start())
    assert result.sims > 500
    assert min(result.visits) > result.sims / 50
    assert sorted(result.visits)[-3] > 2 * min(result.visits)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("root=uct", "expected root to be puct or gumbel, got 'uct'"),
        ("noise=2", "expected noise from 0 to 1, got 2"),
        ("noise=0.2", "noise is mixed into the probabilities of PUCT: say root=puct, or temperature for variety"),
        ("sims=0", "expected sims above 0, got 0"),
        ("batch=0", "expected batch of at least 1, got 0"),
    ],
)
def test_wrong_options_are_told(options: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        damier.player(f"zero:{options}")


def test_analyse_shows_what_the_network_and_the_search_say(net: Path) -> None:
    shown = run_damier("analyse", "tictactoe", "--moves", "b2", "--player", f"zero:net={net},sims=50", "--json")
    document = json.loads(shown.stdout)
    best = next(entry for entry in document["candidates"] if entry["move"] == document["move"])
    assert set(best) == {"move", "share", "visits", "value", "prior", "values", "first_values"}
    assert len(best["values"]) == len(best["first_values"]) == 2
    table = run_damier("analyse", "tictactoe", "--player", f"zero:net={net},sims=50").stdout
    for column in ("share", "P", "N", "Q 1", "Q 2", "v 1", "v 2"):
        assert column in table


# -- what is known -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("moves", ["a1 b2 c3 a2 c2", "b2 a1 a2 c2 b3 b1", "b2 b1 a1", "a1 b1 a2"])
def test_what_follows_from_the_ends_of_games_is_known(blind: Path, root: str, moves: str) -> None:
    """With simulations enough, even a network that knows nothing gives exact values and the right move."""
    pos = GAME.start().play_all(moves)
    result = damier.player(f"zero:net={blind},sims=3000,root={root}").search(pos)
    exact = damier.solve(pos).values
    assert result.values == exact
    assert damier.solve(pos.play(result.move)).values == exact
    unsolved = damier.player(f"zero:net={blind},sims=3000,root={root},solver=false").search(pos)
    assert unsolved.values is not None
    assert max(unsolved.values) < 1


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_an_exact_player_keeps_what_a_position_is_worth(blind: Path, root: str) -> None:
    """However little it searches, and whatever the network says: no line of tic-tac-toe is lost."""
    plain = f"zero:net={blind},root={root},sims=10,solver=false,keep=false"
    assert sum(lost_lines(GAME, by_player(plain))) > 0
    assert lost_lines(GAME, by_player(f"{plain},exact=true")) == (0, 0)
    pos = GAME.start().play_all("a1 b2 a2 a3 c1 b1 b3")
    result = damier.player(f"{plain},exact=true").search(pos)
    assert result.values == damier.solve(pos).values
    assert sum(result.visits) == result.sims == 10


def test_exact_is_within_the_time_and_the_nodes(net: Path) -> None:
    """What can't be solved with little effort is played by the search alone; what can be takes no time."""
    board = damier.game("connect4")
    start, late = board.start(), board.start().play_all("d d d d d d c c c c c c e e")
    result = damier.player("zero:sims=20,exact=true").search(start)
    assert result.values is not None
    assert max(result.values) < 1
    assert damier.player("zero:seconds=60,exact=true").search(late).seconds < 30
    assert damier.player("zero:seconds=0.2,exact=true").search(start).seconds < 10


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "othello:size=6"])
@pytest.mark.parametrize("keep", ["true", "false"])
def test_one_exact_player_plays_both_sides(name: str, keep: str) -> None:
    """The position that it just called known is its own next root; whatever is known, the end is as it was told."""
    player, position = damier.player(f"zero:sims=12,exact=true,keep={keep}"), damier.game(name).start()
    told = None
    while not position.is_over:
        result = player.search(position)
        if result.values is not None and max(result.values) == 1:
            assert told in (None, result.values[0])
            told = result.values[0]
        position = position.play(result.move)
    assert position.returns is not None
    assert told in (None, position.returns[0])


def test_exact_is_for_two_players_without_chance() -> None:
    with pytest.raises(SpecError, match="expected a game of two players without chance, which alone can be solved"):
        damier.player("zero:sims=2,exact=true").search(damier.game("blokus:board=tiny,players=3").start())


def test_nobody_thinks_on_about_what_is_known(blind: Path) -> None:
    pos = GAME.start().play_all("a1 b1 a2 b2")
    result = damier.player(f"zero:net={blind},seconds=60").search(pos)
    assert (result.notation, result.values) == ("a3", (1, -1))
    assert result.seconds < 30


def test_a_move_that_surely_loses_is_not_played_however_often_it_was_looked_at(blind: Path) -> None:
    """Of the four moves of a2's opponent one prevents a3; the others are known to lose as soon as a3 is seen."""
    pos = GAME.start().play_all("a1 b2 a2")
    result = damier.player(f"zero:net={blind},sims=60,root=puct,temperature=1").search(pos)
    by_move = dict(zip(map(pos.notation, result.moves), zip(result.policy, result.scores, strict=True), strict=True))
    assert all(policy == 0 for policy, score in by_move.values() if score == -1)
    assert result.notation == "a3"
