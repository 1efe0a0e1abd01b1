"""Card tables in a browser: hints, tricks, bids, dummy, the analysis board, and how much a page asks of the server."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.browser.test_hidden import SIZES, ask, is_within, resize, sit_down, wait_for_longer, wait_for_turn
from tests.browser.test_web import find, go, until
from tests.serving import Server

HAND = "return document.querySelector('.mine').getBoundingClientRect().top + scrollY"
SLOW_BELIEFS = """
window.asked = {now: 0, most: 0, all: 0};
const before = window.fetch;
window.fetch = async (path, ...more) => {
  if (!String(path).endsWith("/beliefs")) return before(path, ...more);
  asked.all++;
  asked.most = Math.max(asked.most, ++asked.now);
  await new Promise((done) => { window.answer = done; });
  asked.now--;
  return before(path, ...more);
};
"""
CUT_OFF = """
return [...document.querySelectorAll(".playing-card")].filter((card) => card.scrollWidth > card.clientWidth + 1).length
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("tables")).start()
    yield started
    started.stop()


@pytest.fixture(autouse=True)
def _as_before(browser: Chrome) -> Iterator[None]:
    yield
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_script("try { localStorage.clear(); } catch {}")


def texts(browser: Chrome, selector: str) -> list[str]:
    return [each.text for each in browser.find_elements(By.CSS_SELECTOR, selector)]


def in_sight(browser: Chrome, element: Any) -> bool:
    top, bottom, height = browser.execute_script(
        "const at = arguments[0].getBoundingClientRect(); return [at.top, at.bottom, innerHeight]", element
    )
    return bool(0 <= top < bottom <= height)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_hint_is_in_sight_and_on_the_card(browser: Chrome, server: Server, width: int, height: int) -> None:
    resize(browser, width, height)
    path = sit_down(browser, server, "hearts", "human", "random", "random", "random")
    state = wait_for_turn(browser, path)
    browser.execute_script("document.querySelector('.do-hint').click()")
    until(lambda: find(browser, ".advice").text.startswith("Hint: "))
    (card,) = browser.find_elements(By.CSS_SELECTOR, ".hinted")
    assert find(browser, ".advice").text == f"Hint: {card.get_attribute('data-move')}"
    assert card.get_attribute("data-move") in [move["notation"] for move in state["moves"]]
    assert in_sight(browser, find(browser, ".advice"))
    card.click()
    wait_for_longer(browser, path, len(state["line"]))
    until(lambda: not find(browser, ".advice").text and not browser.find_elements(By.CSS_SELECTOR, ".hinted"))


def test_a_hint_for_an_earlier_position_is_not_told(browser: Chrome, server: Server) -> None:
    """The search is stopped, and what it still says is not heard."""
    path = sit_down(browser, server, "phantom", "human", "human")
    state = wait_for_turn(browser, path)
    browser.execute_script("document.querySelector('.do-hint').click()")
    assert find(browser, ".advice").text
    ask(browser, f"{path}/moves", move=state["moves"][0]["notation"])
    until(lambda: "Seat 2 is free" in find(browser, ".status").text)
    assert find(browser, ".advice").text == ""
    assert find(browser, ".do-analyse").text == "Analyse"
    assert not find(browser, ".do-analyse").is_enabled()
    entry = find(browser, "#move-entry")
    entry.send_keys("hint\n")
    until(lambda: "when it is your turn" in find(browser, "#toast").text)
    for _ in range(20):  # what the engine may still say would be here
        assert (find(browser, ".advice").text, find(browser, ".why").text) == ("", "")
        assert not browser.find_elements(By.CSS_SELECTOR, ".analysis tbody tr")
        time.sleep(0.1)


def test_beliefs_are_asked_for_one_at_a_time(browser: Chrome, server: Server) -> None:
    path = sit_down(browser, server, "whist", "human", "random")
    wait_for_turn(browser, path)
    browser.execute_script(SLOW_BELIEFS)
    browser.execute_script("document.querySelector('.beliefs details').open = true")
    until(lambda: browser.execute_script("return asked.now") == 1)
    for _ in range(3):
        state = wait_for_turn(browser, path)
        ask(browser, f"{path}/moves", move=state["moves"][0]["notation"])
        wait_for_longer(browser, path, len(state["line"]))
    wait_for_turn(browser, path)
    assert browser.execute_script("return [asked.now, asked.most, asked.all]") == [1, 1, 1]
    browser.execute_script("answer()")
    until(lambda: browser.execute_script("return asked.all") == 2)
    assert texts(browser, ".beliefs tbody tr") == [], "the answer was for an earlier position"
    browser.execute_script("answer()")
    until(lambda: texts(browser, ".beliefs tbody tr"))
    assert browser.execute_script("return [asked.now, asked.most, asked.all]") == [0, 1, 2]


