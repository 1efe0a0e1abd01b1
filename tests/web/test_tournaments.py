"""Tournaments of the page: one at a time, ended with their server, and rated once for each new game."""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.arena.plan import Plan
from damier.arena.playing import game_task, play_game
from damier.arena.result import Tournament
from damier.store.attendance import attending, is_attended
from damier.store.database import Store
from damier.web import following, tournaments
from damier.web.following import Following, Subject
from damier.web.tournaments import Contest
from damier.zero.metrics import FIGURES
from tests.serving import until
from tests.unit.own_players import First
from tests.web.inside import Inside, hear

Json = dict[str, Any]

PLAYERS = ("random", "flat:sims=1")


@pytest.fixture
def plan() -> Plan:
    return Plan(damier.game("tictactoe"), PLAYERS, 6)


@pytest.fixture
def ratings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of how many games the ratings were computed, each time that they were."""
    computed: list[int] = []

    def counted(*arguments: Any) -> Tournament:
        result = Tournament(*arguments)
        computed.append(result.games)
        return result

    monkeypatch.setattr(tournaments, "Tournament", counted)
    monkeypatch.setattr(following, "POLL_SECONDS", 0.01)
    return computed


def test_of_many_who_start_a_tournament_at_once_one_does(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Json] = []

    async def start(started_one: Contest, task: Json) -> int:
        started.append(task)
        await asyncio.sleep(0.2)
        started_one.event = 1
        return 1

    monkeypatch.setattr(Contest, "start", start)
    body = {"game": "tictactoe", "players": PLAYERS, "games": 6}
    with ThreadPoolExecutor(5) as visitors:
        answers = list(visitors.map(lambda _: inside.client.post("/api/events", json=body), range(5)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    assert len(started) == 1


def test_a_tournament_that_does_not_start_leaves_its_place(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any, **__: Any) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    body = {"game": "tictactoe", "players": PLAYERS, "games": 6}
    monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)
    for _ in range(2):
        answer = inside.client.post("/api/events", json=body)
        assert answer.status_code == 503
        assert "Resource temporarily unavailable" in answer.json()["error"]


# -- processes -------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def contest(plan: Plan, database: Path, event: int | None = None) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "damier.web.contest"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        task = plan.settings | {"database": str(database), "event": event}
        process.stdin.write(json.dumps(task).encode() + b"\n")
        process.stdin.flush()
        try:
            yield process
        finally:
            process.kill()


def answer_of(process: "subprocess.Popen[bytes]") -> Json:
    assert process.stdout is not None
    answer: Json = json.loads(process.stdout.readline())
    return answer


def test_a_tournament_ends_with_the_pipe_of_its_server_and_can_go_on(tmp_path: Path) -> None:
    plan, database = Plan(damier.game("tictactoe"), PLAYERS, 10_000), tmp_path / "games.sqlite3"
    url = f"sqlite:///{database}"
    with contest(plan, database) as process:
        event = answer_of(process)["event"]
        until(lambda: is_attended(url, event))
        assert process.stdin is not None
        process.stdin.close()  # as if the server were killed
        assert process.wait(60) == 0
    assert not is_attended(url, event)
    with closing(Store(url)) as store:
        assert store.unfinished_event(plan) == event
        other = Plan(plan.game, PLAYERS, 9_000)
    with contest(plan, database, event) as process:
        assert answer_of(process) == {"event": event}
    with contest(other, database, event) as process:
        assert "can't go on" in answer_of(process)["error"]["text"]


def test_a_tournament_that_was_interrupted_is_shown_as_such_and_resumed(inside: Inside, plan: Plan) -> None:
    store = inside.context.lobby.store
    event = store.open_event(plan)
    shown = inside.client.get(f"/api/events/{event}").json()
    assert (shown["is_finished"], shown["is_running"], shown["is_played"]) == (False, False, False)
    command = inside.client.post(f"/api/events/{event}/resume")  # its players have not this server's limits
    assert command.status_code == 403
    playing = f"with attending({store.url!r}, {event}): print(flush=True); input()"
    program = [sys.executable, "-c", f"from damier.store.attendance import attending\n{playing}"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        shown = inside.client.get(f"/api/events/{event}").json()
        assert (shown["is_running"], shown["is_played"]) == (False, True)
        assert inside.client.post(f"/api/events/{event}/resume").status_code == 409
        other.kill()
    assert not inside.client.get("/api/events").json()["events"][0]["is_played"]
    store.finish(event)
    assert inside.client.post(f"/api/events/{event}/resume").status_code == 409
    assert inside.client.post("/api/events/77/resume").status_code == 404


def test_what_is_no_file_is_attended_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for url in ("sqlite://", "sqlite:///:memory:", "sqlite:////no/such/folder/games.sqlite3"):
        with attending(url, 1):
            assert list(tmp_path.iterdir()) == []


# -- ratings ---------------------------------------------------------------------------------------------------


def test_ratings_are_computed_once_for_each_new_game(inside: Inside, plan: Plan, ratings: list[int]) -> None:
    store = inside.context.lobby.store
    event = store.open_event(plan)
    records = [record for number in range(plan.num_games) for record in game_task(plan, number)]
    store.save(event, records[0])
    with inside.connect() as one, inside.connect() as two:
        for socket in (one, two):
            socket.send(json.dumps({"do": "follow", "event": event}))
            assert hear(socket)["event"]["result"]["games"] == 1
        for _ in range(3):
            assert inside.client.get(f"/api/events/{event}").json()["result"]["games"] == 1
        assert ratings == [1]
        store.save(event, records[1])
        assert hear(one)["event"]["result"]["games"] == hear(two)["event"]["result"]["games"] == 2
        for record in records[2:]:
            store.save(event, record)
        store.finish(event)
        for socket in (one, two):
            while not hear(socket)["event"]["is_finished"]:
                pass
    assert sorted(set(ratings)) == ratings
    until(lambda: not inside.context.following.crowds)
    before = list(ratings)
    with inside.connect() as late:
        late.send(json.dumps({"do": "follow", "event": event}))
        assert hear(late)["event"]["is_finished"]
    assert inside.client.get(f"/api/events/{event}").json()["result"]["games"] == plan.num_games
    assert ratings == before


def test_the_players_of_a_command_are_shown_and_not_loaded(inside: Inside, tmp_path: Path) -> None:
    """A file that was edited, or is gone, and an instance of somebody's program."""
    (tmp_path / "mine.py").write_text("class Mine:\n    def choose(self, pos):\n        return pos.moves()[0]\n")
    names = (f"{tmp_path}/mine.py:Mine", "First")
    plan = Plan(damier.game("tictactoe"), names, 2, move_seconds=60, brought={"First": First()})
    store = inside.context.lobby.store
    event = store.open_event(plan)
    for number in range(plan.num_games):
        store.save(event, play_game(plan, number))
    (tmp_path / "mine.py").unlink()
    told = inside.client.get(f"/api/events/{event}").json()
    assert told["result"]["players"] == list(names)
    assert (told["result"]["games"], told["can_resume"]) == (2, False)


