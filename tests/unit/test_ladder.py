"""Ladders: level after level against a program until the player loses, at equal time, and what is declared for it."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.arena import ladder as ladders
from damier.arena.ladder import Ladder, Rung, pace
from damier.arena.plan import Plan
from damier.cli.ladder import LadderWatch
from damier.core.errors import DamierError, SpecError
from damier.players.external.engines_file import read_engine
from damier.players.external.program import ExternalPlayer
from damier.store.record import GameRecord
from tests.debian import install
from tests.unit import levels
from tests.unit.command import Damier

TIMED = "tests/unit/own_players.py:Timed"
PROGRAM = levels.__file__
PASS = 64  # in Othello
CRASHES = """
import sys
for line in sys.stdin:
    if line.startswith("genmove"):
        sys.exit(3)
    print("=\\n", flush=True)
"""


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of programs with levels."""
    crashing = tmp_path / "crashing.py"
    crashing.write_text(CRASHES)
    file = tmp_path / "engines.toml"
    file.write_text(
        f"""
        [steps]
        command = ['{sys.executable}', '{PROGRAM}', '{{level}}']
        game = "tictactoe"
        levels = "1-4"

        [named]
        command = ['{sys.executable}', '{PROGRAM}', '{{weakest}}']
        setup = ["level {{level}}"]
        levels = [1, "3"]
        options = {{ weakest = 1, level = 3 }}

        [plain]
        command = '{sys.executable} {PROGRAM} 1'

        [crashing]
        command = '{sys.executable} {crashing} {{level}}'
        levels = "1-2"

        [games]
        command = ['{sys.executable}', '-m', 'damier', 'engine', '{{game}}', '--player', 'random']
        game = {{ "mnk:rows=3,cols=3,k=3" = "tictactoe", "connect4" = "connect4" }}
        """
    )
    monkeypatch.setenv("DAMIER_ENGINES", str(file))
    return file


def ladder(**given: Any) -> Ladder:
    usual: dict[str, Any] = {"game": damier.game("tictactoe"), "player": TIMED, "engine": "steps", "games": 2}
    return Ladder(**usual | given)


class Seen:
    """An observer that remembers, and interrupts after a number of games."""

    def __init__(self, games: int = 1000) -> None:
        self.left, self.played, self.measured = games, list[int](), list[str]()

    def begin(self, plan: Plan, played: Sequence[GameRecord]) -> None:
        self.played.append(len(played))

    def add(self, record: GameRecord) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt

    def measure(self, engine: str) -> None:
        self.measured.append(engine)

    def reach(self, rung: Rung) -> None:
        pass


# -- climbing --------------------------------------------------------------------------------------------------------


def test_a_player_climbs_until_it_loses(engines: Path) -> None:
    rungs = list(ladder().climb(database="sqlite://"))
    assert [rung.level for rung in rungs] == ["1", "2", "3"]
    assert [rung.match.score for rung in rungs] == [1.0, 0.5, 0.0], "half of the points is not lost"
    assert [rung.is_lost for rung in rungs] == [False, False, True]


def test_a_ladder_goes_on_after_a_loss_and_begins_and_ends_where_it_is_told(engines: Path) -> None:
    rungs = list(ladder(first="3").climb(past_loss=True, database="sqlite://"))
    assert [(rung.level, rung.is_lost) for rung in rungs] == [("3", True), ("4", True)]
    assert [rung.level for rung in ladder(last="1").climb(database="sqlite://")] == ["1"]


def test_the_player_gets_the_time_that_the_program_took(engines: Path) -> None:
    for rung in ladder(first="2", games=12).climb(past_loss=True, database="sqlite://"):
        assert rung.measured is not None
        assert 4 <= rung.measured.moves <= 10, "in two games, one for each seat"
        assert rung.measured.mean == rung.measured.seconds / rung.measured.moves
        assert rung.measured.mean >= levels.THOUGHT * int(rung.level), "as long as it sleeps"
        assert rung.seconds == float(f"{rung.measured.mean:.3g}")
        assert rung.match.players[0] == f"{TIMED}:seconds={rung.seconds:g}"
        player, engine = rung.paces
        assert engine.mean is not None
        assert engine.mean >= levels.THOUGHT * int(rung.level)
        assert player.mean is not None
        assert player.mean < engine.mean, "it answers at once, whatever it is given"


def test_a_program_that_answers_at_once_leaves_the_player_a_millisecond() -> None:
    assert ladders._rounded(ladders.Pace(moves=10, seconds=1e-6)) == ladders.LEAST_SECONDS


