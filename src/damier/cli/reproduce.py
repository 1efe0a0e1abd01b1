"""`damier reproduce`: an experiment of the documents again, the paper's figure beside ours."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.arena import Cluster, Database, Fresh, Report, Watch, Workers, show
from damier.cli.output import Json, Seed, console, print_json, print_table, working

if TYPE_CHECKING:
    from damier.arena.papers import Finding, LeftMove


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The experiment; without a name they are listed.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games for each pair; default: the paper's or more.", min=1)] = None,
    sims: Annotated[int | None, typer.Option(help="Playouts a move; default: the paper's.", min=1)] = None,
    tuned: Annotated[bool, typer.Option("--tuned", help="With the constants that did best here.")] = False,
    seed: Seed = 0,
    workers: Workers = None,
    cluster: Cluster = None,
    database: Database = None,
    fresh: Fresh = False,
    report: Report = None,
    json: Json = False,
) -> None:
    """Run an experiment of the documents again: the paper's figure, ours with its interval, and whether they agree.

    An experiment that was interrupted goes on when the same command is given again.

    **Examples**

    - `damier reproduce` lists the experiments
    - `damier reproduce dames-table1`
    - `damier reproduce dames-table1 --games 2000 --sims 500 --tuned`
    - `damier reproduce leftmove`
    """
    from damier.arena.papers import EXPERIMENTS, LeftMove
    from damier.core.errors import SpecError
    from damier.core.spec import unknown

    if name is None:
        rows = [[key, found.title, str(found.games)] for key, found in EXPERIMENTS.items()]
        print_table("experiments", ["name", "what", "games"], rows, ("games",))
        return
    if name not in EXPERIMENTS:
        raise unknown("experiment", name, EXPERIMENTS, "damier reproduce")
    experiment = EXPERIMENTS[name]
    if isinstance(experiment, LeftMove):
        if sims or tuned or report or cluster or workers or database or fresh:
            raise SpecError(f"{name} is no tournament: of the options it has --games (its runs), --seed and --json")
        _reproduce_levels(name, experiment, games or experiment.games, seed, json)
        return
    with Watch() as watch:
        result, findings = experiment.play(
            games or experiment.games,
            sims or experiment.sims,
            tuned,
            seed=seed,
            workers=workers,
            cluster=cluster,
            database=database,
            fresh=fresh,
            watcher=watch,
        )
    if json:
        print_json(result.as_json() | {"experiment": name, "findings": [finding.as_json() for finding in findings]})
        return
    show(result, json, report)
    _print_findings(experiment.title, findings)


def _reproduce_levels(name: str, experiment: "LeftMove", runs: int, seed: int, json: bool) -> None:
    with working(f"{runs} runs a level"):
        levels = [experiment.play(level, runs, seed) for level in experiment.levels]
    if json:
        document = {"experiment": name, "depth": experiment.depth, "seed": seed}
        print_json(document | {"levels": [vars(level) for level in levels]})
        return
    columns = ["level", "runs", "mean", "95 %", "best", "found 60", "exact mean", "playouts a run"]
    rows = []
    for found in levels:
        low, high = found.interval
        exact = "-" if found.exact is None else f"{found.exact:.2f}"
        row = [found.level, found.runs, f"{found.mean:.2f}", f"{low:.2f} - {high:.2f}", found.best]
        rows.append([str(cell) for cell in [*row, f"{found.perfect:.0%}", exact, f"{found.sims:.0f}"]])
    print_table(experiment.title, columns, rows, tuple(columns))


def _print_findings(title: str, findings: "list[Finding]") -> None:
    columns = ["score of", "paper", "games", "95 %", "ours", "games ", "95 % ", "p", "agree"]
    rows: list[list[Any]] = []
    for finding in findings:
        low, high = finding.paper_interval
        paper = [f"{finding.paper:.1%}", str(finding.paper_games), f"{100 * low:.0f} - {high:.0%}"]
        ours = [finding.ours.percent, f"{finding.ours.out_of:.0f}", finding.ours.interval_text]
        rows.append([finding.what, *paper, *ours, f"{finding.p_value:.2g}", "yes" if finding.agrees else "no"])
    print_table(title, columns, rows, tuple(columns[1:-1]))
    console.print("p: how often two samples of equal players would differ as much; below 0.05 they do not agree.")
