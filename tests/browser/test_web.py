"""The web application in a browser: whole games by clicks and keys, analysis, tournaments, languages, access."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import platformdirs
import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

import damier
from damier.arena.plan import Plan
from damier.lessons import exercise, trace
from damier.lessons.drawing import pretty
from damier.store.database import Store
from damier.zero.metrics import FIGURES
from damier.zero.replay import Memory
from tests import serving
from tests.random_samples import random_finished_game
from tests.serving import Server

LEARN = ("/learn?algorithm=alphabeta&tree=walk&step=14", "/learn/exercise?seed=3")
OWN_GAME = f"{Path(__file__).parents[2] / 'examples' / 'breakthrough.py'}:Breakthrough"
AXE = "axe-core@4.10.2"
PATIENCE = 300  # seconds for an answer that a busy machine may owe us
# Remembers what the page says over its live connection.
RECORD_SENT = """
window.sent = [];
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) { sent.push(text); return send.call(this, text); };
"""
SERIOUS = ("serious", "critical")


def until(is_so: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait for something on the page, which may be drawn again while one looks."""

    def is_so_now() -> Any:
        try:
            return is_so()
        except StaleElementReferenceException:
            return None

    return serving.until(is_so_now, seconds)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("web"), OWN_GAME).start()
    yield started
    started.stop()


@pytest.fixture(autouse=True)
def _nothing_is_said_on_the_console(browser: Chrome) -> Iterator[None]:
    browser.get_log("browser")  # type: ignore[no-untyped-call]
    yield
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def go(browser: Chrome, server: Server, route: str) -> None:
    browser.get("about:blank")
    browser.get(f"{server.address}/#{route}")
    until(lambda: browser.execute_script("return document.documentElement.dataset.ready"))


def sit_down(browser: Chrome, server: Server, game: str, *seats: str, moves: tuple[str, ...] = ()) -> str:
    """Begin a game and open its page; the address of its state."""
    body = {"game": game, "seats": list(seats), "moves": list(moves)}
    answer = httpx.post(f"{server.address}/api/games", json=body, timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    go(browser, server, f"/game/{answer.json()['id']}")
    return f"{server.address}/api/games/{answer.json()['id']}"


def state_of(url: str) -> Any:
    return httpx.get(url, timeout=PATIENCE).json()


def line(url: str) -> list[str]:
    return [each["notation"] for each in state_of(url)["line"]]


def wait_for_moves(url: str, count: int) -> None:
    until(lambda: len(line(url)) >= count)


def find(browser: Chrome, selector: str) -> WebElement:
    element: WebElement = until(lambda: next(iter(browser.find_elements(By.CSS_SELECTOR, selector)), None))
    return element


def cell(browser: Chrome, number: int) -> WebElement:
    return find(browser, f"[data-cell='{number}']")


def shown_moves(browser: Chrome) -> list[str]:
    script = "return [...document.querySelectorAll('.moves .move')].map(move => move.textContent.split(' ').at(-1))"
    moves: list[str] = browser.execute_script(script)
    return moves


def test_the_gallery_shows_every_game(browser: Chrome, server: Server) -> None:
    go(browser, server, "/")
    cards = until(lambda: browser.find_elements(By.CSS_SELECTOR, ".card"))
    assert len(cards) == 1 + len(damier.games.REGISTRY)
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".card .picture > *")) == len(cards))
    find(browser, ".card[href='#/new/connect4']").click()
    assert len(until(lambda: browser.find_elements(By.CSS_SELECTOR, "fieldset.seat"))) == 2
    find(browser, "form > button.primary").click()
    until(lambda: "#/game/" in browser.current_url)


