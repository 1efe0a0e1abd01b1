"""The progress of a training on stderr: a live dashboard on a terminal, plain lines elsewhere."""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from damier.cli.terminal.output import notes
from damier.core.messages import spoken

if TYPE_CHECKING:
    from damier.arena.plan import Plan
    from damier.store.record import GameRecord
    from damier.zero.metrics import Row
    from damier.zero.run import Run
    from damier.zero.training import Losses

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 40  # of a sparkline
_ROWS = 8  # iterations shown
_REFRESH = 4  # times per second
_MEMORY = 600.0  # seconds from which the speed of a bar is estimated
_PARTS = ("policy", "value", "ownership", "score")
_RECENT = 5  # iterations from which the time left is estimated


def sparkline(values: Sequence[float], width: int = _WIDTH) -> str:
    """The last `width` values as a curve in one line of text, scaled from the lowest to the highest."""
    shown = list(values)[-width:]
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((value - low) * scale)] for value in shown)


def parts_of(row: "Row") -> dict[str, float]:
    """The parts of the loss that the run has, by name."""
    return {name: row[f"{name}_loss"] for name in _PARTS if f"{name}_loss" in row}


def iteration_line(row: "Row") -> str:
    """An iteration in one line."""
    gate = row.get("gate", {})
    parts = [
        f"iteration {row['iteration']}",
        f"{row['games']} games",
        f"loss {row['total_loss']:.3f} ({', '.join(f'{name} {loss:.3f}' for name, loss in parts_of(row).items())})",
        f"{row['game_length']:.1f} moves per game",
        f"{row['games_per_second']:.1f} games/s",
    ]
    if gate.get("score") is not None:
        low, high = gate["interval"]
        verdict = "accepted" if gate["accepted"] else "refused"
        parts.append(f"gate {gate['score']:.1%} ({low:.1%} to {high:.1%}), {verdict}")
    if "elo" in row:
        parts.append(f"Elo {row['elo']:+.0f}")
    return ", ".join([*parts, f"{row['seconds']:.1f} s"])


class PlainLines:
    """One line per iteration."""

    def __enter__(self) -> "PlainLines":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    def note(self, text: str) -> None:
        notes.print(spoken(text), highlight=False, markup=False, soft_wrap=True)

    def start(self, run: "Run", rows: "list[Row]", network_weights: int) -> None:
        where = f", resuming after iteration {rows[-1]['iteration']}" if rows else ""
        network = f"{run.settings.network.kind} network of {network_weights:,} weights"
        self.note(f"{run.game.name}: {network}, in {run.folder}{where}")

    def playing(self, iteration: int, done: int, total: int) -> None:
        pass

    def learning(self, iteration: int, step: int, steps: int, losses: "Losses") -> None:
        pass

    def finished(self, row: "Row") -> None:
        self.note(iteration_line(row))

    def begin(self, plan: "Plan", played: "Sequence[GameRecord]") -> None:
        pass

    def add(self, record: "GameRecord") -> None:
        pass


class Dashboard(PlainLines):
    """A live dashboard: progress bars, the last iterations, loss curves, the time left."""

    def __init__(self) -> None:
        columns = (
            TextColumn("{task.description:12}"),
            BarColumn(bar_width=_WIDTH),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        self.progress = Progress(*columns, console=notes, speed_estimate_period=_MEMORY)
        self.tasks: dict[str, TaskID] = {}
        self.rows: list[Row] = []
        self.title = "training"
        self.minutes: float | None = None
        self.iterations = 0
        self.losses: list[float] = []  # of the steps under way
        self.began = self.since = time.monotonic()
        self.live = Live(get_renderable=self._draw, console=notes, refresh_per_second=_REFRESH)

    def __enter__(self) -> "Dashboard":
        self.live.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.live.stop()

    def start(self, run: "Run", rows: "list[Row]", network_weights: int) -> None:
        network = run.settings.network
        self.title = f"{run.game.name} - {network.kind} network, {network_weights:,} weights - {run.folder}"
        self.rows, self.minutes, self.iterations = list(rows), run.settings.minutes, run.settings.iterations
        self._show("iterations", len(rows), run.settings.iterations)

    def playing(self, iteration: int, done: int, total: int) -> None:
        self._show("self-play", done, total)

    def learning(self, iteration: int, step: int, steps: int, losses: "Losses") -> None:
        self._show("learning", step, steps)
        self.losses = [*self.losses[-1000:], losses.total]

    def begin(self, plan: "Plan", played: "Sequence[GameRecord]") -> None:
        self._show("gate", len(played), plan.num_games)

    def add(self, record: "GameRecord") -> None:
        self.progress.advance(self.tasks["gate"])

    def finished(self, row: "Row") -> None:
        self.rows.append(row)
        self.losses = []
        self.since = time.monotonic()
        for name, task in self.tasks.items():
            if name == "iterations":
                self.progress.update(task, completed=row["iteration"])
            else:
                self.progress.reset(task)

    def _show(self, name: str, done: int, total: int) -> None:
        if name not in self.tasks:
            self.tasks[name] = self.progress.add_task(name, total=total)
        self.progress.update(self.tasks[name], completed=done, total=total)

    def _draw(self) -> Panel:
        shown = Group(self.progress, self._table(), self._curves())
        return Panel(shown, title=self.title, title_align="left", subtitle=self._time(), subtitle_align="right")

    def _table(self) -> Table:
        table = Table(box=None, header_style="bold", padding=(0, 1))
        for column in ("iteration", "games", "total", "policy", "value", "moves", "games/s", "Elo", "gate", "s"):
            table.add_column(column, justify="right")
        for row in self.rows[-_ROWS:]:
            gate = row.get("gate", {})
            score = f"{gate['score']:.0%}" if gate.get("score") is not None else "-"
            mark = "" if gate.get("score") is None else " +" if gate["accepted"] else " -"
            table.add_row(
                str(row["iteration"]),
                str(row["games"]),
                *(f"{row[name]:.3f}" for name in ("total_loss", "policy_loss", "value_loss")),
                f"{row['game_length']:.1f}",
                f"{row['games_per_second']:.1f}",
                f"{row['elo']:+.0f}" if "elo" in row else "-",
                score + mark,
                f"{row['seconds']:.0f}",
            )
        return table

    def _curves(self) -> Text:
        lines = []
        for name in ("total", *(parts_of(self.rows[-1]) if self.rows else ())):
            values = [row[f"{name}_loss"] for row in self.rows if f"{name}_loss" in row]
            if values:
                lines.append(f"{f'{name} loss':14} {sparkline(values):{_WIDTH}} {values[-1]:.3f}")
        if self.losses:
            lines.append(f"{'this one':14} {sparkline(self.losses):{_WIDTH}} {self.losses[-1]:.3f}")
        return Text("\n".join(lines))

    def _time(self) -> str:
        spent = f"{(time.monotonic() - self.began) / 60:.1f} min"
        return spent if self._left is None else f"{spent}, about {self._left:.0f} min left"

    @property
    def _left(self) -> float | None:
        """Minutes left, estimated from the last iterations; None before the first one."""
        recent = self.rows[-_RECENT:]
        if not recent:
            return None
        each = sum(row["seconds"] for row in recent) / len(recent) / 60
        left: float = each * (self.iterations - self.rows[-1]["iteration"])
        if self.minutes is not None:
            left = min(left, self.minutes - sum(row["seconds"] for row in self.rows) / 60)
        since = (time.monotonic() - self.since) / 60  # of the iteration under way
        return max(0.0, float(left - since))
