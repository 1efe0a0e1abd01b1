"""Kill -9 at a random moment of everything that writes for long, then the same command again.

Whatever was killed, the next one comes to what an undisturbed one comes to, byte for byte where nothing depends on the
clock. A tournament, an endgame database, compiled code and a training take turns.
"""

import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import damier
from damier.search.endgames.files import endgame_file
from damier.zero.run import open_run
from tests.fuzz.fuzzer import Attempt
from tests.fuzz.processes import Process, untimed
from tests.unit.killed_training import inventory

TOURNAMENT = ("tournament", "tictactoe", "uct:sims=3000", "rave:sims=3000", "--games", 20, "--json")
ENDGAMES = ("endgame", "build", "draughts:rules=english", "--pieces", 3, "--workers", 1)
COMPILED = """
import damier
print([damier.playouts(game, games=5, seed=1).plies for game in ("tictactoe", "connect4")])
print(damier.perft("tictactoe", 4))
"""
ITERATIONS, GAMES = 4, 16
SMALL = ("network.kind=mlp", "network.blocks=1", "network.channels=16", "selfplay.parallel=8", "training.batch=32")
TRAINING = (
    *("train", "tictactoe", "--iterations", ITERATIONS, "--games", GAMES, "--sims", 4, "--workers", 1),
    *(word for setting in SMALL for word in ("--set", setting)),
)

Start = Callable[[Path], Process]  # the command, with its files in a folder
Found = Callable[[Path, Process], Any]  # what it came to


def _tournament(folder: Path) -> Process:
    return Process(*TOURNAMENT, "--workers", 2, "--database", folder / "games.sqlite3")


def _endgames(folder: Path) -> Process:
    return Process(*ENDGAMES, "--out", folder)


def _compilation(folder: Path) -> Process:
    return Process(program=COMPILED, DAMIER_CACHE_DIR=folder)


def _training(folder: Path) -> Process:
    run = folder / "run"
    there = (run / "config.toml").exists()
    return Process(*TRAINING, *(("--resume", run) if there else ("--out", run)))


def _database(folder: Path) -> bytes:
    return endgame_file(damier.game(str(ENDGAMES[2])), folder).read_bytes()


def _learnt(folder: Path) -> Any:
    """What is there after a training. How good the networks are may depend on when it was killed, not how many."""
    found = inventory(open_run(folder / "run"))
    rows = [row["iteration"] for row in found["rows"]]
    return sorted(found["games"]), found["damaged"], rows, found["checkpoints"]


KINDS: dict[str, tuple[Start, Found]] = {
    "compilation": (_compilation, lambda _, process: (process.out, process.err)),
    "endgame build": (_endgames, lambda folder, _: _database(folder)),
    "tournament": (_tournament, lambda _, process: untimed(process.json)),
    "training": (_training, lambda folder, _: _learnt(folder)),
}


@contextmanager
def fuzz(folder: Path) -> Iterator[Attempt]:
    @cache
    def undisturbed(kind: str) -> tuple[Any, float]:
        start, found = KINDS[kind]
        place = folder / f"{kind} undisturbed"
        place.mkdir()
        began = time.monotonic()
        process = start(place).end()
        assert process.code == 0, process.err
        return found(place, process), time.monotonic() - began

    def attempt(chance: random.Random) -> str | None:
        kind = chance.choice(list(KINDS))
        start, found = KINDS[kind]
        expected, seconds = undisturbed(kind)
        place = folder / "killed"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        moments = [round(chance.uniform(0.1, 1) * seconds, 3) for _ in range(chance.choice([1, 1, 2]))]
        everybody = chance.random() < 0.5
        for moment in moments:
            killed = start(place)
            time.sleep(moment)
            killed.kill(everybody)
            killed.end()
        again = start(place).end()
        if again.code:
            return f"{kind} killed after {moments} s, then exit code {again.code}: {again.err[-500:]}"
        return None if found(place, again) == expected else f"{kind} killed after {moments} s comes to something else"

    yield attempt
