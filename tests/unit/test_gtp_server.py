"""`damier engine`: every line gets one answer, and what the answers say."""

import subprocess
import sys
from pathlib import Path

import pytest

import damier
from damier.players.external.gtp_server import GtpServer
from tests.unit.command import ROOT, Damier

TINY = "blokus:board=tiny,size=8"


def ask(server: GtpServer, line: str) -> str:
    """The text of the answer; AssertionError if the command is refused."""
    answer = server.answer(line)
    assert answer is not None
    assert answer.startswith("="), answer
    return answer[1:].strip()


def refusal(server: GtpServer, line: str) -> str:
    answer = server.answer(line)
    assert answer is not None
    assert answer.startswith("? "), answer
    return answer[1:].strip()


def play_to_the_end(server: GtpServer) -> None:
    while not server.position.is_over:
        ask(server, "g")


# -- any line: `tests/fuzz/gtp.py` sends many more -------------------------------------------------------------------


def test_a_name_that_no_file_can_have_is_refused() -> None:
    server = GtpServer(damier.game("tictactoe"), "random")
    for option in ("tree:file", "pacman:layout", "othello:weights"):
        assert "aaa" in refusal(server, f"set_game {option}={'a' * 300}")
    assert server.game == damier.game("tictactoe")


def test_what_is_not_text_is_answered_too() -> None:
    command = [str(Path(sys.executable).with_name("damier")), "engine", "tictactoe", "--player", "random"]
    lines = b"\xff\xfe 1\n\n# nothing\n5 name\nquit\nname\n"
    done = subprocess.run(command, input=lines, capture_output=True, check=True, timeout=600, cwd=ROOT)
    assert done.stdout.decode() == "? unknown command '\ufffd\ufffd'\n\n=5 damier random\n\n=\n\n"


# -- what a controller relies on --------------------------------------------------------------------------------------


def test_a_game_is_played_shown_taken_back_and_scored() -> None:
    server = GtpServer(damier.game("tictactoe"), "random", seed=3)
    assert ask(server, "known_command genmove") == "true"
    assert ask(server, "known_command fly") == "false"
    assert "showboard" in ask(server, "list_commands").split()
    for line in ("boardsize 3", "clear_board", "komi 6.5", "time_settings 1 2 3", "play b b2"):
        assert ask(server, line) == ""
    assert refusal(server, "play b a1") == "it is the turn of w, not of b"
    assert "illegal move 'b2'" in refusal(server, "play white b2")
    move = ask(server, "reg_genmove w")
    assert len(server.position.history) == 1
    ask(server, f"play w {move}")
    ask(server, "undo")
    ask(server, "genmove w")
    assert len(server.position.history) == 2
    assert refusal(server, "final_score") == "the game is not over"
    ask(server, "clear_board")
    for line in ("play b a1", "play w b1", "play b a2", "play w b2", "play b a3"):
        ask(server, line)
    assert ask(server, "final_score") == "B+1"
    assert ask(server, "genmove w") == "pass"
    assert refusal(server, "play w c3") == "the game is over"
    assert refusal(server, "boardsize 4").startswith("unacceptable size 4")
    assert "a" in ask(server, "showboard").splitlines()[-1]


def test_an_empty_line_of_a_board_does_not_end_the_answer() -> None:
    server = GtpServer(damier.game(TINY), "random")
    shown = server.answer("showboard")
    assert shown is not None
    assert shown.index("\n\n") == len(shown) - 2
    assert "left: " in shown


def test_pentobis_names_of_games_and_colours() -> None:
    server = GtpServer(damier.game(TINY), "random")
    ask(server, "set_game Blokus Duo")
    assert server.game == damier.game("blokus:board=duo")
    ask(server, "play b e8,d9,e9,f9,e10")  # Pentobi's own example
    ask(server, "play W i4,h5,i5,j5,i6")
    ask(server, "boardsize 14")
    assert not server.position.history
    ask(server, "set_game Blokus Two-Player")
    for colour, corner in (("1", "a20"), ("yellow", "t20"), ("3", "t1"), ("GREEN", "a1")):
        ask(server, f"play {colour} {corner}")
    assert server.position.player == 0
    assert "expected a colour, 1 or 2 or 3 or 4" in refusal(server, "genmove b")
    assert "Blokus Duo" in refusal(server, "set_game Blokus Trigon")


@pytest.mark.parametrize(
    "name", ["blokus:board=tiny", "blokus:board=tiny,players=3", "blokus:board=tiny,players=2,colours=4"]
)
def test_a_colour_that_has_dropped_out_passes(name: str) -> None:
    server = GtpServer(damier.game(name), "random", seed=1)
    play_to_the_end(server)
    for side in ("b", "w") if server.game.rules.num_colours == 2 else ("1", "2", "3"):
        assert ask(server, f"genmove {side}") == "pass"
        ask(server, f"play {side} pass")
    score = ask(server, "final_score")
    assert score[0] in "BW0" if server.game.num_players == 2 else len(score.split()) == 3


def test_chance_is_played_by_the_controller() -> None:
    server = GtpServer(damier.game("tests/conformance/games.py:Pig"), "random")
    while not server.position.is_chance:
        ask(server, "g")
    assert "chance moves" in refusal(server, "g")
    outcome = ask(server, "all_legal chance").split()[0]
    ask(server, f"play chance {outcome}")


def test_the_value_is_that_of_the_player_who_moved() -> None:
    server = GtpServer(damier.game("tictactoe"), "uct:sims=200")
    for line in ("play b a1", "play w c1", "play b a2", "play w c2"):
        ask(server, line)
    assert ask(server, "genmove b") == "a3"
    assert float(ask(server, "get_value")) > 0.8
    assert float(ask(server, "cputime")) > 0


def test_wrong_arguments_of_the_command_are_one_line(damier_: Damier) -> None:
    for arguments in (["--protocol", "uci"], ["--player", "human"], ["--player", "nobody"]):
        code, _, err = damier_("engine", "tictactoe", *arguments)
        assert code == 2
        assert err.count("\n") == 1
