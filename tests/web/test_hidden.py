"""Games of hidden information over the network: everything that the server sends to each seat is read.

`test_nobody_is_sent_a_card_that_they_may_not_see` looks for the hidden cards. `test_games_that_look_the_same_are_sent
_the_same` compares two games which a player can't tell apart: all that this player is sent must be equal.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core.position import Position
from damier.core.protocol import REFEREE
from damier.web import beliefs, showing
from damier.web.course import OUTSIDE, Course, first_holders
from damier.web.searching import process
from damier.web.searching.turns import Steps
from damier.web.seen import show_to
from tests.serving import Server, until
from tests.web.hidden_cards import CARDS
from tests.web.inside import Inside
from tests.web.listening import Browser, everything, leaks

Json = dict[str, Any]

SUITED = re.compile(r"(10|[2-9JQKA])[♠♥♦♣]")
OWN_GAME = f"{Path(__file__).parent / 'hidden_cards.py'}:HiddenCards"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("hidden"), OWN_GAME).start()
    yield started
    started.stop()


def begin(browser: Browser, game: str, *seats: str) -> str:
    answer = browser.post("/api/games", game=game, seats=list(seats))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def pry(browser: Browser, key: str, number: int) -> None:
    """Ask for everything that the server might tell; beliefs are about hidden cards, and another test reads them."""
    state = browser.get(f"/api/games/{key}").json()
    for ply in range(state["ply"] + 2):
        browser.get(f"/api/games/{key}/plies/{ply}")
    assert browser.get(f"/api/records/{number}").status_code == 409
    assert browser.get(f"/api/records/{number}/export?format=json").status_code == 409
    (summary,) = (each for each in browser.get("/api/records").json()["games"] if each["number"] == number)
    assert (summary["plies"], summary["changed"]) == (None, summary["began"])
    for refused in ("undo", "swap"):
        assert browser.post(f"/api/games/{key}/{refused}").status_code == 409
    assert browser.post(f"/api/games/{key}/back", ply=0).status_code == 409
    assert browser.post(f"/api/games/{key}/moves", move="nonsense").status_code in (409, 422)
    held = len(browser.of_kind("analysis")) + len(browser.of_kind("error"))
    browser.send(do="advise", id=key, player="random")
    until(lambda: len(browser.of_kind("analysis")) + len(browser.of_kind("error")) > held)
    browser.send(do="look", path=[])


def deal_of(server: Server, number: int) -> tuple[int, ...]:
    """The moves of a game, from the database."""
    with closing(sqlite3.connect(server.database)) as database:
        ((moves,),) = database.execute("SELECT moves FROM casual_games WHERE id = ?", (number,)).fetchall()
    return tuple(json.loads(moves))


def play_out(browsers: list[Browser], key: str, number: int, choose: dict[int, list[str]]) -> None:
    """Let each browser play for its seat; everybody pries after each move."""
    for browser in browsers:
        browser.send(do="watch", id=key)
    while True:
        mover = until(lambda: who_moves(browsers, key)) - 1
        if mover < 0:
            break
        for browser in browsers:
            pry(browser, key, number)
        state = browsers[mover].get(f"/api/games/{key}").json()
        wanted = choose.get(mover, [])
        moves = [each["notation"] for each in state["moves"]]
        move = next((each for word in wanted for each in moves if each.startswith(word)), moves[0])
        if move in wanted:
            wanted.remove(move)
        before = {id(browser): len(browser.answers) for browser in browsers}
        assert browsers[mover].post(f"/api/games/{key}/moves", move=move).status_code == 200
        if json.loads(browsers[mover].answers[-1])["is_over"]:
            del browsers[mover].answers[before[id(browsers[mover])] :]
            break
    for browser in browsers:
        wait_for_the_end(browser)


def who_moves(browsers: list[Browser], key: str) -> int:
    """The number of the person to move, from 1; 0 while others move, -1 after the game. Nothing is remembered."""
    state = browsers[0].client.get(f"/api/games/{key}").json()
    if state["is_over"]:
        return -1
    is_persons = not state["is_chance"] and state["seats"][state["player"]] == "human"
    return int(state["player"]) + 1 if is_persons else 0


def wait_for_the_end(browser: Browser) -> None:
    until(lambda: browser.of_kind("state")[-1]["state"]["is_over"])


def test_nobody_is_sent_a_card_that_they_may_not_see(server: Server) -> None:
    """Three people, one of whom looks at a card unnoticed, and somebody who has the key and no seat."""
    with ExitStack() as stack:
        browsers = [stack.enter_context(Browser(server.address)) for _ in range(4)]
        key = begin(browsers[0], OWN_GAME, "human", "human", "human")
        number = browsers[0].get(f"/api/games/{key}").json()["number"]
        for seat, browser in enumerate(browsers[1:3], 1):
            assert browser.post(f"/api/games/{key}/sit", seat=seat).status_code == 200
            assert browsers[3].post(f"/api/games/{key}/sit", seat=seat).status_code == 409
        browsers[3].send(do="watch", id=key)
        until(lambda: browsers[3].of_kind("state"))
        play_out(browsers[:3], key, number, {1: ["look", "down-"]})
        deal = deal_of(server, number)
        texts = [CARDS[card] for card in deal[:7]]
        final = browsers[3].get(f"/api/games/{key}").json()
        browsers[3].answers.pop()
        assert [each["notation"] for each in final["line"]][:7] == texts, "the cards are open after the game"
        assert sum(each["notation"] == "look" for each in final["line"]) == 1
        opened = {each["notation"][5:] for each in final["line"] if each["notation"].startswith("open-")}
        for seat, browser in enumerate(browsers):
            own = set(texts[2 * seat : 2 * seat + 2]) if seat < 3 else set()
            own |= {texts[6]} if seat == 1 else set()
            seen = own | (opened if seat < 3 else set())
            assert leaks(browser, set(texts) - seen) == []
            heard = [word for document in everything(browser) for word in str(document).split()]
            assert all(any(card in word for word in heard) for card in own), "the test would find a card"
            lengths = {len(message["state"]["line"]) for message in browser.of_kind("state")[:-1]}
            assert (max(lengths) < len(deal) - 1) or seat == 1, "a move that nobody notices is not in the line"


@pytest.mark.parametrize("game", ["leduc", "whist"])
def test_a_hand_stays_hidden_from_the_other_seat(server: Server, game: str) -> None:
    """What each browser holds in its own hand, face up, is looked for in all that the other was sent until then."""
    with Browser(server.address) as first, Browser(server.address) as second:
        browsers = [first, second]
        key = begin(first, game, "human", "human")
        second.post(f"/api/games/{key}/sit", seat=1)
        for browser in browsers:
            browser.send(do="watch", id=key)
            browser.wait_for("state")
        for _ in range(4):  # within the first deal, in which no card comes twice
            mover = until(lambda: who_moves(browsers, key)) - 1
            states = [browser.get(f"/api/games/{key}").json() for browser in browsers]
            for seat, browser in enumerate(browsers):
                for ply in range(states[seat]["ply"] + 1):
                    browser.get(f"/api/games/{key}/plies/{ply}")
                held = {card for card in faces(states[1 - seat]) if card not in faces(states[seat])}
                assert held
                found = {card for card in held for text in texts_of(everything(browser)) if card in text.split()}
                assert found == set()
                own = faces(states[seat])
                assert own <= {word for text in texts_of(everything(browser)) for word in text.split()}
            if mover < 0:
                break
            browsers[mover].post(f"/api/games/{key}/moves", move=states[mover]["moves"][0]["notation"])


def faces(state: Json) -> set[str]:
    """The cards that lie open, as they are drawn and as they are written."""
    texts = {
        card["text"] for hand in state["board"]["hands"] for card in hand["cards"] if SUITED.fullmatch(card["text"])
    }
    return texts | {text[:-1] + "SHDC"["♠♥♦♣".index(text[-1])] for text in texts}


def texts_of(document: Any) -> Iterator[str]:
    if isinstance(document, dict):
        document = [value for name, value in document.items() if name not in ("id", "key")]
    if isinstance(document, list):
        for each in document:
            yield from texts_of(each)
    elif isinstance(document, str):
        yield document


def test_a_player_of_the_server_keeps_its_card_and_its_thoughts(server: Server) -> None:
    with Browser(server.address) as browser:
        for _ in range(3):
            browser.answers.clear()
            browser.messages.clear()
            key = begin(browser, "kuhn", "human", "random")
            number = browser.get(f"/api/games/{key}").json()["number"]
            play_out([browser], key, number, {})
            deal = deal_of(server, number)
            hidden = {card for place, card in enumerate("JQK") if place != deal[0]}
            assert leaks(browser, hidden) == []
            assert browser.of_kind("thought") == []
            assert {message["status"] for message in browser.of_kind("status")} <= {"preparing", "searching"}
            assert browser.get(f"/api/records/{number}").json()["line"][1]["notation"] == "JQK"[deal[1]]
            exported = browser.get(f"/api/records/{number}/export?format=json").text
            assert browser.post("/api/records", format="json", text=exported).status_code == 201


def test_a_seat_belongs_to_one_browser(server: Server) -> None:
    with Browser(server.address) as first, Browser(server.address) as second:
        key = begin(first, "kuhn", "human", "human")
        state = until(lambda: (now := first.get(f"/api/games/{key}").json())["player"] == 0 and now)
        assert (state["viewer"], state["held"], state["free"]) == (0, [0], [1])
        outside = second.get(f"/api/games/{key}").json()
        assert (outside["viewer"], outside["held"], outside["line"], outside["moves"]) == (OUTSIDE, [], [], [])
        assert second.post(f"/api/games/{key}/moves", move="check").status_code == 409
        assert second.post(f"/api/games/{key}/resign").status_code == 409
        assert second.post(f"/api/games/{key}/sit", seat=0).status_code == 409
        assert second.get(f"/api/games/{key}/beliefs").status_code == 422
        assert second.post(f"/api/games/{key}/sit", seat=1).json()["viewer"] == 1
        assert first.post(f"/api/games/{key}/moves", move="check").status_code == 200
        assert first.post(f"/api/games/{key}/moves", move="check").status_code == 409
        assert second.post(f"/api/games/{key}/resign").json()["returns"] == [1.0, -1.0]
        opened = first.get(f"/api/games/{key}").json()
        assert all(card["text"] for hand in opened["board"]["hands"] for card in hand["cards"])


def test_two_people_at_one_browser_see_the_cards_of_whom_is_to_move(server: Server) -> None:
    with Browser(server.address) as browser:
        key = begin(browser, "kuhn", "human", "human")
        browser.post(f"/api/games/{key}/sit", seat=1)
        until(lambda: browser.get(f"/api/games/{key}").json()["player"] == 0)
        for seat, move in ((0, "check"), (1, "bet")):
            state = browser.get(f"/api/games/{key}").json()
            faces = [[bool(card["text"]) for card in hand["cards"]] for hand in state["board"]["hands"]]
            assert (state["viewer"], faces) == (seat, [[seat == 0], [seat == 1]])
            browser.post(f"/api/games/{key}/moves", move=move)


def test_what_they_could_hold(server: Server) -> None:
    with Browser(server.address) as browser:
        key = begin(browser, "kuhn", "human", "random")
        state = until(lambda: (now := browser.get(f"/api/games/{key}").json())["player"] == 0 and now)
        own = state["board"]["hands"][0]["cards"][0]["text"]
        told = browser.get(f"/api/games/{key}/beliefs").json()
        assert (told["is_exact"], told["deals"], told["hands"][0]["count"]) == (True, 2, 1)
        assert {row["text"]: row["chances"] for row in told["rows"]} == {card: [0.5] for card in "JQK" if card != own}
        key = begin(browser, OWN_GAME, "human", "random", "random")
        until(lambda: browser.get(f"/api/games/{key}").json()["player"] == 0)
        told = browser.get(f"/api/games/{key}/beliefs").json()
        assert (told["is_exact"], told["deals"]) == (True, 120)
        assert [hand["count"] for hand in told["hands"]] == [2, 2, 1]
        assert [row["chances"] for row in told["rows"]] == [[pytest.approx(part) for part in (0.4, 0.4, 0.2)]] * 5


def test_what_is_refused(server: Server) -> None:
    with Browser(server.address) as browser:
        for seat in ("uct", "alphabeta", "flat"):
            answer = browser.post("/api/games", game="kuhn", seats=["human", seat])
            assert (answer.status_code, "open cards" in answer.json()["error"]) == (422, True)
        for seat in ("pimc:search=(engine:name=x)", "pimc:search=(zero:net=../x)", "cheat:search=x.py:X"):
            assert browser.post("/api/games", game="kuhn", seats=["human", seat]).status_code in (403, 422)
        inside = browser.post("/api/games", game="kuhn", seats=["human", "pimc:deals=5,search=(uct:sims=50)"])
        assert inside.status_code == 201
        begun = browser.post("/api/games", game="kuhn", seats=["human", "human"], moves=["K", "J"])
        assert (begun.status_code, "deal" in begun.json()["error"]) == (409, True)
        text = json.dumps({"game": "kuhn", "moves": ["K", "J", "bet"]})
        assert browser.post("/api/records", format="json", text=text).status_code == 422
        offered = browser.get("/api/catalogue/kuhn/players").json()["players"]
        assert {"human", "random"} <= set(offered)
        assert not {"uct", "alphabeta", "puct", "perfect", "flat"} & set(offered)
        presets = browser.get("/api/catalogue/kuhn/presets").json()
        assert {spec.partition(":")[0] for spec in presets.values()} <= set(offered)


# -- in this process: the deal is chosen, and leaks are planted ------------------------------------------------------


def sent(inside: Inside, monkeypatch: pytest.MonkeyPatch, deal: str, seat: int) -> list[Any]:
    """All that the player in a seat is sent over a whole game with this deal."""
    monkeypatch.setattr(Position, "random_move", lambda pos, rng: pos.parse(deal[len(pos.history)]))
    address = f"http://127.0.0.1:{inside.port}"
    with Browser(address) as first, Browser(address) as second:
        key = begin(first, "kuhn", "human", "human")
        second.post(f"/api/games/{key}/sit", seat=1)
        listener = (first, second)[seat]
        listener.send(do="watch", id=key)
        listener.wait_for("state")
        until(lambda: listener.client.get(f"/api/games/{key}").json()["player"] == 0)
        listener.answers.clear()  # how far the deal was at the first answers is a matter of time
        for browser, move in ((first, "check"), (second, "bet"), (first, "fold")):
            listener.get(f"/api/games/{key}")
            listener.get(f"/api/games/{key}/plies/1")
            listener.get(f"/api/games/{key}/beliefs")
            listener.post(f"/api/games/{key}/moves", move="nonsense")
            if move != "fold":
                browser.client.post(f"/api/games/{key}/moves", json={"move": move})
        until(lambda: any(len(m["state"]["line"]) > 3 - seat for m in listener.of_kind("state")))
        number = listener.get(f"/api/games/{key}").json()["number"]
    changing = {"id", "key", "number", "version", "began", "changed"}
    states = [message["state"] for message in listener.of_kind("state") if not message["state"]["is_chance"]]
    seen = [without(state, changing) for state in states]
    distinct = [state for state, before in zip(seen, [None, *seen], strict=False) if state != before]
    return [*(without(json.loads(answer), changing) for answer in listener.answers), distinct, bool(number)]


def without(document: Any, names: set[str]) -> Any:
    if isinstance(document, dict):
        return {name: without(value, names) for name, value in document.items() if name not in names}
    return [without(value, names) for value in document] if isinstance(document, list) else document


@pytest.mark.parametrize(("deals", "seat"), [(("QJ", "QK"), 0), (("JQ", "KQ"), 1)])
def test_games_that_look_the_same_are_sent_the_same(
    inside: Inside, monkeypatch: pytest.MonkeyPatch, deals: tuple[str, str], seat: int
) -> None:
    one, other = (sent(inside, monkeypatch, deal, seat) for deal in deals)
    assert len(one) > 10
    assert one == other


def plant(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    if leak == "state":
        monkeypatch.setattr(Course, "viewer", lambda course, token: REFEREE)
    elif leak == "line":
        seen = show_to
        monkeypatch.setattr(showing, "show_to", lambda who, line: seen(who, line) | {"moved": line[-1].line()})
    elif leak == "error":
        monkeypatch.setattr(Position, "seen_by", lambda pos, seat: pos)
    else:
        monkeypatch.setattr(showing, "believe", knowing)


def knowing(line: Sequence[Position], viewer: int) -> Steps[Json]:
    yield
    return {"kind": "cards", "rows": line[-1].draw()}


@pytest.mark.parametrize("leak", ["state", "line", "error", "beliefs"])
def test_a_planted_leak_is_found(inside: Inside, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    plant(monkeypatch, leak)
    one, other = (sent(inside, monkeypatch, deal, 0) for deal in ("QJ", "QK"))
    assert one != other


def test_an_expected_line_follows_the_deal_that_the_player_was_shown() -> None:
    """How far the line goes in the true deal would tell something about it."""
    for deal in ("Q J", "Q K"):
        pos = damier.game("kuhn").start().play_all(deal)
        result = damier.SearchResult(1, "bet", (0.0, 0.0), pv=(1, 1, 7))
        assert process.tell(pos, result)["line"] == ["bet", "call"]


def test_deals_are_drawn_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs, "MOST_PLAYED", 3)
    game = damier.game("kuhn")
    line = [game.start(), game.start().play("Q"), game.start().play_all("Q K")]

    def told_at_last() -> Iterator[Json | None]:
        yield (yield from beliefs.believe(line, 0))

    *_, told = told_at_last()
    assert told is not None
    assert (told["is_exact"], told["deals"]) == (False, beliefs.MOST_DEALS)
    assert [(row["text"], row["chances"]) for row in told["rows"]] == [
        (card, [pytest.approx(0.5, abs=0.1)]) for card in "KJ"
    ]


def test_whose_eyes_a_visitor_has() -> None:
    start = damier.game("kuhn").start()
    dealt = start.play_all("K J")
    assert first_holders(start, ["random", "human"], "me") == ["", "me"]
    assert first_holders(damier.game("tictactoe").start(), ["human", "human"], "me") == ["", ""]
    course = Course((start, dealt), ("human", "human"), holders=("me", ""))
    assert (course.viewer("me"), course.viewer("you"), course.viewer("")) == (0, OUTSIDE, OUTSIDE)
    assert course.taken(1, "you").viewer("you") == 1
    assert course.taken(1, "me").after(dealt.play("bet"), None).viewer("me") == 1
    assert Course((start, dealt), ("random", "random"), holders=("", "")).viewer("you") == REFEREE
    assert Course((start, dealt), ("human", "random"), resigned=0, holders=("me", "")).viewer("you") == REFEREE
