"""`damier runs`: list, compare and plot training runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import Command, Json
from damier.cli.terminal.output import console, headings, notes, print_json, print_table, print_written
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.zero.run import Run

app = typer.Typer(help="List, compare and plot training runs; export their networks.", invoke_without_command=True)

Folder = Annotated[Path, typer.Option("--root", metavar="DIR", help="The folder of the runs.")]
Names = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")]


@app.callback()
def command(context: typer.Context, root: Folder = Path("runs"), json: Json = False) -> None:
    """List the training runs in `runs/`. `compare` and `plot` show several runs, `export` writes a network.

    **Examples**

    - `damier runs`
    - `damier runs compare runs/a runs/b`
    - `damier runs plot runs/a runs/b --out curves.png`
    - `damier runs export runs/a --out tictactoe.onnx`
    """
    if context.invoked_subcommand is None:
        _list(root, json)


def _list(root: Path, json: bool) -> None:
    from damier.core.errors import DamierError
    from damier.zero.run import facts_of, find_runs, open_run

    listed = []
    for folder in find_runs(root):
        try:
            facts = facts_of(open_run(folder))
        except DamierError as error:
            _note(folder, error.message)
            continue
        listed.append(facts)
        if facts["damage"]:
            _note(folder, facts["damage"])
    if json:
        print_json(listed)
    elif not listed:
        console.print(say("command.no-runs", folder=root).text(), highlight=False, markup=False)
    else:
        columns = headings("run", "game", "iterations", "games", "minutes", "total-loss", "elo")
        print_table(say("title.runs"), columns, [_line(facts) for facts in listed], tuple(columns[2:]))


def _note(folder: Path, fault: str) -> None:
    notes.print(say("spec.refused", name=folder, why=fault).text(), style="dim", highlight=False, markup=False)


def _line(facts: dict[str, Any]) -> list[str]:
    last = facts["last"] or {}
    return [
        facts["run"],
        facts["game"],
        f"{facts['iterations']} of {facts['of']}",
        str(facts["games"]),
        f"{facts['minutes']:.1f}",
        f"{last['total_loss']:.3f}" if "total_loss" in last else "-",
        f"{last['elo']:+.0f}" if "elo" in last else "-",
    ]


@app.command("compare", cls=Command)
def compare(names: Names, json: Json = False) -> None:
    """Compare runs: the settings that differ, and their figures side by side.

    **Example**: `damier runs compare runs/a runs/b`
    """
    from damier.zero.curves import compared, differences

    runs = _runs(names)
    settings, figures = differences(runs), compared(runs)
    if json:
        print_json({"runs": [str(run.folder) for run in runs], "settings": settings, "figures": figures})
        return
    columns = [run.folder.name for run in runs]
    rows = [[key, *values] for key, values in settings.items()]
    print_table(say("title.settings"), [*headings("setting"), *columns], rows)
    shown = [[name, *("-" if value is None else f"{value:.4g}" for value in row)] for name, row in figures.items()]
    print_table(say("title.figures"), [*headings("figure"), *columns], shown, tuple(columns))


@app.command("plot", cls=Command)
def plot(
    names: Names,
    out: Annotated[Path, typer.Option(metavar="FILE.png", help="The file to write: .png, .svg or .pdf.")] = Path(
        "runs.png"
    ),
    by_time: Annotated[bool, typer.Option("--time", help="Plot against minutes instead of iterations.")] = False,
) -> None:
    """Plot the losses, Elo, game length and speed of one run or several.

    **Example**: `damier runs plot runs/a runs/b --out curves.png`
    """
    from damier.zero.curves import plot_runs

    plot_runs(_runs(names), out, by_time)
    print_written(out)


@app.command("export", cls=Command)
def export(
    name: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    out: Annotated[Path, typer.Option(metavar="FILE.onnx", help="The file to write; its card is FILE.toml.")],
    iteration: Annotated[
        int | None, typer.Option(help="The iteration of the network; default: the last accepted one.", min=1)
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A further figure for the card; may be repeated."),
    ] = None,
    recommend: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STRENGTH:OPTIONS",
            help="Offer the network as a beginner, club or strong opponent, for example club:sims=20; may be repeated.",
        ),
    ] = None,
    int8: Annotated[bool, typer.Option("--int8", help="Use 8-bit numbers: smaller, faster, less exact.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Export a network: one file to play with, and a card with its recipe, seed and figures.

    **Example**: `damier runs export runs/four --out connect4.onnx --figure errors_at_200_sims=0.02`
    """
    from damier.zero import require_training
    from damier.zero.configuration import flat, parse_assignments
    from damier.zero.run import open_run

    require_training()
    from damier.zero.publish import publish

    figures = flat(parse_assignments(figure or []))
    recommended = {strength: options for strength, _, options in (each.partition(":") for each in recommend or ())}
    card = publish(open_run(name), out, iteration, figures, force, int8, recommended)
    print_written(out, card)


def _runs(names: list[Path]) -> "list[Run]":
    from damier.zero.run import open_run

    return [open_run(name) for name in names]
