"""Equilibria: trees and what they refuse, strategies and their files, the player, and the commands."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.errors import DamierError, SpecError
from damier.search.hidden import equilibrium as module
from damier.search.hidden import strategy_file
from damier.search.hidden.information import KNOWN, Sets, find_set
from damier.search.hidden.minimiser import METHODS, Minimiser
from damier.search.hidden.tree import build_tree
from damier.search.solve import Solver
from tests.unit.command import Damier

ODD_ONE = "tests/unit/hidden_games.py:OddOne"
START = damier.game("kuhn").start()


# -- trees ---------------------------------------------------------------------------------------------------------


def test_a_tree_has_every_node_and_information_set() -> None:
    tree = build_tree(damier.game("kuhn"))
    counts = tree.counts
    assert (counts.nodes - counts.decisions - counts.ends, counts.decisions, counts.ends) == (4, 24, 30)
    assert tree.sets_of.tolist() == [0, 6, 12]
    keys = {(node.player, node.observation()) for node in map(tree.position, tree.sets.example.tolist())}
    assert keys == set(damier.equilibrium("kuhn", iterations=1).strategy)


def test_where_everybody_sees_everything_a_set_is_a_line_of_moves() -> None:
    found = damier.equilibrium("mnk:rows=2,cols=2,k=2", "cfr+", 50)
    assert found.information_sets == (1 + 12, 4)
    assert found.value == pytest.approx((1, -1), abs=1e-6)
    assert set(found.strategy[1, (2,)]) == {0, 1, 3}
    assert found.strategy.rows(1)[0].line == ""


def test_an_information_set_is_found_again_also_after_growth() -> None:
    sets = Sets(300, 0, 3000)
    seen: dict[tuple[int, ...], int] = {}
    rng = np.random.default_rng(1)
    for _ in range(1000):
        player, known = int(rng.integers(2)), rng.integers(-2, 2, int(rng.integers(0, 4))).tolist()
        begin = int(sets.used[KNOWN])
        sets.known[begin : begin + len(known)] = known
        number = find_set(sets, player, len(known))
        assert seen.setdefault((player, *known), number) == number
    assert sorted(seen.values()) == list(range(len(seen)))
    grown = sets.grown(10, 10, 10)
    for (player, *known), number in seen.items():
        begin = int(grown.used[KNOWN])
        grown.known[begin : begin + len(known)] = known
        assert find_set(grown, player, len(known)) == number


def test_a_game_that_is_too_large_is_refused_before_anything_is_begun() -> None:
    said = r"tictactoe has 20,000 nodes or more, which take at least \d MB, and the limit of `memory` is 1 MB"
    with pytest.raises(SpecError, match=said):
        damier.equilibrium("tictactoe", memory=1)


def test_a_player_who_forgets_is_named() -> None:
    said = r"OddOne.* has no perfect recall, .*: player 0 can't tell '0 0' from '', and came there"
    with pytest.raises(SpecError, match=said):
        damier.equilibrium(f"{ODD_ONE}:players=2,rounds=2,forgets=true")


def test_other_moves_after_the_same_observation_are_named() -> None:
    with pytest.raises(SpecError, match="player 1 can't tell '1' from '0', and has other moves there"):
        damier.equilibrium(f"{ODD_ONE}:players=2,uneven=true")


# -- equilibria ----------------------------------------------------------------------------------------------------


def kuhn_equilibrium(alpha: float, call: float = 1 / 3) -> Callable[[damier.Position], dict[int, float]]:
    """Kuhn's family: how often player 0 bets with each card, and calls; and player 1."""

    def policy(pos: damier.Position) -> dict[int, float]:
        card, *moves = pos.observation()
        if pos.player == 0:
            bet = (0, alpha + call, 1)[card] if moves else (alpha, 0, 3 * alpha)[card]
        else:
            bet = (1 / 3, 0, 1)[card] if moves == [0] else (0, 1 / 3, 1)[card]
        return {0: 1 - bet, 1: bet}

    return policy


@pytest.mark.parametrize("alpha", [0, 0.1, 1 / 3])
def test_kuhns_equilibria_can_not_be_exploited(alpha: float) -> None:
    found = damier.exploitability("kuhn", kuhn_equilibrium(alpha))
    assert found.nash_conv == pytest.approx(0, abs=1e-15)
    assert found.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-15)


