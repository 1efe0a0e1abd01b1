"""The live connection: messages are rationed, what nobody reads is not kept, and whatever arrives is answered."""

import asyncio
import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from damier.core.errors import DamierError
from damier.web.outbox import MOST_TOPICS, Outbox
from damier.web.rations import Addresses, Ration, for_page
from damier.web.room import GameRoom
from damier.web.routes import live
from damier.web.routes.live import TOO_MANY
from damier.web.routes.messages import read_message
from damier.web.settings import WebSettings
from tests.serving import until
from tests.web.inside import Inside, hear

Json = dict[str, Any]

HOSTILE = [
    "",
    "null",
    "{",
    "\x00",
    '{"do": []}',
    '{"do": {"do": "stop"}}',
    '{"do": "dance"}',
    '{"do": "watch"}',
    '{"do": "watch", "id": []}',
    '{"do": "watch", "id": "\\ud800"}',
    '{"do": "watch", "id": "' + "x" * 65 + '"}',
    '{"do": "follow", "event": 9223372036854775808}',
    '{"do": "follow", "event": ' + "9" * 5000 + "}",
    '{"do": "follow", "event": NaN}',
    '{"do": "follow", "event": -1}',
    '{"do": "follow", "event": 77}',
    '{"do": "run", "name": "' + "x" * 390 + '"}',
    '{"do": "run", "name": "a\\u0000b"}',
    '{"do": "look", "path": "a1"}',
    '{"do": "look", "path": [["a1"]]}',
    '{"do": "analyse", "game": "tictactoe", "player": "uct", "tag": [1]}',
    '{"do": "analyse", "game": "tictactoe", "player": "uct", "moves": ["\\udfff"]}',
    '{"do": "analyse", "game": "tictactoe", "player": "uct", "through": "z9"}',
    "[" * 10_000,
    '{"a":' * 10_000,
]


def say(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def end_of(socket: ClientConnection) -> tuple[int, str]:
    """With what code and reason the server closes a connection."""
    with contextlib.suppress(ConnectionClosed):
        for _ in socket:
            pass
    assert socket.protocol.close_code is not None
    return socket.protocol.close_code, socket.protocol.close_reason or ""


def test_whatever_arrives_is_answered_with_a_sentence(inside: Inside) -> None:
    bytes_are = "expected a text with a JSON object, got bytes"
    inside.context.settings.runs.mkdir()
    with inside.connect() as socket:
        for message in HOSTILE:
            socket.send(message)
            socket.send(b'{"do": "stop"}')
            errors = {hear(socket)["error"], hear(socket)["error"]}  # an answer may take a moment
            assert bytes_are in errors, message
            (error,) = errors - {bytes_are}
            assert 0 < len(error) < 400, message


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.sampled_from(["do", "id", "event", "path"]), part),
)


@given(ANYTHING)
def test_a_message_is_read_or_refused(value: Any) -> None:
    for message in (value, {"do": value}, {"do": "watch", "id": value}, {"do": "follow", "event": value}):
        with contextlib.suppress(DamierError):
            read_message(json.dumps(message))


def test_a_page_that_sends_too_much_is_told_so_and_closed(inside: Inside) -> None:
    with inside.connect() as socket:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(2 * for_page().at_once):
                say(socket, do="stop")
        code, reason = end_of(socket)
    assert code == TOO_MANY
    assert reason.startswith("too many messages")
    with inside.connect() as socket:
        socket.send("x")
        assert hear(socket)["kind"] == "error"


def test_an_address_has_so_many_connections_at_a_time(inside: Inside) -> None:
    key = inside.begin()
    with inside.connect(), inside.connect() as second:
        with inside.connect(), inside.connect() as fourth:
            assert end_of(fourth)[0] == TOO_MANY
        say(second, do="watch", id=key)
        assert hear(second)["kind"] == "state"
    until(lambda: inside.context.addresses.known["127.0.0.1"].connections == 0)
    with inside.connect() as socket:
        say(socket, do="watch", id=key)
        assert hear(socket)["kind"] == "state"


def room_of(inside: Inside, key: str) -> GameRoom:
    room = inside.context.lobby.rooms.get(key)
    assert room is not None
    return room


def test_watching_the_same_game_again_costs_nothing(inside: Inside) -> None:
    key = inside.begin()
    room = room_of(inside, key)
    with inside.connect() as socket:
        for _ in range(100):
            say(socket, do="watch", id=key)
        socket.send("x")
        assert [hear(socket)["kind"] for _ in range(2)] == ["state", "error"]
        assert len(room.watchers) == 1
        inside.client.post(f"/api/games/{key}/moves", json={"move": "a1"})
        assert hear(socket)["state"]["line"]
        say(socket, do="unwatch")
        socket.send("x")
        assert hear(socket)["kind"] == "error"
        assert not room.watchers
        say(socket, do="watch", id=key)
        assert hear(socket)["kind"] == "state"
    until(lambda: not room.watchers)


def test_a_game_that_was_kept_searches_for_whoever_uses_it(inside: Inside) -> None:
    """After a restart nobody's address would be everybody's."""
    key = inside.begin()
    inside.context.lobby.rooms.most = 0
    inside.begin()  # for which the first game is forgotten
    assert inside.context.lobby.rooms.get(key) is None
    assert inside.client.get(f"/api/games/{key}").status_code == 200
    assert room_of(inside, key).visitor.address == "127.0.0.1"


def test_what_fails_while_it_is_followed_is_told(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise PermissionError("metrics.jsonl")

    with inside.connect() as socket:
        monkeypatch.setattr(live, "stamp_of", fail)
        say(socket, do="run", name="four")
        assert "the server's log tells why" in hear(socket)["error"]
        until(lambda: not inside.context.following.crowds)


# -- rations ---------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 3), max_size=60))
def test_a_ration_is_so_many_at_once_and_so_many_a_second(waits: list[float]) -> None:
    now, at_once, a_second = 0.0, 5, 2.0
    ration = Ration(at_once, a_second, lambda: now)
    for taken, wait in enumerate(waits, start=1):
        now += wait
        early = ration.take()
        assert early == pytest.approx(0) or taken > at_once
        now += early  # whoever waits as told
        assert taken <= at_once + a_second * now + 1e-6


def test_coming_back_is_no_way_to_a_new_ration() -> None:
    addresses = Addresses(WebSettings())
    with addresses.connected("there") as first:
        assert first is not None
        while not first.messages.take():
            pass
    with addresses.connected("there") as again, addresses.connected("here") as other:
        assert again is not None
        assert other is not None
        assert again.messages.take() > 0
        assert other.messages.take() == 0


def test_what_nobody_reads_is_not_kept() -> None:
    async def fill() -> None:
        out = Outbox()
        for number in range(10_000):
            out.put({"kind": "state", "id": "a", "state": number})
            out.put({"kind": "run", "name": f"{number % 2}", "run": number})
        assert len(out.waiting) == 3
        assert [(await out.next())["kind"] for _ in range(3)] == ["run", "state", "run"]
        for number in range(MOST_TOPICS + 1):
            assert not out.is_full
            out.put({"kind": "tree", "path": [f"{number}"]})
        assert out.is_full

    asyncio.run(fill())
