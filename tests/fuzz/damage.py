"""Damaged files of every kind that damier writes: bits flipped, cut off, extended, zeroed, mixed up.

What reads a damaged file refuses it in one line, or makes up for it. It never ends in a traceback or a crash, and never
answers something else than with the whole file, where a checksum could tell. (SQLite has none, and neither has a line
of `metrics.jsonl`: there a digit may change unnoticed.)
"""

import contextlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import damier
from damier.cli import main
from damier.core.errors import DamierError
from damier.search.endgames.build import build_database, part_of
from damier.search.endgames.files import Database, endgame_file
from damier.search.guided.network import Network
from damier.search.guided.shipped import shipped_networks
from tests.fuzz.fuzzer import Attempt

Damaged = Callable[[random.Random], str | None]

PROGRAM = "import damier; print(damier.playouts('tictactoe', games=20, seed=1).plies)"
ENDINGS = "draughts:size=4"
TRAINING = (
    *("train", "tictactoe", "--iterations", "2", "--games", "4", "--sims", "2", "--workers", "1"),
    *("--set", "network.kind=mlp", "--set", "network.blocks=1", "--set", "network.channels=8"),
    *("--set", "selfplay.parallel=4", "--set", "training.batch=16"),
)
TOURNAMENT = ("tournament", "tictactoe", "random", "uct:sims=2", "flat:sims=9", "--games", "2", "--workers", "1")


@contextmanager
def fuzz(folder: Path) -> Iterator[Attempt]:
    kinds: list[Damaged] = [
        _compiled_code(folder / "code"),
        _endgames(folder / "endgames"),
        _network(folder / "network"),
        _training(folder / "run"),
        _games(folder / "games"),
    ]

    def attempt(chance: random.Random) -> str | None:
        damaged = chance.choices(kinds, [1, 4, 4, 6, 3])[0]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return damaged(chance)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            return (
                f"{damaged.__qualname__}: {type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
            )

    yield attempt


def spoil(data: bytes, chance: random.Random) -> bytes:
    """The same bytes with something wrong."""
    if not data:
        return chance.randbytes(20)
    place, end = sorted((chance.randrange(len(data)), chance.randrange(len(data) + 1)))
    end = min(end, place + chance.choice([1, 8, 4096]))
    match chance.randrange(7):
        case 0:
            return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
        case 1:
            return data[:place]
        case 2:
            return data + chance.choice([b"\n", b"\0" * 8, chance.randbytes(40), data])
        case 3:
            return data[:place] + bytes(end - place) + data[end:]
        case 4:
            return data[:place] + data[end:]
        case 5:
            return data[:place] + chance.randbytes(end - place) + data[end:]
        case _:
            return chance.choice([b"", b"{}", b"[]", b"null", b"\xff\xfe", chance.randbytes(100)])


def _spoil_one(folder: Path, chance: random.Random, pattern: str = "*") -> Path:
    path = chance.choice(sorted(path for path in folder.rglob(pattern) if path.is_file()))
    path.write_bytes(spoil(path.read_bytes(), chance))
    return path


def _fresh(whole: Path, copy: Path) -> Path:
    shutil.rmtree(copy, ignore_errors=True)
    return Path(shutil.copytree(whole, copy))


# -- one kind after the other ----------------------------------------------------------------------------------


def _compiled_code(folder: Path) -> Damaged:
    """In a process of its own: machine code that was altered would end this one."""

    def start(cache: Path) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
        environment = os.environ | {"DAMIER_CACHE_DIR": str(cache)}
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)

    expected = start(folder / "whole").stdout

    def compiled_code(chance: random.Random) -> str | None:
        path = _spoil_one(_fresh(folder / "whole", folder / "damaged"), chance, "*.nb?")
        done = start(folder / "damaged")
        if (done.returncode, done.stdout) == (0, expected):
            return None
        last = (done.stderr.splitlines() or [""])[-1]
        return f"{path.name} damaged: exit code {done.returncode}, printed {done.stdout!r}, {last}"

    return compiled_code


