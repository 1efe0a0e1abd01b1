"""A little of everything that damier needs its dependencies for, in a minute: is this installation one that works?

    python tests/smoke.py

It needs nothing but damier and what damier installs. The first line that fails is printed with the reason, and the exit
code is 1. `benchmarks/floors.py` runs it with the oldest versions that `pyproject.toml` allows.
"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SECONDS = 300  # for any one step, compilation included


def damier(*arguments: object) -> str:
    """What a command prints; an error if it fails."""
    done = run_damier(*arguments)
    if done.returncode:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def run_damier(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "damier", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


def expect(found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"expected {expected}, got {found}")


def help_and_lists(folder: Path) -> None:
    expect("Usage" in damier("--help"), True)
    expect(damier("match", "--help").count("•"), 3)  # examples, each on its line
    expect("tictactoe" in damier("games"), True)
    expect("uct" in damier("players"), True)


def compiled_rules(folder: Path) -> None:
    damier("check", "tictactoe", "--games", 20)
    counted = json.loads(damier("perft", "tictactoe", 6, "--json"))
    expect(54720 in _numbers(counted), True)


def match_with_a_report(folder: Path) -> None:
    page = folder / "match.html"
    database = folder / "games.sqlite3"
    line = ["match", "tictactoe", "uct:sims=20", "random", "--games", 4, "--workers", 2, "--database", database]
    expect(json.loads(damier(*line, "--report", page, "--json"))["games"], 4)
    expect("<svg" in page.read_text(encoding="utf-8") or "Plotly" in page.read_text(encoding="utf-8"), True)


def errors_in_one_line(folder: Path) -> None:
    done = run_damier("match", "tictactoe", "random", "nobody")
    expect((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))


def network(folder: Path) -> None:
    found = json.loads(damier("analyse", "tictactoe", "--player", "zero:sims=20", "--json"))
    expect("move" in found, True)


def page(folder: Path) -> None:
    log = folder / "server.log"
    options = ["--no-browser", "--port", "0", "--database", str(folder / "page.sqlite3"), "--runs", str(folder)]
    with (
        log.open("w") as out,
        subprocess.Popen([sys.executable, "-m", "damier", "serve", *options], stdout=out, stderr=out) as server,
    ):
        try:
            address = _until(lambda: re.search(r"http://[^\s/]+", log.read_text()))[0]
            _until(lambda: _get(f"{address}/icon.svg"))
            expect("tictactoe" in _get(f"{address}/api/catalogue"), True)
            expect("Plotly" in _get(f"{address}/vendor/plotly.min.js"), True)
            expect(json.loads(_get(f"{address}/api/positions", {"game": "tictactoe"})).get("is_over"), False)
            from websockets.sync.client import connect

            with connect(address.replace("http", "ws") + "/api/live", origin=address) as live:
                live.send("nothing that it knows")
                expect(isinstance(live.recv(timeout=SECONDS), str), True)
        finally:
            server.terminate()


def _get(address: str, posted: object = None) -> str:
    """What the server answers; nothing while it is not there yet."""
    data = None if posted is None else json.dumps(posted).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"} if data else {})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return str(answer.read().decode())
    except ConnectionError:
        return ""
    except urllib.error.URLError as error:
        if isinstance(error.reason, ConnectionError):
            return ""
        raise


def _until(found: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + SECONDS
    while not (it := found()):
        if time.monotonic() > deadline:
            raise AssertionError(f"nothing after {SECONDS} s")
        time.sleep(0.1)
    return it


def _numbers(document: Any) -> list[Any]:
    if isinstance(document, dict):
        return [number for value in document.values() for number in _numbers(value)]
    if isinstance(document, list):
        return [number for value in document for number in _numbers(value)]
    return [document]


def main() -> None:
    failed = False
    with TemporaryDirectory() as name:
        os.environ["DAMIER_CACHE_DIR"] = f"{name}/cache"
        for step in (help_and_lists, compiled_rules, match_with_a_report, errors_in_one_line, network, page):
            began = time.monotonic()
            try:
                step(Path(name))
                outcome = "works"
            except Exception as error:
                failed, outcome = True, f"FAILS: {type(error).__name__}: {error}"
            print(f"{step.__name__:20} {time.monotonic() - began:6.1f} s  {outcome}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