def test_the_last_trick_stays_and_says_who_played(browser: Chrome, server: Server) -> None:
    path = sit_down(browser, server, "hearts", "human", "random", "random", "random")
    while True:
        state = wait_for_turn(browser, path)
        hands = {hand["title"]: hand["cards"] for hand in state["board"]["hands"]}
        if "Last trick" in hands:
            break
        find(browser, "button.playable").click()
        wait_for_longer(browser, path, len(state["line"]))
    until(lambda: any(text.startswith("Last trick") for text in texts(browser, ".hand.middle h3")))
    middles = browser.find_elements(By.CSS_SELECTOR, ".hand.middle")
    (last,) = (each for each in middles if each.find_element(By.TAG_NAME, "h3").text.startswith("Last trick"))
    numbers = [each.text[-1] for each in last.find_elements(By.CSS_SELECTOR, ".played-by")]
    assert sorted(numbers) == list("1234")
    assert numbers == [str(card["player"] + 1) for card in hands["Last trick"]]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_bids_are_whole_and_in_french(browser: Chrome, server: Server, width: int, height: int) -> None:
    resize(browser, width, height)
    go(browser, server, "/records")
    dealt = ask(browser, "positions", game="belote", draw=True)
    moves = [move["notation"] for move in dealt["line"]] + ["pass"] * 4
    browser.execute_script("localStorage.setItem('language', 'fr')")
    go(browser, server, f"/study?game=belote&moves={'+'.join(moves)}")
    browser.refresh()
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, "button.word")) == 4)
    words = {each.text for each in browser.find_elements(By.CSS_SELECTOR, "button.word")}
    assert words <= {"passer", "trèfle", "carreau", "cœur", "pique"}
    assert browser.execute_script(CUT_OFF) == 0
    assert is_within(browser)


def test_the_table_does_not_jump_when_dummy_is_to_play(browser: Chrome, server: Server) -> None:
    resize(browser, 1400, 900)
    path = sit_down(browser, server, "bridgeplay", "human", "random", "random", "random")
    tops: dict[bool, float] = {}
    while len(tops) < 2:
        state = wait_for_turn(browser, path)
        until(lambda: browser.find_elements(By.CSS_SELECTOR, "button.playable"))
        is_dummys = bool(browser.find_elements(By.CSS_SELECTOR, ".hand.other button.playable"))
        tops[is_dummys] = browser.execute_script(HAND)
        find(browser, "button.playable").click()
        wait_for_longer(browser, path, len(state["line"]))
    assert tops[True] == tops[False]


def test_the_analysis_board_deals_and_plays_cards(browser: Chrome, server: Server) -> None:
    go(browser, server, "/study?game=whist")
    draw = until(lambda: find(browser, ".do-draw"))
    assert "Chance is to move" in find(browser, ".chance").text
    assert not find(browser, ".do-analyse").is_enabled()
    assert [each.text for each in browser.find_elements(By.CSS_SELECTOR, "main a.button") if each.is_displayed()] == []
    draw.click()
    cards = until(lambda: browser.find_elements(By.CSS_SELECTOR, ".hand.own button.playable"))
    assert len(cards) == 7
    assert not draw.is_displayed()
    assert find(browser, ".do-analyse").is_enabled()
    assert [each.text for each in browser.find_elements(By.CSS_SELECTOR, "main a.button") if each.is_displayed()] == []
    cards[0].click()
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".moves .move")) == 16)
    go(browser, server, "/study?game=kuhn&moves=K+J")
    lesson = until(lambda: browser.find_elements(By.CSS_SELECTOR, "main a.button:not([hidden])"))[0]
    assert "algorithm=ismcts" in str(lesson.get_attribute("href"))
    go(browser, server, "/study?game=backgammon")
    until(lambda: find(browser, ".do-draw").is_displayed())
    find(browser, ".do-draw").click()
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".moves .move")) == 1)


def test_where_nothing_is_hidden_nothing_is_listed(browser: Chrome, server: Server) -> None:
    path = sit_down(browser, server, "phantom", "human", "random")
    wait_for_turn(browser, path)
    browser.execute_script("document.querySelector('.beliefs details').open = true")
    until(lambda: find(browser, ".beliefs .hint").text == "Nothing is hidden from you now.")
    assert not browser.find_elements(By.CSS_SELECTOR, ".beliefs table")


def test_who_is_who_and_what_may_be_typed(browser: Chrome, server: Server) -> None:
    """On a phone, at the end of a game: no word is broken, and teams win together."""
    resize(browser, 390, 844)
    strong = "ismcts:seconds=2,sims=1000000"
    path = sit_down(browser, server, "belote", "human", strong, strong, strong)
    until(lambda: texts(browser, ".seat-list li"))
    assert [" ".join(text.split()[:2]) for text in texts(browser, ".seat-list li")] == [
        f"Player {n}" for n in (1, 2, 3, 4)
    ]
    assert "undo" not in find(browser, ".entry small").text
    assert find(browser, ".curve").text == "The graph appears when the game is over."
    ask(browser, f"{path}/resign", seat=0)
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".seat-list li > b:last-child")) == 4)
    heights = browser.execute_script(
        "return [...document.querySelectorAll('.seat-list li > b')].map((each) => each.getClientRects().length)"
    )
    assert set(heights) == {1}
    assert is_within(browser)
    lines = browser.execute_script(
        "const name = document.querySelectorAll('.seat-name')[1];"
        "return [...name.childNodes].filter((part) => part.nodeType === 3).map((part) => {"
        "  const range = document.createRange(); range.selectNode(part); return range.getClientRects().length; })"
    )
    assert set(lines) == {1}, "a name is broken between its options only"