def test_a_fixed_time_needs_no_measuring(engines: Path) -> None:
    seen = Seen()
    (rung,) = ladder(last="1", seconds=0.25).climb(watcher=seen, database="sqlite://")
    assert (rung.seconds, rung.measured, seen.measured) == (0.25, None, [])
    assert rung.match.players[0] == f"{TIMED}:seconds=0.25"
    assert rung.as_json()["measured"] is None


def test_moves_are_counted_without_openings_and_chance() -> None:
    match = damier.match("tictactoe", "random", "uct:sims=2", games=4, openings=2, database="sqlite://")
    plan = match.plan
    for number, record in enumerate(match.records):
        first, second = (pace(plan, [record], player) for player in (0, 1))
        assert first.moves + second.moves == len(record.moves) - 2, number
        assert first.seconds + second.seconds == pytest.approx(sum(record.seconds))
    poker = damier.match("kuhn", "random", "tests/unit/own_players.py:First", games=2, database="sqlite://")
    for record in poker.records:
        assert sum(pace(poker.plan, [record], player).moves for player in (0, 1)) == len(record.moves) - 2, "two deals"
    assert pace(plan, [], 0).mean is None


def test_with_four_seats_one_meets_three_and_three_meet_one(engines: Path) -> None:
    game = damier.game("blokus:board=tiny,players=4")
    plan = Ladder(game, "grave", "crashing", 2).plan("1", 1.0)
    assert plan.num_games == 14
    assert {plan.pairing(number).seating.count(0) for number in range(14)} == {1, 2, 3}


# -- interruptions ---------------------------------------------------------------------------------------------------


