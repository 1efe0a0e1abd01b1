"""`damier ladder`: how far a player climbs against a program with levels."""

import csv as csv_file
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import GameName, Json, Seed
from damier.cli.terminal.events import Database, Fresh, Openings, Watch, read_openings
from damier.cli.terminal.output import console, headings, notes, print_json, print_table
from damier.core.messages import Message, say

if TYPE_CHECKING:
    from damier.arena.ladder import Ladder, Pace, Rung
    from damier.arena.plan import Plan
    from damier.core.game import Game
    from damier.store.record import GameRecord

COLUMNS = (
    *("level", "games", "wins", "draws", "losses", "forfeits", "score", "low", "high"),
    *("seconds", "player_seconds_per_move", "engine_seconds_per_move", "is_lost"),
)


def command(
    game: GameName,
    engine: Annotated[
        str,
        typer.Option(metavar="NAME", help="A program of `engines.toml` with levels: `NAME[:option=value,...]`."),
    ],
    player: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="Who climbs, without `seconds`; default: the strongest player for this game."
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each level.", min=1)] = 20,
    first: Annotated[
        str | None, typer.Option("--from", metavar="LEVEL", help="Begin there, not at the lowest.")
    ] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="LEVEL", help="End there at the latest.")] = None,
    past_loss: Annotated[bool, typer.Option("--all", help="Go on after a lost level.")] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="A fixed time for a move of the player; default: as long as the program takes on average."
        ),
    ] = None,
    seed: Seed = 0,
    openings: Openings = "0",
    workers: Annotated[
        int,
        typer.Option(help="Games at the same time, at most one per core; with more than one the clocks are less even."),
    ] = 1,
    database: Database = None,
    fresh: Fresh = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the levels as CSV, a row per level.")] = False,
    json: Json = False,
) -> None:
    """Play against a program with levels, from the lowest upwards until the player loses, at equal time per move.

    A level is lost if the score is below 50 %. To resume an interrupted ladder, run the same command again.

    **Examples**

    - `damier ladder blokus --engine pentobi`
    - `damier ladder othello --engine rhino --player alphabeta --games 100 --openings 4`
    - `damier ladder blokus:board=duo --engine pentobi --from 4 --to 6 --all --csv`
    """
    from damier.arena.ladder import Ladder
    from damier.arena.run import Conclusion
    from damier.games import game as find_game

    if json and csv:
        raise typer.BadParameter(say("command.json-or-csv").text())
    found = find_game(game)
    chosen = player or _strongest(found)
    ladder = Ladder(found, chosen, engine, games, first, last, seconds, seed, read_openings(openings))
    with Conclusion() as conclusion:
        with LadderWatch() as watch:
            how: dict[str, Any] = {"workers": workers, "database": database, "fresh": fresh}
            rungs = list(ladder.climb(past_loss, watcher=watch, conclusion=conclusion, **how))
        if json:
            print_json(_document(ladder, rungs))
        elif csv:
            _write_rows(rungs)
        else:
            _show(ladder, rungs)


def _strongest(game: "Game") -> str:
    """The strong preset of the web page, without its budget."""
    from dataclasses import fields

    from damier.core.budget import Budget
    from damier.core.spec import format_spec, split_spec
    from damier.web.catalogue import presets_for

    name, options = split_spec(presets_for(game)["strong"])
    limits = {field.name for field in fields(Budget)}
    return format_spec(name, {option: value for option, value in options.items() if option not in limits})


class LadderWatch(Watch):
    """A progress bar on stderr for each level, and a line when it has been played."""

    def measure(self, engine: str) -> None:
        self._clear()
        self.progress.start()
        self.task = self.progress.add_task(say("ladder.measuring", engine=engine).text(), total=None, score="")

    def begin(self, plan: "Plan", played: "Sequence[GameRecord]") -> None:
        self._clear()
        super().begin(plan, played)
        self.progress.update(self.task, description=plan.players[1])

    def reach(self, rung: "Rung") -> None:
        player, engine = map(_mean, rung.paces)
        total = rung.match.standings[0].total
        facts = {"score": total.percent, "interval": total.interval_text, "player": player, "engine": engine}
        _note(say("ladder.reached", level=rung.level, **facts))

    def _clear(self) -> None:
        for task in self.progress.task_ids:
            self.progress.remove_task(task)


def _show(ladder: "Ladder", rungs: "Sequence[Rung]") -> None:
    has_forfeits = any(rung.match.forfeits for rung in rungs)
    times = headings("player-seconds", "engine-seconds")
    names = ["level", "games", "results", "score", "interval", *(["forfeits"] if has_forfeits else [])]
    columns = [*headings(*names), *times]
    rows = []
    for rung in rungs:
        match, total = rung.match, rung.match.standings[0].total
        results = f"{match.wins} {match.draws} {match.losses}"
        forfeits = [str(len(match.forfeits))] if has_forfeits else []
        row = [rung.level, str(match.games), results, total.percent, total.interval_text]
        rows.append([*row, *forfeits, *map(_mean, rung.paces)])
    title = say("title.ladder", game=ladder.game.name, player=ladder.player, engine=ladder.engine, seed=ladder.seed)
    print_table(title, columns, rows, tuple(columns[1:]))
    for rung in rungs:
        for remark in rung.remarks:
            _print(say("ladder.remark", level=rung.level, remark=remark))
    for rung in rungs:
        low, high = rung.match.interval
        if rung.is_lost:
            _print(say("ladder.lost-perhaps" if low < 0.5 < high else "ladder.lost", level=rung.level))
    if not any(rung.is_lost for rung in rungs):
        _print(say("ladder.not-lost", levels=[rungs[0].level, rungs[-1].level][: len(rungs)]))


def _print(said: Message) -> None:
    console.print(said.text(), highlight=False, markup=False)


def _note(said: Message) -> None:
    notes.print(said.text(), style="dim", highlight=False, markup=False, soft_wrap=True)


def _mean(pace: "Pace") -> str:
    if pace.mean is None:
        return "-"
    return f"{pace.mean:.3g}" if pace.mean >= 0.001 else "< 0.001"


def _document(ladder: "Ladder", rungs: "Sequence[Rung]") -> dict[str, Any]:
    return {
        "game": ladder.game.name,
        "player": ladder.player,
        "engine": ladder.engine,
        "seed": ladder.seed,
        "lost": [rung.level for rung in rungs if rung.is_lost],
        "levels": [rung.as_json() for rung in rungs],
    }


def _write_rows(rungs: "Sequence[Rung]") -> None:
    writer = csv_file.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for rung in rungs:
        match, (player, engine) = rung.match, rung.paces
        counts = [match.games, match.wins, match.draws, match.losses, len(match.forfeits)]
        figures = [match.score, *match.interval, rung.seconds, player.mean, engine.mean]
        writer.writerow([rung.level, *counts, *figures, str(rung.is_lost).lower()])
    sys.stdout.flush()
