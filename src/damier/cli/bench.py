"""`damier bench`: random games per second, beside the installed peers."""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.output import Json, notes, print_json, print_table, working

if TYPE_CHECKING:
    from damier.cli.contestants import Contestant, Entrant, Played
    from damier.core.game import Game

ROUND_SECONDS = 0.25


def command(
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME",
            help="`name[:option=value,...]` or `path/to/file.py:Class`; repeat it for several. Default: all games.",
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long to measure each contestant at a game.", min=0.01)] = 2.0,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="With the others, or damier alone.")] = True,
    json: Json = False,
) -> None:
    """Measure random games per second on one core, side by side with the installed peers.

    The contestants take turns in short rounds, and the best round of each counts: what disturbs a program on a
    busy machine only ever makes it slower. Compare within one run; figures of different runs tell little.

    **Examples**

    - `damier bench`
    - `damier bench --game connect4 --game othello --seconds 5`
    - `damier bench --game examples/breakthrough.py:Breakthrough --json`
    """
    from damier.cli.contestants import ENTRANTS
    from damier.games import REGISTRY
    from damier.games import game as find

    games = [find(name) for name in dict.fromkeys(game or REGISTRY)]
    rounds = max(1, round(seconds / ROUND_SECONDS))
    with one_core(), TemporaryDirectory() as folder:
        with working("preparing"):
            fields, absent = line_up(games, ENTRANTS if peers else (), Path(folder))
        results: list[dict[str, Any]] = []
        with _progress(sum(map(len, fields)) * (rounds + 1)) as advance:
            for entered, field in zip(games, fields, strict=True):
                results += compare(entered.name, race(field, rounds, seconds / rounds, advance))
    if json:
        settings = {"seconds": seconds, "rounds": rounds}
        print_json({"machine": machine(), "settings": settings, "results": results, "absent": absent})
    else:
        _print(results)
        if absent:
            notes.print(f"not measured: {', '.join(absent)}", highlight=False, markup=False, soft_wrap=True)


def line_up(
    games: "list[Game]", entrants: "tuple[Entrant, ...]", folder: Path
) -> "tuple[list[list[Contestant]], list[str]]":
    """The contestants at each game, damier first, and who is missing.

    Each has played a game by then, so that everything is loaded and compiled.
    """
    from damier.cli.contestants import AbsentError, damier_itself

    fields, absent = [], {}
    for game in games:
        field = [damier_itself(game)]
        field[0].play(1, 0)
        for entrant in entrants:
            try:
                peer = entrant(game, folder)
                if peer is not None:
                    peer.play(1, 0)
                    field.append(peer)
            except AbsentError as reason:
                absent[str(reason)] = True
            except Exception as error:  # somebody else's program, perhaps of a version that we don't know
                absent[f"{entrant.__name__} ({type(error).__name__}: {error})"] = True
        fields.append(field)
    return fields, list(absent)


def race(
    field: "list[Contestant]", rounds: int, seconds: float, advance: Callable[[], None] = lambda: None
) -> "dict[str, Played]":
    """The best of several rounds of about that many seconds for each contestant; they take turns."""
    games = {}
    for contestant in field:
        games[contestant.name] = _calibrate(contestant, seconds)
        advance()
    best: dict[str, Played] = {}
    for seed in range(1, rounds + 1):
        for contestant in field:
            name = contestant.name
            played = contestant.play(games[name], seed)
            if name not in best or played.games / played.seconds > best[name].games / best[name].seconds:
                best[name] = played
            advance()
    return best


def _calibrate(contestant: "Contestant", seconds: float) -> int:
    """How many games take that long, found by trying ever more; none of it counts."""
    games = 1
    while True:
        played = contestant.play(games, 0)
        if played.seconds > seconds / 10:
            return max(1, round(played.games * seconds / played.seconds))
        games = 4 * max(games, played.games)


def compare(game: str, best: "dict[str, Played]") -> list[dict[str, Any]]:
    """The speeds, and how many times faster than each contestant damier is."""
    speeds = {name: played.games / played.seconds for name, played in best.items()}
    return [
        {
            "game": game,
            "contestant": name,
            "games_per_second": round(speeds[name], 1),
            "plies_per_second": None if played.plies is None else round(played.plies / played.seconds, 1),
            "ratio": round(speeds["damier"] / speeds[name], 3),
        }
        for name, played in best.items()
    ]


def machine() -> dict[str, Any]:
    """What one must know to read the figures."""
    from damier import __version__
    from damier.cli.contestants import PACKAGES

    versions = {"python": platform.python_version(), "damier": __version__}
    for package in ("numba", "numpy", *PACKAGES):
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {"processor": _processor(), "cores": os.cpu_count(), "system": platform.platform(), "versions": versions}


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    for line in facts.read_text().splitlines() if facts.is_file() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those it starts, on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A bar that moves only when told: one with a thread of its own would disturb what is measured."""
    from rich.progress import Progress

    with Progress(console=notes, transient=True, auto_refresh=False, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("playing", total=total)
        progress.refresh()
        yield lambda: progress.update(task, advance=1, refresh=True)


def _print(results: list[dict[str, Any]]) -> None:
    rows = []
    for result in results:
        plies, ratio = result["plies_per_second"], result["ratio"]
        ours = result["contestant"] == "damier"
        rows.append(
            [
                result["game"] if ours else "",
                result["contestant"],
                f"{result['games_per_second']:,.0f}",
                "" if plies is None else f"{plies:,.0f}",
                "" if ours else f"{ratio:,.2f} x" if ratio < 10 else f"{ratio:,.0f} x",
            ]
        )
    columns = ["game", "who", "games/s", "plies/s", "damier is"]
    print_table("Random games per second, one core", columns, rows, right=("games/s", "plies/s", "damier is"))
