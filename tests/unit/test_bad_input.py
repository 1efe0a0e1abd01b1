"""Bad input: one clear line on stderr, exit code 2, nothing on stdout, no traceback."""

from pathlib import Path

import pytest

from tests.unit.command import Damier, run_damier

LAWLESS = "tests/wrong/lawless.py"
BEYOND = str(2**63)
LONG = "a" * 300

BAD = {
    "unknown game": (["perft", "conect4", "1"], "unknown game 'conect4'; did you mean 'connect4'?"),
    "unknown game in play": (["play", "nosuchgame"], "unknown game 'nosuchgame'; `damier games` lists them all"),
    "unknown option": (
        ["perft", "connect4:size=3", "1"],
        "connect4 has no option 'size'; its options are rows=6,cols=7",
    ),
    "option of a game without": (["check", "tictactoe:size=3"], "tictactoe has no option 'size'; it takes no options"),
    "option out of range": (["check", "connect4:rows=9"], "connect4: expected rows and cols of at least 4"),
    "odd board": (["check", "othello:size=7"], "othello: expected a size of 4, 6 or 8, got 7"),
    "option that is no number": (["check", "mnk:rows=many"], "mnk: rows must be a whole number, got 'many'"),
    "option without value": (["check", "mnk:rows"], "expected option=value, got 'rows'"),
    "option given twice": (["check", "mnk:rows=3,rows=4"], "the option 'rows' is given twice"),
    "illegal move": (
        ["perft", "connect4:rows=4,cols=4", "1", "--moves", "a a a a a"],
        "illegal move 'a' in connect4:rows=4,cols=4 after 'a a a a': expected one of b c d",
    ),
    "unparsable move": (["perft", "tictactoe", "1", "--moves", "b2 z9"], "illegal move 'z9' in tictactoe after 'b2'"),
    "move after the end": (
        ["perft", "tictactoe", "1", "--moves", "a1 b1 a2 b2 a3 b3"],
        "illegal move 'b3' in tictactoe after 'a1 b1 a2 b2 a3': the game is over",
    ),
    "no position": (["perft", "tictactoe", "1", "--position", ""], "tictactoe has no position ''"),
    "no reference": (["analyse", "tictactoe", "--player", "grave:ref=-1"], "expected ref of at least 0, got -1"),
    "no depth": (["check", "leftmove:depth=0"], "leftmove: expected a depth from 1 to 10000, got 0"),
    "too many colours": (["check", "samegame:colours=10"], "samegame: expected from 1 to 9 colours, got 10"),
    "uneven board": (["check", "samegame:board=12/1"], "samegame: expected a board like 112/221"),
    "large board": (["check", "samegame:rows=27"], "samegame: expected rows and cols from 1 to 26, got 27 x 15"),
    "unknown variant": (["check", "morpion:variant=4D"], "morpion: expected the variant 5D or 5T, got '4D'"),
    "large puzzle": (["check", "sliding:size=5"], "sliding: expected a size of 2, 3, 4, got 5"),
    "no limit": (["check", "sliding:limit=0"], "sliding: expected a limit of 1 to 10000 moves, got 0"),
    "other tiles": (["check", "sliding:board=123"], "sliding: expected a board with the digits of 123456780"),
    "two tiles exchanged": (["check", "sliding:board=213456780"], "sliding: the board 213456780 can't be solved"),
    "no such file": (["check", "nosuch.py:Game"], "there is no file"),
    "file without the class": (["check", f"{LAWLESS}:Nothing"], "has no class 'Nothing'; it defines NoReturns"),
    "file without a class name": (["check", LAWLESS], "expected file.py:Class"),
    "missing method": (
        ["check", f"{LAWLESS}:NoReturns"],
        "NoReturns is no game yet: it lacks the method returns(self, state, out)",
    ),
    "no State": (["check", f"{LAWLESS}:NoState"], "expected `State`, a NumPy record type"),
    "no player": (["check", f"{LAWLESS}:NoPlayer"], "with a signed whole-number field 'player'"),
    "text in State": (["check", f"{LAWLESS}:TextInState"], "the field 'name' of `State` must hold numbers"),
    "taken field name": (["check", f"{LAWLESS}:TakenName"], "the field 'sum' of `State` needs another name"),
    "no max_moves": (["check", f"{LAWLESS}:NoMaxMoves"], "expected a whole number `max_moves`"),
    "forgotten option": (["check", f"{LAWLESS}:ForgetsOption"], "keep the option 'limit' as an attribute"),
    "too many moves": (
        ["perft", f"{LAWLESS}:TooManyMoves", "2"],
        "`moves` returned 3 moves, expected 0 to max_moves = 2",
    ),
    "too many moves, checked": (["check", f"{LAWLESS}:TooManyMoves"], "it returned 3, expected 0 to max_moves = 2"),
    "negative count": (["perft", f"{LAWLESS}:NegativeMoves", "2"], "`moves` returned -1 moves"),
    "endless game": (["check", f"{LAWLESS}:Endless"], "every game is over after at most max_length moves"),
    "chance without `chance`": (
        ["check", f"{LAWLESS}:ChanceWithoutDice"],
        "it is CHANCE, and the game has no method chance(self, state, out, probs)",
    ),
    "forgotten field": (["check", f"{LAWLESS}:ForgetsAField"], "it does not set all of `state.total`"),
    "failing helper": (
        ["check", f"{LAWLESS}:HelperFails"],
        "`play` fails: IndexError: index 2 is out of bounds for axis 0 with size 2",
    ),
    "unknown player": (["play", "tictactoe", "--seat", "randon"], "unknown player 'randon'; did you mean 'random'?"),
    "option of a player": (["play", "tictactoe", "--seat", "random:x=1"], "random has no option 'x'"),
    "too many seats": (["play", "tictactoe", *["--seat", "random"] * 3], "expected at most 2 seats, got 3"),
    "negative depth": (["perft", "tictactoe", "--", "-1"], "expected depth of at least 0, got -1"),
    "depth that is no number": (["perft", "tictactoe", "deep"], "DEPTH"),
    "missing argument": (["perft", "tictactoe"], "`damier perft --help` shows how"),
    "two ways to count": (["perft", "tictactoe", "2", "--divide", "--distinct"], "--divide or --distinct"),
    "unknown command": (["pertf"], "pertf"),
    "depth beyond 64 bits": (
        ["perft", "tictactoe", BEYOND],
        "'DEPTH': must be a number between -2^63 and 2^63, got 9223372036854775808",
    ),
    "seed beyond 64 bits": (
        ["analyse", "tictactoe", "--seed", f"-{BEYOND}"],
        "'--seed': must be a number between -2^63 and 2^63",
    ),
    "no amount of time": (["bench", "--seconds", "inf"], "'--seconds': must be a finite number, got inf"),
    "a setting beyond 64 bits": (
        ["train", "tictactoe", "--set", f"search.sims={BEYOND}"],
        "search.sims must be a number between -2^63 and 2^63",
    ),
    "a setting without end": (
        ["train", "tictactoe", "--set", "search.c_puct=inf"],
        "search.c_puct must be a finite number",
    ),
    "time without end": (
        ["analyse", "tictactoe", "--player", "uct:seconds=inf"],
        "uct: seconds must be a finite number",
    ),
    "no time": (["analyse", "tictactoe", "--player", "alphabeta:seconds=nan"], "alphabeta: seconds must be a finite"),
    "too much time": (
        ["analyse", "tictactoe", "--player", "uct:seconds=1e300"],
        "expected at most 1000000000 seconds, got 1e+300",
    ),
    "too many threads": (
        ["analyse", "tictactoe", "--player", f"uct:threads={2**62}"],
        "expected threads from 1 to 256",
    ),
    "too much memory": (
        ["analyse", "tictactoe", "--player", f"alphabeta:depth=1,memory={2**33}"],
        "which this computer has, got 8589934592",
    ),
    "long name of a report": (["match", "tictactoe", "random", "careful", "--report", f"/tmp/{LONG}"], "name too long"),
    "long name of a page": (["trace", "minimax", "--html", f"/tmp/{LONG}"], "name too long"),
    "long name of a run": (["train", "tictactoe", "--out", f"/tmp/{LONG}"], "name too long"),
    "long name of runs": (["runs", "--root", f"/tmp/{LONG}"], "name too long"),
    "long name of a run to plot": (["runs", "plot", LONG], "is no run"),
    "long name of a network": (["analyse", "tictactoe", "--player", f"zero:net={LONG}"], "no network"),
    "long name of a game": (["check", f"{LONG}.py:Game"], "there is no file"),
    "no home": (["check", "~nobody/game.py:Game"], "there is no file"),
    "a game that can't be made": (
        ["check", f"{LAWLESS}:Unmakeable"],
        "lawless.py' line 64: tests/wrong/lawless.py:Unmakeable can't be made: KeyError: 'size'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_answered_in_one_line(case: str, damier_: Damier) -> None:
    arguments, expected = BAD[case]
    code, out, err = damier_(*arguments)
    assert (code, out) == (2, ""), err
    assert err.count("\n") == 1, err
    assert err.startswith("damier: ")
    assert expected.lower() in err.lower()


def test_a_file_with_a_mistake_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("class Game:\n    pass pass\n")
    (tmp_path / "failing.py").write_text("import numpy\n\nlimit = 1 / 0\n")
    broken = run_damier("check", f"{tmp_path}/broken.py:Game")
    failing = run_damier("check", f"{tmp_path}/failing.py:Game")
    assert (broken.returncode, failing.returncode) == (2, 2)
    assert "broken.py' line 2 can't be loaded: SyntaxError" in broken.stderr
    assert "failing.py' line 3 can't be loaded: ZeroDivisionError" in failing.stderr
    assert broken.stderr.count("\n") == failing.stderr.count("\n") == 1
