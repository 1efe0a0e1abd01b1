"""`damier bench`: what it prints, and that all contestants play the same game.

How fast they are is not for a test to say.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import damier
from damier.cli.bench import line_up, race, speeds_of
from damier.core.game import Game
from damier.experiments import contestants
from damier.experiments.contestants import (
    ENTRANTS,
    SEARCHERS,
    AbsentError,
    Contestant,
    Played,
    c_program,
    damier_itself,
    damier_search,
    openspiel_name,
)
from tests.unit.command import ROOT, run_damier

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compile the C reference with")


def test_json_has_the_speeds_the_ratios_and_the_machine() -> None:
    done = run_damier("bench", "--game", "tictactoe", "--seconds", "0.2", "--what", "games", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert {"python", "numba", "numpy"} <= set(document["machine"]["versions"])
    assert document["machine"]["processor"]
    ours, *others = document["results"]
    assert (ours["game"], ours["contestant"], ours["ratio"]) == ("tictactoe", "damier", 1.0)
    assert [other["contestant"] for other in others if "OpenSpiel" in other["contestant"]] == [
        "OpenSpiel, C++",
        "OpenSpiel, from Python",
    ]
    for other in others:
        assert other["ratio"] == pytest.approx(ours["games_per_second"] / other["games_per_second"], rel=0.01)


def test_a_table_for_people_and_a_game_of_ones_own() -> None:
    done = run_damier("bench", "--game", "examples/breakthrough.py:Breakthrough", "--no-peers", "--seconds", "0.1")
    assert done.returncode == 0, done.stderr
    assert "examples/breakthrough" in done.stdout
    assert "damier" in done.stdout
    assert done.stderr == ""


def test_the_search_is_measured_with_one_and_two_threads() -> None:
    arguments = ("bench", "--game", "tictactoe", "--what", "search", "--sims", "200", "--seconds", "0.1", "--json")
    done = run_damier(*arguments)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert "results" not in document
    assert document["settings"]["sims"] == 200
    assert document["bytes_per_node"] <= 64
    ours, *others = document["search"]
    assert (ours["game"], ours["contestant"], ours["ratio"]) == ("tictactoe", "damier", 1.0)
    assert (os.cpu_count() == 1) or ours["two_threads"] > 0
    assert [other["contestant"] for other in others] == ["OpenSpiel, C++ MCTSBot"]
    for other in others:
        assert other["ratio"] == pytest.approx(
            ours["simulations_per_second"] / other["simulations_per_second"], rel=0.01
        )


def test_every_search_makes_the_simulations_that_it_reports(tmp_path: Path) -> None:
    """Those of OpenSpiel are counted at its root: it must not stop early, or do less than it is credited with."""
    game = damier.game("connect4")
    (field,) = line_up([game], damier_search, SEARCHERS, 300, [])
    for contestant in field:
        assert contestant.play(900, 1).games == 900, contestant.name
        assert contestant.play(1, 1).games == 300, contestant.name


def test_a_wrong_name_is_one_line_and_exit_code_2() -> None:
    done = run_damier("bench", "--game", "conect4")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "damier: unknown game 'conect4'; did you mean 'connect4'? `damier games` lists them all\n"


@needs_gcc
@pytest.mark.parametrize("seed", [0, 1, 2026])
def test_the_c_reference_plays_the_very_same_games(tmp_path: Path, seed: int) -> None:
    reference = c_program(damier.game("connect4"), tmp_path)
    assert reference is not None
    theirs = reference.play(100_000, seed)
    ours = damier.playouts("connect4", 100_000, seed)
    assert (theirs.games, theirs.plies, theirs.payoff) == (ours.games, ours.plies, ours.returns[0])


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("tictactoe", "tic_tac_toe"),
        ("connect4", "connect_four(rows=6,columns=7)"),
        ("othello", "othello"),
        ("draughts:rules=english,draw_after=40,man_resets=no", "checkers"),
        ("draughts:rules=english", None),
        ("draughts:rules=english,draw_after=40,man_resets=no,flying=yes", None),
    ],
)
def test_openspiel_is_asked_for_the_same_game(game: str, name: str | None) -> None:
    assert openspiel_name(damier.game(game)) == name


@needs_gcc
def test_the_c_reference_has_the_statistics_of_openspiel(tmp_path: Path) -> None:
    """From 200,000 (length) and 2,000,000 (payoff) of its games: the two above can't be wrong together."""
    reference = c_program(damier.game("connect4"), tmp_path)
    assert reference is not None
    played = reference.play(1_000_000, 1)
    assert played.plies is not None
    assert played.plies / played.games == pytest.approx(21.32, abs=0.08)
    assert played.payoff == pytest.approx(0.1137, abs=0.005)


