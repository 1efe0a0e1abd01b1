"""`damier match` and `damier tournament`, as a person and as a program use them."""

import json
from pathlib import Path

import pytest

from damier.cli.terminal import output
from tests.unit.command import Damier

QUICK = ("tictactoe", "uct:sims=20", "random", "--workers", "1")


def test_a_match_is_one_json_document(damier_: Damier) -> None:
    code, out, err = damier_("match", *QUICK, "--games", "10", "--seed", "3", "--openings", "2", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["games"] == document["planned"] == 10
    assert document["openings"] == 2
    assert document["wins"] + document["draws"] + document["losses"] == 10
    low, high = document["interval"]
    assert 0 <= low <= document["score"] <= high <= 1
    assert [seat["out_of"] for seat in document["per_seat"]] == [5, 5]
    assert document["pairs"][0]["points"] == 10 * document["score"]


@pytest.mark.parametrize("players", [2, 5])
def test_tables_are_readable_at_80_columns(players: int, damier_: Damier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.console, "_width", 80)
    names = ("uct:sims=1000,c=0.25", "random", "flat:sims=9", "uct:sims=8", "uct:sims=7")[:players]
    code, out, _ = damier_("tournament", "tictactoe", *names, "--games", "2", "--workers", "1")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out, "nothing is cut off"
    assert "tictactoe: " in out
    assert "Points by seat, all players together: " in out
    for name in names[1:]:
        assert name in out


def test_equal_games_are_told_and_what_helps(damier_: Damier) -> None:
    _, out, _ = damier_("match", "mnk:rows=1,cols=2,k=2", *QUICK[1:], "--games", "20")
    assert "of the 20 games are different, so the intervals promise too much; try --openings 4." in out


def test_more_games_than_asked_for_are_told(damier_: Damier) -> None:
    _, out, err = damier_("match", *QUICK, "--games", "3", "--fresh")
    assert "4 games instead of 3: each of the 2 seatings equally often" in err
    assert "tictactoe: 4 games, seed 0" in out


def test_remarks_and_errors_are_in_the_language_that_is_asked_for(damier_: Damier) -> None:
    _, out, err = damier_("match", *QUICK, "--games", "3", "--fresh", "--lang", "fr")
    assert "4 parties au lieu de 3 : les 2 dispositions des joueurs" in " ".join(err.split())
    assert "Points par place, tous joueurs confondus : " in out
    code, _, err = damier_("match", *QUICK[:3], "--sprt", "5", "--lang", "fr")
    assert (code, err) == (2, "damier: on attend --sprt ELO0,ELO1, par exemple --sprt 0,20, pas « 5 »\n")


def test_openings_from_a_file(damier_: Damier, tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# two of them\nb2 a1\n\na1,b2\n")
    _, out, _ = damier_("match", *QUICK, "--games", "4", "--openings", str(file), "--json")
    assert json.loads(out)["openings"] == ["b2 a1", "a1,b2"]


def test_the_sequential_test_stops_early_and_tells_its_verdict(damier_: Damier) -> None:
    match = ("match", "tictactoe", "uct:sims=50", "random", "--games", "400", "--workers", "2")
    code, out, _ = damier_(*match, "--sprt", "0,100")
    assert code == 0
    assert "for +100 Elo (log-likelihood ratio +" in out
    assert "bounds -2.94 and +2.94" in out
    document = json.loads(damier_(*match, "--sprt", "0,100", "--json")[1])
    assert document["sprt"]["accepted"] == "elo1"
    assert f"decided after {document['games']} games" in out
    assert document["games"] < document["planned"] == 400
    turned = ("match", "tictactoe", "random", "uct:sims=50", "--games", "400", "--workers", "1")
    assert "for +0 Elo (log-likelihood ratio -" in damier_(*turned, "--sprt", "0,100")[1]
    assert "not decided after 2 games" in damier_(*turned[:5], "2", "--workers", "1", "--sprt", "0,100")[1]


def test_a_finished_match_is_played_anew(damier_: Damier) -> None:
    for _ in range(2):
        code, _, err = damier_("match", *QUICK, "--games", "2", "--seed", "99")
        assert (code, err) == (0, "")


BAD = {
    "unknown player": (["match", "tictactoe", "utc", "random"], "unknown player 'utc'; did you mean 'uct'?"),
    "the same player": (["match", "tictactoe", "random", "random"], "'random' is named twice"),
    "a person": (["match", "tictactoe", "human", "random"], "'human' can't play in the arena"),
    "one player": (["tournament", "tictactoe", "random"], "expected at least two players, got 1"),
    "sprt of one number": (["match", *QUICK, "--sprt", "5"], "expected --sprt ELO0,ELO1, for example --sprt 0,20"),
    "sprt of words": (["match", *QUICK, "--sprt", "a,b"], "expected --sprt ELO0,ELO1, for example --sprt 0,20"),
    "sprt backwards": (["match", *QUICK, "--sprt", "20,0"], "expected elo0 < elo1, within 2000 of 0, got 20 and 0"),
    "sprt of nothing": (["match", *QUICK, "--sprt", "nan,0"], "expected elo0 < elo1"),
    "sprt without end": (["match", *QUICK, "--sprt", "0,inf"], "expected elo0 < elo1, within 2000 of 0, got 0 and inf"),
    "no such openings": (["match", *QUICK, "--openings", "nosuch.txt"], "or a file of openings, got 'nosuch.txt'"),
    "openings in a folder": (["match", *QUICK, "--openings", "tests"], "or a file of openings, got 'tests'"),
    "too many random moves": (["match", *QUICK, "--openings", "9"], "expected 0 to 8 random moves as opening, got 9"),
    "an illegal opening": (["match", *QUICK, "--openings", "{illegal}"], "opening 2, 'b2 b2': illegal move 'b2'"),
    "no opening": (["match", *QUICK, "--openings", "{empty}"], "expected at least one opening"),
    "no workers": (["match", *QUICK[:3], "--workers", "0"], "--workers"),
    "no games": (["match", *QUICK, "--games", "0"], "--games"),
    "no folder": (["match", *QUICK, "--database", "/nosuch/games.sqlite3"], "can't be opened: unable to open"),
    "no database": (["match", *QUICK, "--database", "{illegal}"], "can't be opened: file is not a database"),
    "no such kind": (["match", *QUICK, "--database", "nosuch://host/x"], "can't be opened: Can't load plugin"),
    "no cluster": (["match", *QUICK, "--cluster", "127.0.0.1:1"], "no Ray cluster at '127.0.0.1:1'"),
    "no address": (["match", *QUICK, "--cluster", "here"], "no Ray cluster at 'here': expected HOST:PORT"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_answered_in_one_line(case: str, damier_: Damier, tmp_path: Path) -> None:
    files = {"illegal": "b2 a1\nb2 b2\n", "empty": "# nothing\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    arguments, expected = BAD[case]
    code, out, err = damier_(*(argument.format(**{name: tmp_path / name for name in files}) for argument in arguments))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    assert err.startswith("damier: ")
    assert expected in err
