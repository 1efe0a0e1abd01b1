"""Training runs, as their folders tell: `config.toml` with the settings, `metrics.jsonl` with a row an iteration."""

import json
import math
import re
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

from damier.arena.store import Store
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.games import game as find_game
from damier.web.shown import positions_of, show_line
from damier.web.tables import NotFoundError
from damier.zero.replay import Memory

Json = dict[str, Any]

SAMPLES = 10
NAME = re.compile(r"[\w.-]+")


def list_runs(root: Path) -> list[Json]:
    if not root.is_dir():
        return []
    folders = (path.parent for path in root.glob("*/config.toml"))
    return [_summary(folder) for folder in sorted(folders, key=lambda folder: folder.stat().st_mtime, reverse=True)]


def read_run(root: Path, name: str) -> Json:
    folder = _folder(root, name)
    return _summary(folder) | {"settings": _settings(folder), "rows": _rows(folder)}


def stamp_of(root: Path, name: str) -> tuple[int, ...]:
    """What changes when a run has something new to show."""
    files = (_folder(root, name) / file for file in ("config.toml", "metrics.jsonl"))
    stats = [path.stat() for path in files if path.is_file()]
    return tuple(number for stat in stats for number in (stat.st_mtime_ns, stat.st_size))


def _folder(root: Path, name: str) -> Path:
    folder = root / name
    try:
        is_run = NAME.fullmatch(name) and not name.startswith(".") and (folder / "config.toml").is_file()
    except OSError:  # a name that is too long for the file system
        is_run = False
    if not is_run:
        raise NotFoundError(f"there is no training run {name[:60]!r}")
    return folder


def sample_games(root: Path, name: str) -> list[Json]:
    """Games between networks, as the arena keeps them in the run's folder, then games of self-play."""
    game = find_game(str(read_run(root, name)["game"]))
    return _gate_games(root / name, game) + _self_play(root / name, game)


def _self_play(folder: Path, game: Game) -> list[Json]:
    """Of the newest iteration that has any. What another version of the game wrote is none of ours."""
    memory = Memory(folder / "replay", game, 0, lambda _: None)
    for iteration in reversed(memory.stored()):
        try:
            games, _ = memory.file(iteration).read(SAMPLES)
        except (DamierError, OSError):
            return []
        if games:
            return [
                {
                    "iteration": iteration,
                    "seats": ["self-play"] * game.num_players,
                    "moves": [each["notation"] for each in show_line(positions_of(game, played.moves))],
                    "returns": played.returns,
                }
                for played in games
            ]
    return []


def _gate_games(folder: Path, game: Game) -> list[Json]:
    """The last games that were played to compare networks."""
    database = folder / "games.sqlite3"
    if not database.is_file():
        return []
    with closing(Store(str(database))) as store:
        events = store.events(limit=1)
        records = store.records(events[0].id)[-SAMPLES:] if events else []
    return [
        {
            "iteration": None,
            "seats": [Path(events[0].settings["players"][player]).name for player in record.seating],
            "moves": [each["notation"] for each in show_line(record.positions(game))],
            "returns": record.returns,
        }
        for record in records
    ]


def _summary(folder: Path) -> Json:
    rows = _rows(folder)
    settings = _settings(folder)
    last = rows[-1] if rows else {}
    return {
        "name": folder.name,
        "game": settings.get("game"),
        "iterations": len(rows),
        "planned": settings.get("iterations"),
        "games": last.get("games"),
        "elo": last.get("elo"),
        "total_loss": last.get("total_loss"),
    }


def _settings(folder: Path) -> Json:
    try:
        return tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _rows(folder: Path) -> list[Json]:
    """A row that is being written is not one yet."""
    path = folder / "metrics.jsonl"
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append({key: _plain(value) for key, value in row.items()})
    return rows


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
