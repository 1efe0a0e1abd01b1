"""Commands that play many games: their options, the progress bar, the tables."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from damier.cli.terminal.arguments import Json, Seed
from damier.cli.terminal.output import console, headings, notes, print_json, print_table, print_written, working
from damier.core.messages import Message, say

if TYPE_CHECKING:
    from damier.arena.plan import Plan
    from damier.arena.result import Tournament
    from damier.store.record import GameRecord


def _check_report(path: Path | None) -> Path | None:
    """Refuse a path that can't be written before the games are played, not after."""
    if path is not None:
        from damier.core.files import check_path

        check_path(path)
    return path


Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a Ray cluster; `local` starts one here. Needs `damier[cluster]`."),
]
Database = Annotated[
    str | None,
    typer.Option(help="The database of games, a file or a URL; default: $DAMIER_DATABASE or your own."),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start over, even if the same games are stored unfinished.")]
Openings = Annotated[
    str,
    typer.Option(
        metavar="N|FILE",
        help="Start each round from N random moves, or from the openings in a file, one per line in the game's"
        " notation. Each opening is played with every seating.",
    ),
]


@dataclass(frozen=True)
class Playing:
    """The options of every command that plays many games."""

    seed: Seed = 0
    workers: Annotated[
        int | None, typer.Option(help="Number of games played in parallel; default: one per core.", min=1)
    ] = None
    cluster: Cluster = None
    database: Database = None
    fresh: Fresh = False
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="Write a page with tables, plots and the games to replay.",
            callback=_check_report,
        ),
    ] = None
    json: Json = False

    def how(self) -> dict[str, Any]:
        """The arguments of `damier.arena.run` that say where to play and to store."""
        return {"workers": self.workers, "cluster": self.cluster, "database": self.database, "fresh": self.fresh}


@dataclass(frozen=True)
class Event(Playing):
    """The options of `match` and `tournament`."""

    openings: Openings = "0"
    move_seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="A player who takes longer than S seconds for a move loses the game."),
    ] = None

    def play(self, event: "Callable[..., Tournament]", *what: Any, **more: Any) -> None:
        """Play a match or a tournament and show its result."""
        from damier.arena.run import Conclusion

        more |= {"seed": self.seed, "openings": read_openings(self.openings), "move_seconds": self.move_seconds}
        with Conclusion() as conclusion:
            with Watch() as watch:
                result = event(*what, **more, **self.how(), watcher=watch, conclusion=conclusion)
            show_result(result, self.json, self.report)


def read_openings(text: str) -> int | tuple[str, ...]:
    """A number of random moves, or the lines of a file."""
    from damier.core.errors import SpecError

    with contextlib.suppress(ValueError):
        return int(text)
    try:
        lines = Path(text).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError("command.openings", got=text, why=error) from None
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


class Watch:
    """A progress bar on stderr with the running score and the time left."""

    def __init__(self) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[score]}"),
        )
        self.progress = Progress(*columns, console=notes, transient=True, disable=not sys.stderr.isatty())
        self.task = TaskID(0)
        self.points: list[float] = []
        self.games: list[int] = []
        self.told: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.progress.stop()
        if kind is KeyboardInterrupt:
            notes.print(say("command.stopped-event").text())

    def begin(self, plan: "Plan", played: "Sequence[GameRecord]") -> None:
        self.points, self.games = [0.0] * len(plan.players), [0] * len(plan.players)
        if plan.games_per_group != plan.games:
            count, seatings = plan.games_per_group, len(plan.seatings)
            self._tell(say("command.more-games", count=count, games=plan.games, seatings=seatings))
        if played:
            self._tell(say("command.resumed-event", played=len(played), games=plan.num_games))
        self.progress.start()
        self.task = self.progress.add_task(plan.game.title, total=plan.num_games, score="")
        for record in played:
            self.add(record)

    def add(self, record: "GameRecord") -> None:
        for player in set(record.seating):
            self.points[player] += float(record.points_of(player))
            self.games[player] += 1
        if record.forfeit is not None:
            said = say("command.forfeit", number=record.number + 1, why=record.forfeit)
            notes.print(said.text(), highlight=False, markup=False, soft_wrap=True)
        shares = (points / games for points, games in zip(self.points, self.games, strict=True) if games)
        self.progress.update(self.task, advance=1, score=" - ".join(f"{share:.1%}" for share in shares))

    def _tell(self, said: Message) -> None:
        """Print a note, once even if there are several events."""
        if said not in self.told:
            self.told.add(said)
            notes.print(said.text(), style="dim")


def show_result(result: "Tournament", json: bool, report: Path | None) -> None:
    """Print the result, and write the report if asked for."""
    if json:
        print_json(result.as_json())
    else:
        print_standings(result)
        print_crosstable(result)
        for remark in result.remarks:
            console.print(remark.text(), highlight=False, markup=False)
    if report is not None:
        from damier.arena.report import write_report

        with working("writing the report"):
            write_report(result, report)
        print_written(report)


def print_standings(result: "Tournament") -> None:
    names = ["player", "games", "results", "score", "interval", "elo", "elo-interval"]
    columns = headings(*names, *(["forfeits"] if result.forfeits else []))
    rows = []
    for standing in result.ranking:
        results = f"{standing.wins} {standing.draws} {standing.losses}"
        row = [standing.player, str(standing.games), results, standing.total.percent, standing.total.interval_text]
        forfeits = [str(standing.forfeits)] if result.forfeits else []
        rows.append([*row, f"{standing.elo:+.0f}", standing.elo_text.text(), *forfeits])
    title = say("title.result", game=result.plan.game.name, games=result.games, seed=result.plan.seed)
    print_table(title, columns, rows, tuple(columns[1:]))


def print_crosstable(result: "Tournament") -> None:
    """Print each player's score against each other player and in each seat."""
    order = [result.players.index(standing.player) for standing in result.ranking]
    against = [say("title.against", place=place + 1).text() for place in range(len(order))]
    sides = ["+".join(str(seat + 1) for seat in seats) for seats in result.plan.sides]
    seats = [say("title.seat", seat=side).text() for side in sides]
    rows = []
    for place, player in enumerate(order):
        cells = ["-" if other == player else result.pair(player, other).percent for other in order]
        in_seats = [seat.percent for seat in result.standings[player].per_seat]
        rows.append([f"{place + 1} {result.players[player]}", *cells, *in_seats])
    columns = [*headings("player"), *against, *seats]
    print_table(say("title.crosstable"), columns, rows, (*against, *seats))
