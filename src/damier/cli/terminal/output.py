"""The output of commands: tables, a JSON document, and progress on stderr."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from damier.core.messages import Message, say, spoken

if TYPE_CHECKING:
    from damier.core.position import Position

# A pipe or a file has no width, so tables take the width they need.
# Without emoji: `:Pig:` in `games.py:Pig: 12 games` is a class, not an emoji.
console = Console(width=None if sys.stdout.isatty() else 200, emoji=False)
notes = Console(stderr=True, emoji=False)  # everything that is not the result


def claim_stdout() -> None:
    """Keep standard output for results: whatever else writes to file descriptor 1 writes to stderr from now on.

    `printing_to_stderr` redirects what a class of your own prints; a C library or `os.write` does not ask Python. On a
    terminal nothing changes: no program reads the results there, and `input` edits lines only on descriptor 1.
    """
    stream = sys.stdout
    try:
        if stream.fileno() != 1 or stream.isatty():
            return
        stream.flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    except (AttributeError, OSError, ValueError):  # there is no standard output, or no stderr
        return
    sys.stdout = io.TextIOWrapper(
        os.fdopen(kept, "wb"),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
        write_through=getattr(stream, "write_through", False),
    )


def find_position(game: str, text: str | None, moves: str) -> "Position":
    """The position that `text` describes, or without a text the start of the game, after `moves`."""
    from damier.games import game as find

    found = find(game)
    return (found.start() if text is None else found.position(text)).play_all(moves)


def print_json(document: Any) -> None:
    """Print a document and flush, because an event counts as finished only when its result was written."""
    print(json.dumps(spoken(document), indent=2), flush=True)


def headings(*names: str) -> list[str]:
    """The headings of columns in the current language: their sentences are in the section `heading` of the tables."""
    return [say(f"heading.{name}").text() for name in names]


def print_table(title: str, columns: list[str], rows: list[list[str]], right: tuple[str, ...] = ()) -> None:
    """Print a table; the columns named in `right` are numbers."""
    table = Table(
        title=title.text() if isinstance(title, Message) else title, title_justify="left", header_style="bold"
    )
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
