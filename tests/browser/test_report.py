"""A report in a browser: the games are replayed by buttons, keys, slider and list."""

from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

import damier
from damier.arena.report import write_report
from damier.arena.result import Tournament
from damier.core.view import EMPTY
from tests.conformance.games import Pig
from tests.random_tournaments import random_tournament, renamed

NASTY = "<b>bold</b> & \"quotes\" 'too' </script>"


def open_report(browser: Chrome, result: Tournament, folder: Path) -> None:
    path = folder / "report.html"
    write_report(result, path)
    browser.get(path.as_uri())


@pytest.fixture(scope="module")
def draughts() -> Tournament:
    return random_tournament(damier.game("dames8"), num_players=3, games=100, openings=4)


def find(browser: Chrome, name: str) -> WebElement:
    return browser.find_element(By.ID, name)


def find_all(browser: Chrome, selector: str) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, selector)


def press(browser: Chrome, *keys: str) -> None:
    for key in keys:
        browser.switch_to.active_element.send_keys(key)


def shown_pieces(browser: Chrome) -> dict[int, str]:
    """Cell and sign of each piece on the board."""
    script = "return [...document.querySelectorAll('#board .disc')].map(d => [Number(d.dataset.cell), d.dataset.sign])"
    return dict(browser.execute_script(script))


def pieces(position: damier.Position) -> dict[int, str]:
    grid = position.view()
    cells = enumerate(cell for row in grid.cells for cell in row)
    there = {number: grid.symbols[cell] for number, cell in cells if cell != EMPTY}
    return {number: symbol.unicode for number, symbol in there.items() if symbol.player != EMPTY}


def test_buttons_keys_and_slider_replay_a_game(browser: Chrome, draughts: Tournament, tmp_path: Path) -> None:
    open_report(browser, draughts, tmp_path)
    positions = draughts.records[0].positions(draughts.plan.game)
    assert shown_pieces(browser) == pieces(positions[0])
    for button, ply in (("next", 1), ("next", 2), ("back", 1), ("last", -1), ("first", 0)):
        find(browser, button).click()
        assert shown_pieces(browser) == pieces(positions[ply])
    browser.find_element(By.TAG_NAME, "body").click()
    for keys, ply in (([Keys.ARROW_RIGHT] * 5, 5), ([Keys.ARROW_LEFT], 4)):
        press(browser, *keys)
        assert shown_pieces(browser) == pieces(positions[ply])
    find(browser, "slider").send_keys(Keys.ARROW_RIGHT * 2)
    assert shown_pieces(browser) == pieces(positions[6])
    find_all(browser, "#moves button")[9].click()
    assert shown_pieces(browser) == pieces(positions[10])
    assert find(browser, "told").text.startswith(f"Move 10 of {len(positions) - 1}: ")
    press(browser, Keys.END)
    assert shown_pieces(browser) == pieces(positions[-1])
    assert not find(browser, "next").is_enabled()


def test_a_game_plays_by_itself(browser: Chrome, draughts: Tournament, tmp_path: Path) -> None:
    open_report(browser, draughts, tmp_path)
    find(browser, "play").click()
    assert find(browser, "play").text == "Pause"
    WebDriverWait(browser, 60).until(lambda _: find(browser, "told").text.startswith("Move 2 "))
    find(browser, "play").click()
    assert find(browser, "play").text == "Play"


def test_the_opening_is_marked(browser: Chrome, draughts: Tournament, tmp_path: Path) -> None:
    open_report(browser, draughts, tmp_path)
    assert len(find_all(browser, "#moves .opening")) == 4
    find(browser, "next").click()
    assert "opening" in find(browser, "told").text


def test_the_list_is_filtered_and_grows_as_one_scrolls(browser: Chrome, draughts: Tournament, tmp_path: Path) -> None:
    open_report(browser, draughts, tmp_path)
    assert find(browser, "count").text == "300 of 300 games"
    assert len(find_all(browser, "#rows tr")) == 100
    browser.execute_script("document.getElementById('list').scrollTop = 1e6")
    WebDriverWait(browser, 60).until(lambda _: len(find_all(browser, "#rows tr")) == 200)
    player = draughts.players[1]
    Select(find(browser, "filter-player")).select_by_visible_text(player)
    assert find(browser, "count").text == "200 of 300 games"
    Select(find(browser, "filter-result")).select_by_visible_text(f"won by {player}")
    assert find(browser, "count").text == f"{draughts.standings[1].wins} of 300 games"
    find(browser, "filter-shortest").send_keys("40")
    long_wins = [game for game in draughts.records if game.points_of(1) == 1 and len(game.moves) >= 40]
    assert find(browser, "count").text == f"{len(long_wins)} of 300 games"
    find_all(browser, "#rows a")[0].send_keys(Keys.ENTER)
    assert find(browser, "replay-title").text == f"Game {long_wins[0].number + 1}"
    assert shown_pieces(browser) == pieces(draughts.plan.game.start())


def test_names_are_shown_as_they_are(browser: Chrome, tmp_path: Path) -> None:
    game = damier.game("tictactoe")
    result = renamed(random_tournament(game), (NASTY, "other"))
    open_report(browser, result, tmp_path)
    assert not find_all(browser, "b")
    assert NASTY in [name.text for name in find_all(browser, "#seats .name")]
    assert NASTY in [name.text for name in find_all(browser, "tbody th")]


def test_three_players_without_a_grid(browser: Chrome, tmp_path: Path) -> None:
    result = random_tournament(damier.game(Pig), num_players=3, games=6)
    open_report(browser, result, tmp_path)
    find(browser, "last").click()
    last = result.records[0].positions(result.plan.game)[-1]
    assert browser.find_element(By.CSS_SELECTOR, "#board pre").text == last.draw(unicode=True)
    assert len(find_all(browser, "#seats li")) == 3


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(
    browser: Chrome, draughts: Tournament, tmp_path: Path, width: int
) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        open_report(browser, draughts, tmp_path)
        script = "return document.documentElement.scrollWidth"
        assert browser.execute_script(script) <= width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_nothing_is_said_on_the_console(browser: Chrome, draughts: Tournament, tmp_path: Path) -> None:
    open_report(browser, draughts, tmp_path)
    find(browser, "last").click()
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
