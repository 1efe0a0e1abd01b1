"""`damier equilibrium`: how to play a game of hidden information, found by regret minimisation."""

import csv as csv_file
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import GameName, Json, Seed
from damier.cli.terminal.output import console, counting, headings, notes, print_json, print_table, print_written
from damier.core.messages import say
from damier.core.numbers import plain

if TYPE_CHECKING:
    from damier.search.hidden.equilibrium import Equilibrium

SHOWN = 12  # information sets, by default


def command(
    game: GameName,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="`cfr`, `cfr+`, `discounted`, `linear`, `external` or `outcome`.")
    ] = "cfr+",
    iterations: Annotated[int, typer.Option(metavar="N", help="Iterations in all.", min=1)] = 1000,
    seed: Seed = 0,
    memory: Annotated[int, typer.Option(help="Megabytes; a game that needs more is refused.", min=1)] = 2000,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the strategy in a file; an existing one is continued.")
    ] = None,
    table: Annotated[
        int | None,
        typer.Option(
            metavar="N", help=f"Information sets to print; default: {SHOWN}, with --json and --csv all of them.", min=0
        ),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the strategy as CSV, a row per move.")] = False,
    json: Json = False,
) -> None:
    """Find an equilibrium by counterfactual regret minimisation: its value, how exploitable it is, and the strategy.

    Values are in the game's unit, for example chips. NashConv is what the players could gain together if each alone
    changed to a best response: 0 in an equilibrium. To resume an interrupted run, run the same command again.

    **Examples**

    - `damier equilibrium kuhn`
    - `damier equilibrium kuhn --method cfr --iterations 10000 --table 0`
    - `damier equilibrium kuhn --method external --seed 1 --iterations 100000 --json`
    - `damier equilibrium kuhn --out kuhn.npz`, then `damier match kuhn cfr:file=kuhn.npz random`
    """
    from damier.search.hidden.equilibrium import equilibrium

    if json and csv:
        raise typer.BadParameter(say("command.json-or-csv").text())
    with counting("iterations", iterations) as told:
        found = equilibrium(game, method, iterations, seed, memory, out, told)
    if out is not None:
        _say_written(found, out)
    if json:
        print_json(_document(found, table))
    elif csv:
        _write_rows(found, table)
    else:
        _show(found, SHOWN if table is None else table)


def _say_written(found: "Equilibrium", out: Path) -> None:
    if found.iterations > found.resumed:
        print_written(out)
    else:
        notes.print(
            say("equilibrium.has-more", path=out, iterations=found.resumed).text(), style="dim", highlight=False
        )


def _document(found: "Equilibrium", table: int | None) -> dict[str, Any]:
    return {
        "game": found.game.name,
        "method": found.method,
        "iterations": found.iterations,
        "unit": found.game.unit,
        "value": found.value,
        "best_response": found.best_response,
        "nash_conv": found.nash_conv,
        "curve": [{"iterations": iterations, "nash_conv": nash_conv} for iterations, nash_conv in found.curve],
        "nodes": found.nodes,
        "information_sets": found.information_sets,
        "remark": found.remark,
        "strategy": found.strategy.as_json(table),
        "seconds": round(found.seconds, 6),
    }


def _write_rows(found: "Equilibrium", table: int | None) -> None:
    writer = csv_file.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["player", "line", "known", "move", "probability"])
    for row in found.strategy.rows(table):
        for move, chance in row.moves.items():
            writer.writerow([row.player, row.line, " ".join(map(str, row.known)), move, repr(chance)])


def _show(found: "Equilibrium", table: int) -> None:
    unit = f" ({found.game.unit_text()})" if found.game.unit else ""
    rows = [
        [_player(player), _number(value), _number(best), str(count)]
        for player, (value, best, count) in enumerate(
            zip(found.value, found.best_response, found.information_sets, strict=True)
        )
    ]
    value_of, best_of, sets = headings("value", "best-response", "information-sets")
    columns = ["", f"{value_of}{unit}", f"{best_of}{unit}", sets]
    title = say("title.equilibrium", game=found.game.name, method=found.method, iterations=found.iterations)
    print_table(title, columns, rows, tuple(columns[1:]))
    curve = [[f"{iterations:,}", _number(nash_conv)] for iterations, nash_conv in found.curve]
    columns = [*headings("iterations"), f"NashConv{unit}"]
    print_table("", columns, curve, tuple(columns))
    if table:
        told = [
            [
                _player(row.player),
                row.line,
                "  ".join(f"{move} {chance:.3f}" for move, chance in row.moves.items()),
            ]
            for row in found.strategy.rows(table)
        ]
        shown = say("equilibrium.table", shown=len(told), count=len(found.strategy))
        print_table(shown, ["", *headings("saw", "does")], told)
    if found.remark is not None:
        notes.print(found.remark.text(), highlight=False)
    nodes = say("analyse.nodes", count=found.nodes).text()
    console.print(f"{nodes}; {found.seconds:.2f} s", highlight=False, style="dim")


def _player(player: int) -> str:
    return say("play.player", number=player + 1, piece="").text()


def _number(value: float) -> str:
    return f"{plain(value, 9):.9f}"
