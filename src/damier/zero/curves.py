"""Runs side by side: the differences of their settings, their figures, their curves."""

import math
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from damier.core.errors import SpecError
from damier.core.files import writing
from damier.zero.configuration import flat
from damier.zero.metrics import CURVES, TARGET_CURVES, Row
from damier.zero.ratings import load_ratings
from damier.zero.run import Run

_COLUMNS = 3
_FORMATS = (".png", ".svg", ".pdf")
_ABSENT = {"elo": "not rated: see gate.rating_games"}


def differences(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The settings that differ between the runs, by the path of their key."""
    trees = [flat(run.settings.model_dump()) for run in runs]
    return {key: [str(tree[key]) for tree in trees] for key in trees[0] if len({str(tree[key]) for tree in trees}) > 1}


def compared(runs: Sequence[Run]) -> dict[str, list[float | None]]:
    """The figures of each run's last iteration."""
    rows = [_rows(run) for run in runs]
    names = ("iteration", "games", "seconds", *_curves(rows), "entropy")
    figures: dict[str, list[float | None]] = {
        name: [listed[-1].get(name) if listed else None for listed in rows] for name in names if name != "seconds"
    }
    figures["minutes"] = [sum(row["seconds"] for row in listed) / 60 for listed in rows]
    return figures


def plot_runs(runs: Sequence[Run], out: Path, by_time: bool = False) -> None:
    """Draw a page of curves, one colour for each run."""
    from matplotlib.figure import Figure

    if out.suffix not in _FORMATS:
        raise SpecError("file.ending", known=list(_FORMATS), got=out)
    rows = [_rows(run) for run in runs]
    curves = _curves(rows)
    lines = math.ceil(len(curves) / _COLUMNS)
    figure = Figure(figsize=(12, 3.2 * lines), layout="constrained")
    all_axes: Any = figure.subplots(lines, _COLUMNS)
    for axes in all_axes.flat[len(curves) :]:
        axes.remove()
    for axes, (name, title) in zip(all_axes.flat, curves.items(), strict=False):
        for number, run in enumerate(runs):
            _draw(axes, rows[number], name, f"C{number}", run.folder.name, by_time)
        if not axes.lines:
            axes.text(0.5, 0.5, _ABSENT.get(name, "nothing yet"), ha="center", color="0.5", transform=axes.transAxes)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("minutes" if by_time else "iteration", fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="0.9")
    if len(runs) > 1:
        all_axes.flat[0].legend(fontsize=8)
    else:
        figure.suptitle(f"{runs[0].game.name} - {runs[0].folder.name}")
    with writing(out):
        figure.savefig(out, dpi=120)


def _curves(runs: Sequence[list[Row]]) -> dict[str, str]:
    """The curves of these runs: those of a target if one of them has it."""
    of_targets = {name for rows in runs for row in rows for name in TARGET_CURVES if name in row}
    return CURVES | {name: title for name, title in TARGET_CURVES.items() if name in of_targets}


def _draw(axes: Any, rows: list[Row], name: str, colour: str, label: str, by_time: bool) -> None:
    minutes = [seconds / 60 for seconds in accumulate(row["seconds"] for row in rows)]
    points = [
        (minute if by_time else row["iteration"], row[name], row.get(f"{name}_interval"))
        for row, minute in zip(rows, minutes, strict=True)
        if row.get(name) is not None and (row[name] or name != "games_per_second")  # 0: all games were there already
    ]
    if not points:
        return
    places, values, intervals = zip(*points, strict=True)
    axes.plot(places, values, color=colour, label=label, linewidth=1.6, marker="." if len(points) < 40 else "")
    if all(intervals):
        axes.fill_between(
            places, [low for low, _ in intervals], [high for _, high in intervals], color=colour, alpha=0.15
        )


def _rows(run: Run) -> list[Row]:
    """The rows, with the latest ratings."""
    rated = load_ratings(run)
    return [
        row | {"elo": rated[row["iteration"]]["elo"], "elo_interval": rated[row["iteration"]]["interval"]}
        if row["iteration"] in rated
        else row
        for row in run.metrics.rows()
    ]
