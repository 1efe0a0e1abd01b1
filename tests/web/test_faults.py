"""A full disk, damaged rows and files, and texts that are none: each is told in a line, and harms nothing else."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from damier.core.errors import DamierError
from damier.core.position import Position
from damier.store.database import Store
from damier.web.room import GameRoom
from damier.web.searching.visitors import NOBODY
from damier.zero.metrics import FIGURES
from tests.web.visiting import Guest, visiting

HALF = "\ud800"  # of a character
HUMANS = {"game": "tictactoe", "seats": ["human", "human"]}


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def commit(_: Session) -> None:
        raise OperationalError("UPDATE", None, sqlite3.OperationalError("database or disk is full"))

    with monkeypatch.context() as patched:
        patched.setattr(Session, "commit", commit)
        yield


def test_on_a_full_disk_nothing_happens_and_later_everything_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            key = (await visitor.post("/api/games", **HUMANS)).json()["id"]
            await visitor.post(f"/api/games/{key}/moves", move="b2")
            before = (await visitor.get(f"/api/games/{key}")).json()
            with full_disk(monkeypatch):
                for path, body in ACTIONS:
                    answer = await visitor.post(f"/api/games/{key}/{path}", **body)
                    assert answer.status_code == 503, path
                    assert "database or disk is full" in answer.json()["error"]
                    assert len(answer.text.splitlines()) == 1
                    assert (await visitor.get(f"/api/games/{key}")).json() == before
                assert (await visitor.post("/api/games", **HUMANS)).status_code == 503
                assert len(visitor.lobby.rooms) == 1
            assert on_disk(visitor, key) == [4]
            answer = await visitor.post(f"/api/games/{key}/moves", move="a1")
            assert answer.status_code == 200
            assert on_disk(visitor, key) == [4, 6]

    asyncio.run(main())


def test_a_move_of_the_server_is_made_when_the_disk_has_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def think(_: GameRoom, position: Position) -> tuple[Position, list[float]]:
        return position.play("a1"), [0.0, 0.0]

    monkeypatch.setattr(GameRoom, "_think", think)

    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            seats = ["human", "uct:sims=1"]
            key = (await visitor.post("/api/games", game="tictactoe", seats=seats)).json()["id"]
            room = await visitor.lobby.room(key, NOBODY)
            await visitor.post(f"/api/games/{key}/pace", is_paused=True)
            await visitor.post(f"/api/games/{key}/moves", move="b2")
            with full_disk(monkeypatch):
                await visitor.post(f"/api/games/{key}/pace", is_paused=False)
                await driven(room)
                state = (await visitor.get(f"/api/games/{key}")).json()
                assert (state["ply"], state["is_paused"]) == (1, True)
                assert "database or disk is full" in state["error"]
            again = await visitor.post(f"/api/games/{key}/pace", is_paused=False)
            assert again.json()["error"] == "", "what was wrong is no more while there is another try"
            await driven(room)
            state = (await visitor.get(f"/api/games/{key}")).json()
            assert (state["ply"], state["error"]) == (2, "")
            assert on_disk(visitor, key) == [4, 6]

    asyncio.run(main())


async def driven(room: GameRoom) -> None:
    assert room.driver is not None
    await room.driver


ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("moves", {"move": "a1"}),
    ("undo", {}),
    ("back", {"ply": 0}),
    ("swap", {}),
    ("resign", {}),
]


def on_disk(visitor: Guest, key: str) -> list[int]:
    row = visitor.lobby.store.casual(key=key)
    assert row is not None
    return row.moves


def test_an_import_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        games = json.dumps([{"game": "tictactoe", "moves": ["b2"], "seats": ["x" * 200]}] * 100)
        async with visiting(tmp_path) as visitor:
            engine = visitor.lobby.store.engine
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA max_page_count=1")  # no more pages than there are
            answer = await visitor.post("/api/records", format="json", text=games)
            assert answer.status_code == 503
            assert "database or disk is full" in answer.json()["error"]
            assert (await visitor.get("/api/records")).json()["count"] == 0
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA max_page_count=1000000")
            assert (await visitor.post("/api/records", format="json", text=games)).status_code == 201

    asyncio.run(main())


@pytest.mark.parametrize("value", ["{", "7", '["a"]', "null", "[" * 100_000, "\udcff"])
@pytest.mark.parametrize("column", ["moves", "seats", "thoughts", "returns"])
def test_a_damaged_game_is_shown_as_such_among_the_others(column: str, value: str, tmp_path: Path) -> None:
    is_fine = (column, value) in {("returns", "null"), ("seats", '["a"]')}
    stored = value.encode("utf-8", "surrogateescape").decode("latin-1")

    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            states = [(await visitor.post("/api/games", **HUMANS)).json() for _ in range(2)]
            damage(visitor.lobby.store, "casual_games", column, stored, states[0]["number"])
            visitor.lobby.rooms._drop(states[0]["id"])
            listed = (await visitor.get("/api/records")).json()["games"]
            assert {each["number"]: each["is_damaged"] for each in listed} == {
                states[0]["number"]: not is_fine,
                states[1]["number"]: False,
            }
            for path in (f"games/{states[0]['id']}", "records/1", "records/1/export"):
                answer = await visitor.get(f"/api/{path}")
                assert answer.status_code == 200 if is_fine else answer.status_code == 422
            assert (await visitor.get(f"/api/games/{states[1]['id']}")).status_code == 200

    asyncio.run(main())


def damage(store: Store, table: str, column: str, value: str, number: int) -> None:
    with store.engine.begin() as connection:
        connection.execute(
            text(f"UPDATE {table} SET {column} = :value WHERE id = :number"), {"value": value, "number": number}
        )


def test_a_damaged_tournament_is_shown_as_such(tmp_path: Path) -> None:
    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            with visitor.lobby.store.engine.begin() as connection:
                for number, settings in enumerate(("{", "7", "{}")):
                    values = {"settings": settings, "digest": "", "code": "", "began": "2026-01-01 00:00:00.000000"}
                    connection.execute(
                        text(
                            "INSERT INTO events (settings, digest, code, began, is_finished)"
                            " VALUES (:settings, :digest, :code, :began, 0)"
                        ),
                        values,
                    )
                    assert number < 3
            events = (await visitor.get("/api/events")).json()["events"]
            assert [each["is_damaged"] for each in events] == [True] * 3
            answer = await visitor.get("/api/events/1")
            assert answer.status_code == 422
            assert answer.json()["error"] == "event 1 of the database is damaged: its settings can't be read"

    asyncio.run(main())


def test_a_damaged_row_is_one_line_for_programs(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "games.sqlite3"))
    with store.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO games (event_id, number, seating, opening, moves, returns, seed, seconds, ended)"
            " VALUES (1, 3, '[0, 1]', 0, '[1,', '[1, -1]', 0, '[]', '2026-01-01 00:00:00.000000')"
        )
    with pytest.raises(DamierError, match=r"^game 3 of event 1 of the database is damaged: it can't be read$"):
        store.records(1)
    damage(store, "games", "ended", "yesterday", 1)
    with pytest.raises(DamierError, match="a row of the database can't be read"):
        store.records(1)
    store.close()


# -- texts that are none, and names that are too long --------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        {"game": HALF, "moves": []},
        {"game": "tictactoe", "moves": [HALF]},
        {"game": f"tree:text={HALF}", "moves": []},
        {"game": "samegame:seed=99999999999999999999", "moves": []},
        {"game": "tictactoe", "moves": [2**70]},
    ],
)
def test_an_import_with_what_is_no_text_is_refused(document: Any, tmp_path: Path) -> None:
    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            answer = await visitor.post("/api/records", format="json", text=json.dumps(document))
            assert answer.status_code == 422
            assert answer.json()["error"]

    asyncio.run(main())


def test_half_a_character_is_refused_wherever_a_text_is_expected(tmp_path: Path) -> None:
    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            key = (await visitor.post("/api/games", **HUMANS)).json()["id"]
            asked: list[tuple[str, dict[str, Any]]] = [
                ("games", {"game": HALF}),
                ("games", {"game": "tictactoe", "seats": [HALF, "human"]}),
                ("games", {"game": "tictactoe", "seats": [f"uct:sims={HALF}", "human"]}),
                ("positions", {"game": "tictactoe", "moves": [HALF]}),
                (f"games/{key}/moves", {"move": HALF}),
                ("records", {"format": "json", "text": HALF}),
                ("records", {"format": HALF, "text": "[]"}),
                ("trees", {"text": HALF}),
                ("lessons", {"tree": HALF}),
                ("events", {"players": [HALF, "random"]}),
                ("games", {HALF: 1}),
            ]
            for path, body in asked:
                answer = await visitor.post(f"/api/{path}", **body)
                assert 400 <= answer.status_code < 500, (path, body)
                assert answer.json()["error"]
            with pytest.raises(DamierError):
                await visitor.lobby.room(f"{HALF}{'x' * 20}", NOBODY)

    asyncio.run(main())


@pytest.mark.parametrize("name", ["x" * 200, "x" * 300, "é" * 200, "%2e%2e", "a%00b", "%ff"])
def test_a_name_that_no_run_can_have_is_not_found(name: str, tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "runs").mkdir()
        async with visiting(tmp_path) as visitor:
            for path in ("", "/games"):
                answer = await visitor.get(f"/api/runs/{name}{path}")
                assert 400 <= answer.status_code < 500

    asyncio.run(main())


# -- training runs -------------------------------------------------------------------------------------------------

ROW = json.dumps({"iteration": 1} | dict.fromkeys(FIGURES, 10)).encode() + b"\n"
DAMAGED = {
    "no text": ROW + b"\xff\xfe\x00\x81\n",
    "no rows": b'[1]\n7\n"x"\n',
    "no iteration": b'{"iteration": "one"}\n',
    "no numbers": b'{"iteration": 1, "games": "ten", "seconds": []}\n',
    "deep": b"[" * 100_000 + b"\n",
    "zeros": b"\x00" * 4096 + b"\n",
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_run_hides_no_other(what: str, tmp_path: Path) -> None:
    for name, data in (("whole", ROW), ("damaged", DAMAGED[what])):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        (folder / "config.toml").write_text('game = "tictactoe"\niterations = 3\n')
        (folder / "metrics.jsonl").write_bytes(data)

    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            runs = {run["name"]: run for run in (await visitor.get("/api/runs")).json()["runs"]}
            assert runs["whole"]["damage"] is None
            assert runs["whole"]["iterations"] == 1
            assert "can't be read" in runs["damaged"]["damage"]
            for path in ("damaged", "damaged/games"):
                assert (await visitor.get(f"/api/runs/{path}")).status_code == 200

    asyncio.run(main())


@pytest.mark.parametrize(
    "config", [b"\xff\xfe", b"game = [", b"a = nan\nb = inf\nc = 1979-05-27\n", b"a = " + b"[" * 9999]
)
def test_damaged_settings_hide_no_other(config: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "damaged"
    (folder / "metrics.jsonl").mkdir(parents=True)  # and a folder where a file should be
    (folder / "config.toml").write_bytes(config)

    async def main() -> None:
        async with visiting(tmp_path) as visitor:
            runs = (await visitor.get("/api/runs")).json()["runs"]
            assert [bool(run["damage"]) for run in runs] == [True]
            assert (await visitor.get("/api/runs/damaged")).status_code == 200
            assert (await visitor.get("/api/runs/damaged/games")).status_code == 422

    asyncio.run(main())
