"""Playing games of hidden information over the network: what is refused, told and kept, beside the hidden cards."""

import asyncio
import json
import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import httpx
import pytest

import damier
from damier.core.position import Position
from damier.web import showing
from damier.web.searching import process
from damier.web.searching.process import Searcher
from damier.web.searching.turns import Steps, Turns
from tests.serving import until
from tests.web.inside import Inside
from tests.web.listening import Browser

Json = dict[str, Any]


def begin(client: httpx.Client, game: str, *seats: str) -> httpx.Response:
    return client.post("/api/games", json={"game": game, "seats": list(seats)})


def test_only_players_stop_a_game_with_hidden_cards(inside: Inside) -> None:
    address = f"http://127.0.0.1:{inside.port}"
    with httpx.Client(base_url=address) as player, httpx.Client(base_url=address) as other:
        key = begin(player, "kuhn", "human", "random").json()["id"]
        refused = other.post(f"/api/games/{key}/pace", json={"is_paused": True})
        assert (refused.status_code, "seat" in refused.json()["error"]) == (409, True)
        assert not player.get(f"/api/games/{key}").json()["is_paused"]
        assert player.post(f"/api/games/{key}/pace", json={"is_paused": True}).json()["is_paused"]
        watched = begin(player, "kuhn", "random", "random").json()["id"]
        assert other.post(f"/api/games/{watched}/pace", json={"is_paused": True}).status_code == 200


def test_a_network_that_does_not_exist_is_missed_before_the_game(inside: Inside) -> None:
    answer = begin(inside.client, "whist", "human", "zero")
    assert (answer.status_code, "no network for whist" in answer.json()["error"]) == (422, True)
    for game, is_offered in (("whist", False), ("whist:variant=german", True), ("connect4", True)):
        offered = inside.client.get(f"/api/catalogue/{game}/players").json()["players"]
        assert ("zero" in offered) == is_offered


def test_nobody_plays_against_a_player_who_sees_all_cards(inside: Inside) -> None:
    assert "cheat" not in inside.client.get("/api/catalogue/kuhn/players").json()["players"]
    answer = begin(inside.client, "kuhn", "human", "cheat:search=(uct:sims=5)")
    assert (answer.status_code, "sees all hidden cards" in answer.json()["error"]) == (422, True)
    assert begin(inside.client, "kuhn", "random", "cheat:search=(uct:sims=5)").status_code == 201


def test_a_resigned_game_can_be_imported_again(inside: Inside) -> None:
    key = begin(inside.client, "kuhn", "human", "human").json()["id"]
    state = inside.client.post(f"/api/games/{key}/resign", json={}).json()
    text = inside.client.get(f"/api/records/{state['number']}/export").text

    def store(text: str) -> httpx.Response:
        return inside.client.post("/api/records", json={"format": "json", "text": text})

    (number,) = store(text).json()["numbers"]
    kept = inside.client.get(f"/api/records/{number}").json()
    assert (kept["resigned"], kept["returns"]) == (0, [-1.0, 1.0])
    assert store(text.replace('"resigned": 0', '"resigned": null')).status_code == 422
    for wrong in (2, -1, True, "0", [0]):
        assert store(json.dumps(json.loads(text) | {"resigned": wrong})).status_code == 422
    over = {"game": "kuhn", "moves": ["K", "J", "bet", "fold"], "resigned": 0}
    assert "unfinished" in store(json.dumps(over)).json()["error"]


def test_chance_moves_on_the_analysis_board(inside: Inside) -> None:
    def show(**line: Any) -> Json:
        return dict(inside.client.post("/api/positions", json=line).json())

    assert show(game="whist")["is_chance"]
    dealt = show(game="whist", draw=True)
    assert (dealt["is_chance"], len(dealt["line"])) == (False, 15)
    cards = [card["move"] for hand in dealt["board"]["hands"] for card in hand["cards"] if card["move"]]
    assert sorted(cards) == sorted(move["notation"] for move in dealt["moves"]), "all cards can be played there"
    moves = [entry["notation"] for entry in dealt["line"]]
    assert show(game="whist", moves=moves, draw=True)["line"] == dealt["line"], "nothing is left to chance"