def test_a_whole_game_of_connect_4_by_clicks(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "connect4", "human", "random")
    plies = 0
    while not (state := state_of(url))["is_over"]:
        if state["player"] == 0 and len(state["line"]) == len(shown_moves(browser)):
            column = state["moves"][plies % len(state["moves"])]["trails"][0][0]
            cell(browser, column).click()
            plies = len(state["line"]) + 1
            wait_for_moves(url, plies)
    until(lambda: find(browser, ".status.result").text)
    discs = state["board"]["cells"]
    shown = browser.execute_script(
        "return [...document.querySelectorAll('[data-piece]')].map(p => Number(p.dataset.piece))"
    )
    assert sorted(shown) == [number for number, symbol in enumerate(discs) if symbol >= 0]


def test_a_game_of_ones_own_has_a_board(browser: Chrome, server: Server) -> None:
    go(browser, server, "/")
    find(browser, ".card[href*='breakthrough.py']").click()
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, "fieldset.seat")) == 2)
    assert find(browser, "h1").text == "Breakthrough"
    find(browser, "form > button.primary").click()
    until(lambda: "#/game/" in browser.current_url)
    url = f"{server.address}/api/games/{browser.current_url.rpartition('/')[2]}"
    trail = until(lambda: state_of(url)["moves"][0]["trails"][0])
    for number in trail:
        cell(browser, number).click()
    until(lambda: line(url))


def test_a_turn_of_backgammon_by_clicks(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "backgammon", "human", "human", moves=("42",))
    assert "rolled 4-2" in find(browser, ".notes").text
    before = browser.find_elements(By.CSS_SELECTOR, ".stack")
    move = next(move for move in state_of(url)["moves"] if move["notation"] == "8/4,6/4")
    for number in move["trails"][0]:
        cell(browser, number).click()
    until(lambda: line(url)[1:2] == ["8/4,6/4"])
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".stack")) == len(before) + 1)


def test_who_plays_by_keys_keeps_the_focus(browser: Chrome, server: Server) -> None:
    """Buttons that are drawn anew must not throw one back to the top of the page."""
    sit_down(browser, server, "leftmove:depth=6", "human")
    find(browser, ".other-moves button").send_keys(Keys.ENTER)
    for count in (1, 2):
        until(lambda: len(shown_moves(browser)) == count)  # noqa: B023
        until(lambda: browser.execute_script("return document.activeElement.textContent") == "left")
        browser.switch_to.active_element.send_keys(Keys.ENTER)
    until(lambda: len(shown_moves(browser)) == 3)
    undo = find(browser, ".do-undo")
    for count in (2, 1):
        undo.send_keys(Keys.ENTER)
        until(lambda: len(shown_moves(browser)) == count)  # noqa: B023
    assert browser.switch_to.active_element == undo


BEFORE_A_CAPTURE = (
    "g3-h4 d6-e5 h4-g5 h6xf4 e3xg5 f6xh4 c3-b4 e5-d4 b4-c5 h4-g3 f2xh4 d4-c3 d2xb4 b6xd4 e1-d2 e7-f6 b2-c3 d4xb2 a1xc3"
    " f6-e5 c1-b2 g7-f6 g1-f2 h8-g7 f2-g3 g7-h6 h4-g5"
)
CAPTURE = "f6xf2"  # over two pieces


def test_a_capture_is_walked_square_by_square(browser: Chrome, server: Server) -> None:
    moves = tuple(BEFORE_A_CAPTURE.split())
    url = sit_down(browser, server, "dames8", "human", "human", moves=moves)
    trail = next(move["trails"][0] for move in state_of(url)["moves"] if move["notation"] == CAPTURE)
    assert len(trail) == 3
    for step, number in enumerate(trail):
        assert len(line(url)) == len(moves), "the move is not made before its end"
        cell(browser, number).click()
        if 0 < step < len(trail) - 1:
            assert find(browser, ".way")
    until(lambda: line(url)[-1] == CAPTURE)


def test_a_piece_of_blokus_is_turned_by_the_mouse(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "blokus:board=duo", "human", "human")
    find(browser, "[data-tile='L5']").click()
    ActionChains(browser).move_to_element(cell(browser, 4 * 14 + 4)).perform()
    across = find(browser, ".ghost rect").get_attribute("transform")
    find(browser, ".turn-right").click()
    ActionChains(browser).move_to_element(cell(browser, 4 * 14 + 4)).perform()
    until(lambda: find(browser, ".ghost rect").get_attribute("transform") != across)
    assert find(browser, ".ghost.fits")
    cell(browser, 4 * 14 + 4).click()
    until(lambda: len(line(url)) == 1)
    assert "e10" in line(url)[0].split(",")


