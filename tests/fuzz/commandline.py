"""Arguments of the command line: whatever is typed ends with exit code 0, 1 or 2, and what is refused in one line."""

import contextlib
import io
import math
import os
import random
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints
from unittest.mock import patch

import typer.main
import uvicorn

from damier.cli import app, main
from damier.core.compile import COMPILER_ON
from damier.games import REGISTRY
from tests.fuzz.fuzzer import Attempt
from tests.fuzz.patience import TooLongError, at_most
from tests.fuzz.specs import affordable, game_spec, player_spec
from tests.fuzz.texts import HUGE, LONG, NUMBERS, WORDS, damaged, word

SECONDS = 60  # for one command; none that ends needs a tenth of it
MOST_LINES = 2  # a note, how many games will be played for example, and why they can't be
SECRET = "Hunter2"
DATABASES = ["games.sqlite3", "nosuch/x", LONG, "nosuch://", f"postgresql://me:{SECRET}@127.0.0.1:port/x"]
DATABASES += [
    f"mysql://me:{SECRET}@/x",
    f"sqlite://me:{SECRET}@host/x",
    f"postgresql://h/x?password={SECRET}",
    "{folder}",
]
FILES = ["{folder}/new", "{folder}/new.html", "{folder}/new.onnx", "{folder}/a.svg", "{folder}/a.txt"]
FILES += [
    "{folder}/" + LONG,
    "{folder}",
    "{folder}/nosuch/x.html",
    "{folder}/a.toml",
    "{folder}/é.png",
    "{folder}/\udcff",
]
OWN = ["failing.py:Failing", "failing.py:Leaving", "failing.py:Nothing", "nosuch.py:X", "failing.py", "broken.py:X"]
SOURCES = {
    "failing.py": "class Failing:\n    def __init__(self): 1 / 0\nclass Leaving:\n    def __init__(self): exit(3)\n",
    "broken.py": "class X:\n  def",
    "a.txt": "b2 a1\n",
    "a.toml": "iterations = 1\n[search]\nsims = 2\n",
}

# What makes a command long is given a small value, or one that must be refused.
SMALL = {"games": "1", "sims": "2", "seconds": "0.01", "iterations": "1", "minutes": "0.01", "depth": "2"}
SMALL |= {"branching": "2", "positions": "3", "pieces": "1", "workers": "1", "memory": "1", "engines": "1"}
ALWAYS = {"bench": ["games", "seconds", "sims", "game", "peers"], "train": ["iterations", "games", "sims", "workers"]}
ALWAYS |= {
    "match": ["games", "workers"],
    "tournament": ["games", "workers"],
    "check": ["games"],
    "tune": ["games", "player"],
}
ALWAYS |= {"verify": ["positions", "depth"], "analyse": ["player"], "engine": ["player"], "play": ["hints"]}
ALWAYS |= {"serve": ["browser", "host"], "build": ["pieces", "out"]}
NEVER = ("cluster", "step", "network")  # other computers; a terminal; a training of its own
WRITTEN = ("out", "html", "svg", "report")
PLAYERS = ("player", "hints", "first", "second", "players", "seat")


@contextlib.contextmanager
def fuzz_command_line(folder: Path) -> Iterator[Attempt]:
    commands = dict(_commands(typer.main.get_command(app), []))
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    os.mkfifo(folder / "fifo")

    def attempt(rng: random.Random) -> str | None:
        path = rng.choice(sorted(commands))
        arguments = [*path, *_arguments(rng, commands[path])]
        arguments = [argument.replace("{folder}", str(folder)) for argument in arguments]
        finding = _run([argument.replace("\0", "") for argument in arguments], rng.choice(["", "a1\n", "hint\nquit\n"]))
        return finding and f"{finding}; damier {arguments}"

    # Nothing is written into the user's own folders.
    own = {"DAMIER_DATABASE": str(folder / "own.sqlite3"), "DAMIER_ENDGAMES": str(folder / "endgames")}
    with contextlib.chdir(folder), patch.dict(os.environ, own), _ready():
        yield attempt


@contextlib.contextmanager
def _ready() -> Iterator[None]:
    """Nothing listens, and nothing waits for a key."""
    kept, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    served = patch.object(uvicorn.Server, "run", lambda self, sockets: [each.close() for each in sockets])
    try:
        with served, patch.object(sys, "argv", ["damier"]):
            yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(nothing)


