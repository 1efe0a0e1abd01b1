"""Hostile requests of every route: odd paths, bodies, values and headers.

The server is a process of its own, as people run it, since it runs without the compiler. What went wrong is a status of
500 or more, no answer at all, one that takes very long, or a traceback in the server's log.
"""

import json
import random
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from damier.core.loading import load_class
from damier.core.spec import defaults
from damier.games import REGISTRY as GAMES
from damier.players import REGISTRY as PLAYERS
from tests.fuzz.fuzzer import Attempt
from tests.serving import Server

PATIENCE = 30  # seconds for an answer; a lesson takes some
DEEP = 50_000
MOST_BODY = 250_000
CUT_OFF = 60_000  # bytes: of a larger request that is refused the server may not read the rest

TEXTS = (
    *(
        "",
        " ",
        "\x00",
        "\ud800",
        "x\udfffy",
        "é",
        "\U0001d518",
        "\u202e",
        "\r\nA: b",
        "a,b",
        "a=b",
        ":",
        "=",
        ",",
        "%s",
        "%",
        "'",
        '"',
    ),
    *("nan", "inf", "-inf", "-1", "0", "1e400", "1_0", "٣", "0x10", "true", "none", "null", "[]", "{}"),
    *(
        "../../etc/passwd",
        "/dev/zero",
        "C:\\",
        "file.py:Class",
        "http://[",
        "x" * 300,
        "é" * 200,
        "9" * 5000,
        "x" * 9000,
    ),
    *(str(2**power + more) for power in (31, 32, 63, 64) for more in (-1, 0)),
)
MOVES = ("a1", "b2", "c3", "d", "d4", "1", "0", "11-15", "c3-d4", "roll", "hold", "left", "up", "L", "e4:d5", "a1,b2")
NUMBERS = (0, 1, -1, 7, 255, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, -(10**30), 0.5, -0.0, 1e308, 1e-320)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"": None}, [None] * 20, {"a": {"b": []}})

Make = Callable[[random.Random], Any]


@contextmanager
def requests(folder: Path) -> Iterator[Attempt]:
    """One request an attempt, of a game that was begun for it where it needs one."""
    run = folder / "runs" / "four"
    run.mkdir(parents=True)
    (run / "config.toml").write_text('game = "tictactoe"\niterations = 3\n')
    (run / "metrics.jsonl").write_text('{"iteration": 1, "games": 10, "elo": NaN}\n')
    server = Server(folder, "--processes", "1", "--max-games", "1000000").start()
    log = server.log.open()
    log.seek(0, 2)
    try:
        yield lambda rng: _attempt(rng, server.port, log.read)
    finally:
        log.close()
        server.stop()


def _attempt(rng: random.Random, port: int, logged: Callable[[], str]) -> str | None:
    request = _request(rng, port)
    finding = _ask(port, request)
    trace = logged()
    if finding is None and "Traceback" in trace:
        finding = trace.strip().splitlines()[-1]
    return None if finding is None else f"{finding} for {request[:300]!r}"


def _ask(port: int, request: bytes) -> str | None:
    """What is wrong with the answer to a request, if anything."""
    try:
        answer = _send(port, request)
    except TimeoutError:
        return f"no answer within {PATIENCE} seconds"
    except ConnectionError as error:
        return None if len(request) > CUT_OFF else f"{type(error).__name__}"
    status = answer[9:12]
    if not status.isdigit():
        return f"no answer: {answer[:40]!r}"
    return None if int(status) < 500 else answer.partition(b"\r\n\r\n")[2][:200].decode("utf-8", "replace")


