"""The figures of a run: one line of JSON an iteration, in `metrics.jsonl`."""

import contextlib
import json
import math
import os
from pathlib import Path
from typing import Any

from damier.core.files import writing

Row = dict[str, Any]

CURVES = {
    "total_loss": "total loss",
    "policy_loss": "policy loss",
    "value_loss": "value loss",
    "elo": "Elo",
    "game_length": "moves a game",
    "games_per_second": "self-play games a second",
}
"""What `damier runs` shows and plots of a row."""


_NEEDED = ("games", "seconds", "total_loss")


class Metrics:
    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, row: Row) -> None:
        line = json.dumps(row).encode() + b"\n"
        with writing(self.path), self.path.open("ab") as file:
            if file.tell() and not self._ends_well():
                line = b"\n" + line  # a torn line stays by itself
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def rows(self) -> list[Row]:
        """By iteration. A torn or damaged line is none; of an iteration that was done again the last time counts."""
        found: dict[int, Row] = {}
        if self.path.exists():
            for line in self.path.read_bytes().splitlines():
                with contextlib.suppress(ValueError, RecursionError):
                    row = json.loads(line)
                    if _is_whole(row):
                        found[row["iteration"]] = row
        return [found[iteration] for iteration in sorted(found)]

    def _ends_well(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def _is_whole(row: Any) -> bool:
    """Whether all that others count on is there, and is a number."""
    if not isinstance(row, dict) or not isinstance(row.get("iteration"), int):
        return False
    return all(_is_number(row.get(name)) for name in _NEEDED) and all(
        _is_number(row[name]) for name in CURVES if row.get(name) is not None
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