def test_a_piece_of_blokus_is_dragged(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "blokus:board=duo", "human", "human")
    ActionChains(browser).click_and_hold(find(browser, "[data-tile='I3']")).move_to_element(
        cell(browser, 4 * 14 + 4)
    ).release().perform()
    until(lambda: len(line(url)) == 1)


def test_a_piece_of_blokus_is_turned_by_the_wheel(browser: Chrome, server: Server) -> None:
    sit_down(browser, server, "blokus:board=duo", "human", "human")
    find(browser, "[data-tile='L5']").click()
    where = cell(browser, 4 * 14 + 4)
    ActionChains(browser).move_to_element(where).perform()
    before = find(browser, ".ghost rect").get_attribute("transform")
    ActionChains(browser).scroll_from_origin(ScrollOrigin.from_element(where), 0, 100).perform()
    until(lambda: find(browser, ".ghost rect").get_attribute("transform") != before)


def test_a_piece_of_blokus_is_laid_by_keys(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "blokus:board=tiny", "human", "human")
    browser.execute_script("arguments[0].focus()", cell(browser, 0))
    keys = browser.switch_to.active_element
    for key in ("n", "n", "r", Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_DOWN, "f"):
        keys.send_keys(key)
        keys = browser.switch_to.active_element
    for _ in range(4):  # until it fits: the second piece is a line of two
        if browser.find_elements(By.CSS_SELECTOR, ".ghost.fits"):
            break
        keys.send_keys("r")
    keys.send_keys(Keys.ENTER)
    until(lambda: len(line(url)) == 1)


BEFORE_A_PASS = ("c4", "b4", "a1", "d4", "a3", "c1", "d1", "a2", "b1", "a4")


def test_a_pass_in_othello(browser: Chrome, server: Server) -> None:
    moves = BEFORE_A_PASS
    url = sit_down(browser, server, "othello:size=4", "human", "human", moves=moves)
    find(browser, ".other-moves button.primary").click()
    until(lambda: line(url) == [*moves, "pass"])


def test_the_pace_can_be_drawn_while_players_play(browser: Chrome, server: Server) -> None:
    """The slider stays the same one, whatever happens on the board."""
    url = sit_down(browser, server, "tictactoe", "random", "random")
    slider = find(browser, ".pace input")
    httpx.post(f"{url}/pace", json={"delay": 0.25}, timeout=PATIENCE)
    httpx.post(f"{url}/back", json={"ply": 0}, timeout=PATIENCE)
    httpx.post(f"{url}/pace", json={"is_paused": False}, timeout=PATIENCE)
    until(lambda: slider.get_attribute("value") == "0.25")
    slider.send_keys(Keys.ARROW_RIGHT)
    until(lambda: state_of(url)["delay"] == 0.5)
    until(lambda: state_of(url)["is_over"])
    until(lambda: find(browser, ".status.result").text)
    assert slider.is_displayed()


def test_keys_and_typing_play_everything(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "tictactoe", "human", "human")
    find(browser, "#theme").send_keys(Keys.TAB)
    assert browser.switch_to.active_element == cell(browser, 0), "the board is one stop of the Tab key"
    browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    until(lambda: line(url) == ["b3"])
    entry = find(browser, "#move-entry")
    entry.send_keys("a1", Keys.ENTER)
    until(lambda: line(url) == ["b3", "a1"])
    entry.send_keys("undo", Keys.ENTER)
    until(lambda: line(url) == ["b3"])
    until(lambda: shown_moves(browser) == ["b3"])