def _run(arguments: list[str], typed: str) -> str | None:
    """What went wrong."""
    out, err = io.StringIO(), io.StringIO()
    sys.argv[1:] = arguments
    stdout = os.dup(1)
    try:
        with (
            at_most(SECONDS),
            patch.dict(os.environ),  # `damier serve` turns the compiler off
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            patch.object(sys, "stdin", io.StringIO(typed)),
        ):
            main()
        code: Any = "none"
    except SystemExit as ended:
        code = ended.code or 0
    except TooLongError:
        return f"it took more than {SECONDS} s"
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    finally:
        os.dup2(stdout, 1)  # `damier engine` keeps it for its answers
        os.close(stdout)
    told = err.getvalue()
    if code not in (0, 1, 2):
        return f"exit code {code}: {told[-300:]!r}"
    if "Traceback" in told or SECRET in told + out.getvalue():
        return f"it printed {told[-600:]!r}"
    refusals = [line.startswith("damier: ") for line in told.splitlines()]
    if code == 2 and refusals != [*[False] * (len(refusals) - 1), True][-MOST_LINES:]:
        return f"expected one line that says what is wrong, got {told[-600:]!r}"
    return None


# -- what is typed -------------------------------------------------------------------------------------------------


def _commands(command: Any, path: list[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command by its words; groups are commands too."""
    yield tuple(path), command
    for name, each in getattr(command, "commands", {}).items():
        yield from _commands(each, [*path, name])


def _arguments(rng: random.Random, command: Any) -> list[str]:
    listed: list[str] = []
    needed = ALWAYS.get(command.name or "", [])
    for parameter in command.params:
        if parameter.name in NEVER:
            continue
        if parameter.param_type_name == "argument":
            if rng.random() < 0.95:
                times = rng.choice([1, 2, 2, 3]) if parameter.nargs == -1 else 1
                listed += [_value(rng, command, parameter) for _ in range(times)]
        elif parameter.name in needed or rng.random() < 0.2:
            listed += _option(rng, command, parameter)
    if rng.random() < 0.05:
        listed.insert(rng.randrange(len(listed) + 1), rng.choice([word(rng), "--nosuch", "--", "-h"]))
    return listed


def _option(rng: random.Random, command: Any, parameter: Any) -> list[str]:
    name = parameter.opts[0]
    if parameter.name in ("peers", "browser"):
        return [f"--no-{parameter.name}"]
    if parameter.name in ("install_completion", "show_completion", "version"):
        return ["--version"]
    return [name] if parameter.is_flag else [name, _value(rng, command, parameter)]


def _value(rng: random.Random, command: Any, parameter: Any) -> str:
    name, kind = parameter.name, str(get_type_hints(command.callback).get(parameter.name))
    if name == "database":
        return rng.choice(DATABASES)
    if name == "tree":
        return rng.choice(
            ["walk", "tictactoe", "max(1 2)", damaged(rng, "max(chance(1/2: 3 1/2: min(4 7)) 2)"), word(rng)]
        )
    if name == "games" and command.name == "serve":
        return rng.choice([*OWN, word(rng)])
    if name == "game":
        return _game(rng, command)
    if name in PLAYERS:
        return rng.choice([player_spec(rng), player_spec(rng), word(rng), "random"])
    if name == "host":
        return rng.choice(["127.0.0.1", "::1", "", "256.1.1.1", LONG, "\udcff", "\u202e"])
    if "Path" in kind:
        return rng.choice([*FILES, "{folder}/fifo"] if name in WRITTEN else FILES)
    if "int" in kind or "float" in kind:
        return _number(rng, name)
    if name in ("assign", "figure"):
        return rng.choice(["search.sims", "training.batch", "seed", "gate.kind", "x", word(rng)]) + "=" + word(rng)
    if name == "algorithm":
        return rng.choice(["minimax", "uct", "rave", "astar", "maxn", "alphabeta", word(rng)])
    return rng.choice([word(rng), word(rng), "0", "b2 a1", "{folder}/a.txt"])


def _number(rng: random.Random, name: str) -> str:
    if name not in SMALL:
        return rng.choice([*NUMBERS, rng.choice(WORDS)])
    refused = [number for number in NUMBERS if not _is_large(number)]
    return (
        SMALL[name]
        if rng.random() < 0.8
        else rng.choice([*refused, HUGE] if name not in ("seconds", "minutes") else refused)
    )


def _is_large(number: str) -> bool:
    try:
        return 0 < float(number) < math.inf
    except ValueError:
        return False


def _game(rng: random.Random, command: Any) -> str:
    if rng.random() < 0.15:
        return rng.choice([*OWN, word(rng), LONG])
    if command.name in ("build", "info", "verify"):
        return rng.choice(["dames8", "tictactoe", game_spec(rng, ["draughts"])])
    if command.name == "tune":
        return rng.choice(["othello:size=4", "tictactoe"])
    if command.name == "solve":
        return "mnk:rows=2,cols=3,k=2" if not COMPILER_ON else "tictactoe"
    return "tictactoe" if rng.random() < 0.5 else affordable(game_spec(rng, list(REGISTRY)))
