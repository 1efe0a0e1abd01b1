"""Positions as text: every game reads what it writes, and refuses what can't be."""

import json
import pickle
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier import Position
from damier.core.errors import DamierError, PositionError
from damier.core.protocol import Moves, Record, Values
from damier.core.rng import below, new_rng
from damier.games import REGISTRY
from damier.games.draughts.pdn import format_pdn, parse_pdn
from damier.players.external.program import ExternalPlayer
from tests.unit.command import Damier, run_damier

GAMES = [
    *REGISTRY,
    "othello:size=4",
    "draughts:rules=english",
    "draughts:rules=spanish",
    "draughts:rules=frisian",
    "blokus:board=duo,history=3",
    "blokus:board=tiny,players=3,colours=4",
    "blokus:board=junior",
    "morpion:variant=5T",
    "sliding:size=4",
    "pacman:layout=small,ghosts=adversary",
    "tree:file=coin",
    "backgammon:position=4HPwATDgc/ABMA",
    "examples/nim.py:Nim",  # without a text of its own
]
FFORUM = Path("/work/shared/data/othello")


@cache
def game_of(name: str) -> damier.Game:
    return damier.game(name)


def read(name: str, text: str) -> Position | str:
    """The position of a text, or what is wrong with it. Any other error fails the test."""
    try:
        return game_of(name).position(text)
    except DamierError as error:
        return str(error)


@cache
def some_positions(name: str) -> list[Position]:
    """Positions of two random games, the first ones and the last ones."""
    found = []
    for seed in range(2):
        rng, position = new_rng(seed), game_of(name).start()
        wanted = {0, 1, 2, 3, *(below(rng, 60) for _ in range(4))}
        while True:
            if len(position.history) in wanted or position.is_over:
                found.append(position)
            if position.is_over:
                break
            position = position.play(position.random_move(rng))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_read_back_as_it_was_written(name: str) -> None:
    for position in some_positions(name):
        text = position.text()
        again = position.game.position(text)
        assert again == position
        assert again.text() == text
        assert "\n" not in text
        assert (again.moves(), again.returns, again.key) == (position.moves(), position.returns, position.key)


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(GAMES), data=st.data())
def test_a_text_with_mistakes_is_a_position_or_one_line(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(some_positions(name)), label="position").text()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        other = data.draw(st.sampled_from([*text, *" /:.-,=0129XOBWKé\n", ""]))
        text = text[:at] + other + text[at + data.draw(st.integers(0, 1)) :]
    found = read(name, text)
    if isinstance(found, Position):
        assert found.game.position(found.text()) == found
        assert found.is_over or found.play(found.moves()[0]).text()
    else:
        assert "\n" not in found