def test_outside_of_kuhns_family_somebody_gains() -> None:
    assert damier.exploitability("kuhn", kuhn_equilibrium(0.1, call=0.2)).nash_conv > 1e-3


def test_a_policy_that_is_no_policy_is_refused() -> None:
    with pytest.raises(SpecError, match=r"expected probabilities of the legal moves that add up to 1, got 0.5, 0.0"):
        damier.exploitability("kuhn", lambda pos: {0: 0.5})


@pytest.mark.parametrize(("method", "most"), [("external", 0.02), ("outcome", 0.1)])
def test_sampling_comes_near_an_equilibrium(method: str, most: float) -> None:
    found = damier.equilibrium("kuhn", method, 60_000 if method == "outcome" else 20_000, seed=3)
    assert found.nash_conv < most
    again = [damier.equilibrium("kuhn", method, 100, seed=seed).nash_conv for seed in (3, 3, 4)]
    assert again[0] == again[1] != again[2]


def test_three_players_are_told_what_is_not_sure() -> None:
    for method in METHODS:
        found = damier.equilibrium(ODD_ONE, method, 300, seed=1)
        assert len(found.value) == 3
        assert sum(found.value) == pytest.approx(0, abs=1e-12)
        assert found.nash_conv < 0.5
        assert "has 3 players, and regret minimisation surely finds an equilibrium for two only" in str(found.remark)
    assert damier.equilibrium("kuhn", iterations=1).remark is None


