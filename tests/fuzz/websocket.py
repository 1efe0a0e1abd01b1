"""The live connection: messages of every shape, frames of every kind, headers of every sort, against a real server.

Each attempt opens a connection and says some things. Afterwards the server must still answer, over the same connection
or a new one, and its log must hold no traceback.
"""

import json
import random
import socket
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from damier import game
from damier.arena.plan import Plan
from damier.store.database import Store
from tests.fuzz.fuzzer import Attempt
from tests.serving import Server

PATIENCE = 60  # seconds for an answer
FIELDS_OF = {
    "watch": ("id",),
    "analyse": ("game", "player", "moves", "through", "tag"),
    "look": ("path",),
    "follow": ("event",),
    "run": ("name",),
}
DOS = (*FIELDS_OF, "analyse", "look", "unwatch", "stop", "unfollow", "dance", "", "_do", "__init__")
FIELDS = ("id", "do", "event", "path")
GAMES = ("tictactoe", "tictactoe", "tictactoe", "mnk:rows=3,cols=3,k=3", "pig", "x.py:Y", "tree:file=x", "mnk:rows=nan")
PLAYERS = (
    "random",
    "human",
    "alphabeta:depth=2",
    "minimax:depth=99",
    "flat:sims=-1",
    "flat:seconds=nan",
    "engine",
    "?",
)
TEXTS = (
    "",
    "a1",
    "b2",
    "\x00",
    "\ud800",
    "é" * 50,
    "../..",
    "x" * 500,
    "x" * 300,
    "-1",
    "NaN",
    "a+b+../c",
    "\u202e",
    "four",
)
NUMBERS = (0, 1, -1, 2**31, 2**63, 2**64, 10**400, 0.5, 1e308)
HEADERS = (
    "Host",
    "Origin",
    "Cookie",
    "X-Forwarded-For",
    "Sec-WebSocket-Protocol",
    "Sec-WebSocket-Extensions",
    "User-Agent",
)
VALUES = (
    "[",
    "http://[",
    "null",
    "[::1",
    "damier=" + "x" * 1000,
    "damier=\xff",
    "1.2.3.4",
    "permessage-deflate; x=y",
    "," * 50,
)


@contextmanager
def fuzz_websocket(folder: Path) -> Iterator[Attempt]:
    server = Server(folder, "--processes", "1", "--max-seconds", "0.5").start()
    try:
        with server.client() as client:
            _keep_something(folder, server)
            key = client.post("/api/games", json={"game": "tictactoe", "seats": ["human", "human"]}).json()["id"]
            yield lambda rng: _attempt(server, client, key, rng)
    finally:
        server.stop()


def _keep_something(folder: Path, server: Server) -> None:
    """A tournament and a run to follow."""
    with closing(Store(str(server.database))) as store:
        store.open_event(Plan(game("tictactoe"), ("random", "careful"), 2))
    (folder / "runs" / "four").mkdir(parents=True)
    (folder / "runs" / "four" / "config.toml").write_text('game = "tictactoe"\n')


def _attempt(server: Server, client: httpx.Client, key: str, rng: random.Random) -> str | None:
    before = server.log.stat().st_size
    said: list[str] = []
    try:
        kind = rng.random()
        if kind < 0.1:
            _knock(server, rng, said)
        elif kind < 0.2:
            _garble(server, rng, said)
        else:
            _talk(server, key, rng, said)
        if client.get("/api/lessons", timeout=PATIENCE).status_code != 200:
            return f"the server is out of order after {_short(said)}"
    except (httpx.HTTPError, TimeoutError) as error:
        return f"no answer ({type(error).__name__}) after {_short(said)}"
    log = server.log.read_bytes()[before:].decode(errors="replace")
    if "Traceback" in log:
        return f"{log.strip().splitlines()[-1][:200]} after {_short(said)}"
    return None


def _short(said: list[str]) -> str:
    return " ".join(said)[:300]


def _talk(server: Server, key: str, rng: random.Random, said: list[str]) -> None:
    """Messages over a connection that is in order; each wrong one must be answered."""
    with connect(f"ws://127.0.0.1:{server.port}/api/live", open_timeout=PATIENCE) as live:
        for _ in range(rng.randint(1, 12)):
            message = _frame(key, rng)
            said.append(repr(message))
            with suppress(WebSocketException):
                live.send(message)
        with suppress(WebSocketException):
            live.send("this is answered")
            _wait_for_error(live)


