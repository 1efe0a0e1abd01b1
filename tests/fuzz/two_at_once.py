"""The same command twice at once, on everything that writes.

Each of the two comes to the right end, or refuses in one line because the other is at work; at least one comes to the
end, and what is on the disk afterwards is what one alone would have written.
"""

import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from damier.search.guided.network import Network, read_card
from tests.fuzz import kills
from tests.fuzz.fuzzer import Attempt
from tests.fuzz.processes import Process


@contextmanager
def fuzz(folder: Path) -> Iterator[Attempt]:
    @cache
    def alone(kind: str) -> Any:
        place = folder / f"{kind} alone"
        place.mkdir()
        start, found = kills.KINDS[kind]
        process = start(place).end()
        assert process.code == 0, process.err
        return found(place, process)

    def attempt(chance: random.Random) -> str | None:
        kind = chance.choice(["export", *kills.KINDS])
        place = folder / "both"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        apart = chance.choice([0.0, 0.0, chance.uniform(0, 1.5)])
        if kind == "export":
            alone("training")
            finding = _exports(folder / "training alone" / "run", place / "net.onnx", apart)
        else:
            finding = _both(kind, place, apart, alone(kind))
        return finding and f"{kind}, {apart:.2f} s apart: {finding}"

    yield attempt


def _start_two(first: Callable[[], Process], second: Callable[[], Process], apart: float) -> list[Process]:
    begun = [first()]
    time.sleep(apart)
    begun.append(second())
    return [process.end() for process in begun]


def _both(kind: str, place: Path, apart: float, expected: Any) -> str | None:
    start, found = kills.KINDS[kind]
    ended = _start_two(lambda: start(place), lambda: start(place), apart)
    for process in ended:
        if process.finding:
            return process.finding
    done = [process for process in ended if process.code == 0]
    if not done:
        return f"neither came to the end: {[process.err for process in ended]}"
    if any(found(place, process) != expected for process in done):
        return "they came to something else than one alone"
    if kind == "tournament" and (twice := _games_twice(place / "games.sqlite3")):
        return f"{twice} games are there twice"
    again = start(place).end() if kind == "compilation" else done[0]  # what both left is right for the next
    return None if found(place, again) == expected else "what they left leads to something else"


def _games_twice(database: Path) -> int:
    query = "SELECT count(*) - count(DISTINCT event_id || ' ' || number) FROM games"
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute(query).fetchone()[0])


def _exports(run: Path, out: Path, apart: float) -> str | None:
    """Two different networks to one file: the network and the card of one of them."""

    def export(iteration: int) -> Process:
        return Process("runs", "export", run, "--out", out, "--force", "--iteration", iteration)

    for process in _start_two(lambda: export(1), lambda: export(2), apart):
        if process.code:
            return f"exit code {process.code}: {process.err[-500:]}"
    Network(out)
    card = read_card(out, out.read_bytes())
    whole = run / "checkpoints" / f"{card['figures']['iterations']:04}" / "model.onnx"
    return None if whole.read_bytes() == out.read_bytes() else "the network is not the one on the card"