def _send(port: int, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer


# -- requests ------------------------------------------------------------------------------------------------------


def _request(rng: random.Random, port: int) -> bytes:
    method, path, fields = rng.choice(ROUTES)
    if "KEY" in path and rng.random() < 0.8:
        path = path.replace("KEY", _begun(port))
    path = "/".join(_segment(rng, part) for part in path.split("/"))
    if rng.random() < 0.2:
        path += f"?{_quoted(rng, _text(rng))}={_quoted(rng, _text(rng))}"
    if rng.random() < 0.05:
        method = rng.choice(("PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "GET", "POST"))
    body = b"" if method in ("GET", "HEAD") else _body(rng, fields)
    headers = {"Host": f"127.0.0.1:{port}", "Connection": "close", "Content-Length": str(len(body))}
    headers["Content-Type"] = "application/json" if rng.random() < 0.95 else rng.choice(("text/plain", "", "a/b;c"))
    if rng.random() < 0.2:
        headers[rng.choice(("Cookie", "Accept", "Range", "If-None-Match", "Accept-Encoding"))] = _header(rng)
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def _begun(port: int) -> str:
    """The key of a new game."""
    body = b'{"game": "tictactoe", "seats": ["human", "human"], "moves": ["b2"]}'
    head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return str(json.loads(_send(port, head.encode() + body).partition(b"\r\n\r\n")[2])["id"])


def _segment(rng: random.Random, part: str) -> str:
    """A part of a path; those in capitals are to be filled in."""
    if part == "GAME":
        return _quoted(rng, _game(rng))
    if part in ("NUMBER", "NAME", "KEY"):
        likely = {"NUMBER": ["1", "2", "0"], "NAME": ["four", "stepper.js"], "KEY": ["x" * 22]}[part]
        return _quoted(rng, rng.choice(likely) if rng.random() < 0.3 else _text(rng))
    return part if rng.random() < 0.98 else _quoted(rng, _text(rng))


def _quoted(rng: random.Random, text: str) -> str:
    """Percent-encoded; half a character as the bytes it would have."""
    data = text.encode("utf-8", "surrogatepass")[: rng.choice((300, 300, 5000))]
    return quote_from_bytes(data, safe=rng.choice(("", "/.:,=")))


def _header(rng: random.Random) -> str:
    text = rng.choice((f"damier={_text(rng)}", _text(rng), "bytes=0-", "bytes=9-1", f"bytes={2**70}-"))
    return "".join(letter for letter in text if " " <= letter <= "ÿ" and letter != "\x7f")[:4000]


# -- bodies --------------------------------------------------------------------------------------------------------


def _body(rng: random.Random, fields: dict[str, Make]) -> bytes:
    chance = rng.random()
    if chance < 0.03:
        return rng.choice((b"[" * DEEP, b'{"a":' * DEEP, b"9" * 5000, b"\xff\xfe", b"{", b"\x00", b"nul", b" " * DEEP))
    if chance < 0.08:
        return json.dumps(_odd(rng)).encode()
    body = {name: make(rng) for name, make in fields.items() if rng.random() < 0.9}
    for name in list(body):
        if rng.random() < 0.15:
            body[name] = _odd(rng)
    if rng.random() < 0.05:
        body[_text(rng)] = _odd(rng)
    return json.dumps(body).encode()[:MOST_BODY]


def _odd(rng: random.Random) -> Any:
    return rng.choice((_text(rng), rng.choice(NUMBERS), rng.choice(OTHERS)))


def _text(rng: random.Random) -> str:
    if rng.random() < 0.8:
        return rng.choice(TEXTS)
    return "".join(chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x110000)))) for _ in range(rng.randrange(30)))


def _game(rng: random.Random) -> str:
    name = rng.choice(("tictactoe", rng.choice(list(GAMES))))
    return _spec(rng, name, list(defaults(load_class(GAMES[name].locator))))


def _player(rng: random.Random) -> str:
    name = rng.choice(list(PLAYERS))
    return _spec(rng, name, list(defaults(load_class(PLAYERS[name]))))


def _spec(rng: random.Random, name: str, options: list[str]) -> str:
    """A name with some options, most of which there are."""
    if rng.random() < 0.05:
        return _text(rng)
    chosen = rng.sample(options, min(len(options), rng.choice((0, 0, 1, 1, 2, 4))))
    values = (rng.choice((_text(rng), str(rng.choice(NUMBERS)), str(rng.randrange(-2, 30)))) for _ in chosen)
    listed = ",".join(f"{option}={value}" for option, value in zip(chosen, values, strict=True))
    return f"{name}:{listed}" if listed else name


def _moves(rng: random.Random) -> list[Any]:
    if rng.random() < 0.05:
        return ["b2"] * rng.choice((2500, 2501, 30_000))
    return [rng.choice((rng.choice(MOVES), rng.choice(MOVES), _text(rng))) for _ in range(rng.randrange(4))]