def _endgames(folder: Path) -> Damaged:
    game = damier.game(ENDINGS)
    path = endgame_file(game, folder)
    whole = build_database(game, 3, path).path.read_bytes()

    def endgames(chance: random.Random) -> str | None:
        data = spoil(whole, chance)
        path.write_bytes(data)
        with contextlib.suppress(DamierError):
            Database(game, path)
            if data != whole:
                return "an altered database was opened"
        if chance.random() < 0.5:
            path.rename(part_of(path))  # as if a build had been killed there
        build_database(game, 3, path)
        return None if path.read_bytes() == whole else "the database that was built again is another one"

    return endgames


def _network(folder: Path) -> Damaged:
    shipped = shipped_networks()["tictactoe"]
    folder.mkdir()
    path, card = folder / "net.onnx", folder / "net.toml"
    planes = np.random.default_rng(1).random((4, *damier.game("tictactoe").encode_shape), np.float32)
    expected = Network(shipped).evaluate(planes)

    def network(chance: random.Random) -> str | None:
        shutil.copy(shipped, path)
        shutil.copy(shipped.with_suffix(".toml"), card)
        damaged = chance.choice([path, card])
        damaged.write_bytes(spoil(damaged.read_bytes(), chance))
        with contextlib.suppress(DamierError):
            found = Network(path).evaluate(planes)
            if not all(map(np.array_equal, found, expected)):
                return "an altered network was used"
        return None

    return network


def _training(folder: Path) -> Damaged:
    code, said = _run(*TRAINING, "--out", folder / "whole")
    assert not code, said
    networks = {path.read_bytes() for path in (folder / "whole").rglob("*.onnx")}

    def training(chance: random.Random) -> str | None:
        run = _fresh(folder / "whole", folder / "damaged")
        path = _spoil_one(run, chance)
        out = folder / "exported.onnx"
        commands = {
            "list": ("runs", "--root", folder, "--json"),
            "compare": ("runs", "compare", folder / "whole", run, "--json"),
            "plot": ("runs", "plot", run, "--out", folder / "curves.svg"),
            "export": ("runs", "export", run, "--out", out, "--force"),
            "go on": ("train", "tictactoe", "--resume", run, "--iterations", "3", "--workers", "1"),
            "play": ("analyse", "tictactoe", "--player", f"zero:net={run},sims=1"),
        }
        name = chance.choice(list(commands))
        code, said = _run(*commands[name])
        finding = None
        if code not in (0, 2) or (code == 2 and said.count("\n") > 4):
            finding = f"exit code {code}: {said}"
        elif name == "export" and code == 0 and out.read_bytes() not in networks:
            finding = "an altered network was handed on"
        return finding and f"{name} with {path.relative_to(run)} damaged: {finding}"

    return training


def _games(folder: Path) -> Damaged:
    folder.mkdir()
    whole = folder / "whole.sqlite3"
    code, said = _run(*TOURNAMENT, "--database", whole)
    assert not code, said
    database = folder / "damaged.sqlite3"

    def games(chance: random.Random) -> str | None:
        for left in folder.glob("damaged*"):
            left.unlink()
        database.write_bytes(spoil(whole.read_bytes(), chance))
        report = ("--report", folder / "report.html") if chance.random() < 0.3 else ()
        code, said = _run(*TOURNAMENT, "--database", database, "--json", *report)
        if code not in (0, 2) or (code == 2 and said.count("\n") > 4):
            return f"a damaged database: exit code {code}: {said}"
        if code == 0:
            json.loads(said)
        return None

    return games


def _run(*arguments: object) -> tuple[int, str]:
    """A command in this process: its exit code, and what it printed; to stderr, if it failed."""
    out, err = io.StringIO(), io.StringIO()
    argv, sys.argv = sys.argv, ["damier", *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as ended:
        code = int(ended.code or 0)
        return code, err.getvalue() if code else out.getvalue()
    finally:
        sys.argv = argv
    return 0, out.getvalue()
