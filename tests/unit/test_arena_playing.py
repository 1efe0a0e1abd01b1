"""Games of the arena can be played again, and come out the same wherever they are played."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.arena.plan import Plan
from damier.arena.playing import game_task, play_game
from damier.arena.run import run
from damier.store.database import Store
from damier.store.record import GameRecord
from damier.work.pool import TRIES, WorkerDiedError, closing_all, hosts_for, play_on
from tests.conformance.games import HighCard, Pig
from tests.unit.arena_games import Most, record
from tests.unit.command import ROOT

PLANS = {
    "tictactoe": Plan(damier.game("tictactoe"), ("uct:sims=20", "rave:sims=20", "random"), 4, seed=7, openings=2),
    "three players and dice": Plan(damier.game(Pig()), ("uct:sims=20", "random", "flat:sims=20"), 6, seed=1),
    "hidden cards": Plan(damier.game(HighCard()), ("ismcts:sims=20", "random"), 6, seed=2),
    "two players on four seats": Plan(damier.game(Most(4)), ("uct:sims=20", "random"), 14, seed=3),
}


def untimed(games: Any) -> list[GameRecord]:
    """By number, without the thinking time, which is never the same."""
    return sorted((replace(game, seconds=()) for game in games), key=lambda game: game.number)


def on_cores(plan: Plan, numbers: Iterable[int], workers: int) -> Iterator[GameRecord]:
    with closing_all(hosts_for(partial(game_task, plan), plan.game, workers)) as hosts:
        yield from play_on(hosts, numbers)


@pytest.mark.parametrize("name", PLANS)
def test_a_record_can_be_replayed_and_the_game_played_again(name: str) -> None:
    plan = PLANS[name]
    for number in range(0, plan.num_games, 3):
        game, task = play_game(plan, number), plan.pairing(number)
        positions = game.positions(plan.game)
        assert positions[-1].is_over
        assert positions[-1].returns == game.returns
        assert game.moves[: game.opening] == task.opening
        assert (game.seating, game.seed) == (task.seating, task.seed)
        assert sum(game.points) == 1
        assert sum(map(game.points_of, range(len(plan.players)))) == 1
        assert untimed([game]) == untimed([play_game(plan, number)])


@pytest.mark.parametrize("name", PLANS)
def test_the_number_of_workers_changes_nothing(name: str) -> None:
    plan, numbers = PLANS[name], range(6)
    here = untimed(on_cores(plan, numbers, workers=1))
    assert [game.number for game in here] == list(numbers)
    assert untimed(on_cores(plan, numbers, workers=2)) == here


def test_games_of_the_same_number_differ_in_chance_only_by_the_seed() -> None:
    plans = [Plan(damier.game(Pig()), ("random", "uct:sims=1", "uct:sims=2"), 6, seed=seed) for seed in (1, 2)]
    assert play_game(plans[0], 0).moves != play_game(plans[1], 0).moves


def test_rules_made_in_a_function_are_played_where_they_are() -> None:
    class Fewest(Most):
        """A class that no other process can import."""

    plan = Plan(damier.game(Fewest()), ("random", "uct:sims=5"), 6)
    assert untimed(on_cores(plan, range(6), workers=2)) == untimed(play_game(plan, number) for number in range(6))


# -- points ----------------------------------------------------------------------------------------------------


def test_the_winners_share_one_point() -> None:
    game = record(seating=(2, 0, 2), winners=(0, 1))
    assert [float(points) for points in game.points] == [0.5, 0.5, 0]
    assert [float(game.points_of(player)) for player in range(3)] == [0.5, 0, 0.5]
    assert not game.is_draw
    both = record(seating=(2, 0, 2), winners=(0, 2))
    assert float(both.points_of(2)) == 1
    assert record((0, 1, 2), (0, 1, 2)).is_draw


def test_the_standings_add_up() -> None:
    result = run(PLANS["two players on four seats"], workers=1, fresh=True)
    assert [standing.games for standing in result.standings] == [14, 14]
    assert sum(standing.total.points for standing in result.standings) == pytest.approx(14)
    assert result.pair(0, 1).points == pytest.approx(result.standings[0].total.points)
    assert sum(seat.points for seat in result.seats) == pytest.approx(14)
    for standing in result.standings:
        assert standing.wins + standing.draws + standing.losses == standing.games
        assert sum(seat.points for seat in standing.per_seat) == pytest.approx(standing.total.points)
        assert [seat.out_of for seat in standing.per_seat] == [7, 7, 7, 7]
        low, high = standing.elo_interval
        assert low <= standing.elo <= high
    assert result.standings[0].total.points > result.standings[1].total.points, "to name 2 is not hard to find"


def test_equal_games_are_told() -> None:
    plan = Plan(damier.game("mnk:rows=1,cols=2,k=2"), ("random", "flat:sims=1"), 20)
    result = run(plan, workers=1, fresh=True)
    assert result.games == 20
    assert result.distinct == 4  # two seatings, and the first move is left or right
    assert result.draws == 20
    assert result.as_json()["distinct"] == 4


# -- the database ----------------------------------------------------------------------------------------------


def test_games_come_back_from_the_database_as_they_were(tmp_path: Path) -> None:
    store, plan = Store(str(tmp_path / "games.sqlite3")), PLANS["tictactoe"]
    event = store.open_event(plan)
    played = [play_game(plan, number) for number in (2, 0, 1)]
    for game in played:
        assert store.save(event, game) is game
    assert store.records(event) == sorted(played, key=lambda game: game.number)
    other = replace(played[0], seconds=(9.0, 9.0))
    assert store.save(event, other) == played[0], "the one that was there first counts"
    assert len(store.records(event)) == 3
    store.close()


def test_only_the_last_event_goes_on_and_only_if_nothing_has_changed(tmp_path: Path) -> None:
    store, plan = Store(str(tmp_path / "games.sqlite3")), PLANS["tictactoe"]
    event = store.open_event(plan)
    assert store.open_event(plan) == event
    for other in (replace(plan, seed=8), replace(plan, games=6), replace(plan, openings=3), PLANS["hidden cards"]):
        assert store.open_event(other) != event
    assert store.open_event(plan, {"sprt": [0, 10]}) != event
    fresh = store.open_event(plan, fresh=True)
    assert fresh != event
    store.finish(fresh)
    assert store.open_event(plan) not in (event, fresh), "what was given up for a fresh start stays so"
    store.close()


def test_a_match_goes_on_and_a_finished_one_is_played_anew(tmp_path: Path) -> None:
    database, plan = str(tmp_path / "games.sqlite3"), PLANS["tictactoe"]
    seen: list[int] = []

    class Impatient:
        """Stops it after some games."""

        def __init__(self, games: int) -> None:
            self.games = games

        def begin(self, plan: Plan, played: Any) -> None:
            seen.append(len(played))

        def add(self, record: GameRecord) -> None:
            self.games -= 1
            if self.games == 0:
                raise KeyboardInterrupt

    for games in (2, 3):
        with pytest.raises(KeyboardInterrupt):
            run(plan, database=database, workers=1, watcher=Impatient(games))
    result = run(plan, database=database, workers=2, watcher=Impatient(1000))
    assert untimed(result.records) == untimed(play_game(plan, number) for number in range(plan.num_games))
    run(plan, database=database, workers=1, watcher=Impatient(1000))
    assert seen == [0, 2, 5, 0]


def test_a_database_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("DAMIER_DATABASE")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(tmp_path / "file" / name))
    with pytest.raises(damier.DamierError, match=r"there is no place for the games: .* set DAMIER_DATABASE to a file"):
        Store()
    store = Store(str(tmp_path / "games.sqlite3"))
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE games")
    with pytest.raises(damier.DamierError, match="can't be used: no such table: games; nothing was changed"):
        store.records(1)
    store.close()


# -- processes -------------------------------------------------------------------------------------------------


class Moribund:
    """A host that dies now and then."""

    def __init__(self, deaths: int) -> None:
        self.deaths, self.is_closed = deaths, False

    def play(self, number: int) -> Iterator[GameRecord]:
        self.deaths -= 1
        if self.deaths >= 0:
            raise WorkerDiedError("it died")
        yield record((0, 1), (0,), number)

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize("hosts", [1, 3])
def test_a_game_whose_host_died_is_played_again(hosts: int) -> None:
    made = [Moribund(TRIES - 1) for _ in range(hosts)]
    with closing_all(made):
        assert sorted(game.number for game in play_on(made, range(10))) == list(range(10))
    assert all(one.is_closed for one in made)


@pytest.mark.parametrize("hosts", [1, 3])
def test_a_game_that_always_kills_its_host_is_given_up(hosts: int) -> None:
    with pytest.raises(
        damier.DamierError, match=r"game \d was given up: it died, 3 times; the games that ended are kept"
    ):
        list(play_on([Moribund(1000)] * hosts, range(3)))


def test_an_error_in_the_rules_is_told_as_it_is() -> None:
    plan = Plan(damier.game(f"{ROOT}/tests/wrong/lawless.py:TooManyMoves"), ("random", "uct:sims=5"), 4)
    with pytest.raises(damier.DamierError, match="returned 3 moves, expected 0 to max_moves = 2"):
        list(on_cores(plan, range(4), workers=2))


# -- programs of the user's own --------------------------------------------------------------------------------

RULES = (ROOT / "examples/nim.py").read_text()
PLAY = """
import json
result = damier.match({game}, "careful", "random", games=8, seed=1, workers=2)
print(json.dumps([result.games, result.wins, [game.moves for game in result.records]]))
"""


def run_script(folder: Path, source: str, *options: str) -> Any:
    (folder / "script.py").write_text(source)
    command = [sys.executable, *options, "script.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_a_script_without_a_guard_can_play_its_own_game_a_neighbours_and_a_files(tmp_path: Path) -> None:
    own = run_script(tmp_path, f"{RULES}\nimport damier\n" + PLAY.format(game="Nim()"))
    assert own[0] == 8
    assert own[1] >= 4
    (tmp_path / "rules.py").write_text(RULES)
    assert own == run_script(tmp_path, "import damier, rules\n" + PLAY.format(game="rules.Nim()"))
    assert own == run_script(tmp_path, "import damier\n" + PLAY.format(game=f"'{ROOT}/examples/nim.py:Nim'"))


def test_no_worker_outlives_the_one_who_asks(tmp_path: Path) -> None:
    """Not even in the middle of a game that would last for hours."""
    reading, writing = os.pipe()
    program = (
        "import damier, os, sys\n"
        "from damier.work.pool import Worker\n"
        "from damier.arena.plan import Plan\n"
        "from damier.arena.playing import game_task\n"
        "from functools import partial\n"
        "import threading, time\n"
        "plan = Plan(damier.game('tictactoe'), ('random', 'uct:seconds=3600'), 2)\n"
        "worker = Worker(partial(game_task, plan))\n"
        "threading.Thread(target=lambda: list(worker.play(0)), daemon=True).start()\n"
        "while worker.process is None: time.sleep(0.01)\n"
        "print(worker.process.pid, flush=True)\n"
        "time.sleep(3)\n"
        "os._exit(9)\n"
    )
    with os.fdopen(reading, "rb") as held:
        # The worker inherits the writing end as its stderr: the pipe ends when the worker does.
        subprocess.run(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=writing, check=False, timeout=600
        )
        os.close(writing)
        os.set_blocking(reading, True)
        assert held.read() == b""