def _import(rng: random.Random) -> Any:
    """The text of games in some format, or nearly."""
    games = [
        {"game": _game(rng), "moves": _moves(rng), "seats": [_text(rng)]} for _ in range(rng.choice((1, 1, 3, 30)))
    ]
    tag = f'[GameType "{rng.choice((25, 20, 21, 99, 2**64))}"][{rng.choice(("FEN", "White"))} "{_text(rng)}"]'
    return rng.choice(
        (
            json.dumps(rng.choice((games, games[0], _odd(rng)))),
            f"{tag} 1. {rng.choice(MOVES)} {rng.choice(MOVES)} {_text(rng)} *" * rng.choice((1, 2, 300)),
            f"(;GM[{rng.choice(('Blokus Duo', 'Blokus', _text(rng)))}];1[{_text(rng)}];B[e5,{_text(rng)}])",
            "(" * DEEP,
            "{" * DEEP,
            "[" * DEEP,
        )
    )


def _tree(rng: random.Random) -> str:
    node = "max(min(3 12) min(2 4))"
    return rng.choice((node.replace("3", _text(rng), 1), "max(" * 2000, node[: rng.randrange(len(node))], _text(rng)))


def _pick(*values: Any) -> Make:
    return lambda rng: rng.choice(values)


ALGORITHM = _pick("alphabeta", "uct", "minimax", "astar", "maxn", "expectimax", "negamax", "rave", "x")
SEED = _pick(0, 1, 2**31 - 1, 2**31, -1)
ROUTES: list[tuple[str, str, dict[str, Make]]] = [
    ("GET", "/api/catalogue", {}),
    ("GET", "/api/catalogue/GAME/board", {}),
    ("GET", "/api/catalogue/GAME/presets", {}),
    ("GET", "/api/catalogue/GAME/players", {}),
    ("POST", "/api/positions", {"game": _game, "moves": _moves}),
    ("POST", "/api/games", {"game": _game, "seats": lambda rng: ["human"] * rng.randrange(5), "moves": _moves}),
    ("POST", "/api/games", {"game": _pick("tictactoe"), "seats": lambda rng: ["human", _player(rng)]}),
    ("GET", "/api/games/KEY", {}),
    ("GET", "/api/games/KEY/plies/NUMBER", {}),
    ("POST", "/api/games/KEY/moves", {"move": lambda rng: rng.choice((rng.choice(MOVES), _text(rng)))}),
    ("POST", "/api/games/KEY/undo", {}),
    ("POST", "/api/games/KEY/back", {"ply": _pick(0, 1, -1, 2**31, 10**30)}),
    ("POST", "/api/games/KEY/resign", {"seat": _pick(0, 1, 7, 8, None)}),
    ("POST", "/api/games/KEY/swap", {}),
    ("POST", "/api/games/KEY/pace", {"delay": _pick(0, 30, 1e300, None), "is_paused": _pick(True, False, None)}),
    ("GET", "/api/lessons", {}),
    ("POST", "/api/trees", {"text": _tree}),
    ("POST", "/api/lessons", {"algorithm": ALGORITHM, "text": _tree, "depth": _pick(0, 1, 12), "seed": SEED}),
    ("POST", "/api/lessons", {"algorithm": ALGORITHM, "game": _game, "moves": _moves, "simulations": _pick(1, 20)}),
    ("GET", "/api/exercises", {}),
    ("POST", "/api/exercises", {"algorithm": ALGORITHM, "seed": SEED, "depth": _pick(1, 3, 6), "answers": _odd}),
    ("GET", "/api/records", {}),
    ("GET", "/api/records/NUMBER", {}),
    ("GET", "/api/records/NUMBER/export", {}),
    ("POST", "/api/records", {"format": _pick("json", "pdn", "blksgf"), "text": _import}),
    ("POST", "/api/records", {"format": _pick("json", "pdn", "blksgf"), "text": _import}),
    ("GET", "/api/events", {}),
    ("POST", "/api/events", {"game": _game, "players": lambda rng: [_player(rng), "nobody"], "games": _pick(1, 0)}),
    ("GET", "/api/events/NUMBER", {}),
    ("POST", "/api/events/NUMBER/stop", {}),
    ("GET", "/api/events/NUMBER/games/NUMBER", {}),
    ("GET", "/api/runs", {}),
    ("GET", "/api/runs/NAME", {}),
    ("GET", "/api/runs/NAME/games", {}),
    ("GET", "/lessons/NAME", {}),
    ("GET", "/js/NAME", {}),
    ("GET", "/NAME", {}),
    ("GET", "/openapi.json", {}),
]
