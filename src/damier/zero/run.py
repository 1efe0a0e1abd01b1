"""A run: the folder of a training.

config.toml       the settings
metrics.jsonl     one line for each iteration
replay/           the games of self-play, one file for each iteration
checkpoints/      see `checkpoint`
best.onnx         the network of the last accepted checkpoint, in the numbers of self-play
best.toml         its checksum
ratings.json      the checkpoints' Elo, if they are rated
games.sqlite3     the games of the gate, in the arena's format
tensorboard/      the same figures for TensorBoard
"""

from contextlib import AbstractContextManager
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Any

from damier.core.errors import SpecError
from damier.core.files import alone_in, is_file, write_file, writing
from damier.core.game import Game
from damier.games import game as find_game
from damier.zero.configuration import read_toml, to_toml, validated
from damier.zero.metrics import Metrics
from damier.zero.settings import Settings

CONFIG = "config.toml"
METRICS = "metrics.jsonl"
RUNS = Path("runs")


class Run:
    """An existing run folder."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self.settings = folder, settings
        self.game: Game = find_game(settings.game)
        self.metrics = Metrics(folder / METRICS)

    @property
    def replay(self) -> Path:
        return self.folder / "replay"

    @property
    def checkpoints(self) -> Path:
        return self.folder / "checkpoints"

    @property
    def best(self) -> Path:
        return self.folder / "best.onnx"

    @property
    def ratings(self) -> Path:
        return self.folder / "ratings.json"

    @property
    def database(self) -> Path:
        return self.folder / "games.sqlite3"

    def locked(self) -> AbstractContextManager[None]:
        """Lock the folder: nobody else can train here meanwhile."""
        return alone_in(self.folder, "file.trains")


def default_folder(game: Game) -> Path:
    """`runs/<game>-<date-time>`."""
    name = "".join(letter if letter.isalnum() else "-" for letter in Path(game.name).name)
    return RUNS / f"{name}-{datetime.now():%Y%m%d-%H%M%S}"


def create_run(folder: Path, settings: Settings) -> Run:
    """Create a run, never in a folder that is not empty."""
    with writing(folder):
        is_taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if is_taken:
        raise SpecError("run.taken-by-run" if (folder / CONFIG).exists() else "run.taken", path=folder)
    run = Run(folder, settings)
    if settings.start.network is not None:
        from damier.zero.start import with_origin  # late: it needs torch

        settings = with_origin(settings, run.game)
        run = Run(folder, settings)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / CONFIG, to_toml(settings).encode())
    return run


def open_run(folder: Path, game: str | None = None) -> Run:
    """Open an existing run, of this game if one is named."""
    if not is_file(folder / CONFIG):
        raise SpecError("run.none", path=folder, file=CONFIG, runs=RUNS)
    settings = validated(read_toml(folder / CONFIG), str(folder / CONFIG))
    run = Run(folder, settings)
    if game is not None and find_game(game).name != run.game.name:
        raise SpecError("run.other-game", path=folder, got=run.game.name, game=find_game(game).name)
    return run


def change_settings(run: Run, settings: Settings) -> Run:
    """Change the settings of a run, except those that the checkpoints and the games depend on."""
    for name in ("game", "seed", "start", "network", "search.margin", "search.margin_reach"):
        if attrgetter(name)(settings) != attrgetter(name)(run.settings):
            raise SpecError("run.fixed", path=run.folder, option=name)
    if settings != run.settings:
        write_file(run.folder / CONFIG, to_toml(settings).encode())
    return Run(run.folder, settings)


def find_runs(root: Path = RUNS) -> list[Path]:
    """The run folders in a folder, by name; the folder itself, if it is one."""
    if is_file(root / CONFIG):
        return [root]
    return sorted(path.parent for path in root.glob(f"*/{CONFIG}"))


def facts_of(run: Run) -> dict[str, Any]:
    """The facts about a run for a list of runs."""
    rows, damage = run.metrics.read()
    return {
        "run": str(run.folder),
        "game": run.game.name,
        "iterations": len(rows),
        "of": run.settings.iterations,
        "games": rows[-1].get("games", 0) if rows else 0,
        "minutes": sum(row.get("seconds", 0) for row in rows) / 60,
        "last": rows[-1] if rows else None,
        "damage": damage,
    }
