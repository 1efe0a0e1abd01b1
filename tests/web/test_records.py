"""Games that are kept: list, search, replay, import and export; tournaments and training runs."""

import json
from typing import Any

import httpx

import damier
from damier.zero.metrics import FIGURES
from tests.serving import Server, until

DRAUGHTS = ["c3-d4", "b6-a5", "d4-e5"]


def test_games_go_out_and_come_in(client: httpx.Client) -> None:
    body = {"game": "dames8", "seats": ["human", "human"], "moves": DRAUGHTS}
    state = client.post("/api/games", json=body).json()
    assert client.get(f"/api/records/{state['number']}").json()["formats"] == ["json", "pdn"]
    assert client.get("/api/catalogue").json()["formats"] == ["json", "pdn", "blksgf"]
    for format in ("pdn", "json"):
        text = client.get(f"/api/records/{state['number']}/export", params={"format": format}).text
        numbers = client.post("/api/records", json={"format": format, "text": text}).json()["numbers"]
        line = client.get(f"/api/records/{numbers[0]}").json()["line"]
        assert [each["notation"] for each in line] == DRAUGHTS
    assert client.get(f"/api/records/{state['number']}/export", params={"format": "blksgf"}).status_code == 422


def test_blokus_goes_out_and_comes_in(client: httpx.Client) -> None:
    start = client.post("/api/positions", json={"game": "blokus:board=duo"}).json()
    first = start["moves"][100]["notation"]
    state = client.post(
        "/api/games", json={"game": "blokus:board=duo", "seats": ["human"] * 2, "moves": [first]}
    ).json()
    assert state["last"]["notation"] == first
    assert len(state["board"]["tray"]) == 21
    text = client.get(f"/api/records/{state['number']}/export", params={"format": "blksgf"}).text
    numbers = client.post("/api/records", json={"format": "blksgf", "text": text}).json()["numbers"]
    assert client.get(f"/api/records/{numbers[0]}").json()["line"][0]["notation"] == first


def test_what_is_no_game_is_refused(client: httpx.Client) -> None:
    for format, text in (
        ("json", "{"),
        ("json", '{"game": "connect4", "moves": ["z"]}'),
        ("pdn", "(((("),
        ("blksgf", "x"),
    ):
        answer = client.post("/api/records", json={"format": format, "text": text})
        assert answer.status_code == 422, format
        assert answer.json()["error"]


def test_the_list_is_searched_and_keeps_keys_to_their_owners(server: Server) -> None:
    with server.client() as mine, server.client() as other:
        body = {"game": "connect4", "seats": ["human", "uct:sims=77"]}
        key = mine.post("/api/games", json=body).json()["id"]
        for client, expected in ((mine, key), (other, None)):
            found = client.get("/api/records", params={"text": "sims=77"}).json()
            assert found["count"] == 1
            assert found["games"][0]["key"] == expected
        assert other.get("/api/records", params={"mine": True}).json()["count"] == 0
        assert mine.get("/api/records", params={"text": "100%"}).json()["count"] == 0


def test_a_tournament_is_played_and_its_games_replayed(client: httpx.Client) -> None:
    body: dict[str, Any] = {"game": "tictactoe", "players": ["random", "flat:sims=1"], "games": 6}
    number = client.post("/api/events", json=body).json()["id"]
    table = until(lambda: (now := client.get(f"/api/events/{number}").json())["is_finished"] and now)
    assert table["result"]["games"] == 6
    assert len(table["result"]["standings"]) == 2
    game = client.get(f"/api/events/{number}/games/0").json()
    moves = [each["notation"] for each in game["line"]]
    assert client.post("/api/positions", json={"game": game["game"], "moves": moves}).json()["is_over"]
    assert client.post("/api/events", json=body | {"players": ["human", "random"]}).status_code == 422


def test_training_runs_are_read_from_their_folders(client: httpx.Client, server: Server) -> None:
    folder = server.database.parent / "runs" / "four"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('game = "connect4"\niterations = 3\n')
    row = {"iteration": 1} | dict.fromkeys(FIGURES, 1.5) | {"elo": float("nan")}
    (folder / "metrics.jsonl").write_text(json.dumps(row) + '\n{"iteration": 2, "ga')
    assert [run["name"] for run in client.get("/api/runs").json()["runs"]] == ["four"]
    run = client.get("/api/runs/four").json()
    assert [row["total_loss"] for row in run["rows"]] == [1.5]
    assert run["planned"] == 3
    assert client.get("/api/runs/four/games").json()["games"] == []
    database = f"sqlite:///{folder / 'games.sqlite3'}"
    damier.match("connect4", "random", "flat:sims=1", games=2, database=database, workers=1)
    samples = client.get("/api/runs/four/games").json()["games"]
    assert len(samples) == 2
    line = {"game": "connect4", "moves": samples[0]["moves"]}
    assert client.post("/api/positions", json=line).json()["returns"] == samples[0]["returns"]