def test_a_game_can_be_taken_back_to_any_point(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "tictactoe", "human", "human", moves=("a1", "b2", "c3"))
    until(lambda: len(shown_moves(browser)) == 3)
    browser.find_elements(By.CSS_SELECTOR, ".moves .move")[0].click()
    find(browser, ".back-here").click()
    until(lambda: line(url) == ["a1"])
    find(browser, ".do-resign").click()
    until(lambda: find(browser, ".status.result").text)
    find(browser, ".do-swap").click()


def test_four_players_of_blokus_are_watched_to_the_end(browser: Chrome, server: Server) -> None:
    url = sit_down(browser, server, "blokus:board=tiny,players=4", *["random"] * 4)
    until(lambda: state_of(url)["is_over"])
    until(lambda: find(browser, ".status.result").text)
    assert len(browser.find_elements(By.CSS_SELECTOR, ".seat-list li")) == 4


def test_an_analysis_is_seen_growing_with_its_tree(browser: Chrome, server: Server) -> None:
    go(browser, server, "/study?game=tictactoe&moves=a1")
    find(browser, ".do-analyse").click()
    visits = until(lambda: find(browser, ".rows .bar").text)
    until(lambda: find(browser, ".rows .bar").text != visits)
    find(browser, ".do-tree").click()
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".node")) == 8)
    until(lambda: "N" in find(browser, ".node .figures").text)
    until(lambda: find(browser, ".do-analyse").text == "Analyse")
    find(browser, ".do-why").click()
    until(lambda: "chances" in find(browser, ".why").text)


def test_the_tree_of_a_classical_search_shows_windows_and_cuts(browser: Chrome, server: Server) -> None:
    go(browser, server, "/study?game=tictactoe&moves=b2 a1 c3 a3 a2")
    until(lambda: browser.find_elements(By.CSS_SELECTOR, ".analysis option[value=negamax]"))
    browser.execute_script("document.querySelector('.analysis select').value = 'negamax'")
    find(browser, ".do-analyse").click()
    until(lambda: find(browser, ".do-tree").is_displayed())
    find(browser, ".do-tree").click()
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".node")) == 4)
    assert pretty("[alpha, beta] = [-inf, +inf]") in find(browser, ".node .figures").text
    browser.find_elements(By.CSS_SELECTOR, ".node[aria-expanded=false]")[-1].click()
    until(lambda: browser.find_elements(By.CSS_SELECTOR, ".figures.cut"))
    assert "pruned" in find(browser, ".figures.cut").text
    assert find(browser, ".tree-view .picture svg")


def test_a_tournament_is_watched_live(browser: Chrome, server: Server) -> None:
    go(browser, server, "/events")
    names = find(browser, "textarea")
    names.clear()
    names.send_keys("random\nflat:sims=1")
    browser.execute_script("document.querySelector('form select').value = 'tictactoe'")
    find(browser, "form button.primary").click()
    until(lambda: "#/event/" in browser.current_url)
    until(lambda: "20 of 20 games" in find(browser, "main [role=status]").text)
    assert len(browser.find_elements(By.CSS_SELECTOR, ".crosstable tbody tr")) == 2
    until(lambda: browser.find_elements(By.CSS_SELECTOR, ".js-plotly-plot"))
    browser.execute_script(RECORD_SENT)
    find(browser, ".games a").click()
    until(lambda: shown_moves(browser))
    assert json.loads(browser.execute_script("return sent[0]")) == {"do": "unfollow"}


def test_a_tournament_that_nobody_plays_says_so(browser: Chrome, server: Server) -> None:
    with closing(Store(str(server.database))) as store:
        for players, can_resume in (("random", "careful"), True), (("random", "uct:sims=3"), False):
            number = store.open_event(Plan(damier.game("tictactoe"), players, 6))
            go(browser, server, f"/event/{number}")
            assert find(browser, "main [role=status]").text.startswith("stopped")
            assert find(browser, ".do-resume").is_displayed() == can_resume  # not those of the command line
            store.finish(number)
            until(lambda: find(browser, "main [role=status]").text.startswith("finished"))
            assert not find(browser, ".do-resume").is_displayed()