# -- beliefs -----------------------------------------------------------------------------------------------------------


def test_beliefs_about_an_earlier_position_are_dropped(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def slowly(line: Sequence[Position], viewer: int) -> Steps[Json]:
        lengths.append(len(line))
        while len(lengths) == 1:  # for ever, if nobody ends it
            yield
        return {"kind": "cards", "hands": [], "rows": [], "plies": len(line)}

    monkeypatch.setattr(showing, "believe", slowly)
    with Browser(f"http://127.0.0.1:{inside.port}") as browser:
        key = begin(browser.client, "kuhn", "human", "human").json()["id"]
        browser.post(f"/api/games/{key}/sit", seat=1)
        until(lambda: browser.client.get(f"/api/games/{key}").json()["player"] == 0)
        told: list[Json] = []
        cookies = dict(browser.client.cookies)

        def ask() -> None:
            with httpx.Client(base_url=browser.client.base_url, cookies=cookies, timeout=60) as client:
                told.append(client.get(f"/api/games/{key}/beliefs").json())

        asking = threading.Thread(target=ask)
        asking.start()
        until(lambda: lengths)
        assert browser.post(f"/api/games/{key}/moves", move="check").status_code == 200
        asking.join()
    assert [answer["plies"] for answer in told] == [4]
    assert lengths == [3, 4]


def test_a_short_request_does_not_wait_for_a_long_one_of_the_same_visitor() -> None:
    order: list[str] = []

    def long() -> Steps[None]:
        while len(order) < 1:  # for ever, if the other one waits for it
            yield
        order.append("long")

    async def main() -> None:
        turns = Turns(turn_seconds=0.001, most_seconds=60)
        await asyncio.gather(turns.compute_steps(long), turns.compute(lambda: order.append("short")))
        turns.close()

    asyncio.run(main())
    assert order == ["short", "long"]


# -- what the searches are doing --------------------------------------------------------------------------------------


def test_a_page_that_comes_late_is_told_that_an_engine_is_prepared(inside: Inside) -> None:
    key = begin(inside.client, "kuhn", "human", "random").json()["id"]
    room = inside.context.lobby.rooms.get(key)
    assert room is not None

    def status() -> str:
        return str(inside.client.get(f"/api/games/{key}").json()["status"])

    told = []
    for kind in ("queued", "preparing", "queued", "preparing", "searching", "queued"):
        room.heard(kind, {})
        told.append((status(), room.status))
    assert told == [("", ""), *[("preparing", "preparing")] * 3, ("", "searching"), ("", "searching")]


def test_a_search_that_keeps_no_tree_is_repeated_and_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SLICE_SECONDS", 0.001)
    monkeypatch.setattr(process, "TREE_SECONDS", 0.002)
    searcher = Searcher.__new__(Searcher)
    searcher.stopped = set()
    pos = damier.game("kuhn").start().play_all("K J").seen_by(0)
    task = {"id": 1, "player": "ismcts:c=0.5,sims=7", "seconds": 1e9, "seed": 1}
    found = []
    for told in searcher._slices(task, pos):
        found.append(told)
        if len(found) == 4:
            searcher.stopped.add(1)
    assert len(found) == 4
    sims = [told["sims"] for told in found]
    assert all(now > before for before, now in pairwise(sims))
    for told in found:
        assert sum(row["visit"] for row in told["rows"]) == told["sims"]
        assert told["best"] == max(told["rows"], key=lambda row: row["visit"])["notation"]
        assert sum(row["policy"] for row in told["rows"]) == pytest.approx(1)
    task = {"id": 2, "player": "pimc:deals=2,search=(minimax:depth=1)", "seconds": 1e9, "seed": 1}
    assert len(list(searcher._slices(task, pos))) == 1, "nobody can time it"