@settings(max_examples=100, deadline=None)
@given(name=st.sampled_from(GAMES), text=st.text(max_size=30))
def test_any_text_is_a_position_or_one_line(name: str, text: str) -> None:
    found = read(name, text)
    assert isinstance(found, Position) or "\n" not in found


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("tictactoe", "", "expected the rows and who moves, X or O"),
        ("tictactoe", "X../... O", "expected 3 rows of 3 cells, got 2 of 3"),
        ("tictactoe", "X../..../... O", "expected 3 rows of 3 cells, got 3 of 3, 4"),
        ("tictactoe", "X../.Z./... O", "expected cells out of '.XO', got 'z'"),
        ("tictactoe", "XX./.../... O", "expected one X more than O where O moves, got 2 X and 0 O"),
        ("tictactoe", "XXX/OOO/... X", "expected no three in a row of the player to move"),
        ("connect4", "X....../......./......./......./......./....... O", "expected discs that have fallen"),
        ("connect4", "......./......./......./......./OOOO.../XXXX... X", "no four in a row of the player to move"),
        ("connect4:rows=4,cols=8", "......../OO..O.../OO..XXXX/XXXXOOXO O", "got fours of several discs"),
        ("mnk:rows=3,cols=3,k=2", "XX./.../OO. X", "expected no 2 in a row of the player to move"),
        ("mnk:rows=4,cols=7,k=3", "XXX..../......./XXX..../O.O.O.O O", "got 6 X and 4 O"),
        ("mnk:rows=5,cols=7,k=3", "XXX..../......./XXX..../O.O.O../..O.O.. O", "rows of several stones"),
        ("othello", "X" * 63 + " X", "expected 64 squares"),
        ("othello", "-" * 63 + "X X", "expected a disc on d4"),
        ("leftmove", "4/3", "expected the moves to the left"),
        ("leftmove", "61/61", "out of at most 60 moves"),
        ("samegame:board=112/221", "1../1.2 0", "fallen down and closed up"),
        ("samegame:board=112/221", "112/222 0", "expected what groups leave of the first board, got -1 of colour 1"),
        ("samegame:board=112/221", "112/221 9", "expected at most 0 points"),
        ("samegame:board=112/221", "112/221", "expected the rows and the points"),
        ("morpion", "a1-e1", "lines like j18-n18 that can be drawn, got 'a1-e1'"),
        ("sliding", "132/456/780 0", "can't be solved"),
        ("sliding", "123/456/780 101", "expected 0 to 100 moves"),
        ("tree", "/nowhere", "expected a way from the root; after / one of the arcs"),
        ("backgammon", "4HPwATDgc/ABM", "expected a position ID of 14 letters"),
        ("backgammon", "sGfwATDgc/ABMA:-:00:0", "expected the first position before the first roll"),
        ("backgammon", "4HPwATDgc/ABMA:0:31:1001", "expected at most 1000 turns"),
        ("backgammon", "4HPwATDgc/ABMA:0:71:0", "expected a position ID, whose turn it is, dice and turns"),
        ("backgammon", "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10", "expected an XGID of 26 places"),
        ("backgammon", "XGID=-b----E-C---eE---c-e----O-:0:0:1:00:0:0:0:0:10", "expected 15 checkers a player"),
        ("pig", "34+1 7", "expected a gain that rolls of 2 to 6 make"),
        ("pig", "94+6 7", "expected no turns left"),
        ("pig", "34+5 11", "expected at most 100 points and 10 turns"),
        ("pacman", "%%% P=a1 G=b1 steps=0 mover=0", "expected 6 rows of 9 cells"),
        ("draughts", "W:W1:B2", "a man can't be on b8"),
        ("blokus:board=duo", "14/" * 13 + "14 W", "expected the board, the colour to move"),
        ("blokus:board=duo", "14/" * 13 + "14 Y", "expected colours that take turns, yellow now"),
        ("blokus:board=duo", "B13/" + "14/" * 12 + "14 Y", "expected blue to have gone from its start"),
        ("blokus:board=duo", "BBBBBB8/" + "14/" * 12 + "14 Y", "expected pieces of the set"),
        ("blokus:board=duo", "14/" * 13 + "14 B out=Y", "expected only colours to be out that can place nothing"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(name: str, text: str, says: str) -> None:
    with pytest.raises(PositionError) as caught:
        game_of(name).position(text)
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{game_of(name).name} has no position '")
    assert "\n" not in str(caught.value)


# -- known texts ---------------------------------------------------------------------------------------------


def test_obf_of_othello() -> None:
    text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    position = game_of("othello").position(f"{text}; G8:+18; H1:+12;")  # a line of an OBF file
    assert position.text() == text
    assert (position.player, sorted(position.notations())) == (0, ["a2", "a3", "a4", "b1", "g2", "g8", "h1", "h7"])
    assert game_of("othello").position(text.replace("X", "*").replace("-", ".")) == position


@pytest.mark.skipif(not FFORUM.is_dir(), reason=f"there is no {FFORUM}")
def test_obf_files_are_read_with_all_their_moves() -> None:
    lines = [line for path in sorted(FFORUM.glob("*.obf")) for line in path.read_text().splitlines() if line.strip()]
    assert len(lines) >= 39
    for line in lines:
        position = game_of("othello").position(line)
        scored = {word.split(":")[0].strip().lower() for word in line.split(";")[1:] if ":" in word}
        assert scored == set(position.notations()) - {"pass"}
        assert line.startswith(position.text())


def test_known_ids_of_backgammon() -> None:
    game = game_of("backgammon")
    assert game.start().text() == "4HPwATDgc/ABMA:-:00:0"
    assert game.position("4HPwATDgc/ABMA") == game.start()
    opening = game.start().play("31")
    assert opening.text() == "4HPwATDgc/ABMA:0:31:0"
    assert game.position("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10") == opening
    # 8/5 6/5 makes the point; the other is on roll, and sees the board from the other side
    made = opening.play("8/5 6/5")
    assert made.text() == "sGfwATDgc/ABMA:1:00:1"
    xgid = "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"
    assert np.array_equal(game.position(xgid).state.points, made.state.points)


# -- where a position comes from -----------------------------------------------------------------------------


def test_a_position_knows_where_its_moves_began() -> None:
    start = game_of("tictactoe").position("X.O/.../... X")
    later = start.play_all("b2 c2")
    assert (later.line(), later.history, later.origin) == ("b2 c2", (4, 5), start)
    assert not later.is_from_start
    assert game_of("tictactoe").start().play("b2").is_from_start
    assert repr(later) == "<Position tictactoe from 'X.O/.../... X' after 'b2 c2': player 0 to move>"
    copied = pickle.loads(pickle.dumps(later))
    assert (copied, copied.origin, copied.line()) == (later, start, "b2 c2")
    with pytest.raises(damier.MoveError, match=r"illegal move 'b2' in tictactoe from 'X.O/.../... X' after 'b2 c2'"):
        later.play("b2")


def test_a_game_from_a_position_is_written_with_it() -> None:
    end = game_of("dames8").position("W:WK29,21:BK4,12").play_all("a3-b4 h6-g5")
    text = format_pdn(end)
    assert '[FEN "W:W21,K29:BK4,12"]' in text
    [played] = parse_pdn(text)
    assert (played.end, played.start) == (end, end.origin)


def test_what_replays_moves_from_the_start_refuses_other_positions(tmp_path: Path, monkeypatch: object) -> None:
    assert isinstance(monkeypatch, pytest.MonkeyPatch)
    (tmp_path / "engines.toml").write_text('[nobody]\ncommand = "false"\n')
    monkeypatch.chdir(tmp_path)
    position = game_of("tictactoe").position("X.O/.../... X").play("b2")
    with pytest.raises(damier.SpecError, match="can only be shown positions that moves from the start lead to"):
        ExternalPlayer("nobody").search(position)


# -- games without a text of their own ---------------------------------------------------------------------------


class Numbers:
    """Fields of every kind."""

    State = np.dtype(
        [("player", np.int8), ("is_on", np.bool_), ("grid", np.uint64, (2, 2)), ("heat", np.float32, (2,))]
    )
    num_players, max_moves, max_length = 2, 1, 1

    def setup(self, state: Record) -> None:
        state.player = 0

    def moves(self, state: Record, out: Moves) -> int:
        return 0

    def play(self, state: Record, move: int) -> None:
        pass

    def returns(self, state: Record, out: Values) -> None:
        out[:] = 0


def test_the_default_is_the_record_by_name() -> None:
    game = damier.game(Numbers())
    state = game.start().state
    state.is_on, state.grid, state.heat = True, [[1, 2**64 - 1], [0, 4]], [0.1, np.inf]
    position = Position(game, state)
    assert position.text() == "player=0 is_on=1 grid=1,18446744073709551615/0,4 heat=0.10000000149011612,inf"
    assert game.position(position.text()) == position


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected the fields player= is_on= grid= heat=, each once"),
        ("player=0 is_on=1 grid=0,0,0,0", "expected the fields"),
        ("player=0 is_on=1 grid=0,0,0,0 heat=0,0 more=1", "expected the fields"),
        ("player=0 is_on=1 grid=0,0,0 heat=0,0", "expected 4 numbers in grid=, got 3"),
        ("player=0 is_on=2 grid=0,0,0,0 heat=0,0", "expected numbers from 0 to 1 in is_on=, got 2"),
        ("player=0 is_on=1 grid=0,0,0,-1 heat=0,0", "expected numbers from 0 to 18446744073709551615 in grid=, got -1"),
        ("player=0 is_on=1 grid=0,0,0,x heat=0,0", "expected whole numbers in grid=, got '0,0,0,x'"),
        ("player=2 is_on=1 grid=0,0,0,0 heat=0,0", "expected a player from 0 to 1 to move, got 2"),
    ],
)
def test_a_wrong_record_is_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(PositionError) as caught:
        damier.game(Numbers()).position(text)
    assert says in str(caught.value)