def test_a_training_run_is_followed_live(browser: Chrome, server: Server) -> None:
    folder = server.database.parent / "runs" / "four"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('game = "connect4"\niterations = 3\n')
    rows = [{"iteration": i} | dict.fromkeys(FIGURES, 2 / i) | {"games": 10 * i, "elo": 10.0 * i} for i in (1, 2)]
    Memory(folder / "replay", GAME, 0, lambda _: None).begin(2)
    played = random_finished_game(GAME, 5)
    Memory(folder / "replay", GAME, 0, lambda _: None).file(2).append(played)
    metrics = folder / "metrics.jsonl"
    metrics.write_text(json.dumps(rows[0]) + "\n")
    go(browser, server, "/runs")
    find(browser, "tbody a").click()
    until(lambda: "1 of 3" in find(browser, "main [role=status]").text)
    with metrics.open("a") as file:
        file.write(json.dumps(rows[1]) + "\n")
    until(lambda: "2 of 3" in find(browser, "main [role=status]").text)
    until(lambda: browser.find_elements(By.CSS_SELECTOR, ".js-plotly-plot"))
    find(browser, "a[href='#/run/four/game/0']").click()
    until(lambda: len(shown_moves(browser)) == len(played.moves))
    other = folder.with_name("other")
    other.mkdir()
    (other / "config.toml").write_text('game = "connect4"\niterations = 2\n')
    (other / "metrics.jsonl").write_text(json.dumps(rows[0]) + "\n")
    go(browser, server, "/run/four+other")
    until(lambda: "other: 1 of 2" in find(browser, "main [role=status]").text)
    with (other / "metrics.jsonl").open("a") as file:
        file.write(json.dumps(rows[1]) + "\n")
    until(lambda: "other: 2 of 2" in find(browser, "main [role=status]").text)


GAME = damier.game("connect4")
TOLD = "return document.querySelector('#told').textContent"
NUMBER = "return document.querySelector('#number').textContent"


def test_a_lesson_is_stepped_to_its_end_and_its_link_restores_it(browser: Chrome, server: Server) -> None:
    go(browser, server, "/learn?algorithm=alphabeta&tree=walk")
    told = trace("alphabeta", "walk")
    until(lambda: browser.execute_script(NUMBER) == "0 of 27")
    find(browser, "#stage").click()
    for step in told.steps:
        ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
        assert browser.execute_script(TOLD) == pretty(step.told)
    assert not find(browser, "#next").is_enabled()
    assert find(browser, "#told").get_attribute("aria-live") == "polite"
    cut = browser.execute_script("return [...document.querySelectorAll('#drawing [id^=arc-].cut')].map(arc => arc.id)")
    assert cut == [f"arc-{number}" for number in told.cut]
    assert len(browser.find_elements(By.CSS_SELECTOR, ".legend li")) == 6
    find(browser, "#first").click()
    find(browser, "#play").click()
    until(lambda: int(browser.execute_script(NUMBER).split()[0]) >= 2)
    find(browser, "#play").click()
    find(browser, "#steps .cut button").click()
    link = find(browser, ".step-link").get_attribute("href") or ""
    go(browser, server, link.partition("#")[2])
    until(lambda: browser.execute_script(NUMBER) == "14 of 27")


def test_a_typed_tree_is_mended_where_it_is_wrong(browser: Chrome, server: Server) -> None:
    go(browser, server, "/learn")
    text = find(browser, "#tree-text")
    text.clear()
    text.send_keys("max(3\n  mni(2 5))")
    find(browser, "#show-lesson").click()
    until(lambda: "line 2, column 3" in find(browser, "#learn-problem").text)
    assert "did you mean 'min'" in find(browser, "#learn-problem").text
    assert text.get_attribute("aria-invalid") == "true"
    assert browser.execute_script("return arguments[0].selectionStart", text) == 8
    text.send_keys(Keys.DELETE * 3, "min")
    find(browser, "#show-lesson").click()
    until(lambda: browser.execute_script("return document.querySelector('#number')?.textContent") == "0 of 11")
    assert find(browser, "#learn-problem").text == ""
    find(browser, "#last").click()
    assert browser.execute_script(TOLD) == "the value is 3, the move is 1"
    assert "text=max" in browser.current_url


