"""`damier trace`: an algorithm, step by step."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.text import Text

from damier.cli.terminal.arguments import Json, Moves, PositionText, Seed
from damier.cli.terminal.output import console, find_position, print_json, print_written, working
from damier.core.messages import say, spoken

if TYPE_CHECKING:
    from damier.lessons import Trace

STYLES = {"unseen": "dim", "open": "bold yellow", "seen": "", "cut": "red"}
HERE = "   <--"
FORWARD = ("\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB", " ", "\r", "\n", "l", "n", "\xe0M")
BACK = ("\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA", "\x7f", "\x08", "h", "b", "\xe0K")
HOME = ("\x1b[H", "\x1bOH", "\x1b[1~", "g", "\xe0G")
END = ("\x1b[F", "\x1bOF", "\x1b[4~", "G", "\xe0O")
LEAVE = ("q", "\x1b")


def command(
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            help="`minimax`, `alphabeta`, `negamax`, `expectimax`, `expectiminimax`, `maxn`, `uct`, `rave`, `astar`; "
            "for hidden information `pimc`, `ismcts`, `cfr` or `belief`.",
        ),
    ],
    tree: Annotated[
        str,
        typer.Argument(
            metavar="TREE|GAME",
            help="An example tree (`walk`, `coin`, ...), a tree file, a tree as text, or a game.",
        ),
    ] = "walk",
    position: PositionText = None,
    moves: Moves = "",
    depth: Annotated[
        int | None, typer.Option(help="Depth of a classical search; default: the whole tree, or 2 in a game.")
    ] = None,
    sims: Annotated[
        int,
        typer.Option(help="Number of simulations of `uct`, `rave` and `ismcts`, and of iterations of `cfr`.", min=1),
    ] = 12,
    seed: Seed = 0,
    c: Annotated[
        float | None,
        typer.Option(help="Exploration constant of `uct`, `rave` and `ismcts`; default: sqrt(2), 0 and 0.7."),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Step forward and back with the arrow keys.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write an interactive HTML page.", dir_okay=False)] = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture of the final tree.", dir_okay=False)] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters.")] = False,
    json: Json = False,
) -> None:
    """Show how an algorithm works, step by step, on a tree or on a position of a game.

    **Examples**

    - `damier trace alphabeta walk --step`
    - `damier trace expectiminimax "max(chance(1/2: 3 1/2: min(4 7)) 2)"`
    - `damier trace uct tictactoe --moves "b2 a1" --sims 30 --html uct.html`
    - `damier trace astar sliding:scramble=8 --svg astar.svg`
    - `damier trace pimc fusion`, and then `damier trace belief fusion`
    - `damier trace cfr bluff --sims 1000`
    """
    from damier.core.files import check_path, write_file
    from damier.core.view import can_show_unicode
    from damier.lessons import trace as run
    from damier.lessons.drawing import svg as draw
    from damier.lessons.page import page

    for path in (html, svg):
        if path is not None:
            check_path(path)
    with working(f"{algorithm} on {tree}"):
        where = tree if position is None else find_position(tree, position, "")
        trace = run(algorithm, where, moves, depth, sims, seed, c)
    if html is not None:
        write_file(html, page(trace, _command()))
        print_written(html)
    if svg is not None:
        write_file(svg, draw(trace))
        print_written(svg)
    unicode = not ascii and can_show_unicode()
    if json:
        print_json(trace.to_json())
    elif step:
        _go_through(trace, unicode)
    elif html is None and svg is None:
        _print_all(trace, unicode)


def _command() -> str:
    """The command as typed, without --html and --svg."""
    words, skip = list[str](), False
    for word in sys.argv[1:]:
        if skip or word.startswith(("--html=", "--svg=")):
            skip = False
        elif word in ("--html", "--svg"):
            skip = True
        else:
            words.append(word)
    return shlex.join(["damier", *words])


def _print_all(trace: "Trace", unicode: bool) -> None:
    """Print every step as a line, with its table, then the final tree."""
    from damier.lessons.text import strategy_lines

    kinds = [say(f"step.{step.kind}").text() for step in trace.steps]
    digits, longest = len(str(len(trace.steps))), max(map(len, kinds))
    for number, (step, kind) in enumerate(zip(trace.steps, kinds, strict=True), 1):
        text = f"{number:{digits}}  {kind:{longest}}  {step.told.text()}"
        console.print(Text(text, STYLES["cut"] if step.kind == "cut" else ""), soft_wrap=True)
        for line in strategy_lines(step):
            console.print(Text(" " * (digits + longest + 4) + line), soft_wrap=True)
    console.print()
    console.print(_tree(trace, len(trace.steps), unicode), soft_wrap=True)
    console.print(Text(_legend(trace, unicode), "dim"), soft_wrap=True)


def _go_through(trace: "Trace", unicode: bool) -> None:
    """Step through with keys on a terminal; elsewhere print every step."""
    from damier.lessons.text import strategy_lines

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for count in range(1, len(trace.steps) + 1):
            console.print(_heading(trace, count), soft_wrap=True)
            for line in strategy_lines(trace.steps[count - 1]):
                console.print(Text(line), soft_wrap=True)
            console.print(_tree(trace, count, unicode), soft_wrap=True)
            console.print()
        return
    count, last = 0, len(trace.steps)
    with console.screen(hide_cursor=True) as screen:
        while True:
            screen.update(_page(trace, count, unicode))
            try:
                key = typer.getchar()
            except EOFError:
                return
            if key in FORWARD:
                count = min(last, count + 1)
            elif key in BACK:
                count = max(0, count - 1)
            elif key in HOME:
                count = 0
            elif key in END:
                count = last
            elif key in LEAVE:
                return


def _page(trace: "Trace", count: int, unicode: bool) -> Group:
    """The part of the tree that fits on the screen, centred on the node of the last step."""
    heading = _heading(trace, count)
    room = max(4, console.height - 5 - len(heading.wrap(console, console.width)))
    board = Text(_beside(trace, count, unicode))
    board_height = len(board.split("\n")) + 1 if board else 0
    if board_height > room // 2:
        board, board_height = Text(), 0
    drawn = _tree(trace, count, unicode).split("\n")
    here = next((i for i, line in enumerate(drawn) if line.plain.endswith(HERE)), 0)
    first = max(0, min(len(drawn) - room + board_height, here - (room - board_height) // 2))
    shown = Text("\n", no_wrap=True, overflow="ellipsis").join(drawn[first : first + room - board_height])
    parts = [heading, Text(), shown, Text(), *([board, Text()] if board else [])]
    keys = say("lesson.keys").text()
    return Group(*parts, Text(_legend(trace, unicode), "dim", no_wrap=True), Text(keys, "dim", no_wrap=True))


def _beside(trace: "Trace", count: int, unicode: bool) -> str:
    """The table of the last step, or else the board of its node."""
    from damier.lessons.text import strategy_lines

    if count and trace.steps[count - 1].table:
        return "\n".join(strategy_lines(trace.steps[count - 1]))
    return str(spoken(trace.nodes[trace.steps[count - 1].node if count else 0].board)) if unicode else ""


def _heading(trace: "Trace", count: int) -> Text:
    told = trace.steps[count - 1].told if count else say("lesson.nothing-yet")
    return Text.assemble((f"{trace.algorithm} {count}/{len(trace.steps)}  ", "bold"), told.text())


def _tree(trace: "Trace", count: int, unicode: bool) -> Text:
    from damier.lessons.text import lines

    drawn = [
        Text(line.text + HERE * line.is_here, f"{STYLES[line.status]}{' reverse' * line.is_here}".strip())
        for line in lines(trace, count, unicode)
    ]
    return Text("\n").join(drawn)


def _legend(trace: "Trace", unicode: bool) -> str:
    from damier.lessons.text import legend

    return legend(trace, unicode)