def test_every_registered_game_has_a_text_of_its_own() -> None:
    assert [name for name in REGISTRY if not game_of(name).writes_positions] == []
    assert list(islice(GAMES, len(REGISTRY))) == list(REGISTRY)


# -- the command line ----------------------------------------------------------------------------------------

BOARD = "X.O/.XO/... X"  # c1 wins


def test_commands_begin_with_a_position(damier_: Damier) -> None:
    def told(*arguments: str) -> Any:
        return json.loads(damier_(*arguments, "--position", BOARD, "--json")[1])

    perft = told("perft", "tictactoe", "1", "--moves", "b1")
    assert (perft["position"], perft["moves"], perft["leaves"]) == (BOARD, "b1", 4)
    solved = told("solve", "tictactoe")
    assert (solved["position"], solved["score"], solved["candidates"]["b1"]) == (BOARD, 1, -1)
    analysed = told("analyse", "tictactoe", "--player", "alphabeta:depth=3")
    assert (analysed["position"], analysed["to_move"], len(analysed["candidates"])) == (BOARD, 0, 5)
    best = told("analyse", "tictactoe", "--player", "alphabeta:depth=3", "--top", "2")["candidates"]
    assert (best, best[0]["move"]) == (analysed["candidates"][:2], "c1")
    traced = told("trace", "minimax", "tictactoe", "--depth", "1")
    assert traced["title"] == f"tictactoe from {BOARD}"
    played = run_damier("play", "tictactoe", "--position", BOARD, "--ascii", stdin="c1\n")
    assert "player 1 X wins" in played.stdout


def test_an_engine_begins_with_a_position_and_can_be_given_another() -> None:
    commands = "genmove b\nget_position\nset_position X.O/.../... X\nget_position\nset_position what\nundo\n"
    done = run_damier("engine", "tictactoe", "--position", BOARD, "--player", "alphabeta:depth=3", stdin=commands)
    answers = [answer.strip() for answer in done.stdout.strip().split("\n\n")]
    assert answers[:2] == ["= c1", "= X.O/.XO/..X O"]
    assert answers[2:4] == ["=", "= X.O/.../... X"]
    assert answers[4].startswith("? tictactoe has no position 'what': expected the rows")
    assert answers[5] == "? cannot undo: no move was played"


@pytest.mark.parametrize("command", ["perft tictactoe 1", "solve tictactoe", "analyse tictactoe", "play tictactoe"])
def test_a_bad_position_is_one_line_and_exit_code_2(command: str, damier_: Damier) -> None:
    code, _, told = damier_(*command.split(), "--position", "XXX/OOO/... X")
    assert code == 2
    assert told.startswith("damier: tictactoe has no position 'XXX/OOO/... X': expected no three in a row")
    assert told.count("\n") == 1
