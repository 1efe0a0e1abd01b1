"""The figures of a run: one line of JSON an iteration, in `metrics.jsonl`."""

import json
import os
from pathlib import Path
from typing import Any

from damier.core.files import writing
from damier.core.numbers import fault_of

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


_FIGURES = ("games", "seconds", "game_length", "games_per_second", "total_loss", "policy_loss", "value_loss")
"""What every row has."""


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
        """By iteration. A line that is torn, or lacks a figure, is none; of an iteration that was done again the last
        time counts."""
        found: dict[int, Row] = {}
        if self.path.exists():
            for line in self.path.read_bytes().splitlines():
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if _is_row(row):
                    found[row["iteration"]] = row
        return [found[iteration] for iteration in sorted(found)]

    def _ends_well(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict) or type(row.get("iteration")) is not int:
        return False
    figures = [row.get(name) for name in ("iteration", *_FIGURES)] + [
        row[name] for name in (*CURVES, "entropy") if name in row
    ]
    return all(type(figure) is float or (type(figure) is int and fault_of(figure) is None) for figure in figures)
