"""Games over HTTP: seats, moves, taking back, resigning, and what the server refuses."""

import json
import signal
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

import damier
from damier.core.position import Position
from damier.games import REGISTRY
from damier.lessons import trace
from damier.search.result import SearchResult
from damier.web.searching import process
from tests.serving import Server, stopping, until

Json = dict[str, Any]


def begin(client: httpx.Client, game: str = "tictactoe", *seats: str, moves: tuple[str, ...] = ()) -> Json:
    body = {"game": game, "seats": list(seats or ("human", "human")), "moves": list(moves)}
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    state: Json = answer.json()
    return state


def act(client: httpx.Client, state: Json, what: str, **body: Any) -> httpx.Response:
    return client.post(f"/api/games/{state['id']}/{what}", json=body)


def wait_for_reply(client: httpx.Client, key: str) -> Json:
    def state() -> Json | None:
        now: Json = client.get(f"/api/games/{key}").json()
        return now if now["is_over"] or now["player"] == 0 else None

    replied: Json = until(state)
    return replied


def test_the_catalogue_is_that_of_the_registries(client: httpx.Client) -> None:
    told = client.get("/api/catalogue").json()
    assert [game["name"] for game in told["games"]] == list(REGISTRY)
    names = [player["name"] for player in told["players"]]
    assert "uct" in names
    assert "human" in names
    assert "engine" not in names
    assert all(set(game["presets"]) == {"beginner", "club", "strong"} for game in told["games"])


def test_presets_are_players_that_can_play_the_game(client: httpx.Client) -> None:
    kinds = ("connect4", "zero"), ("connect4:rows=5", "alphabeta"), ("othello", "alphabeta"), ("backgammon", "grave")
    networks = ("othello:size=6", "zero"), ("dames8", "alphabeta")  # that of dames8 is still weak
    for game, kind in (
        *kinds,
        *networks,
        ("blokus", "grave"),
        ("blokus:board=duo", "grave"),
        ("morpion", "nrpa"),
        ("pig", "nested"),
        ("pacman", "nested"),
    ):
        presets = client.get(f"/api/catalogue/{game}/presets").json()
        assert presets["strong"].partition(":")[0] == kind
        assert all(damier.player(spec) for spec in presets.values())


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_can_be_shown(client: httpx.Client, game: str) -> None:
    assert client.get(f"/api/catalogue/{game}/board").json()["kind"] in ("grid", "text", "cards")
    shown = client.post("/api/positions", json={"game": game}).json()
    assert shown["moves"] or shown["is_chance"]
    if shown["board"]["kind"] == "grid":
        assert all(move["trails"] for move in shown["moves"]), "every move of a first position can be pointed at"


def test_a_turn_of_backgammon_is_pointed_at_where_its_checkers_are(client: httpx.Client) -> None:
    """Each player counts points from home, and the board is drawn as the first one counts."""
    shown = client.post("/api/positions", json={"game": "backgammon", "moves": ["24"]}).json()
    assert shown["player"] == 1
    board = shown["board"]
    assert board["notes"] == ["○ rolled 4-2"]
    owners = [board["symbols"][cell]["player"] if cell >= 0 else -1 for cell in board["cells"]]
    for move in shown["moves"]:
        for trail in move["trails"]:
            assert owners[trail[0]] == 1
            assert all(owners[cell] != 0 for cell in trail)


def test_a_game_against_a_player(client: httpx.Client) -> None:
    state = begin(client, "tictactoe", "human", "random")
    while not state["is_over"]:
        state = act(client, state, "moves", move=state["moves"][0]["notation"]).json()
        state = wait_for_reply(client, state["id"])
    moves = [each["notation"] for each in state["line"]]
    assert list(damier.game("tictactoe").start().play_all(moves).returns or ()) == state["returns"]
    assert act(client, state, "moves", move="a1").status_code == 409


def test_undo_back_resign_and_swap(client: httpx.Client) -> None:
    state = begin(client, moves=("a1", "b2", "c3"))
    assert [each["notation"] for each in act(client, state, "undo").json()["line"]] == ["a1", "b2"]
    assert act(client, state, "back", ply=0).json()["line"] == []
    assert act(client, state, "undo").status_code == 409
    resigned = act(client, state, "resign").json()
    assert resigned["returns"] == [-1.0, 1.0]
    assert act(client, state, "moves", move="a1").status_code == 409
    assert not act(client, state, "undo").json()["is_over"]
    other = begin(client, "tictactoe", "human", "random")
    assert act(client, other, "swap").json()["seats"] == ["random", "human"]