def _wait_for_error(live: ClientConnection) -> None:
    """A connection that was not closed is still listened to."""
    while "expected a JSON object" not in str(live.recv(timeout=PATIENCE)):
        pass


def _frame(key: str, rng: random.Random) -> str | bytes:
    message = json.dumps(_message(key, rng))
    kind = rng.random()
    if kind < 0.1:
        return message.encode()
    if kind < 0.3:
        letters = list(message)
        for _ in range(rng.randint(1, 4)):
            letters[rng.randrange(len(letters))] = rng.choice('{}[]",:\\0e-\x00é')
        return "".join(letters)
    if kind < 0.33:
        return message[: rng.randrange(len(message))] + rng.choice("[{") * rng.choice((10, 10_000, 150_000))
    return message


def _message(key: str, rng: random.Random) -> Any:
    """Mostly what a page could say, with some parts of it replaced, missing or too many."""
    if rng.random() < 0.05:
        return _value(key, rng, 3)
    do = rng.choice(DOS)
    plain = {
        "id": key,
        "game": rng.choice(GAMES),
        "player": rng.choice(PLAYERS),
        "moves": rng.sample(("a1", "b2", "c3"), rng.randrange(3)),
        "path": rng.sample(("a1", "b2", "c3"), rng.randrange(3)),
        "through": rng.choice(("a2", "b1")),
        "event": 1,
        "name": "four+five",
        "tag": 7,
    }
    fields = [*FIELDS_OF.get(do, ()), *rng.sample(list(plain), rng.choice((0, 0, 0, 1)))]
    message = {field: plain[field] if rng.random() < 0.8 else _value(key, rng, 2) for field in fields}
    return {"do": do if rng.random() < 0.95 else _value(key, rng, 2)} | message


def _value(key: str, rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(6 if depth else 4)
    if kind == 0:
        return rng.choice(TEXTS)
    if kind == 1:
        return rng.choice((*GAMES, *PLAYERS, key))
    if kind == 2:
        return rng.choice(NUMBERS)
    if kind == 3:
        return rng.choice((None, True, False, float("nan"), float("inf")))
    if kind == 4:
        return [_value(key, rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice(FIELDS): _value(key, rng, depth - 1) for _ in range(rng.randint(0, 3))}


def _knock(server: Server, rng: random.Random, said: list[str]) -> None:
    """A connection with odd headers."""
    headers = {rng.choice(HEADERS): rng.choice(VALUES) for _ in range(rng.randint(1, 3))}
    lines = {"Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade"}
    lines |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"} | headers
    path = rng.choice(("/api/live", "/api/live?x=%ff", "/api/nothing", "/", "/api/live/%00"))
    request = f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    said.append(request)
    _send(server, request.encode("latin-1"))


def _garble(server: Server, rng: random.Random, said: list[str]) -> None:
    """Frames that no browser sends: unmasked, cut, of unknown kinds, with wrong lengths, texts that are none."""
    start = (
        f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    frames = b"".join(_odd_frame(rng) for _ in range(rng.randint(1, 4)))
    said.append(frames.hex()[:200])
    _send(server, start.encode(), frames)


def _odd_frame(rng: random.Random) -> bytes:
    """A text, mostly with one thing wrong."""
    payload = rng.choice((b'{"do": "stop"}', b"", b"\xff\xfe", b"\xed\xa0\x80", rng.randbytes(rng.randrange(120))))
    first, second, length = 0x81, 0x80, len(payload)
    wrong = rng.randrange(6)
    if wrong == 0:
        first = rng.randrange(256)  # of another kind, in parts, with reserved bits
    elif wrong == 1:
        second = 0  # not masked
    elif wrong == 2:
        length = rng.randrange(126)
    mask = rng.randbytes(4)
    masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
    if wrong == 3:
        return struct.pack("!BBQ", first, second | 127, rng.choice((2**62, 2**20, len(payload)))) + mask + masked
    return bytes([first, second | length]) + mask + masked


def _send(server: Server, *parts: bytes) -> None:
    """Send bytes, read what comes after each part for a moment, and leave."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw, suppress(OSError):
        for part in parts:
            raw.settimeout(PATIENCE)
            raw.sendall(part)
            raw.settimeout(0.05)
            with suppress(TimeoutError):
                raw.recv(1 << 16)
