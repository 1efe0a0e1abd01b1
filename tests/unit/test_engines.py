"""External engines as players: the protocol with a real one, our own at the other end, and those that misbehave."""

import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import damier
from damier.core.errors import ForfeitError
from damier.core.teams import payoffs_if_lost
from damier.players.external.gtp_client import GtpClient, RefusalError
from damier.players.external.program import ExternalPlayer
from tests.debian import find_program, install
from tests.unit.command import run_damier

# An engine for tests: it obeys until its moment comes.
ACTOR = """
import sys, time
role, moves = sys.argv[1], iter(sys.argv[2:])
for line in sys.stdin:
    word = line.split()[0]
    if word == "quit":
        break
    if word != "genmove":
        print("=\\n", flush=True)
    elif role == "crashes":
        print("out of cheese", file=sys.stderr)
        sys.exit(3)
    elif role == "sleeps":
        time.sleep(60)
    elif role == "babbles":
        print("hello\\n", flush=True)
    elif role == "floods":
        while True:
            print("= " + "x" * 100000, flush=True)
    elif role == "refuses":
        print("? I don't feel like it\\n", flush=True)
    else:
        print("= " + next(moves, "resign") + "\\n", flush=True)
"""


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of engines: the actor in all its roles, and our own program."""
    actor = tmp_path / "actor.py"
    actor.write_text(ACTOR)
    own = f"command = ['{sys.executable}', '-m', 'damier', 'engine', 'tictactoe', '--player', '{{player}}']"
    file = tmp_path / "engines.toml"
    file.write_text(
        f"""
        [actor]
        command = '{sys.executable} {actor} {{role}} {{moves}}'
        options = {{ role = "plays", moves = "a1" }}
        timeout = 60

        [hasty]
        command = '{sys.executable} {actor} sleeps'
        timeout = 0.2

        [ours]
        {own}
        game = "tictactoe"
        options = {{ player = "random" }}

        [mapped]
        command = '{sys.executable} {actor} plays MIDDLE'
        moves = {{ b2 = "MIDDLE" }}
        """
    )
    monkeypatch.setenv("DAMIER_ENGINES", str(file))
    return file


# -- the protocol, with a real engine -----------------------------------------------------------------------------


def test_gnu_go_is_spoken_to() -> None:
    install({"gnugo": "gnugo"}, "a real engine")
    program = find_program("gnugo")
    assert program is not None
    client = GtpClient("gnugo", [program, "--mode", "gtp", "--level", "1"])
    try:
        assert client.send("name") == "GNU Go"
        assert client.send("protocol_version") == "2"
        assert {"play", "genmove", "showboard"} <= set(client.send("list_commands").split())
        client.send("boardsize 5")
        client.send("clear_board")
        client.send("play b c3")
        assert client.send("genmove w")[0] in "ABCDE"
        with pytest.raises(RefusalError, match=r"engine 'gnugo' refused 'play b c3': illegal move"):
            client.send("play b c3")
        with pytest.raises(RefusalError, match="unknown command"):
            client.send("fly")
        rows = [line.split() for line in client.send("showboard").splitlines()]
        third = next(row for row in rows if row[0] == "3")
        assert third[3] == "X"
    finally:
        client.close()
    assert client.process.returncode == 0
    with pytest.raises(ForfeitError, match="has been stopped"):
        client.send("name")


# -- our own program at the other end --------------------------------------------------------------------------------


def test_our_own_engine_plays_and_is_shown_other_lines(engines: Path) -> None:
    start = damier.game("tictactoe").start()
    seated = ExternalPlayer("ours", player="uct:sims=300")
    assert seated.search(start.play_all("a1 c1 a2 c2")).notation == "a3"
    assert seated.search(start.play_all("a1 c1 a2 c2 b1")).notation == "c3"  # taken back, and another move instead
    assert seated.search(start.play_all("b1 a1 b2 a2")).notation == "b3"
    client = seated._client
    assert client is not None
    assert "B" not in client.send("showboard").split()
    seated.close()
    assert client.process.returncode == 0


def test_a_match_with_an_engine(engines: Path) -> None:
    match = damier.match("tictactoe", "engine:name=ours,player=uct:sims=50", "random", games=4, workers=1)
    assert match.games == 4
    assert not match.forfeits
    assert match.score > 0.5
    with pytest.raises(damier.SpecError, match="engine 'ours' plays tictactoe, not connect4"):
        damier.match("connect4", "engine:name=ours", "random", games=2, workers=1)


def test_moves_of_another_name_are_translated(engines: Path) -> None:
    assert ExternalPlayer("mapped").search(damier.game("tictactoe").start()).notation == "b2"


# -- engines that misbehave --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("engine:name=actor,role=crashes", "engine 'actor' ended with exit code 3 at 'genmove b': out of cheese"),
        ("engine:name=actor,role=babbles", "engine 'actor' answered nonsense to 'genmove b'"),
        ("engine:name=actor,role=floods", "engine 'actor' answered nonsense to 'genmove b'"),
        ("engine:name=actor,role=refuses", "engine 'actor' refused 'genmove b': I don't feel like it"),
        ("engine:name=actor,moves=z9", "engine 'actor' played an illegal move as b, 'z9', at move 1"),
        ("engine:name=actor,moves=resign", "engine 'actor' resigned at move 1"),
        ("engine:name=hasty", "engine 'hasty' did not answer 'genmove b' within 0.2 s"),
    ],
)
def test_what_goes_wrong_is_told_in_one_line(engines: Path, spec: str, reason: str) -> None:
    seated, start = damier.player(spec), damier.game("tictactoe").start()
    began = time.monotonic()
    with pytest.raises(ForfeitError) as raised:
        seated.search(start)
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)
    assert time.monotonic() - began < 30, "nobody waits for one who sleeps"
    assert isinstance(seated, ExternalPlayer)
    assert seated._client is not None
    seated.close()


def test_a_failing_engine_forfeits_its_games_and_the_tournament_goes_on(engines: Path, tmp_path: Path) -> None:
    players = ["engine:name=actor,role=crashes", "random", "uct:sims=20"]
    report = tmp_path / "report.html"
    done = run_damier("tournament", "tictactoe", *players, "--games", "2", "--report", str(report))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("is forfeited: engine 'actor' ended with exit code 3") == 4
    assert "Forfeited games: 4" in done.stdout
    assert "out of cheese" in report.read_text()
    again = damier.tournament("tictactoe", players, games=2, workers=2)
    assert again.games == 6
    assert again.standings[0].total.points == 0
    assert len(again.forfeits) == 4
    assert all("out of cheese" in (record.forfeit or "") for record in again.forfeits)
    assert again.as_json()["forfeits"][0]["reason"] == again.forfeits[0].forfeit


def test_a_database_without_forfeits_gets_a_place_for_them(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    damier.match("tictactoe", "random", "uct:sims=5", games=2, workers=1, database=str(path))
    with closing(sqlite3.connect(path)) as old:
        old.execute("ALTER TABLE games DROP COLUMN forfeit")
        old.execute("UPDATE events SET is_finished = 0")
        old.commit()
    again = damier.match("tictactoe", "random", "uct:sims=5", games=2, workers=1, database=str(path))
    assert again.games == 2
    assert not again.forfeits


def test_a_forfeited_game_is_lost_by_the_team_and_shared_by_the_others() -> None:
    assert payoffs_if_lost((0, 1), 1) == (1.0, -1.0)
    assert payoffs_if_lost((0, 1, 2), 0) == (-0.5, 0.25, 0.25)
    assert sum(payoffs_if_lost((0, 1, 2, 3), 2)) == pytest.approx(0)
    assert payoffs_if_lost((0, 1, 0, 1), 2) == (-1.0, 1.0, -1.0, 1.0)
    assert payoffs_if_lost((0, 1, 1, 1), 3) == pytest.approx((1.0, -1 / 3, -1 / 3, -1 / 3))
    assert payoffs_if_lost((0,), 0) == (-1.0,)


def test_an_engine_that_fails_at_the_terminal_loses_there(engines: Path) -> None:
    done = run_damier("play", "tictactoe", "--seat", "engine:name=actor,role=crashes", "--seat", "random")
    assert done.returncode == 0, done.stderr
    assert "engine 'actor' ended with exit code 3" in done.stdout
    assert done.stdout.endswith("forfeits the game\n")


# -- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "spec", "message"),
    [
        ("", "engine", "engine needs a value for 'name'"),
        ("[pentobi]\ncommand='x'", "engine:name=pentopi", r"unknown engine 'pentopi'; engines\.toml has pentobi"),
        ("[x]\ncommand='nobody-has-this'", "engine:name=x", "the program 'nobody-has-this' is not found"),
        ("[x]\ncommand='env'", "engine:name=x,level=3", "engine 'x' has no option 'level'; engines.toml gives it none"),
        ("[x]\ncommand='env'\nspeed=3", "engine:name=x", "x.speed: Extra inputs are not permitted"),
        ("[x]\ngame='a'", "engine:name=x", "x.command: Field required"),
        ("[x\n", "engine:name=x", "can't be read: "),
        ("[x]\ncommand = 'env'\ntimeout = inf", "engine:name=x", "x.timeout: Input should be less than or equal to"),
    ],
)
def test_mistakes_in_the_file_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, spec: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DAMIER_ENGINES", raising=False)
    Path("engines.toml").write_text(text)
    with pytest.raises(damier.SpecError, match=message):
        damier.player(spec)


def test_where_the_file_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DAMIER_ENGINES", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with pytest.raises(damier.SpecError, match=r"there is no engines\.toml"):
        damier.player("engine:name=x")
    if sys.platform == "linux":
        os.makedirs("config/damier")
        Path("config/damier/engines.toml").write_text("[x]\ncommand='env'")
        assert isinstance(damier.player("engine:name=x"), ExternalPlayer)
