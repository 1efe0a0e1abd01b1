"""A lesson in a browser: keys, buttons and slider lead to what the trace says, forward and back."""

from pathlib import Path

from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from damier.lessons import Trace, trace
from damier.lessons.drawing import pretty
from damier.lessons.page import page

SHOWN = """return [...document.querySelectorAll('#drawing [id^="node-"]')].map(group => [
  group.classList[0], group.querySelector('.value').textContent,
  [...group.querySelectorAll('.note')].map(note => note.textContent).filter(text => text).reverse()])"""


def expected(told: Trace, count: int) -> list[list[object]]:
    looks = zip(told.nodes, told.looks_after(count), strict=True)
    own = [(look.value or (f"{node.values[0]:g}" if node.is_leaf else "")) for node, look in looks]
    return [
        [look.status, value, [pretty(note) for note in look.notes]]
        for value, look in zip(own, told.looks_after(count), strict=True)
    ]


def test_a_lesson_goes_forward_and_back(browser: Chrome, tmp_path: Path) -> None:
    told, path = trace("alphabeta", "walk"), tmp_path / "walk.html"
    path.write_text(page(told), encoding="utf-8")
    browser.get(path.as_uri())
    body, last = browser.find_element(By.TAG_NAME, "body"), len(told.steps)
    assert browser.execute_script(SHOWN) == expected(told, 0)
    for count in range(1, last + 1):
        body.send_keys(Keys.ARROW_RIGHT)
        assert browser.execute_script(SHOWN) == expected(told, count)
        assert browser.find_element(By.ID, "told").text == pretty(told.steps[count - 1].told)
    assert not browser.find_element(By.ID, "next").is_enabled()
    browser.find_element(By.ID, "slider").send_keys(Keys.ARROW_LEFT * 7)
    assert browser.execute_script(SHOWN) == expected(told, last - 7)
    browser.find_element(By.CSS_SELECTOR, "#steps .cut button").click()
    assert browser.find_element(By.ID, "number").text == "14 of 27"
    browser.find_element(By.ID, "first").click()
    assert browser.execute_script(SHOWN) == expected(told, 0)
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
