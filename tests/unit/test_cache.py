"""Compiled code is kept between processes, and is never older than the rules."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from damier.core.compile import COMPILER_ON

pytestmark = pytest.mark.skipif(not COMPILER_ON, reason="the compiler is switched off")

# Plays a game of "take 1 or more", and tells what the compiler did for it.
PROGRAM = """
import json, sys
import damier
from damier.search.playouts import play_games

game = damier.game(sys.argv[1])
playouts = damier.playouts(game, games=10, seed=1)
stats = play_games.stats
print(json.dumps({
    "plies": playouts.plies,
    "hits": sum(stats.cache_hits.values()),
    "misses": sum(stats.cache_misses.values()),
    "perft": damier.perft(game, 2),
}))
"""

GAME = """
import numpy as np
import helper
from helper import AT_MOST

class Take:
    State = np.dtype([("player", np.int8), ("left", np.int16)])
    num_players = 2
    max_moves = 60
    max_length = 60

    def __init__(self, heap: int = 12):
        self.heap = heap

    def setup(self, state):
        state.player = 0
        state.left = self.heap

    def moves(self, state, out):
        count = min(state.left, AT_MOST)
        for i in range(count):
            out[i] = i + 1
        return count

    def play(self, state, move):
        state.left = helper.take(state.left, move)
        state.player = 1 - state.player

    def returns(self, state, out):
        out[state.player] = -1
        out[1 - state.player] = 1
"""

HELPER = """
from damier import kernel

AT_MOST = 3
STEP = 1

@kernel
def take(left, move):
    return max(0, left - STEP * move)
"""


class Lab:
    """A folder with a game, its helper module and a compiler cache, and processes that use them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("game.py", GAME)
        self.write("helper.py", HELPER)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text)
        # Python's own .pyc files miss an edit within the same second; that is not what is tested here
        moment = path.stat().st_mtime + len(list(self.folder.glob("*.stamp")))
        os.utime(path, (moment, moment))
        (self.folder / f"{len(list(self.folder.glob('*.stamp')))}.stamp").touch()

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def run(self, spec: str = "Take", file: str = "game.py") -> dict[str, Any]:
        environment = os.environ | {"DAMIER_CACHE_DIR": str(self.folder / "cache")}
        command = [sys.executable, "-c", PROGRAM, f"{self.folder}/{file}:{spec}"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        self.warnings = done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lab, dict[str, Any]]:
    """A lab, and what the first process there told, which had to compile."""
    lab = Lab(tmp_path_factory.mktemp("lab"))
    return lab, lab.run()


@pytest.fixture
def lab(compiled: tuple[Lab, dict[str, Any]]) -> Iterator[Lab]:
    """The lab as it was after its first process, whatever a test edits."""
    yield compiled[0]
    compiled[0].write("game.py", GAME)
    compiled[0].write("helper.py", HELPER)


@pytest.fixture
def first(compiled: tuple[Lab, dict[str, Any]]) -> dict[str, Any]:
    return compiled[1]


def test_a_second_process_compiles_nothing(lab: Lab, first: dict[str, Any]) -> None:
    second = lab.run()
    assert (first["hits"], first["misses"]) == (0, 1)
    assert (second["hits"], second["misses"]) == (1, 0)
    assert first["plies"] == second["plies"]


def test_an_edited_rule_takes_effect_in_the_next_process(lab: Lab, first: dict[str, Any]) -> None:
    assert first["perft"] == 9
    lab.edit("game.py", "out[i] = i + 1", "out[i] = 2 * i + 1")
    lab.edit("game.py", "state.left = self.heap", "state.left = self.heap - 10")
    assert lab.run()["perft"] == 1  # of 2 matches: take 1 and 1, or all at once


def test_an_edited_helper_takes_effect_in_the_next_process(lab: Lab, first: dict[str, Any]) -> None:
    lab.edit("helper.py", "left - STEP * move", "left - STEP * move - 5")
    after = lab.run()
    assert first["plies"] > after["plies"]
    assert after["misses"] == 1


