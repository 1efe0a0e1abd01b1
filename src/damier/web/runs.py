"""Training runs, read from their folders: `config.toml` has the settings, `metrics.jsonl` a row per iteration.

Damage is reported for the run it concerns and hides no other run.
"""

import re
from contextlib import closing
from pathlib import Path
from typing import Any

from damier.core.errors import DamierError
from damier.core.game import Game
from damier.games import game as find_game
from damier.store.database import Store
from damier.web.lobby import NotFoundError
from damier.web.searching.turns import Steps
from damier.web.views import replayed, show_line
from damier.zero.configuration import read_toml
from damier.zero.metrics import Metrics, Row
from damier.zero.replay import Memory
from damier.zero.run import CONFIG, METRICS

Json = dict[str, Any]

SAMPLES = 10
NAME = re.compile(r"[\w.-]{1,255}")


def list_runs(root: Path) -> Steps[list[Json]]:
    """The runs, most recently changed first."""
    listed = []
    for folder in _folders(root):
        yield
        listed.append(_summary(folder, *_read(folder)))
    return listed


def _folders(root: Path) -> list[Path]:
    try:
        found = {path.parent: path.parent.stat().st_mtime for path in root.glob(f"*/{CONFIG}")}
    except OSError:  # it may be gone by now
        return []
    return sorted(found, key=lambda folder: found[folder], reverse=True)


def read_run(root: Path, name: str) -> Json:
    folder = _folder(root, name)
    settings, rows, damage = _read(folder)
    return _summary(folder, settings, rows, damage) | {"settings": settings, "rows": rows}


def stamp_of(root: Path, name: str) -> tuple[int, ...]:
    """A stamp that changes when a run has something new to show."""
    files = (_folder(root, name) / file for file in (CONFIG, "metrics.jsonl"))
    stats = [path.stat() for path in files if path.is_file()]
    return tuple(number for stat in stats for number in (stat.st_mtime_ns, stat.st_size))


def _folder(root: Path, name: str) -> Path:
    try:
        is_run = NAME.fullmatch(name) and not name.startswith(".") and (root / name / CONFIG).is_file()
    except OSError:  # a name that is too long for the file system
        is_run = False
    if not is_run:
        raise NotFoundError("web.no-run", name=name[:60])
    return root / name


def sample_games(root: Path, name: str) -> Steps[list[Json]]:
    """Games between networks, which the arena stores in the run's folder, then self-play games."""
    folder = _folder(root, name)
    game = find_game(str(_read(folder)[0].get("game")))
    try:
        return (yield from _gate_games(folder, game)) + (yield from _self_play(folder, game))
    except OSError as error:
        raise DamierError("web.run-games", why=error.strerror) from None


def _self_play(folder: Path, game: Game) -> Steps[list[Json]]:
    """Self-play games of the newest iteration that has any; games of another version of the rules are left out."""
    memory = Memory(folder / "replay", game, 0, lambda _: None)
    for iteration in reversed(memory.stored()):
        yield
        try:
            games, _ = memory.file(iteration).read(SAMPLES)
        except DamierError:
            return []
        found: list[Json] = []
        for played in games:
            line = yield from replayed([game.start()], map(int, played.moves))
            found.append(_show_game(iteration, ["self-play"] * game.num_players, line, played.returns))
        if found:
            return found
    return []


def _gate_games(folder: Path, game: Game) -> Steps[list[Json]]:
    """The last games between networks; none if the database is damaged."""
    database = folder / "games.sqlite3"
    if not database.is_file():
        return []
    try:
        with closing(Store(str(database))) as store:
            events = [event for event in store.events(limit=1) if not event.is_damaged]
            records = store.records(events[0].id)[-SAMPLES:] if events else []
    except DamierError:
        return []
    found: list[Json] = []
    for record in records:
        seats = [Path(events[0].settings["players"][player]).name for player in record.seating]
        line = yield from replayed([game.start()], record.moves)
        found.append(_show_game(None, seats, line, record.returns))
    return found


def _show_game(iteration: int | None, seats: list[str], line: list[Any], returns: Any) -> Json:
    moves = [each["notation"] for each in show_line(line)]
    return {"iteration": iteration, "seats": seats, "moves": moves, "returns": returns}


def _read(folder: Path) -> tuple[Json, list[Row], str | None]:
    """The settings and rows of a run, and its damage, if any."""
    settings: Json = {}
    rows: list[Row] = []
    try:
        settings = dict(read_toml(folder / CONFIG))
        rows, damage = Metrics(folder / METRICS).read()
    except DamierError as error:
        return settings, rows, " ".join(str(error).split())
    return settings, rows, damage


def _summary(folder: Path, settings: Json, rows: list[Row], damage: str | None) -> Json:
    last = rows[-1] if rows else {}
    return {
        "name": folder.name,
        "game": settings.get("game"),
        "iterations": len(rows),
        "planned": settings.get("iterations"),
        "games": last.get("games"),
        "elo": last.get("elo"),
        "total_loss": last.get("total_loss"),
        "damage": damage,
    }