def test_an_exercise_is_answered_wrongly_then_rightly(browser: Chrome, server: Server) -> None:
    go(browser, server, "/learn/exercise?algorithm=alphabeta&seed=3&depth=3&branching=2")
    right = exercise(seed=3).solve()
    for name, value in right.values.items():
        find(browser, f"[data-node='{name}']").send_keys(f"{value[0]:g}")
    browser.execute_script(f"document.querySelector('[data-move]').value = '{right.move}'")
    find(browser, "#check").click()
    until(lambda: "you did not cut b22" in find(browser, ".verdict.problem").text)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#drawing .here")) == 1
    for name in right.cut:
        find(browser, f"[data-cut='{name}']").click()
    assert len(browser.find_elements(By.CSS_SELECTOR, "#drawing [id^=arc-].cut")) == len(right.cut)
    find(browser, "#check").click()
    until(lambda: "all of it is right" in find(browser, ".verdict.right").text)
    find(browser, ".another").click()
    until(lambda: "seed=3&" not in browser.current_url)
    until(lambda: find(browser, "#check") and not browser.find_elements(By.CSS_SELECTOR, ".verdict.right"))


def test_the_page_hears_the_server_in_french(browser: Chrome, server: Server) -> None:
    """A lesson, a mistake in an answer, one over the live connection; tests/web has all the others."""
    go(browser, server, "/")
    browser.execute_script("localStorage.setItem('language', 'fr')")
    browser.get("about:blank")
    go(browser, server, "/learn?algorithm=alphabeta&tree=walk")
    until(lambda: browser.execute_script(NUMBER) == "0 sur 27")
    find(browser, "#next").click()
    assert browser.execute_script(TOLD) == "la racine : Max joue, α=-∞ β=+∞"
    text = find(browser, "#tree-text")
    text.clear()
    text.send_keys("max(3")
    find(browser, "#show-lesson").click()
    until(lambda: "il manque une « ) »" in find(browser, "#learn-problem").text)
    heard = "live.listen((message) => (window.heard = message)); live.send({ do: 'look' })"
    browser.execute_script(f"import('./js/api.js').then(({{ live }}) => {{ {heard} }})")
    until(lambda: browser.execute_script("return window.heard?.error ?? ''").startswith("il n’y a pas d’arbre"))
    browser.execute_script("localStorage.clear()")


def test_french_and_english(browser: Chrome, server: Server) -> None:
    go(browser, server, "/")
    browser.execute_script("localStorage.setItem('language', 'fr')")
    go(browser, server, "/")
    assert find(browser, "h1").text == "Choisissez un jeu"
    assert browser.execute_script("return document.documentElement.lang") == "fr"
    script = "const { default: t } = await import(arguments[0]); return Object.keys(t)"
    english, french = (
        browser.execute_script(f"return (async () => {{ {script} }})()".replace("arguments[0]", f"'./js/{tag}.js'"))
        for tag in ("en", "fr")
    )
    assert {key for key in english if not key.startswith("option.")} <= set(french)
    assert {f"{kind}.{name}" for kind in ("game", "summary") for name in damier.games.REGISTRY} <= set(french)
    listed = httpx.get(f"{server.address}/api/catalogue", timeout=PATIENCE).json()
    assert {f"player.{each['name']}" for each in listed["players"]} <= set(french)
    options = (option for each in (*listed["games"], *listed["players"]) for option in each["options"])
    assert {f"option.{option['name']}" for option in options} <= set(french)
    for game, told in (("backgammon", "● a lancé 4-2"), ("pig", "0 point sur 100"), ("pacman", "Pac-Man joue")):
        go(browser, server, f"/study?game={game}&moves={'42' if game == 'backgammon' else ''}")
        assert told in find(browser, ".desk-board").text
    browser.execute_script("localStorage.clear()")
    go(browser, server, "/")
    assert find(browser, "h1").text == "Choose a game"


