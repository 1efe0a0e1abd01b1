"""The figures of a run: one line of JSON for each iteration, in `metrics.jsonl`."""

import json
import os
from pathlib import Path
from typing import Any

from damier.core.errors import DamierError
from damier.core.files import writing
from damier.core.messages import say
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
"""The figures that `damier runs` shows and plots."""

TARGET_CURVES = {"ownership_loss": "ownership loss", "score_loss": "score loss"}
"""Those of runs that have these targets."""

FIGURES = ("games", "seconds", "game_length", "games_per_second", "total_loss", "policy_loss", "value_loss")
"""The figures that every row has."""


class Metrics:
    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, row: Row) -> None:
        line = json.dumps(row).encode() + b"\n"
        with writing(self.path), self.path.open("ab") as file:
            if file.tell() and not self._ends_well():
                line = b"\n" + line  # a torn line stays separate
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def rows(self) -> list[Row]:
        """The rows by iteration. Torn lines are ignored, and the last row of a repeated iteration counts."""
        return self.read()[0]

    def read(self) -> tuple[list[Row], str | None]:
        """The rows, and a description of the damage, if any."""
        found: dict[int, Row] = {}
        unreadable = 0
        *lines, last = self._data().split(b"\n")  # the last one is being written, or empty
        for line in (*lines, last):
            row = _row(line)
            if row is not None:
                found[row["iteration"]] = row
            elif line is not last and line:
                unreadable += 1
        damage = say("run.bad-lines", file=self.path.name, count=unreadable) if unreadable else None
        return [found[iteration] for iteration in sorted(found)], damage

    def _data(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise DamierError("file.unreadable", path=self.path, why=error.strerror) from None

    def _ends_well(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def _row(line: bytes) -> Row | None:
    """A line as a row, if all required figures are there and are numbers."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    figures = [row.get(name) for name in ("iteration", *FIGURES)]
    figures += [row[name] for name in (*CURVES, *TARGET_CURVES, "entropy") if row.get(name) is not None]
    is_whole = type(row.get("iteration")) is int
    return row if is_whole and all(map(_is_figure, figures)) else None


def _is_figure(value: Any) -> bool:
    """Whether it is a number; a loss may be infinite or NaN."""
    return type(value) is float or (type(value) is int and fault_of(value) is None)