@pytest.mark.parametrize(
    "name", ["tictactoe", "connect4", "connect4:rows=5,cols=6", "mnk:rows=4,cols=5,k=3", "othello"]
)
def test_all_contestants_play_the_same_game(name: str, tmp_path: Path) -> None:
    """Mean length and payoff are those of ours, within five standard errors."""
    game = damier.game(name)
    (field,) = line_up([game], damier_itself, ENTRANTS, tmp_path, [])
    ours = field[0].play(200_000, 1)
    assert ours.plies is not None
    assert ours.payoff is not None
    for peer in field[1:]:
        played = peer.play(3_000, 1)
        error = played.games**-0.5  # of a payoff in [-1, 1], at the very most
        if played.payoff is not None:
            assert played.payoff == pytest.approx(ours.payoff, abs=5 * error), peer.name
        if played.plies is not None:
            length = ours.plies / ours.games
            assert played.plies / played.games == pytest.approx(length, abs=5 * error * length / 2), peer.name


def test_a_game_that_a_peer_does_not_know_is_left_out(tmp_path: Path) -> None:
    absent: list[str] = []
    (field,) = line_up([damier.game("othello:size=6")], damier_itself, ENTRANTS, tmp_path, absent)
    assert [contestant.name for contestant in field] == ["damier"]
    assert absent == []


def test_a_reference_that_can_not_be_had_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = damier.game("connect4")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "which", lambda program: None)
        with pytest.raises(AbsentError, match="there is no gcc"):
            c_program(game, tmp_path)
    monkeypatch.setattr(contestants, "C_SOURCE", tmp_path / "nowhere.c")
    absent: list[str] = []
    line_up([game], damier_itself, (c_program,), tmp_path, absent)
    assert absent == ["the C reference (benchmarks/connect4.c comes with the source code only)"]


def test_a_peer_that_fails_is_left_out_and_named(tmp_path: Path) -> None:
    def broken(game: Game, folder: Path) -> Contestant:
        raise TypeError("another version")

    absent: list[str] = []
    fields = line_up([damier.game("tictactoe")], damier_itself, (broken,), tmp_path, absent)
    assert [len(field) for field in fields] == [1]
    assert absent == ["broken (TypeError: another version)"]


def test_contestants_take_turns_and_the_best_round_counts() -> None:
    turns: list[tuple[str, int]] = []

    def contestant(name: str, seconds: list[float]) -> Contestant:
        def play(games: int, seed: int) -> Played:
            if seed == 0:  # finding out how many games make a round
                return Played(games, games / 100)
            turns.append((name, seed))
            return Played(games, seconds[seed - 1], plies=10 * games)

        return Contestant(name, play)

    best = race([contestant("damier", [3, 1, 2]), contestant("peer", [4, 5, 2])], rounds=3, seconds=1)
    assert turns == [("damier", 1), ("peer", 1), ("damier", 2), ("peer", 2), ("damier", 3), ("peer", 3)]
    assert [(row["games_per_second"], row["plies_per_second"], row["ratio"]) for row in speeds_of("go", best)] == [
        (100.0, 1000.0, 1.0),
        (50.0, 500.0, 2.0),
    ]


def test_cold_start_prints_every_figure() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "cold_start.py"), "--runs", "1", "--json"]
    figures = json.loads(subprocess.check_output(command))["seconds"]
    assert len(figures) == 5
    assert all(seconds > 0 for seconds in figures.values())