def test_leaving_ends_the_following(inside: Inside, plan: Plan, ratings: list[int]) -> None:
    event = inside.context.lobby.store.open_event(plan)
    crowds = inside.context.following.crowds
    with inside.connect() as socket:
        for _ in range(20):
            socket.send(json.dumps({"do": "follow", "event": event}))
        assert hear(socket)["kind"] == "event"
        assert len(crowds) == 1
        socket.send(json.dumps({"do": "unfollow"}))
        until(lambda: not crowds)
        socket.send(json.dumps({"do": "follow", "event": 77}))
        assert hear(socket)["error"] == "there is no tournament number 77"
        until(lambda: not crowds)
        socket.send(json.dumps({"do": "follow", "event": event}))
        assert hear(socket)["kind"] == "event"
    until(lambda: not crowds)


def test_a_run_is_read_once_for_each_new_row_however_many_follow_it(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "POLL_SECONDS", 0.01)
    folder = inside.context.settings.runs / "four"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('game = "connect4"\n')
    with inside.connect() as one, inside.connect() as two:
        for socket in (one, two):
            socket.send(json.dumps({"do": "run", "name": "four+four"}))
            assert hear(socket)["run"]["iterations"] == 0
        assert len(inside.context.following.crowds) == 1
        (folder / "metrics.jsonl").write_text(json.dumps({"iteration": 1} | dict.fromkeys(FIGURES, 1)) + "\n")
        for socket in (one, two):
            while hear(socket)["run"]["iterations"] < 1:
                pass


def test_a_crowd_is_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "POLL_SECONDS", 0.0)

    async def follow() -> None:
        stamps, reads, looks = [1], list[int](), 0
        heard: list[Json] = []

        async def stamp() -> int:
            nonlocal looks
            looks += 1
            return stamps[-1]

        async def read() -> Json:
            reads.append(stamps[-1])
            return {"is": stamps[-1]}

        hub, subject = Following(), Subject("run", "a", stamp, read)
        watchers = [heard.append, list[Json]().append]
        for watcher in watchers:
            hub.follow(subject, watcher)
        for wanted in (1, 2, 3):
            stamps.append(wanted)
            while not heard or heard[-1]["run"] != {"is": wanted}:
                await asyncio.sleep(0)
        assert reads == [1, 2, 3]
        for watcher in watchers:
            hub.unfollow(Subject("run", "a", stamp, read), watcher)
        assert not hub.crowds
        before = looks
        for _ in range(10):
            await asyncio.sleep(0)
        assert looks <= before + 1

    asyncio.run(follow())
