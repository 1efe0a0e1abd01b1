"""A real browser for tests: Chromium without a window."""

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.debian import install

PROGRAMS = {"chromium": "chromium", "chromedriver": "chromium-driver"}  # and the packages of Debian they come in


@pytest.fixture(scope="session")
def chromium() -> Iterator[webdriver.Chrome]:
    install(PROGRAMS, "a browser")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    # The sandbox refuses to run as root, and shared memory is small in containers.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver") or ""))
    driver.set_script_timeout(300)  # axe looks at every element of a page
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> webdriver.Chrome:
    """The one browser, with an empty page and an empty log.

    The page of an earlier test may still be calling its stopped server, and would write into this test's log.
    """
    chromium.get("about:blank")
    chromium.get_log("browser")  # type: ignore[no-untyped-call]
    return chromium
