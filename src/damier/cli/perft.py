"""`damier perft`: count the leaves of the move tree."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Annotated, TypeVar

import typer

from damier.cli.terminal.arguments import GameName, Json, Moves, PositionText
from damier.cli.terminal.output import find_position, notes, print_json
from damier.core.messages import say

T = TypeVar("T")


def command(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="Depth in moves.")],
    position: PositionText = None,
    moves: Moves = "",
    divide: Annotated[bool, typer.Option("--divide", help="Show the number of leaves below each move.")] = False,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="Count distinct positions at each depth instead.")
    ] = False,
    json: Json = False,
) -> None:
    """Count the leaves of the move tree, the classical test of a move generator.

    **Examples**

    - `damier perft connect4 8`
    - `damier perft othello 5 --moves "d3 c5" --divide`
    - `damier perft tictactoe 9 --distinct --json`
    - `damier perft tictactoe 3 --position "X.O/.XO/... X"`
    """
    from damier.search import perft as search

    if divide and distinct:
        raise typer.BadParameter(say("command.divide-or-distinct").text())
    start = find_position(game, position, moves)
    report: dict[str, object] = {"game": start.game.name, "position": start.origin.text(), "moves": start.line()}
    report["depth"] = depth
    began = time.perf_counter()
    if distinct:
        positions = list(_progress(search.distinct(start, depth), depth + 1))
        report |= {"distinct": positions}
        lines = [f"{ply} {count}" for ply, count in enumerate(positions)]
    else:
        behind = {}
        if depth > 0:
            counted = _progress(search.divide(start, depth), len(start.moves()))
            behind = {start.notation(move): count for move, count in counted}
        total = sum(behind.values()) if behind else search.perft(start, depth)
        report |= {"leaves": total}
        lines = [str(total)]
        if divide:
            report |= {"divide": behind}
            lines = [f"{move} {count}" for move, count in behind.items()] + [f"total {total}"]
    report["seconds"] = round(time.perf_counter() - began, 3)
    if json:
        print_json(report)
    else:
        print("\n".join(lines))
        notes.print(f"[dim]{start.game.name}, depth {depth}: {report['seconds']} s[/dim]")


def _progress(steps: Iterable[T], total: int) -> Iterator[T]:
    from rich.progress import track

    yield from track(steps, "counting", total, console=notes, transient=True, disable=not sys.stderr.isatty())
