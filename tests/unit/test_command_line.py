"""The commands, as a person and as a program use them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from damier.core.compile import COMPILER_ON
from damier.games import REGISTRY
from damier.players import REGISTRY as PLAYERS
from tests.unit.command import ROOT, Damier, run_damier

COMMANDS = ["games", "players", "play", "serve", "match", "tournament", "reproduce", "train", "analyse", "solve"]
COMMANDS += ["equilibrium", "tune", "trace", "exercise", "perft", "check", "engine", "bench"]


def test_help_lists_every_command_and_imports_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['damier', '--help']\n"
        "from damier.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "assert not {'numba', 'numpy', 'llvmlite'} & set(sys.modules), 'heavy modules are loaded'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in COMMANDS:
        assert re.search(rf"^. {name} ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    done = run_damier(name, "--help")
    assert done.returncode == 0
    assert f"damier {name}" in done.stdout
    assert "Examples" in done.stdout


def test_python_m_damier_is_the_same_program() -> None:
    done = subprocess.run([sys.executable, "-m", "damier", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == run_damier("--version").stdout
    assert re.fullmatch(r"damier \d+\.\d+\.\d+\n", done.stdout)


def test_games_lists_the_registry(damier_: Damier) -> None:
    document = json.loads(damier_("games", "--json")[1])
    assert [game["name"] for game in document] == list(REGISTRY)
    assert all(game["summary"] for game in document)
    assert {game["players"] for game in document} == {1, 2, 4}
    table = damier_("games")[1]
    assert all(name in table for name in REGISTRY)


def test_players_lists_the_players(damier_: Damier) -> None:
    document = json.loads(damier_("players", "--json")[1])
    assert [player["name"] for player in document] == list(PLAYERS)
    assert next(one for one in document if one["name"] == "mcts")["parts"]["rule"]["names"][0] == "ucb1"
    listed = damier_("players")[1]
    assert "random" in listed
    assert "Selection rules: rule=NAME" in listed
    assert "grave" in listed.partition("Selection rule")[2]


def test_perft_counts(damier_: Damier) -> None:
    assert damier_("perft", "connect4", "5")[1] == "16807\n"
    assert damier_("perft", "tictactoe", "0")[1] == "1\n"
    divided = damier_("perft", "othello", "3", "--divide")[1]
    assert divided == "d3 14\nc4 14\nf5 14\ne6 14\ntotal 56\n"
    document = json.loads(damier_("perft", "othello", "3", "--moves", "d3 c5", "--divide", "--json")[1])
    assert document["moves"] == "d3 c5"
    assert document["leaves"] == sum(document["divide"].values())
    assert damier_("perft", "connect4", "3", "--distinct")[1] == "0 1\n1 7\n2 49\n3 238\n"


def test_a_reader_that_stops_reading_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "damier", "games"], stdout=out, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_check_reports_what_it_checked(damier_: Damier) -> None:
    document = json.loads(damier_("check", "examples/nim.py:Nim", "--games", "3", "--json")[1])
    assert document["games"] == 3
    assert "compiled and uncompiled rules agree move for move" in document["laws"]
    assert "chance" in document["absent"]
    assert "no law broken" in damier_("check", "examples/nim.py:Nim", "--games", "1")[1]


def test_check_shows_what_the_games_were_like_and_warns(damier_: Damier) -> None:
    spec = "tests/wrong/lawless.py:NobodyWins"
    shown = damier_("check", spec)[1]
    assert "moves in a game: 3 to 5, on average" in shown
    assert "games won: player 0 0 (0%), player 1 0 (0%), drawn 20 (100%)\n" in shown
    assert shown.endswith("warning: nobody ever won\n")
    document = json.loads(damier_("check", spec, "--json")[1])
    assert document["warnings"] == ["nobody ever won"]
    assert document["wins"] == {"player 0": 0, "player 1": 0, "drawn": 20}


def test_the_line_of_a_failing_helper_is_named(damier_: Damier) -> None:
    told = damier_("check", "tests/wrong/lawless.py:HelperFails")[2]
    lines = (ROOT / "tests/wrong/lawless.py").read_text().splitlines()
    assert f"lawless.py, line {1 + lines.index('        return steps[move]')})" in told


def test_two_random_players_play_a_game_to_its_end(damier_: Damier) -> None:
    arguments = ["play", "othello:size=4", "--seat", "random", "--seat", "random", "--seed", "5"]
    code, out, _ = damier_(*arguments)
    assert code == 0
    assert re.search(r"(wins|a draw)\n$", out)
    assert out == damier_(*arguments)[1]
    assert "\x1b" not in out, "colours belong on terminals"


def test_a_person_without_a_terminal_leaves_at_the_end_of_the_input() -> None:
    done = run_damier("play", "tictactoe", "--seed", "1", stdin="b2\nmoves\nnonsense\n")
    assert done.returncode == 0
    assert "illegal move 'nonsense' in tictactoe after 'b2" in done.stdout
    assert done.stdout.endswith("left the game\n")


@pytest.mark.skipif(not COMPILER_ON, reason="the terminal is tested with the compiled rules")
def test_a_person_plays_a_game_in_a_terminal() -> None:
    terminal = pexpect.spawn(
        str(Path(sys.executable).with_name("damier")),
        ["play", "tictactoe", "--seat", "human", "--seat", "human", "--hints", "uct:sims=500"],
        encoding="utf-8",
        cwd=ROOT,
        timeout=300,
    )
    try:
        terminal.expect("player 1 ● to move> ")
        terminal.sendline("help")
        terminal.expect("take back your last move")
        terminal.sendline("moves")
        terminal.expect("a3 b3 c3 a2 b2 c2 a1 b1 c1")
        for hint in ("hint", "?"):
            terminal.sendline(hint)
            terminal.expect(r"uct:sims=500 would play .*[abc][123].*, worth [+-]0\.\d\d")
        terminal.sendline("b2")
        terminal.expect("player 1 ● played")
        terminal.expect("player 2 ○ to move> ")
        terminal.sendline("b2")
        terminal.expect("illegal move 'b2'")
        terminal.sendline("undo")
        terminal.expect("player 1 ● to move> ")
        terminal.sendline("undo")
        terminal.expect("nothing to take back")
        for move in ("a1", "b1", "a2", "b2", "a3"):
            terminal.expect("to move> ")
            terminal.sendline(move)
        terminal.expect("player 1 ● wins")
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close()
    assert terminal.exitstatus == 0


@pytest.mark.skipif(not COMPILER_ON, reason="the terminal is tested with the compiled rules")
def test_a_person_lays_a_piece_by_its_name_and_place() -> None:
    done = run_damier(
        "play", "blokus:board=tiny", "--seat", "human", "--seat", "human", stdin="I3 a10\nI3 a10 c10\nquit\n"
    )
    assert "can place I3 on a10 in 2 ways, name more of its squares: " in done.stdout
    assert "played a10,b10,c10" in done.stdout


def test_ascii_boards_on_demand(damier_: Damier) -> None:
    shown = damier_("play", "connect4", "--ascii", "--seat", "random", "--seat", "random", "--seed", "1")[1]
    assert shown
    assert shown.isascii()
