"""`damier reproduce`: repeat an experiment from a paper, with the paper's figure beside ours."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import with_options
from damier.cli.terminal.events import Playing, Watch, show_result
from damier.cli.terminal.output import console, print_json, print_table, print_written, working
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.experiments.equilibria import Convergence
    from damier.experiments.learning import LearningExperiment, Reproduction
    from damier.experiments.order import Order, Step
    from damier.experiments.papers import Finding, LeftMove
    from damier.zero.settings import Settings


@with_options(Playing)
def command(
    options: Playing,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The experiment; without a name, list all experiments.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games per pair; default: the paper's or more.", min=1)] = None,
    sims: Annotated[int | None, typer.Option(help="Playouts per move; default: the paper's.", min=1)] = None,
    tuned: Annotated[bool, typer.Option("--tuned", help="Use the constants that did best here.")] = False,
    network: Annotated[
        str | None, typer.Option(metavar="small|tower", help="The network to train: four convolutions, or 19 blocks.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the training run; default: in `runs`.")
    ] = None,
) -> None:
    """Repeat an experiment from a paper: the paper's figure, ours with its interval, and whether they agree.

    To resume an interrupted experiment, run the same command again.

    **Examples**

    - `damier reproduce` lists the experiments
    - `damier reproduce dames-table1`
    - `damier reproduce dames-table1 --games 2000 --sims 500 --tuned`
    - `damier reproduce leftmove`
    - `damier reproduce morpion-2020`
    - `damier reproduce kuhn-cfr`
    - `damier reproduce ismcts-phantom --games 100 --sims 1000`
    """
    from damier.arena.run import Conclusion
    from damier.core.errors import SpecError
    from damier.core.spec import unknown
    from damier.experiments.equilibria import EXPERIMENTS as FOUND
    from damier.experiments.equilibria import Convergence
    from damier.experiments.learning import EXPERIMENTS as LEARNT
    from damier.experiments.learning import LearningExperiment
    from damier.experiments.order import EXPERIMENTS as ORDERED
    from damier.experiments.order import Order
    from damier.experiments.papers import EXPERIMENTS as PLAYED
    from damier.experiments.papers import LeftMove

    experiments = {**PLAYED, **LEARNT, **FOUND, **ORDERED}
    if name is None:
        rows = [[key, found.title, str(found.games or "-")] for key, found in experiments.items()]
        print_table("experiments", ["name", "what", "games"], rows, ("games",))
        return
    if name not in experiments:
        raise unknown("experiment", name, experiments, "damier reproduce")
    experiment = experiments[name]
    if isinstance(experiment, LearningExperiment):
        if tuned or options.report:
            raise SpecError("command.trains", name=name)
        settings = experiment.settings(network or "small", sims or experiment.sims, options.seed)
        _reproduce_learning(name, experiment, settings, out, games or experiment.games, options)
        return
    if network or out:
        raise SpecError("command.learns-nothing", name=name)
    if isinstance(experiment, Convergence):
        if games or sims or tuned or options.report or options.seed or any(options.how().values()):
            raise SpecError("command.plays-nothing", name=name)
        _reproduce_convergence(name, experiment, options.json)
        return
    if isinstance(experiment, LeftMove):
        if sims or tuned or options.report or any(options.how().values()):
            raise SpecError("command.no-tournament", name=name)
        _reproduce_levels(name, experiment, games or experiment.games, options.seed, options.json)
        return
    if isinstance(experiment, Order):
        if tuned:
            raise SpecError("command.nothing-tuned", name=name)
        _reproduce_order(name, experiment, games or experiment.games, sims or experiment.sims, options)
        return
    with Conclusion() as conclusion:
        with Watch() as watch:
            result, findings = experiment.play(
                games or experiment.games,
                sims or experiment.sims,
                tuned,
                seed=options.seed,
                **options.how(),
                watcher=watch,
                conclusion=conclusion,
            )
        if options.json:
            print_json(result.as_json() | {"experiment": name, "findings": [finding.as_json() for finding in findings]})
            return
        show_result(result, options.json, options.report)
        _print_findings(experiment.title, findings)


def _reproduce_order(name: str, experiment: "Order", games: int, sims: int, options: Playing) -> None:
    from damier.arena.run import Conclusion

    with Conclusion() as conclusion:
        with Watch() as watch:
            result, steps = experiment.play(
                games, sims, seed=options.seed, **options.how(), watcher=watch, conclusion=conclusion
            )
        if options.json:
            print_json(result.as_json() | {"experiment": name, "steps": [step.as_json() for step in steps]})
            return
        show_result(result, options.json, options.report)
        _print_steps(experiment.title, steps)


def _print_steps(title: str, steps: "list[Step]") -> None:
    columns = ["the paper", "games", "lost", "ours", "95 %", "holds"]
    rows = []
    for step in steps:
        order = f"{step.better} > {step.worse}"
        counts = [f"{step.ours.out_of:.0f}", f"{step.losses}"]
        verdict = "yes" if step.holds else "no"
        rows.append([order, *counts, step.ours.percent, step.ours.interval_text, verdict])
    print_table(title, columns, rows, tuple(columns[1:-1]))


def _reproduce_convergence(name: str, experiment: "Convergence", json: bool) -> None:
    with working("iterating"):
        found = experiment.play()
    if json:
        print_json({"experiment": name, "findings": [distance.as_json() for distance in found]})
        return
    columns = ["game", "method", "iterations", "OpenSpiel", "ours", "difference", "agree"]
    rows = []
    for each in found:
        figures = [
            f"{each.iterations}",
            f"{each.reference:.9f}",
            f"{each.ours:.9f}",
            f"{each.ours - each.reference:.0e}",
        ]
        rows.append([each.game, each.method, *figures, "yes" if each.agrees else "no"])
    print_table(experiment.title, columns, rows, tuple(columns[2:-1]))


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


def _reproduce_learning(
    name: str,
    experiment: "LearningExperiment",
    settings: "Settings",
    out: Path | None,
    games: int,
    options: Playing,
) -> None:
    from damier.arena.run import Conclusion
    from damier.cli.terminal.dashboard import Dashboard, PlainLines
    from damier.zero import require_training

    require_training()
    with Conclusion() as conclusion:
        with Dashboard() if sys.stderr.isatty() else PlainLines() as audience:
            found = experiment.play(settings, out, games, audience, conclusion=conclusion, **options.how())
        _show_learning(name, experiment, found, options.json)


def _show_learning(name: str, experiment: "LearningExperiment", found: "Reproduction", json: bool) -> None:
    from damier.zero.curves import plot_runs

    picture = found.run.folder / "curves.png"
    plot_runs([found.run], picture)
    print_written(picture)
    if json:
        print_json({"experiment": name} | found.as_json())
        return
    _print_iterations(found)
    _print_matches(found)
    columns = ["what", "the paper", "ours", "agree"]
    marks = {True: "yes", False: "no", None: "-"}
    rows = [[remark.what, remark.paper, remark.ours, marks[remark.agrees]] for remark in found.remarks]
    print_table(experiment.title, columns, rows)
    _print_findings(experiment.title, found.findings)


def _print_iterations(found: "Reproduction") -> None:
    columns = ["iteration", "total loss", "policy", "value", "won", "drawn", "lost", "different", "accepted", "s"]
    rows = []
    for row in found.rows:
        gate = row["gate"]
        losses = [f"{row[name]:.3f}" for name in ("total_loss", "policy_loss", "value_loss")]
        verdict = "yes" if gate["accepted"] else "no"
        counts = [*gate["tally"], gate["distinct"]]
        rows.append([str(row["iteration"]), *losses, *map(str, counts), verdict, f"{row['seconds']:.1f}"])
    print_table("learning, and the games against the network before", columns, rows, tuple(columns))


def _print_matches(found: "Reproduction") -> None:
    from damier.experiments.learning import OPPONENTS, PERSON

    rows = [["the paper: a person", *map(str, PERSON), "?"]]
    for name, played in found.matches.items():
        me = played.standings[0]
        rows.append([OPPONENTS[name], *map(str, (me.wins, me.draws, me.losses, played.distinct))])
    columns = ["against", "won", "drawn", "lost", "different"]
    print_table("the last accepted network with its search", columns, rows, tuple(columns[1:]))


def _print_findings(title: str, findings: "list[Finding]") -> None:
    columns = ["share or score", "paper", "games", "95 %", "ours", "games ", "95 % ", "p", "agree"]
    rows: list[list[Any]] = []
    for finding in findings:
        low, high = finding.paper_interval
        paper = [f"{finding.paper:.1%}", str(finding.paper_games), f"{100 * low:.0f} - {high:.0%}"]
        ours = [finding.ours.percent, f"{finding.ours.out_of:.0f}", finding.ours.interval_text]
        rows.append([finding.what, *paper, *ours, f"{finding.p_value:.2g}", "yes" if finding.agrees else "no"])
    print_table(title, columns, rows, tuple(columns[1:-1]))
    console.print(say("command.p-value").text())