def test_a_move_that_is_not_ones_own_is_refused(client: httpx.Client) -> None:
    state = begin(client, "tictactoe", "random", "random")
    answer = act(client, state, "moves", move="a1")
    assert answer.status_code == 409
    assert "not your turn" in answer.json()["error"]


HOSTILE_GAMES = [
    ("/etc/passwd.py:Game", 403),
    ("../../x.py:Game", 403),
    ("nothing", 422),
    ("mnk:rows=100000,cols=100000", 422),
    ("mnk:rows=nan", 422),
    ("connect4:rows=-5", 422),
    ("connect4:" + "rows=7," * 50, 422),
    ("connect4:" + "a=1," * 10_000, 422),
    ("connect4\0", 422),
    ("samegame:board=$(id)", 422),
    ("tree:file=/etc/passwd", 403),
    ("tree:file=Makefile", 403),
    ("othello:weights=../../secret", 403),
]
HOSTILE_SEATS = [
    "uct:seconds=100000",
    "uct:memory=1000000",
    "uct:sims=999999999999",
    "uct:threads=1000",
    "uct:c=../../etc/passwd",
    "zero:net=/etc/passwd",
    "zero:net=../../secret",
    "engine:name=gnugo",
    "engine:command=rm -rf /",
    "nobody",
    "uct:sims=1;id",
    "",
]


@pytest.mark.parametrize(("game", "status"), HOSTILE_GAMES)
def test_a_hostile_game_is_refused(client: httpx.Client, game: str, status: int) -> None:
    answer = client.post("/api/games", json={"game": game, "seats": ["human", "human"]})
    assert answer.status_code == status
    assert len(answer.json()["error"]) < 500
    assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize("seat", HOSTILE_SEATS)
def test_a_hostile_player_is_refused(client: httpx.Client, seat: str) -> None:
    answer = client.post("/api/games", json={"game": "tictactoe", "seats": ["human", seat]})
    assert answer.status_code in (403, 422)
    assert answer.json()["error"]


def test_other_hostile_requests_are_refused(client: httpx.Client) -> None:
    state = begin(client)
    assert client.get("/api/games/there-is-no-such-key").status_code == 404
    assert act(client, state, "moves", move="z9").status_code == 422
    assert act(client, state, "back", ply=10**9).status_code == 422
    assert client.post("/api/games", content=b"x" * 10_000_000).status_code == 413
    assert client.post("/api/games", content=iter([b"x" * 100_000] * 100)).status_code == 413
    assert client.post("/api/games", content=b"{").status_code == 422
    assert client.get("/../../etc/passwd").status_code == 404
    assert client.get("/api/runs/..%2F..%2Fetc").status_code == 404
    elsewhere = {"Origin": "http://evil.example"}
    assert client.post("/api/games", json={}, headers=elsewhere).status_code == 403
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403