def test_an_interrupted_ladder_goes_on_where_it_stopped(engines: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite3")
    first = Seen(games=13)  # in the middle of the second level
    reached: list[Rung] = []
    with pytest.raises(KeyboardInterrupt):
        reached.extend(ladder(games=10).climb(watcher=first, database=database))
    again = Seen()
    rungs = list(ladder(games=10).climb(watcher=again, database=database))
    assert again.played == [10, 4, 0], (
        "the levels that were begun keep their games, and their time: their players' name"
    )
    assert [rung.level for rung in rungs] == ["1", "2", "3"]
    assert [rung.match.games for rung in rungs] == [10, 10, 10]
    anew = Seen()
    list(ladder(games=10).climb(watcher=anew, database=database))
    assert anew.played == [0, 0, 0], "a ladder that has ended begins anew"


def test_the_command_is_resumed_too(engines: Path, damier_: Damier, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("ladder", "tictactoe", "--engine", "steps", "--player", TIMED, "--games", "4", "--to", "2")
    reach = LadderWatch.reach
    with monkeypatch.context() as patched:

        def interrupt(self: Any, rung: Rung) -> None:
            reach(self, rung)
            raise KeyboardInterrupt

        patched.setattr(LadderWatch, "reach", interrupt)
        code, out, err = damier_(*command)
    assert (code, out) == (130, "")
    assert "level 1: 100.0%" in err
    assert "run the same command again to resume" in " ".join(err.split())
    code, out, err = damier_(*command)
    assert code == 0
    assert "resuming: 4 of 4 games are already played" in err
    assert "Not lost at levels 1 to 2." in out


# -- what is printed -------------------------------------------------------------------------------------------------


def test_the_table_has_a_row_for_each_level(engines: Path, damier_: Damier) -> None:
    code, out, err = damier_("ladder", "tictactoe", "--engine", "steps", "--player", TIMED, "--games", "3")
    assert code == 0
    assert err.count("4 games instead of 3") == 1, "not for every level"
    assert f"tictactoe: {TIMED} against steps, seed 0" in out
    rows = [line.split() for line in out.splitlines() if line.startswith("│")]
    assert [row[1] for row in rows] == ["1", "2", "3"]
    assert [row[5:9] for row in rows] == [["4", "0", "0", "│"], ["2", "0", "2", "│"], ["0", "0", "4", "│"]]
    assert "51.0 - 100.0%" in out
    assert "Level 3: Only 2 of the 4 games are different" in out
    assert "Level 3: the times of a move are not equal (the player's is 0." in out
    assert out.endswith("Lost at level 3.\n")
    _, out, _ = damier_("ladder", "tictactoe", "--engine", "steps", "--player", TIMED, "--games", "2", "--lang", "fr")
    assert "Perdu au niveau 3, mais l’intervalle contient 50 % : seules d’autres parties le diront." in out


def test_json_and_csv_say_the_same(engines: Path, damier_: Damier) -> None:
    command = ("ladder", "tictactoe", "--engine", "steps", "--player", TIMED, "--games", "2", "--from", "3", "--all")
    code, out, _ = damier_(*command, "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["player"], document["engine"], document["lost"]) == (TIMED, "steps", ["3", "4"])
    for level in document["levels"]:
        assert level["match"]["score"] == 0
        assert level["match"]["games"] == 2
        assert level["measured"]["moves"] >= 2
        assert level["seconds"] == float(f"{level['measured']['mean']:.3g}")
        assert 0 < level["seconds_per_move"]["player"] < level["seconds_per_move"]["engine"]
    rows = list(csv.DictReader(io.StringIO(damier_(*command, "--csv")[1])))
    assert [row["level"] for row in rows] == ["3", "4"]
    for row, level in zip(rows, document["levels"], strict=True):
        assert int(row["losses"]) == level["match"]["losses"] == 2
        assert [float(row["low"]), float(row["high"])] == pytest.approx(level["match"]["interval"])
        assert float(row["engine_seconds_per_move"]) >= levels.THOUGHT * int(row["level"])
        assert row["is_lost"] == "true"


def test_the_default_player_is_the_strong_one_of_the_page_without_its_budget(engines: Path, damier_: Damier) -> None:
    code, out, err = damier_("ladder", "tictactoe", "--engine", "steps", "--to", "1", "--games", "2", "--json")
    assert code == 0, err
    document = json.loads(out)
    assert document["player"] == "zero:exact=true"
    assert document["levels"][0]["match"]["score"] == 1


# -- errors ----------------------------------------------------------------------------------------------------------

QUICK = ("tictactoe", "--player", TIMED)
BAD = {
    "no levels": (
        [*QUICK, "--engine", "plain"],
        "engine 'plain' has no levels; declare them in engines.toml: levels = \"1-9\", and {level} in its command",
    ),
    "another game": (["connect4", "--engine", "steps"], "engine 'steps' plays tictactoe, not connect4"),
    "an unknown engine": (
        [*QUICK, "--engine", "stepz"],
        "engines.toml has steps, named, plain, crashing, games",
    ),
    "no engine": ([*QUICK], "--engine"),
    "a level that there is not": ([*QUICK, "--engine", "steps", "--to", "9"], "has no level '9'; its levels are 1, 2"),
    "no level to begin": ([*QUICK, "--engine", "steps", "--from", "low"], "has no level 'low'; its levels are 1, 2"),
    "downwards": ([*QUICK, "--engine", "steps", "--from", "3", "--to", "2"], "level 3 is above level 2"),
    "a level twice": ([*QUICK, "--engine", "steps:level=2"], "the ladder chooses the level"),
    "an unknown option": (
        [*QUICK, "--engine", "steps:speed=2"],
        "has no option 'speed'; engines.toml gives it level=1",
    ),
    "seconds twice": (["tictactoe", "--player", f"{TIMED}:seconds=1", "--engine", "steps"], "gives the player its"),
    "no time": ([*QUICK[:2], "uct", "--engine", "steps", "--seconds", "0"], "expected seconds above 0, got 0"),
    "a player without a clock": ([*QUICK[:2], "random", "--engine", "steps"], "random has no option 'seconds'"),
    "too many at once": ([*QUICK, "--engine", "steps", "--workers", "10000"], "expected workers from 1 to"),
    "a game for one": (["samegame", "--engine", "named"], "samegame has one seat"),
    "hidden cards": (["kuhn", "--engine", "named"], "kuhn has hidden information"),
    "two formats": ([*QUICK, "--engine", "steps", "--json", "--csv"], "--json and --csv exclude each other"),
    "a program that fails": (
        [*QUICK, "--engine", "crashing"],
        "engine:name=crashing,level=1: the time of a move can't be measured: engine 'crashing' ended with exit code 3",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_answered_in_one_line(case: str, engines: Path, damier_: Damier) -> None:
    arguments, expected = BAD[case]
    code, out, err = damier_("ladder", *arguments)
    assert (code, out) == (2, "")
    assert expected in err
    assert err.count("\n") == 1


def test_a_program_that_failed_is_measured_again(engines: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite3")
    with pytest.raises(DamierError, match="can't be measured"):
        list(ladder(engine="crashing").climb(database=database))
    (tmp_path / "crashing.py").write_text(Path(PROGRAM).read_text())
    assert next(ladder(engine="crashing").climb(database=database)).match.score == 1


# -- what is declared ------------------------------------------------------------------------------------------------


def test_a_level_is_an_option_of_the_player(engines: Path) -> None:
    assert read_engine("steps").all_options() == {"level": "1"}, "the weakest, unless the file says another"
    assert read_engine("named").all_options() == {"weakest": "1", "level": "3"}
    start = damier.game("tictactoe").start().play_all("a1 b2 c1")  # all but b1 loses
    moves = {spec: _answer(spec, start) for spec in ("steps", "steps,level=4", "named", "named,level=1")}
    assert moves["steps,level=4"] == moves["named"] == "b1"
    assert moves["steps"] == moves["named,level=1"] != "b1"
    with pytest.raises(SpecError, match="engine 'named' has no level '2'; its levels are 1, 3"):
        damier.player("engine:name=named,level=2")


def test_a_program_gets_its_own_name_of_the_game(engines: Path) -> None:
    assert _answer("games", damier.game("mnk:rows=3,cols=3,k=3").start())[0] in "abc"
    assert _answer("games", damier.game("connect4").start()) in "abcdefg"
    with pytest.raises(SpecError, match="engine 'games' plays mnk:rows=3,cols=3,k=3 connect4, not othello"):
        damier.match("othello", "engine:name=games", "random", games=2, workers=1, database="sqlite://")


def test_starting_a_program_is_no_time_for_a_move(engines: Path) -> None:
    start = damier.game("tictactoe").start()
    seated = ExternalPlayer("steps")
    seated.prepare(start)
    assert seated._client is not None
    process = seated._client.process
    seated.search(start)
    assert seated._client.process is process
    seated.close()


def test_a_move_with_an_empty_name_is_not_sent(engines: Path) -> None:
    text = engines.read_text().replace('game = "tictactoe"', 'game = "tictactoe"\nmoves = { b2 = "" }')
    engines.write_text(text)
    assert _answer("steps,level=4", damier.game("tictactoe").start().play_all("b2")) in ("a1", "a3", "b2", "c1", "c3")


def _answer(spec: str, pos: damier.Position) -> str:
    seated = damier.player(f"engine:name={spec}")
    try:
        return seated.search(pos).notation
    finally:
        seated.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "command='env {level}'\nlevels='1 to 9'",
            "x.levels: expected a list of levels, or a range as 1-9, got '1 to 9'",
        ),
        ("command='env {level}'\nlevels='9-1'", "x.levels: expected a list of levels, or a range as 1-9, got '9-1'"),
        ("command='env {level}'\nlevels='1-99999'", "x.levels: expected a list"),
        ("command='env'\nlevels='1-9'", "x.levels: expected {level} in the command or in setup"),
        ("command='env {level}'\nlevels='1-9'\noptions={level=0}", "x.options.level: expected a level of 1, 2, 3, 4"),
        (
            "command='env'\ngame={othello='o'}\noptions={game='o'}",
            "x.options.game: the table of games gives {game} its",
        ),
    ],
)
def test_mistakes_about_levels_are_told(text: str, message: str, engines: Path) -> None:
    engines.write_text(f"[x]\n{text}")
    with pytest.raises(SpecError) as raised:
        damier.player("engine:name=x")
    assert message in str(raised.value)


def test_a_file_without_programs_says_so(engines: Path) -> None:
    engines.write_text("")
    with pytest.raises(SpecError, match=r"unknown engine 'x'; .*engines\.toml has none"):
        damier.player("engine:name=x")


# -- a real program --------------------------------------------------------------------------------------------------


def test_a_ladder_against_grhino(engines: Path) -> None:
    install({"gtp-rhino": "grhino"}, "a real program with levels")
    engines.write_text(
        '[rhino]\ncommand = "gtp-rhino -b 0 -l {level}"\ngame = "othello"\nlevels = "1-5"\nmoves = { pass = "" }\n'
    )
    game = damier.game("othello")
    (rung,) = Ladder(game, "alphabeta", "rhino", games=4, last="1", openings=6).climb(database="sqlite://")
    assert rung.match.games == 4
    assert rung.match.forfeits == ()
    player, engine = rung.paces
    assert player.moves + engine.moves == sum(len(record.moves) - 6 for record in rung.match.records)
    assert player.mean
    assert engine.mean
    match = damier.match("othello", "random", "engine:name=rhino,level=2", games=6, workers=1, database="sqlite://")
    assert match.forfeits == ()
    assert any(PASS in record.moves for record in match.records), "it is not told of a pass, and knows of it"
