"""Files that people bring, damaged: each is read, or refused with a DamierError."""

import contextlib
import json
import os
import random
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import damier
from damier.arena.plan import Plan
from damier.cli.exercise import _load as load_answers
from damier.cli.terminal.events import read_openings
from damier.core.compile import COMPILER_ON
from damier.core.errors import DamierError
from damier.core.features import read_weights
from damier.games.blokus.blksgf import format_blksgf, parse_blksgf
from damier.games.draughts.pdn import format_pdn, parse_pdn
from damier.games.draughts.rules import Draughts
from damier.games.trees.rules import FOLDER as TREES
from damier.lessons import exercise, trace
from damier.players import player
from damier.zero.configuration import to_toml
from damier.zero.curves import compared, differences
from damier.zero.run import facts_of, open_run
from damier.zero.settings import Settings
from tests.fuzz.fuzzer import Attempt
from tests.fuzz.patience import TooLongError, at_most
from tests.fuzz.texts import HUGE, damaged

SECONDS = 30  # for one file
NESTED = [
    "[" * 5000,
    "(" * 5000,
    "{" * 5000,
    '{"a":' * 5000,
    "max(" * 2000,
    "\0",
    "\r",
    "\n\n",
    "1e400",
    HUGE,
    "0x" + "f" * 400,
]
PARTS = [*NESTED, "null", "true", "[]", "{}", '""', "-1", "nan", "inf", "game", "/", "%", "\\", ";", ":", "=", "x" * 70]
NO_TEXT = [b"\xff\xfe", b"\x80", b"\xed\xa0\x80", b"\0" * 8]

FEN = '[GameType "20"]\n[SetUp "1"]\n[FEN "W:W31-40,K25:B1-20"]\n\n1. 31-26 *\n'


@dataclass(frozen=True)
class Format:
    """A valid file, and who reads it."""

    name: str
    text: str
    read: Callable[[Path], Any]


@contextlib.contextmanager
def fuzz_formats(folder: Path) -> Iterator[Attempt]:
    formats = [*_records(), *_trees(), *_settings(), *_documents()]

    def attempt(rng: random.Random) -> str | None:
        chosen = rng.choice(formats)
        data = damaged(rng, chosen.text, PARTS).encode(errors="surrogatepass")
        if rng.random() < 0.05:
            place = rng.randrange(len(data) + 1)
            data = data[:place] + rng.choice(NO_TEXT) + data[place:]
        path = folder / chosen.name
        path.write_bytes(data)
        try:
            with at_most(SECONDS):
                chosen.read(path)
        except DamierError:
            return None
        except (Exception, TooLongError) as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {str(error)[:200]} ({Path(last.filename).name}:{last.lineno})"
            return f"{chosen.name}: {said} at {data[:1000]!r}"
        finally:
            path.write_text(chosen.text)  # others may read it too
        return None

    with patch.dict(os.environ, DAMIER_ENGINES=str(folder / "engines.toml")):
        for each in formats:
            (folder / each.name).parent.mkdir(exist_ok=True)
            (folder / each.name).write_text(each.text)
            each.read(folder / each.name)  # what is not damaged can be read, or the fuzzer tries nothing
        yield attempt


# -- games that were played ----------------------------------------------------------------------------------------


def _records() -> Iterator[Format]:
    draughts = damier.game("draughts:rules=english").start().play_all("11-15 23-19 8-11 22-17 11-16")
    pdn = '[Event "a {b} (c)"]\n[White "x"]\n{ a remark } ' + format_pdn(draughts)
    if not COMPILER_ON:  # which would take seconds for each of the rules that a tag may name
        yield Format("fen.pdn", FEN, lambda path: parse_pdn(_text(path)))
    yield Format("game.pdn", pdn, lambda path: parse_pdn(_text(path)))
    duo = damier.game("blokus:board=duo").start().play("e8,d9,e9,f9,e10")
    yield Format("game.blksgf", format_blksgf(duo), lambda path: parse_blksgf(_text(path)))
    yield Format("openings.txt", "# two\nb2 a1\na1,b2\n", _read_openings)
    row = {"iteration": 1, "games": 3, "seconds": 1.5, "total_loss": 0.1, "policy_loss": 1.0, "value_loss": 0.5}
    row |= {"game_length": 7.0, "games_per_second": 9.0, "entropy": 0.3}
    rated = {"ratings": {"0": {"elo": 0.0, "interval": [0, 0]}, "1": {"elo": 9.0, "interval": [1, 20]}}, "results": []}
    yield Format("run/config.toml", to_toml(Settings(game="tictactoe")), lambda path: _read_run(path.parent))
    yield Format("run/metrics.jsonl", json.dumps(row) + "\n", lambda path: _read_run(path.parent))
    yield Format("run/ratings.json", json.dumps(rated), lambda path: _read_run(path.parent))


def _text(path: Path) -> str:
    return path.read_bytes().decode(errors="replace")


def _read_openings(path: Path) -> None:
    Plan(damier.game("tictactoe"), ("random", "uct:sims=1"), 2, openings=read_openings(str(path)))


def _read_run(folder: Path) -> None:
    if (folder / "config.toml").exists():
        run = open_run(folder)
        facts_of(run)
        differences([run, run])
        compared([run])


# -- trees, boards, weights ----------------------------------------------------------------------------------------


def _trees() -> Iterator[Format]:
    for name, algorithm in (("walk", "alphabeta"), ("three", "maxn"), ("coin", "expectiminimax"), ("path", "astar")):
        text = (TREES / f"{name}.tree").read_text()
        yield Format(f"{name}.tree", text, partial(_read_tree, algorithm))
    layout = "#######\n#P .. #\n# #.# #\n#  G. #\n#######\n"
    yield Format("layout.txt", layout, lambda path: damier.game(f"pacman:layout={path}").start())
    weights = json.dumps(dict.fromkeys(Draughts("english").feature_names, 1.0))
    yield Format("weights.json", weights, lambda path: damier.game(f"draughts:rules=english,weights={path}"))
    yield Format("some.json", '{"a": 1, "b": 2.5}', lambda path: read_weights(str(path), {"a": 1.0, "b": 1.0}))


def _read_tree(algorithm: str, path: Path) -> None:
    damier.game(f"tree:file={path}").start().draw()
    trace(algorithm, str(path))


# -- settings ------------------------------------------------------------------------------------------------------


def _settings() -> Iterator[Format]:
    engine = '[x]\ncommand = "env {level} -u"\ngame = "tictactoe"\noptions = { level = 3 }\nsetup = ["set {level}"]\n'
    engine += 'colours = ["b", "w"]\nmoves = { a1 = "A1" }\ntimeout = 10.5\nprotocol = "gtp"\n'
    yield Format("engines.toml", engine, lambda path: player("engine:name=x,level=4"))


# -- answers -------------------------------------------------------------------------------------------------------


def _documents() -> Iterator[Format]:
    asked = exercise("alphabeta", 7)
    right = asked.solve()
    answers = {"values": right.values, "cut": sorted(right.cut), "move": right.move}
    yield Format("answers.json", json.dumps(answers), lambda path: asked.check(asked.read(load_answers(path))))
