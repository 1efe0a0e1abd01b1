"""The output of commands: tables, a JSON document, and progress on stderr."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from damier.core.messages import say, spoken

if TYPE_CHECKING:
    from damier.core.position import Position

# A pipe or a file has no width, so tables take the width they need.
# Without emoji: `:Pig:` in `games.py:Pig: 12 games` is a class, not an emoji.
console = Console(width=None if sys.stdout.isatty() else 200, emoji=False)
notes = Console(stderr=True, emoji=False)  # everything that is not the result


def find_position(game: str, text: str, moves: str) -> "Position":
    """The position that `text` describes, or the start of the game, after `moves`."""
    from damier.games import game as find

    found = find(game)
    return (found.position(text) if text else found.start()).play_all(moves)


def print_json(document: Any) -> None:
    """Print a document and flush, because an event counts as finished only when its result was written."""
    print(json.dumps(spoken(document), indent=2), flush=True)


def print_table(title: str, columns: list[str], rows: list[list[str]], right: tuple[str, ...] = ()) -> None:
    """Print a table; the columns named in `right` are numbers."""
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
    """Show a spinner on stderr, on a terminal only."""
    if sys.stderr.isatty():
        with notes.status(what):
            yield
    else:
        yield


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on stderr, on a terminal only; call the function with each number of steps done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=notes, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)
