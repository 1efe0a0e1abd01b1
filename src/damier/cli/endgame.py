"""`damier endgame`: databases of solved positions with few pieces."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import Command, GameName, Json, Seed
from damier.cli.terminal.output import console, counting, headings, notes, print_json, print_table
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.search.endgames.build import Progress as Step
    from damier.search.endgames.files import Database

app = typer.Typer(help="Build, show and verify endgame databases.", no_args_is_help=True)

GIGABYTE = 10**9  # a build that needs more memory says so first
Folder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="The folder of the databases; default: `$DAMIER_ENDGAMES`, or your data directory."
    ),
]


@app.command(cls=Command)
def build(
    game: GameName,
    pieces: Annotated[int, typer.Option(help="The largest number of pieces in an ending.", min=1)] = 4,
    out: Folder = None,
    workers: Annotated[int | None, typer.Option(help="Threads; default: one per core.", min=1)] = None,
    json: Json = False,
) -> None:
    """Solve every position with few pieces by retrograde analysis: win, draw or loss, and in how many moves.

    To resume an interrupted build, run the same command again. A build for more pieces extends one for fewer.

    **Examples**

    - `damier endgame build dames8`
    - `damier endgame build draughts:rules=english --pieces 5`
    """
    from damier.games import game as find
    from damier.search.endgames.build import build_database, need_of

    found = find(game)
    path = _path(found, out)
    need = need_of(found, pieces)
    if need.memory >= GIGABYTE:
        memory = f"up to {need.memory / GIGABYTE:.1f} GB of memory"
        notes.print(f"{need.endings} endings, {need.positions:,} positions: {memory}", highlight=False, style="dim")
    began, worked = time.perf_counter(), time.process_time()
    with _bar() as told:
        database = build_database(found, pieces, path, workers, told)
    seconds = {"seconds": round(time.perf_counter() - began, 2), "cpu_seconds": round(time.process_time() - worked, 2)}
    _show(found, database, json, seconds)


@app.command(cls=Command)
def info(game: GameName, out: Folder = None, json: Json = False) -> None:
    """Show the contents of a database: positions, wins, draws and losses of each ending.

    **Examples**

    - `damier endgame info dames8`
    """
    from damier.games import game as find
    from damier.search.endgames.files import Database

    found = find(game)
    _show(found, Database(found, _path(found, out)), json, {})


@app.command(cls=Command)
def verify(
    game: GameName,
    out: Folder = None,
    positions: Annotated[int, typer.Option(help="Number of positions to compare.", min=1)] = 10_000,
    depth: Annotated[int, typer.Option(help="Depth of the search to compare with.", min=1, max=50)] = 8,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Compare a database with independent alpha-beta searches, and each position with the positions after it.

    **Examples**

    - `damier endgame verify dames8`
    - `damier endgame verify draughts:rules=english --positions 1000 --depth 13`
    """
    from damier.games import game as find
    from damier.search.endgames.files import Database
    from damier.search.endgames.verify import verify as compare

    found = find(game)
    database = Database(found, _path(found, out))
    began = time.perf_counter()
    with counting("comparing", positions) as told:
        agreed = compare(found, database, positions, depth, seed, told)
    if json:
        print_json({"game": found.name, "file": str(database.path), **agreed.as_dict()})
        return
    said = say("command.agreed", positions=agreed.positions, depth=depth, decided=agreed.decided)
    console.print(said.text(), highlight=False)
    console.print(f"{agreed.nodes:,} nodes; {time.perf_counter() - began:.1f} s", highlight=False, style="dim")


def _path(game: "Game", folder: Path | None) -> Path:
    from damier.search.endgames.files import check_has_endings, endgame_file, endgame_folder

    check_has_endings(game)
    return endgame_file(game, folder or endgame_folder())


def _show(game: "Game", database: "Database", json: bool, more: dict[str, Any]) -> None:
    columns = ["positions", "wins", "draws", "losses", "longest"]
    total = {column: sum(head[column] for head in database.endings) for column in columns[:-1]}
    total["longest"] = max(head["longest"] for head in database.endings)
    if json:
        facts = {"game": game.name, "file": str(database.path), "pieces": database.pieces, "bytes": database.bytes}
        print_json(facts | more | {"total": total, "endings": database.endings})
        return
    rows = [[head["name"], *(f"{head[column]:,}" for column in columns)] for head in database.endings]
    rows.append(["all", *(f"{total[column]:,}" for column in columns)])
    title = say("title.endgame", game=game.name, pieces=database.pieces)
    shown = headings("ending", *columns)
    print_table(title, shown, rows, tuple(shown[1:]))
    took = "; {seconds} s, {cpu_seconds} s of processor time".format(**more) if more else ""
    console.print(f"{database.path}: {database.bytes:,} bytes{took}", highlight=False, soft_wrap=True, style="dim")


@contextmanager
def _bar() -> "Iterator[Callable[[Step], None]]":
    """Show a progress bar on stderr, on a terminal only."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Progress(*columns, console=notes, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("")

        def told(progress: "Step") -> None:
            what = f"{progress.name} ({progress.number + 1} of {progress.of})"
            bar.update(task, description=what, total=progress.size, completed=progress.visited)

        yield told
