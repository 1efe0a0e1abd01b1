"""Building a database: ending by ending, each on the disk before the next begins."""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from damier.core.files import alone_in, sync_folder, writing
from damier.core.game import Game
from damier.search.endgames.files import (
    FORMAT,
    Database,
    EndgameError,
    Section,
    check_rules,
    endgames_in,
    list_endings,
    map_file,
    rules_of,
    section_bytes,
    sections,
    solved_in,
)
from damier.search.endgames.packing import pack
from damier.search.endgames.probing import Endgames
from damier.search.endgames.retrograde import BYTES, Ending, count_results, solve

NO_WORDS = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Progress:
    """The progress of a build: how many positions of the current ending were visited."""

    name: str
    number: int
    of: int
    visited: int
    size: int


Told = Callable[[Progress], None]


@dataclass(frozen=True)
class Need:
    """What a build needs: positions and gaps of all endings, and about how many bytes of memory for the largest."""

    endings: int
    positions: int
    memory: int


def need_of(game: Game, pieces: int) -> Need:
    sizes = [size for _, size in list_endings(game, pieces)]
    return Need(len(sizes), sum(sizes), max(sizes) * BYTES)


def build_database(
    game: Game, pieces: int, path: Path, workers: int | None = None, told: Told | None = None
) -> Database:
    """Make the database of all endings of at most that many pieces.

    Endings that exist already, finished or left by a killed build, are not built again. The folder is locked meanwhile.
    """
    endings = list_endings(game, pieces)
    largest = max(size for _, size in endings)
    if largest > np.iinfo(np.int32).max:
        raise EndgameError("endgame.too-large", game=game.name, positions=largest, pieces=pieces)
    if not _is_finished(game, path, len(endings)):
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with alone_in(path.parent, "file.builds"), writing(path):
            if not _is_finished(game, path, len(endings)):  # by another process, a moment ago
                _finish(game, endings, pieces, path, workers or os.cpu_count() or 1, told or (lambda progress: None))
    return Database(game, path)


def part_of(path: Path) -> Path:
    """The name of a file during its build."""
    return path.with_name(f"{path.name}.part")


def _finish(game: Game, endings: list[tuple[str, int]], pieces: int, path: Path, workers: int, told: Told) -> None:
    part = part_of(path)
    _begin(game, endings, part, path)
    for number in range(len(_solved(game, endings, part)), len(endings)):
        name, size = endings[number]

        def tell(visited: int, name: str = name, number: int = number, size: int = size) -> None:
            told(Progress(name, number, len(endings), visited, size))

        solved = endgames_in(map_file(part), _solved(game, endings, part))
        _append(part, _solve(game, Ending(number, size), name, solved, workers, tell))
    _append(part, section_bytes({"end": True, "pieces": pieces}, NO_WORDS))
    part.replace(path)
    sync_folder(path.parent)


def _solve(game: Game, ending: Ending, name: str, solved: Endgames, workers: int, tell: Callable[[int], None]) -> bytes:
    """The section of one ending, computed from those before it."""
    visited = 0

    def count(more: int) -> None:
        nonlocal visited
        visited += more
        tell(visited)

    tell(0)
    results = solve(game, ending, solved, workers, count)
    return section_bytes({"name": name, "size": results.size} | asdict(count_results(results)), pack(results))


# -- files ---------------------------------------------------------------------------------------------------


def _is_finished(game: Game, path: Path, num_endings: int) -> bool:
    try:
        return len(Database(game, path).endings) >= num_endings
    except EndgameError:
        return False


def _solved(game: Game, endings: list[tuple[str, int]], path: Path) -> list[Section]:
    """The sections of the usable endings; none if the file is for other rules, or no database."""
    try:
        found = list(sections(map_file(path)))
        check_rules(game, path, found)
    except EndgameError:
        return []
    return solved_in(found, endings)


def _begin(game: Game, endings: list[tuple[str, int]], part: Path, path: Path) -> None:
    """Prepare the file to continue: that of a killed build, or the contents of the finished one."""
    left, done = _solved(game, endings, part), _solved(game, endings, path)
    if len(left) < len(done):
        part.write_bytes(path.read_bytes()[: done[-1].end])
    elif left:
        os.truncate(part, left[-1].end)  # half written when the build was killed
    else:
        part.write_bytes(section_bytes({"format": FORMAT} | rules_of(game), NO_WORDS))


def _append(path: Path, section: bytes) -> None:
    with path.open("ab") as file:
        file.write(section)
        file.flush()
        os.fsync(file.fileno())