def test_an_edited_constant_of_a_helper_takes_effect_in_the_next_process(lab: Lab, first: dict[str, Any]) -> None:
    lab.edit("helper.py", "AT_MOST = 3", "AT_MOST = 4")  # imported by name into the game
    assert lab.run()["perft"] == 16
    lab.edit("helper.py", "AT_MOST = 4", "AT_MOST = 3")
    lab.edit("helper.py", "STEP = 1", "STEP = 9")  # used by the helper only
    assert lab.run()["plies"] < first["plies"]


def test_another_option_takes_effect_without_compiling(lab: Lab) -> None:
    long = lab.run("Take:heap=50")
    short = lab.run("Take:heap=2")
    assert long["plies"] > short["plies"]
    assert short["perft"] == 1
    assert short["misses"] == 0


def test_a_comment_or_a_docstring_compiles_nothing(lab: Lab) -> None:
    lab.edit("game.py", "count = min", '"""List the moves."""\n        # as many as allowed\n        count = min')
    assert lab.run()["misses"] == 0


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_file_is_removed_and_compiled_again(lab: Lab, first: dict[str, Any], kind: str) -> None:
    for number, file in enumerate(sorted((lab.folder / "cache").rglob(f"*.{kind}"))):
        data = bytearray(file.read_bytes())
        if number % 3 == 0:
            data[len(data) // 2] ^= 1  # in the machine code: run, it may crash or say something wrong
        file.write_bytes(bytes([data, data[:100], b""][number % 3]))
    again = lab.run()
    assert (again["plies"], again["perft"]) == (first["plies"], first["perft"])
    assert again["misses"] == 1
    assert "is damaged; it is removed and compiled again" in lab.warnings
    healed = lab.run()
    assert (healed["hits"], healed["misses"], lab.warnings) == (1, 0, "")


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    (lab.folder / "cache").write_text("a file where a folder should be")
    assert lab.run()["plies"] > 0


def test_a_copied_file_is_a_game_of_its_own(lab: Lab, first: dict[str, Any]) -> None:
    lab.write("copy.py", GAME)
    copied = lab.run("Take", file="copy.py")
    assert copied["plies"] == first["plies"]
    assert copied["misses"] == 1
    assert lab.warnings == ""


# Under what names compiled code is kept: of every game, every part of a search and every kernel.
NAMES = """
import importlib, json, pkgutil, sys
import damier
from damier.core.compile import object_type
from damier.core.fingerprint import fingerprint
from damier.core.parts import Kernel
from damier.games import REGISTRY
from damier.search.laws import PART_KINDS

names = {name: damier.game(name).type_name for name in REGISTRY}
names |= {name: str(object_type(kind.make(name))) for kind in PART_KINDS for name in kind.registry}
for found in pkgutil.walk_packages(damier.__path__, "damier."):
    if found.name.split(".")[1] in ("core", "games", "evaluations", "search"):
        for name, value in vars(importlib.import_module(found.name)).items():
            if isinstance(value, Kernel):
                names[f"{value.py_func.__module__}.{name}"] = fingerprint(value)
print(json.dumps(names))
"""


def test_the_names_of_compiled_code_are_the_same_in_every_process() -> None:
    """Connect 4 once had another one in each process, since one of its methods says something in a language that the
    environment names: it was compiled again at every start."""

    def names(**environment: str) -> dict[str, str]:
        command = [sys.executable, "-c", NAMES]
        done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
        return dict(json.loads(done.stdout))

    ours, theirs = names(PYTHONHASHSEED="1"), names(PYTHONHASHSEED="2", DAMIER_LANG="fr", COLUMNS="99")
    assert {name for name in ours if ours[name] != theirs[name]} == set()
    assert len(ours) > 300
