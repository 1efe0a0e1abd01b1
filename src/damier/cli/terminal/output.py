"""What the commands have in common: tables for people, one JSON document for programs, signs of life."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from damier.core.messages import say, spoken

if TYPE_CHECKING:
    from damier.core.position import Position

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="`name[:option=value,...]`, or `path/to/file.py:Class` for one of your own."),
]
Moves = Annotated[str, typer.Option(help="Moves to play first, in the game's notation: `--moves 'd d c'`.")]
PositionText = Annotated[
    str,
    typer.Option("--position", help="The position to begin with, as text, in the format that the game's page shows."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same random numbers.")]

# A pipe or a file has no width: tables are as wide as they need to be.
# Without emoji: `games.py:Pig: 12 games` has a class in it, and no pig.
console = Console(width=None if sys.stdout.isatty() else 200, emoji=False)
notes = Console(stderr=True, emoji=False)  # everything that is not the result


def find_position(game: str, text: str, moves: str) -> "Position":
    """The position of a text, or without one the start of the game, after some moves."""
    from damier.games import game as find

    found = find(game)
    return (found.position(text) if text else found.start()).play_all(moves)


def print_json(document: Any) -> None:
    """At once, so that an event counts as finished only when its result could be written."""
    print(json.dumps(spoken(document), indent=2), flush=True)


def print_table(title: str, columns: list[str], rows: list[list[str]], right: tuple[str, ...] = ()) -> None:
    """A table; the columns named in `right` are numbers."""
    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        is_number = column in right
        table.add_column(
            column, justify="right" if is_number else "left", overflow="fold", no_wrap=is_number, min_width=4
        )
    for row in rows:
        table.add_row(*row)
    console.print(table)


def print_written(*paths: object) -> None:
    """Which files there are now."""
    notes.print(say("file.wrote", paths=paths).text(), style="dim", highlight=False, markup=False, soft_wrap=True)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner on stderr while something takes its time, on a terminal only."""
    if sys.stderr.isatty():
        with notes.status(what):
            yield
    else:
        yield


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr that is told how many more of so many are done, on a terminal only."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=notes, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)
