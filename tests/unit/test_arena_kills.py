"""Whatever is killed, no game is lost and none is counted twice."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.processes import untimed
from tests.unit.command import ROOT

TOURNAMENT = ("tournament", "tictactoe", "uct:sims=20000", "rave:sims=20000", "grave:sims=20000", "--games", "20")
PATIENCE = 600.0  # both workers may have to compile, on a slow machine


class Run:
    """A tournament in a process of its own."""

    def __init__(self, database: Path) -> None:
        self.database = database
        # A shell that runs the tests in the background has them ignore Ctrl-C, and with them all that they start.
        kept = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("damier"), *TOURNAMENT, "--json", "--workers", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"DAMIER_DATABASE": str(database)},
            start_new_session=True,
        )
        signal.signal(signal.SIGINT, kept)

    def wait_for_games(self, count: int) -> int:
        until(lambda: num_games(self.database) >= count)
        assert self.process.poll() is None, "it ended before it could be killed"
        return num_games(self.database)

    def workers(self) -> list[int]:
        pid = self.process.pid
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        return [int(child) for task in tasks for child in task.read_text().split()]

    def end(self) -> tuple[str, str]:
        return self.process.communicate(timeout=PATIENCE)

    def result(self) -> Any:
        out, err = self.end()
        assert self.process.returncode == 0, err
        return untimed(json.loads(out))


@pytest.fixture
def runs() -> Iterator[Callable[..., Run]]:
    """Nothing that a failing test has started goes on."""
    started: list[Run] = []

    def start(*given: Any) -> Run:
        started.append(Run(*given))
        return started[-1]

    yield start
    for run in started:
        run.process.kill()
        run.end()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a tournament comes to that nobody disturbs."""
    return Run(tmp_path_factory.mktemp("whole") / "games.sqlite3").result()


def until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.01)


def rows(database: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(database, timeout=30)) as connection:
        return connection.execute(query).fetchall()


def num_games(database: Path) -> int:
    try:
        return int(rows(database, "SELECT count(*) FROM games")[0][0])
    except sqlite3.OperationalError:  # it is not there yet
        return 0


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def assert_each_game_is_there_once(database: Path, planned: int, events: int = 1) -> None:
    numbers = Counter(rows(database, "SELECT event_id, number FROM games"))
    assert set(numbers.values()) == {1}
    assert len(numbers) == events * planned
    assert {number for _, number in numbers} == set(range(planned))


def kill_parent(run: Run) -> None:
    run.process.kill()


def kill_all(run: Run) -> None:
    for pid in (run.process.pid, *run.workers()):
        with suppress(ProcessLookupError):  # a worker ends by itself when its parent is gone
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("kill", [kill_all, kill_parent])
def test_a_killed_tournament_goes_on_where_it_stopped(
    kill: Callable[[Run], None],
    tmp_path: Path,
    runs: Callable[..., Run],
    uninterrupted: Any,
) -> None:
    expected, database = uninterrupted, tmp_path / "games.sqlite3"
    killed = runs(database)
    killed.wait_for_games(3)
    workers = killed.workers()
    assert len(workers) == 2
    kill(killed)
    assert killed.end()[0] == ""
    assert killed.process.returncode == -signal.SIGKILL
    until(lambda: not any(map(is_alive, workers)))
    kept = num_games(database)
    assert 3 <= kept < expected["planned"]

    resumed = runs(database)
    out, err = resumed.end()
    assert f"resuming: {kept} of {expected['planned']} games are already played" in err
    assert untimed(json.loads(out)) == expected
    assert_each_game_is_there_once(database, expected["planned"])


def test_killed_again_and_again(tmp_path: Path, runs: Callable[..., Run], uninterrupted: Any) -> None:
    database, expected = tmp_path / "games.sqlite3", uninterrupted
    for games in (1, 12):
        run = runs(database)
        run.wait_for_games(games)
        kill_parent(run)
        run.end()
    assert runs(database).result() == expected
    assert_each_game_is_there_once(database, expected["planned"])


def test_a_killed_worker_loses_only_its_game_which_is_played_again(
    tmp_path: Path, runs: Callable[..., Run], uninterrupted: Any
) -> None:
    database, expected = tmp_path / "games.sqlite3", uninterrupted
    run = runs(database)
    for games in (2, 12):
        run.wait_for_games(games)
        victim = run.workers()[0]
        os.kill(victim, signal.SIGKILL)
        until(lambda pid=victim: not is_alive(pid))  # type: ignore[misc]
    assert run.result() == expected
    assert_each_game_is_there_once(database, expected["planned"])


def test_an_interrupted_tournament_says_so_in_one_line_and_goes_on(
    tmp_path: Path, runs: Callable[..., Run], uninterrupted: Any
) -> None:
    database, expected = tmp_path / "games.sqlite3", uninterrupted
    run = runs(database)
    run.wait_for_games(2)
    workers = run.workers()
    os.killpg(run.process.pid, signal.SIGINT)  # as a terminal does at Ctrl-C, to all of its foreground group
    out, err = run.end()
    assert (run.process.returncode, out) == (130, "")
    assert err == "stopped: finished games are stored; run the same command again to resume\n"
    assert not any(map(is_alive, workers))
    assert runs(database).result() == expected
    assert_each_game_is_there_once(database, expected["planned"])


def test_two_at_the_same_time_count_nothing_twice(tmp_path: Path, runs: Callable[..., Run], uninterrupted: Any) -> None:
    database, expected = tmp_path / "games.sqlite3", uninterrupted
    first = runs(database)
    first.wait_for_games(1)
    second = runs(database)
    assert first.result() == second.result() == expected
    events = rows(database, "SELECT count(*) FROM events")[0][0]  # two, if the first was done too soon
    assert_each_game_is_there_once(database, expected["planned"], events)
