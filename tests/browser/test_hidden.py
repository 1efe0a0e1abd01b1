"""Games of hidden information in a browser: cards are clicked, and what lies face down is not in the page."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from tests.browser.test_web import AXE, SERIOUS, axe, find, go, until
from tests.serving import Server

SIZES = [(1400, 900), (390, 844)]
CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")
ASK = """
const [path, body, done] = arguments;
const how = body ? {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)} : {};
fetch(`api/${path}`, how).then((answer) => answer.json()).then(done);
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("hidden")).start()
    yield started
    started.stop()


@pytest.fixture(autouse=True)
def _usual_size(browser: Chrome) -> Iterator[None]:
    yield
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def resize(browser: Chrome, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def ask(browser: Chrome, path: str, **body: Any) -> Any:
    """Ask the server as this browser."""
    return browser.execute_async_script(ASK, path, body or None)


def sit_down(browser: Chrome, server: Server, game: str, *seats: str) -> str:
    """Begin a game in this browser and open its page; where its state is."""
    go(browser, server, "/records")
    key = ask(browser, "games", game=game, seats=list(seats))["id"]
    go(browser, server, f"/game/{key}")
    return f"games/{key}"


def wait_for_turn(browser: Chrome, path: str) -> Any:
    """The state when the person is to move, or the game is over, and the page shows it."""

    def is_shown() -> Any:
        state = ask(browser, path)
        is_ready = state["is_over"] or state["player"] in state["held"]
        moves = len(browser.find_elements(By.CSS_SELECTOR, ".moves .move"))
        return state if is_ready and moves == len(state["line"]) else None

    return until(is_shown)


def wait_for_longer(browser: Chrome, path: str, count: int) -> None:
    until(lambda: len(ask(browser, path)["line"]) > count)


def texts_face_down(browser: Chrome) -> list[str]:
    """All that the page says of cards that lie face down."""
    script = "return [...document.querySelectorAll('.playing-card.back')].map(card => card.outerHTML)"
    return [
        re.sub(r'<li class="playing-card back" aria-hidden="true"></li>', "", text)
        for text in browser.execute_script(script)
    ]


def is_within(browser: Chrome) -> bool:
    inside: bool = browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    return inside


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_game_of_kuhn_poker_by_clicks(browser: Chrome, server: Server, width: int, height: int) -> None:
    resize(browser, width, height)
    path = sit_down(browser, server, "kuhn", "human", "random")
    while not (state := wait_for_turn(browser, path))["is_over"]:
        own = state["board"]["hands"][0]["cards"][0]["text"]
        assert [card.text for card in browser.find_elements(By.CSS_SELECTOR, ".hand.own .pip")] == [own]
        assert texts_face_down(browser) == [""]
        assert is_within(browser)
        shown = set(re.findall(r"\b[JQK]\b", browser.execute_script("return document.body.innerHTML")))
        assert shown == {own}, "no other card is anywhere in the page"
        browser.execute_script("document.querySelector('.beliefs details').open = true")
        rows = until(lambda: browser.find_elements(By.CSS_SELECTOR, ".beliefs tbody tr"))
        assert sorted(row.text.split()[0] for row in rows) == sorted(set("JQK") - {own})
        browser.execute_script("document.querySelector('.beliefs details').open = false")
        find(browser, ".other-moves button").click()
        browser.execute_script("document.querySelectorAll('.beliefs tbody').forEach(rows => rows.remove())")
        wait_for_longer(browser, path, len(state["line"]))
    until(lambda: find(browser, ".status.result").text)
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".playing-card:not(.back)")) == 2)
    assert texts_face_down(browser) == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_cards_are_played_by_clicks_and_keys(browser: Chrome, server: Server, width: int, height: int) -> None:
    resize(browser, width, height)
    path = sit_down(browser, server, "whist", "human", "random")
    for number in range(4):
        state = wait_for_turn(browser, path)
        if state["is_over"]:
            break
        assert texts_face_down(browser).count("") == len(texts_face_down(browser)) > 0
        assert is_within(browser)
        open_cards = {card["text"] for hand in state["board"]["hands"] for card in hand["cards"]}
        faces = browser.find_elements(By.CSS_SELECTOR, ".playing-card:not(.back)")
        assert len(faces) == sum(bool(card["text"]) for hand in state["board"]["hands"] for card in hand["cards"])
        assert set(CARD.findall(browser.execute_script("return document.body.innerHTML"))) <= open_cards
        cards = until(lambda: browser.find_elements(By.CSS_SELECTOR, "button.playable"))
        assert cards[0].get_attribute("aria-label").startswith("Play ")
        if number % 2 and len(cards) > 1:
            cards[0].send_keys(Keys.ARROW_RIGHT)
            assert browser.switch_to.active_element == cards[1]
            cards[1].send_keys(Keys.ENTER)
        else:
            cards[0].click()
        wait_for_longer(browser, path, len(state["line"]))


def is_last(browser: Any, path: str, word: str) -> bool:
    return bool(ask(browser, path)["line"][-1]["notation"] == word)


def test_two_people_hand_the_screen_over(browser: Chrome, server: Server) -> None:
    path = sit_down(browser, server, "kuhn", "human", "human")
    find(browser, ".do-sit").click()
    for number, move in ((1, "check"), (2, "bet"), (1, "call")):
        cover = find(browser, ".cover")
        assert f"player {number}" in cover.text
        assert browser.find_elements(By.CSS_SELECTOR, ".playing-card, .other-moves button, .moves .move") == []
        find(browser, ".do-look").click()
        faces = until(lambda: browser.find_elements(By.CSS_SELECTOR, ".playing-card:not(.back)"))
        assert len(faces) == 1
        next(
            button for button in browser.find_elements(By.CSS_SELECTOR, ".other-moves button") if button.text == move
        ).click()
        until(partial(is_last, browser, path, move))
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".playing-card:not(.back)")) == 2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nobody_is_shut_out_of_a_card_table(browser: Chrome, server: Server, theme: str) -> None:
    script = axe()
    path = sit_down(browser, server, "hearts", "human", "random", "random", "random")
    browser.execute_script("localStorage.setItem('theme', arguments[0])", theme)
    browser.refresh()
    wait_for_turn(browser, path)
    browser.execute_script("document.querySelector('.beliefs details').open = true")
    until(lambda: browser.find_elements(By.CSS_SELECTOR, ".beliefs tbody tr"))
    browser.execute_script(script)
    violations = browser.execute_async_script("axe.run().then(r => arguments[0](r.violations))")
    found = [(each["id"], each["nodes"][0]["html"]) for each in violations if each["impact"] in SERIOUS]
    assert found == [], AXE


def test_dummys_cards_can_be_clicked(browser: Chrome, server: Server) -> None:
    """The declarer plays them, so they must not lie on each other as other hands do."""
    resize(browser, 390, 844)
    path = sit_down(browser, server, "bridgeplay", "human", "random", "random", "random")
    while True:
        state = wait_for_turn(browser, path)
        assert not state["is_over"]
        until(lambda: browser.find_elements(By.CSS_SELECTOR, "button.playable"))
        if cards := browser.find_elements(By.CSS_SELECTOR, ".hand.other button.playable"):
            break
        find(browser, "button.playable").click()
        wait_for_longer(browser, path, len(state["line"]))
    count = len(state["line"])
    cards[0].click()  # fails if another card lies on its middle
    wait_for_longer(browser, path, count)
    assert is_within(browser)