def test_the_browser_is_told_to_be_careful(client: httpx.Client) -> None:
    for path in ("/", "/api/catalogue", "/nowhere"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "default-src 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
    page = client.get("/").text
    assert "http://" not in page
    assert "https://" not in page


# -- the live connection ---------------------------------------------------------------------------------------


def listen(socket: ClientConnection, kind: str, others: list[Json] | None = None) -> Json:
    """The next message of a kind, and the others that come before it."""
    while True:
        message: Json = json.loads(socket.recv(timeout=300))
        if message["kind"] == kind:
            return message
        if others is not None:
            others.append(message)


@pytest.fixture
def socket(server: Server) -> Any:
    with connect(f"ws://127.0.0.1:{server.port}/api/live", open_timeout=300) as made:
        yield made


def test_players_among_themselves_play_while_somebody_watches(client: httpx.Client, socket: ClientConnection) -> None:
    state = begin(client, "tictactoe", "random", "random")
    socket.send(json.dumps({"do": "watch", "id": state["id"]}))
    last = listen(socket, "state")["state"]
    while not last["is_over"]:
        last = listen(socket, "state")["state"]
    assert last["returns"]


def test_compiling_is_told_and_nobody_else_waits_for_it(client: httpx.Client, socket: ClientConnection) -> None:
    unseen = {"do": "analyse", "game": "mnk:rows=4,cols=5,k=4", "moves": [], "player": "flat:sims=50"}
    socket.send(json.dumps(unseen))
    heard: list[str] = []
    while not heard or heard[-1] not in ("done", "failed"):
        heard.append(listen(socket, "analysis")["status"])
        if heard[-1] == "preparing":
            assert begin(client, "tictactoe", "human", "human")["player"] == 0
    assert heard.index("preparing") < heard.index("searching") < heard.index("done")


def test_the_catalogue_tells_what_an_option_may_be(client: httpx.Client) -> None:
    """So that the page offers it."""
    told = client.get("/api/catalogue").json()
    of = {game["name"]: {option["name"]: option["choices"] for option in game["options"]} for game in told["games"]}
    assert of["blokus"]["board"] == ["classic", "duo", "junior", "tiny"]
    assert "frisian" in of["draughts"]["rules"]
    assert of["blokus"]["size"] == []
    (zero,) = (player for player in told["players"] if player["name"] == "zero")
    assert ["puct", "gumbel"] in [option["choices"] for option in zero["options"]]


@pytest.mark.parametrize("player", ["puct", "zero:solver=false"])
def test_an_analysis_streams_and_its_tree_can_be_looked_into(socket: ClientConnection, player: str) -> None:
    socket.send(json.dumps({"do": "analyse", "game": "tictactoe", "moves": ["a1"], "player": player, "tag": 5}))
    visits: list[int] = []
    while len(visits) < 3:
        message = listen(socket, "analysis")
        assert message["status"] not in ("done", "failed"), message
        if message["status"] == "progress":
            visits.append(sum(row["visit"] for row in message["result"]["rows"]))
            assert sum(message["result"]["chances"]) == pytest.approx(1)
    assert visits == sorted(visits)
    socket.send(json.dumps({"do": "look", "path": []}))
    meanwhile: list[Json] = []  # on a busy machine the analysis ends before its tree is shown
    root = listen(socket, "tree", meanwhile)
    assert len(root["children"]) == 8
    best = root["children"][0]
    assert all(best[letter] is not None for letter in "nqpu")
    socket.send(json.dumps({"do": "look", "path": [best["notation"]]}))
    assert len(listen(socket, "tree", meanwhile)["children"]) == 7
    socket.send(json.dumps({"do": "stop"}))
    while not any(message.get("status") == "done" for message in meanwhile):
        meanwhile.append(listen(socket, "analysis"))
    forced = {"do": "analyse", "game": "tictactoe", "moves": ["a1"], "player": "puct:sims=50", "through": "b1"}
    socket.send(json.dumps(forced))
    while (message := listen(socket, "analysis"))["status"] != "done":
        pass
    assert message["result"]["line"]


def test_a_classical_search_is_looked_into_with_its_windows_and_cuts(socket: ClientConnection) -> None:
    moves = ["b2", "a1", "c3", "a3", "a2"]
    asked = {"do": "analyse", "game": "tictactoe", "moves": moves, "player": "alphabeta:depth=3"}
    socket.send(json.dumps(asked))
    while listen(socket, "analysis")["status"] != "done":
        pass
    told = trace("alphabeta", "tictactoe", " ".join(moves), depth=3)
    cut = {told.nodes[number].name for number in told.cut}
    found = set()
    for path in ([], *([node.arc] for node in told.nodes if node.parent == 0)):
        socket.send(json.dumps({"do": "look", "path": path}))
        node = listen(socket, "tree")
        assert node["board"]["kind"] == "grid"
        assert sum(cell >= 0 for cell in node["board"]["cells"]) == len(moves) + len(path)
        assert node["window"].startswith("[-∞, ")
        found |= {" ".join([*path, child["notation"]]) for child in node["children"] if child["status"] == "cut"}
    assert found == {name for name in cut if name.count(" ") == 1}
    assert found
    socket.send(json.dumps({"do": "look", "path": ["z9"]}))
    assert "does not reach z9" in listen(socket, "error")["error"]


@pytest.mark.parametrize(
    "message",
    [
        "x" * 200_000,
        "[]",
        '{"do": "dance"}',
        '{"do": "watch", "id": "nobody-has-this"}',
        '{"do": "analyse", "game": "tictactoe", "moves": 3}',
        '{"do": "analyse", "game": "x.py:Y", "player": "uct"}',
        '{"do": "analyse", "game": "tictactoe", "player": "human"}',
        '{"do": "look", "path": ["a1"]}',
        '{"do": "follow", "event": "x"}',
        '{"do": "run", "name": "../../etc"}',
    ],
)
def test_hostile_messages_are_answered_with_a_sentence(socket: ClientConnection, message: str) -> None:
    socket.send(message)
    assert listen(socket, "error")["error"]


def test_a_search_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    server = Server(tmp_path, "--max-seconds", "0.5").start()
    with stopping(server), server.client() as client:
        state = begin(client, "gomoku", "human", "halving:sims=10000000")
        assert act(client, state, "moves", move="h8").status_code == 200
        stuck = until(lambda: (now := client.get(f"/api/games/{state['id']}").json())["error"] and now)
        assert "stopped after 3.75 seconds" in stuck["error"]
        other = begin(client, "tictactoe", "human", "random")
        act(client, other, "moves", move="a1")
        wait_for_reply(client, other["id"])


def test_what_a_move_is_worth_where_dice_decide_is_an_average(monkeypatch: pytest.MonkeyPatch) -> None:
    class Judge:
        def search(self, pos: Position, _: int) -> SearchResult:
            return SearchResult(0, "", values=(float(pos.state.gain),))

    monkeypatch.setattr(process, "player", lambda _: Judge())
    monkeypatch.setattr(process, "sliced", lambda _: None)
    rolled = damier.game("pig").start().play("roll")
    assert process._expected(rolled, {"player": "", "seed": 1}) == pytest.approx([(2 + 3 + 4 + 5 + 6) / 6])


# -- the process -----------------------------------------------------------------------------------------------


def test_after_a_restart_players_find_their_game_and_a_tournament_its_players(tmp_path: Path) -> None:
    server = Server(tmp_path, "--processes", "1").start()
    contest = {"game": "tictactoe", "players": ["random", "flat:sims=1000000"], "games": 1000}
    with server.client() as client:
        state = begin(client, "othello", moves=("d3", "c3"))
        act(client, state, "moves", move="c4")
        number = client.post("/api/events", json=contest).json()["id"]
        assert client.post("/api/events", json=contest).status_code == 409
        port = server.port
        server.stop(signal.SIGKILL)
        server.start(port)
        found = client.get(f"/api/games/{state['id']}").json()
        assert [each["notation"] for each in found["line"]] == ["d3", "c3", "c4"]
        assert act(client, state, "moves", move="e3").status_code == 200
        event = f"/api/events/{number}"
        until(lambda: not client.get(event).json()["is_played"])  # a tournament ends with its server
        assert client.post(f"{event}/stop").status_code == 409
        assert client.post(f"{event}/resume").json() == {"id": number}
        assert client.get(event).json()["is_running"]
        assert client.post("/api/events", json=contest).status_code == 409
        stopped = client.post(f"{event}/stop").json()
        assert not stopped["is_running"]
        assert not stopped["is_finished"]
    server.stop()


def test_files_are_for_owners_who_allow_them_and_games_have_an_end(tmp_path: Path) -> None:
    examples = Path(__file__).parents[2] / "examples"
    own, other = f"{examples / 'breakthrough.py'}:Breakthrough", f"{examples / 'nim.py'}:Nim"
    server = Server(tmp_path, "--processes", "1", "--max-games", "2", own).start()
    with server.client() as client:
        assert [game["name"] for game in client.get("/api/catalogue").json()["games"]] == [own, *REGISTRY]
        shown = client.post("/api/positions", json={"game": f"{own}:size=5"}).json()
        assert shown["moves"][0]["trails"] == [[15, 10]]
        assert client.post("/api/positions", json={"game": f"{own}:size=10000"}).status_code == 422
        assert client.post("/api/positions", json={"game": other}).status_code == 403
        for what in ("board", "presets"):
            assert client.get(f"/api/catalogue/{quote(own, safe='')}/{what}").status_code == 200
        begin(client)
        begin(client)
        with server.client() as stranger:  # another browser at the same address
            body, elsewhere = {"game": "tictactoe", "seats": ["human", "human"]}, {"X-Forwarded-For": "10.0.0.1"}
            answer = stranger.post("/api/games", json=body, headers=elsewhere)  # whatever it says about itself
            assert answer.status_code == 429
            assert answer.json()["error"].startswith("you began 2 games within an hour; ")
    server.stop()
    server = Server(tmp_path, "--processes", "1", "--allow-files", "--behind-proxy", "--max-games", "1").start()
    with server.client() as client:
        assert client.post("/api/positions", json={"game": other}).status_code == 200
        for address, status in (("10.0.0.1", 201), ("10.0.0.1", 429), ("9.9.9.9, 10.0.0.1", 429), ("10.0.0.2", 201)):
            answer = client.post("/api/games", json=body, headers={"X-Forwarded-For": address})
            assert answer.status_code == status, address  # a proxy appends what it knows
    server.stop()