def test_an_equilibrium_says_what_it_is() -> None:
    found = damier.equilibrium("kuhn", method="cfr", iterations=150)
    assert [iterations for iterations, _ in found.curve] == [1, 2, 5, 10, 20, 50, 100, 150]
    assert found.curve[-1] == (150, found.nash_conv)
    assert repr(found).startswith("<Equilibrium of kuhn, cfr, 150 iterations: value -0.05")
    assert repr(found).endswith(" chips>")
    assert found.nodes == 58
    king = START.play_all("K Q").seen_by(0)
    assert found.strategy.at(king) == found.strategy[0, (2,)]
    assert sum(found.strategy.at(king).values()) == pytest.approx(1)
    row = next(row for row in found.strategy.rows() if row.known == (2, 1) and row.player == 1)
    assert (row.line, list(row.moves)) == ("K bet", ["fold", "call"])
    assert len(found.strategy.rows()) == len(found.strategy) == 12
    assert Counter(row.player for row in found.strategy.rows(5)) == {0: 2, 1: 3}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "cfr-"}, "expected method to be cfr, cfr[+], discounted, linear, external or outcome, got 'cfr-'"),
        ({"iterations": 0}, "expected iterations from 1 to"),
        ({"memory": 0}, "expected memory from 1 to"),
        ({"out": "/nowhere/at/all.npz"}, "there is no folder"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(DamierError, match=said):
        damier.equilibrium("kuhn", **options)  # type: ignore[arg-type]


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_resumed_run_is_the_same_as_one_that_was_not_interrupted(method: str, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.npz"
    whole = damier.equilibrium("kuhn", method, 70, seed=5)
    damier.equilibrium("kuhn", method, 33, seed=5, out=file)
    found = damier.equilibrium("kuhn", method, 70, seed=5, out=file)
    assert found.curve == whole.curve
    assert np.array_equal(found.strategy.probabilities, whole.strategy.probabilities)
    written = file.read_bytes()
    again = damier.equilibrium("kuhn", method, 20, seed=5, out=file)
    assert again.iterations == 70, "it has more already"
    assert file.read_bytes() == written


def test_an_interrupted_run_loses_the_last_interval_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, done = tmp_path / "kuhn.npz", 0
    monkeypatch.setattr(module, "SAVED_EVERY", 0.0)

    def stop(more: int) -> None:
        nonlocal done
        done += more
        if done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        damier.equilibrium("kuhn", "cfr+", 100, out=file, told=stop)
    monkeypatch.undo()
    kept = strategy_file.read_strategy(file).head.iterations
    assert 0 < kept < done
    found = damier.equilibrium("kuhn", "cfr+", 100, out=file)
    assert found.nash_conv == damier.equilibrium("kuhn", "cfr+", 100).nash_conv
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_for_one_game_method_and_seed(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.npz"
    damier.equilibrium("kuhn", "external", 10, seed=1, out=file)
    with pytest.raises(SpecError, match="was made with method external and seed 1; continue it with these"):
        damier.equilibrium("kuhn", "external", 20, seed=2, out=file)
    with pytest.raises(SpecError, match=r"kuhn.npz' is for kuhn v\d+, and this is mnk"):
        damier.player(f"cfr:file={file}").search(damier.game("mnk:rows=2,cols=2,k=2").start())


def damaged(data: bytes) -> dict[str, bytes]:
    """What is no strategy: other bytes, a part, and archives whose arrays don't fit together."""
    found = {"empty": b"", "text": b"a strategy", "half": data[: len(data) // 2]}
    with np.load(io.BytesIO(data)) as archive:
        arrays = dict(archive)
    average = arrays["average"].copy()
    average[0] = -1
    regret = arrays["regret"].copy()
    regret[0] = np.nan
    head = json.loads(bytes(arrays["head"]))
    for name, change in {
        "negative": {"average": average},
        "not a number": {"regret": regret},
        "short": {"moves": arrays["moves"][:-1]},
        "backwards": {"start": arrays["start"][::-1].copy()},
        "other type": {"player": arrays["player"].astype(np.int64)},
        "other format": {"head": np.frombuffer(json.dumps(head | {"format": "x"}).encode(), np.uint8)},
        "other method": {"head": np.frombuffer(json.dumps(head | {"method": "x"}).encode(), np.uint8)},
        "no head": {"head": np.zeros(3, np.uint8)},
        "pickled": {"known": np.array([{}], object)},
    }.items():
        out = io.BytesIO()
        np.savez(out, **(arrays | change))
        found[name] = out.getvalue()
    return found


def test_what_is_no_strategy_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.npz"
    damier.equilibrium("kuhn", iterations=10).save(file)
    for name, data in damaged(file.read_bytes()).items():
        file.write_bytes(data)
        with pytest.raises(SpecError, match="is no strategy, or is damaged; `damier equilibrium --out` writes one"):
            strategy_file.read_strategy(file)
        assert name
    with pytest.raises(SpecError, match="can't be read"):
        strategy_file.read_strategy(tmp_path / "none.npz")


# -- the player ----------------------------------------------------------------------------------------------------


def test_the_player_draws_by_its_strategy(tmp_path: Path) -> None:
    found = damier.equilibrium("kuhn", "cfr+", 300)
    found.save(tmp_path / "kuhn.npz")
    pos = START.play_all("K J check")
    for player in (damier.player(f"cfr:file={tmp_path / 'kuhn.npz'}"), damier.player("cfr:iterations=300")):
        result = player.search(pos, 1)
        assert dict(zip(result.moves, result.policy, strict=True)) == pytest.approx(found.strategy.at(pos))
        drawn = Counter(player.search(pos, seed).notation for seed in range(300))
        assert drawn["bet"] / 300 == pytest.approx(1 / 3, abs=0.1)
    solved: dict[object, object] = player._kept  # type: ignore[attr-defined]
    assert len(solved) == 1, "it solved the game once"


def test_the_player_sees_only_its_own_cards() -> None:
    player = damier.player("cfr:iterations=50")
    policies = {player.search(START.play_all(f"Q {card}")).policy for card in "JK"}
    assert len(policies) == 1


def test_a_position_that_the_strategy_does_not_know_is_refused() -> None:
    game = damier.game("mnk:rows=2,cols=2,k=2")
    player = damier.player("cfr:iterations=5")
    with pytest.raises(SpecError, match="a strategy is for games from the first position"):
        player.search(game.position("X./.. O"))
    assert player.search(game.start().play(0)).move in (1, 2, 3)


def test_time_is_kept_where_the_game_is_small() -> None:
    player = damier.player("cfr")
    assert player.keeps_time(START, 5)
    assert not player.keeps_time(damier.game("connect4").start(), 60)


def test_what_needs_open_cards_names_the_command() -> None:
    said = "kuhn hides something from its players, .*; `damier equilibrium kuhn` finds how to play"
    pos = START.play_all("K J")
    with pytest.raises(SpecError, match=said):
        damier.solve("kuhn")
    with pytest.raises(SpecError, match=said):
        damier.player("perfect").search(pos)
    odd = damier.game(f"{ODD_ONE}:players=2")
    for ask in (Solver(odd).solve, Solver(odd).score, Solver(odd).best_moves):
        with pytest.raises(SpecError, match="hides something from its players"):
            ask(odd.start())
    with pytest.raises(SpecError, match="hides something from its players"):
        Solver(odd).ends(odd.new_states(1), 10)
    assert Solver(odd).score(odd.start().opened()) == -1, "with open cards the second player wins"


# -- the commands --------------------------------------------------------------------------------------------------


def test_the_command_prints_tables_and_documents(damier_: Damier, tmp_path: Path) -> None:
    code, out, err = damier_("equilibrium", "kuhn", "--iterations", "100", "--out", tmp_path / "kuhn.npz")
    assert (code, err.count("kuhn.npz")) == (0, 1)
    assert "value (chips)" in out
    assert "0.002388808" in out
    assert "12 of 12 information sets" in out
    assert "Q bet" in out
    code, out, err = damier_("equilibrium", "kuhn", "--iterations", "100", "--out", tmp_path / "kuhn.npz", "--json")
    err = " ".join(err.split())
    assert "has 100 iterations already, so nothing was written" in err
    document = json.loads(out)
    assert document["nash_conv"] == pytest.approx(0.002388808, abs=1e-9)
    assert document["curve"][-1] == {"iterations": 100, "nash_conv": document["nash_conv"]}
    assert len(document["strategy"]) == 12
    assert document["unit"] == "chips"
    code, out, _ = damier_("equilibrium", "kuhn", "--method", "external", "--iterations", "10", "--csv", "--table", "2")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["player"] for row in rows] == ["0", "0", "1", "1"]
    assert float(rows[0]["probability"]) + float(rows[1]["probability"]) == pytest.approx(1)


def test_a_tree_is_counted_in_its_author_s_numbers() -> None:
    found = damier.equilibrium("tree:file=bluff", "cfr", 1)
    assert found.value[0] == pytest.approx(0.125)
    assert found.nash_conv == pytest.approx(0.916666667)
    assert damier.equilibrium("tree", iterations=2000).value[0] == pytest.approx(3, abs=0.01)
    assert [row.line for row in found.strategy.rows(2)] == ["? {J}", "? check {Q_checked}"]


def test_nothing_is_written_as_minus_zero_and_tables_speak_french(damier_: Damier) -> None:
    _, out, _ = damier_("equilibrium", "bridgeplay:cards=1", "--iterations", "1", "--table", "1", "--lang", "fr")
    assert "-0.000000000" not in out
    assert "meilleure réponse" in out
    assert "ce que le joueur a vu" in out
    assert "1 itération " in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"memory": "a"}, "expected a whole number for memory, got 'a'"),
        ({"seed": 1.5}, "expected a whole number for seed, got 1.5"),
    ],
)
def test_numbers_given_in_python_are_checked(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        damier.equilibrium("kuhn", **arguments)
    with pytest.raises(SpecError, match="at least 0"):
        damier.equilibrium("kuhn", iterations=1).strategy.rows(-1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["kuhn", "--method", "x"], "expected method to be"),
        (["kuhn", "--json", "--csv"], "--json and --csv exclude each other"),
        (["tictactoe", "--memory", "1"], "nothing was begun"),
        (["kuhn", "--lang", "fr", "--method", "x"], "cfr"),
    ],
)
def test_bad_input_is_one_line(damier_: Damier, arguments: list[str], said: str) -> None:
    code, out, err = damier_("equilibrium", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_the_experiment_shows_both_figures(damier_: Damier) -> None:
    code, out, _ = damier_("reproduce", "kuhn-cfr", "--json")
    assert code == 0
    findings = json.loads(out)["findings"]
    assert all(each["agrees"] for each in findings)
    assert "0.016451955" in damier_("reproduce", "kuhn-cfr")[1]
    assert damier_("reproduce", "kuhn-cfr", "--games", "3")[::2] == (
        2,
        "damier: kuhn-cfr plays nothing: it takes no other option than --json\n",
    )


def test_every_iteration_counts_once() -> None:
    one, many = (Minimiser(damier.game("kuhn"), "discounted") for _ in range(2))
    one.advance(20)
    for _ in range(20):
        many.advance(1)
    assert np.array_equal(one.regrets.regret, many.regrets.regret)
