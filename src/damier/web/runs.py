"""Training runs, as their folders tell: `config.toml` with the settings, `metrics.jsonl` with a row an iteration."""

import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any

from damier.web.tables import NotFoundError

Json = dict[str, Any]

NAME = re.compile(r"[\w.-]+")


def list_runs(root: Path) -> list[Json]:
    if not root.is_dir():
        return []
    folders = (path.parent for path in root.glob("*/config.toml"))
    return [_summary(folder) for folder in sorted(folders, key=lambda folder: folder.stat().st_mtime, reverse=True)]


def read_run(root: Path, name: str) -> Json:
    folder = root / name
    if not NAME.fullmatch(name) or name.startswith(".") or not (folder / "config.toml").is_file():
        raise NotFoundError(f"there is no training run {name[:60]!r}")
    return _summary(folder) | {"settings": _settings(folder), "rows": _rows(folder)}


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
