"""Strategies on disk: a NumPy archive without pickles, checked when it is read, and enough to continue the run.

It holds the information sets (`player`, `start`, `known`, `first`, `moves`), what the method remembers (`regret`,
`average`), and a head in JSON: the game with its options and version, the method, the seed, and how far it is.
"""

import io
import json
import zipfile
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from damier.core.compile import rule_methods
from damier.core.errors import SpecError
from damier.core.files import reading, write_file
from damier.core.fingerprint import fingerprint
from damier.core.game import Game
from damier.core.protocol import Values
from damier.search.hidden.information import Sets
from damier.search.hidden.minimiser import METHODS, Minimiser
from damier.search.hidden.strategy import Strategy

FORMAT = "damier strategy 1"
SETS = {"player": np.int8, "start": np.int64, "known": np.int64, "first": np.int32, "moves": np.int64}
SUMS = ("regret", "average")


@dataclass(frozen=True)
class Head:
    """What a file says about itself."""

    game: str
    version: str
    method: str
    seed: int
    iterations: int
    word: int  # of the random numbers
    curve: list[list[float]]
    format: str = FORMAT


@dataclass(frozen=True)
class StrategyFile:
    """A file that was read and checked."""

    path: Path
    head: Head
    sets: Sets
    regret: Values  # [actions]
    average: Values  # [actions]

    def check_game(self, game: Game) -> None:
        """Raise a SpecError if it is about another game, or other rules."""
        mine, ours = (self.head.game, self.head.version), (game.name, version_of(game))
        if mine != ours:
            raise SpecError("equilibrium.other-game", path=self.path, theirs=" ".join(mine), ours=" ".join(ours))

    def strategy(self, game: Game) -> Strategy:
        """The average strategy in the file."""
        self.check_game(game)
        begins, sizes = self.sets.first[:-1], np.diff(self.sets.first)
        totals = np.repeat(np.add.reduceat(self.average, begins), sizes)
        alike = 1.0 / np.repeat(sizes, sizes)
        chances = np.divide(self.average, totals, out=alike, where=totals > 0)
        return Strategy(game, self.sets, chances)

    def resume(self, run: Minimiser) -> None:
        """Let a new run of the same game and method continue where this one stopped."""
        self.check_game(run.game)
        asked, found = (run.method, run.seed), (self.head.method, self.head.seed)
        if asked != found:
            raise SpecError("equilibrium.other-run", path=self.path, method=found[0], seed=found[1])
        if not all(np.array_equal(getattr(self.sets, name), getattr(run.tree.sets, name)) for name in SETS):
            raise SpecError("equilibrium.other-sets", path=self.path, game=run.game.name)
        empty = np.zeros(run.game.num_players)
        regret, average = (np.concatenate([empty, each]) for each in (self.regret, self.average))
        run.restore(self.head.iterations, regret, average, self.head.word)
        run.curve[:] = [(int(iterations), nash_conv) for iterations, nash_conv in self.head.curve]


def version_of(game: Game) -> str:
    """The version of the rules; a hash of their code if they state none."""
    return f"v{game.version}" if game.version is not None else fingerprint(*rule_methods(type(game.rules)).values())


def write_strategy(run: Minimiser, path: Path) -> None:
    """Write a run to a file; a kill at any moment leaves the old file or the new one."""
    head = Head(
        game=run.game.name,
        version=version_of(run.game),
        method=run.method,
        seed=run.seed,
        iterations=run.iterations,
        word=int(run.rng.word),
        curve=[list(point) for point in run.curve],
    )
    arrays: dict[str, Any] = {name: getattr(run.tree.sets, name) for name in SETS}
    arrays |= {name: getattr(run.regrets, name)[run.game.num_players :] for name in SUMS}
    out = io.BytesIO()
    np.savez_compressed(out, head=np.frombuffer(json.dumps(asdict(head)).encode(), np.uint8), **arrays)
    write_file(path, out.getvalue())


def read_strategy(path: Path) -> StrategyFile:
    """Read a file; a SpecError if it is damaged or something else."""
    with reading(path):
        data = path.read_bytes()
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            found = {name: archive[name] for name in ("head", *SETS, *SUMS)}
        head = Head(**json.loads(bytes(found["head"])))
        return _checked(path, head, found)
    except (ValueError, TypeError, KeyError, EOFError, OSError, zipfile.BadZipFile, zlib.error, NotImplementedError):
        raise SpecError("equilibrium.no-file", path=path) from None


def _checked(path: Path, head: Head, found: dict[str, Any]) -> StrategyFile:
    """The file, if everything in it fits together; else a ValueError."""
    numbers = (head.seed, head.iterations, head.word)
    kinds = SETS | dict.fromkeys(SUMS, np.float64)
    player, start, first = found["player"], found["start"], found["first"]
    points = all(len(point) == 2 and np.isfinite(point).all() for point in head.curve)
    is_right = (
        head.format == FORMAT
        and head.method in METHODS
        and all(isinstance(number, int) for number in numbers)
        and head.iterations >= 0
        and 0 <= head.word < 2**64
        and points
        and all(found[name].dtype == kind and found[name].ndim == 1 for name, kind in kinds.items())
        and player.size + 1 == start.size == first.size
        and _divides(start, found["known"].size, 0)
        and _divides(first, found["moves"].size, 1)
        and all(found[name].size == found["moves"].size and np.isfinite(found[name]).all() for name in SUMS)
        and bool((found["average"] >= 0).all())
    )
    if not is_right:
        raise ValueError
    sets = Sets(player.size, found["moves"].size, found["known"].size)
    for name in SETS:
        getattr(sets, name)[:] = found[name]
    return StrategyFile(path, head, sets, found["regret"], found["average"])


def _divides(starts: Any, size: int, least: int) -> bool:
    """Whether these are the starts of ranges of at least some numbers each, and the end of the last."""
    return bool(starts.size > 0 and starts[0] == 0 and starts[-1] == size and (np.diff(starts) >= least).all())