@pytest.mark.parametrize("width", [360, 768])
def test_no_page_is_wider_than_a_phone(browser: Chrome, server: Server, width: int) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        for route in (
            "/",
            "/new/blokus",
            "/study?game=blokus",
            "/study?game=dames8",
            "/records",
            "/events",
            "/runs",
            *LEARN,
        ):
            go(browser, server, route)
            until(lambda: browser.execute_script("return document.querySelector('main').children.length"))
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, route
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_game_whose_search_failed_goes_on_at_the_push_of_a_button(browser: Chrome, server: Server) -> None:
    with server.client() as client:
        begun = {"game": "tictactoe", "seats": ["human", "careful"]}
        game = f"/api/games/{client.post('/api/games', json=begun).json()['id']}"
        go(browser, server, game.removeprefix("/api").replace("games", "game"))
        button = until(lambda: browser.find_element(By.CSS_SELECTOR, ".do-pause"))
        assert not button.is_displayed()
        client.post(f"{game}/pace", json={"is_paused": True})  # as a failure does
        until(button.is_displayed)
        button.click()
        until(lambda: not button.is_displayed())
        assert not client.get(game).json()["is_paused"]


def test_where_files_are_allowed_a_seat_takes_a_player_by_its_file(
    browser: Chrome, server: Server, tmp_path: Path
) -> None:
    who = ".seat:last-of-type select.who"
    go(browser, server, "/new/tictactoe")
    until(lambda: browser.find_elements(By.CSS_SELECTOR, who))
    assert not browser.find_elements(By.CSS_SELECTOR, "option[value=own]")
    trusting = Server(tmp_path, "--processes", "1", "--allow-files").start()
    try:
        go(browser, trusting, "/new/tictactoe")
        until(lambda: browser.find_element(By.CSS_SELECTOR, f"{who} option[value=own]")).click()
        field = browser.find_element(By.CSS_SELECTOR, ".seat:last-of-type input[type=text]")
        field.send_keys("careful")  # any player's name goes, as on the command line
        browser.find_element(By.CSS_SELECTOR, "button[type=submit]").click()
        until(lambda: "#/game/" in browser.current_url)
        with trusting.client() as client:
            game = client.get(f"/api/games/{browser.current_url.rpartition('/')[2]}").json()
        assert game["seats"] == ["human", "careful"]
    finally:
        browser.get("about:blank")
        trusting.stop()


def axe() -> str:
    """The program that looks for what shuts people out, from npm."""
    folder = Path(platformdirs.user_cache_dir("damier")) / "axe"
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        if shutil.which("npm") is None:
            pytest.skip("needs npm to get axe-core")
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), AXE]
        try:
            subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        except subprocess.SubprocessError as error:
            pytest.skip(f"npm could not get axe-core: {str(getattr(error, 'stderr', None) or error).strip()[:200]}")
    return script.read_text()


LOOKED_AT = {
    "light": (
        "/",
        "/new/connect4",
        "/study?game=blokus:board=tiny",
        "/study?game=connect4&moves=d",
        "/records",
        "/events",
        *LEARN,
    ),
    "dark": ("/", "/study?game=othello", *LEARN),
}


@pytest.mark.parametrize("theme", LOOKED_AT)
def test_nobody_is_shut_out(browser: Chrome, server: Server, theme: str) -> None:
    script = axe()
    found: dict[str, Any] = {}
    for route in LOOKED_AT[theme]:
        go(browser, server, "/")
        browser.execute_script(f"localStorage.setItem('theme', '{theme}')")
        go(browser, server, route)
        until(lambda: browser.execute_script("return document.querySelectorAll('main *').length > 5"))
        browser.execute_script(script)
        violations = browser.execute_async_script("axe.run().then(r => arguments[0](r.violations))")
        bad = [(each["id"], each["nodes"][0]["html"][:160]) for each in violations if each["impact"] in SERIOUS]
        if bad:
            found[route] = bad
    browser.execute_script("localStorage.clear()")
    assert not found
