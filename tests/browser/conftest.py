"""A real browser for tests: Chromium without a window."""

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from selenium import webdriver

PROGRAMS = {"chromium": "chromium", "chromedriver": "chromium-driver"}  # and the packages of Debian they come in


@pytest.fixture(scope="session")
def browser() -> Iterator[webdriver.Chrome]:
    _install()
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    # The sandbox refuses to run as root, and shared memory is small in containers.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver") or ""))
    yield driver
    driver.quit()


def _install() -> None:
    """Debian's packages, where they are missing and we may; elsewhere the tests are skipped."""
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if not missing:
        return
    wanted = " ".join(missing)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        pytest.skip(f"needs a browser: apt-get install {wanted}")
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *missing]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"needs a browser: apt-get install {wanted} failed: {done.stderr.strip()}")
