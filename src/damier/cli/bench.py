"""`damier bench`: random games and simulations per second, beside other installed libraries."""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import Json
from damier.cli.terminal.output import notes, print_json, print_table, working
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.experiments.contestants import Contestant, Played

ROUND_SECONDS = 0.25


class What(StrEnum):
    GAMES = "games"
    SEARCH = "search"
    BOTH = "both"


def command(
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME",
            help="`name[:option=value,...]` or `path/to/file.py:Class`; may be repeated. "
            "Default: all games; for the search, the games that OpenSpiel plays by the same rules.",
        ),
    ] = None,
    what: Annotated[What, typer.Option(help="Random games, Monte-Carlo tree search, or both.")] = What.BOTH,
    sims: Annotated[int, typer.Option(help="Simulations per search.", min=1)] = 10_000,
    seconds: Annotated[float, typer.Option(help="Seconds to measure each contestant in each game.", min=0.01)] = 1.0,
    peers: Annotated[
        bool, typer.Option("--peers/--no-peers", help="Compare with other libraries, or measure damier alone.")
    ] = True,
    signature: Annotated[
        bool,
        typer.Option(
            "--signature",
            help="Print a fingerprint of fixed searches and one number for all of them, instead of measuring.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Measure random games and UCT simulations per second on one core, beside other installed libraries.

    The contestants take turns in short rounds, and the best round of each counts, because a busy machine only ever
    makes a program slower. Compare figures within one run; figures of different runs are not comparable.

    **Examples**

    - `damier bench`
    - `damier bench --game connect4 --game othello --seconds 5`
    - `damier bench --what search --sims 1000`
    - `damier bench --game examples/breakthrough.py:Breakthrough --json`
    - `damier bench --signature` prints a number that changes when a search behaves differently
    """
    if signature:
        _print_signature(json)
        return
    from damier.experiments.contestants import SEARCHED
    from damier.games import REGISTRY
    from damier.search.montecarlo.tree import Tree

    document: dict[str, Any] = {"machine": machine(), "settings": {"seconds": seconds, "sims": sims}}
    absent: list[str] = []
    if what != What.SEARCH:
        document["results"] = _bench_games(game or list(REGISTRY), peers, seconds, absent)
    if what != What.GAMES:
        document["search"] = _bench_search(game or list(SEARCHED), peers, sims, seconds, absent)
        document["bytes_per_node"] = Tree(1, ahead=True).node_bytes()
    document["absent"] = list(dict.fromkeys(absent))  # each once
    if json:
        print_json(document)
    else:
        _print(document)


def _print_signature(json: bool) -> None:
    """Print the signature; it is the same on every machine, so versions can be compared without running both."""
    from dataclasses import asdict

    from damier.experiments.signature import signature, signature_lines

    with working("searching"):
        made = list(signature_lines())
    if json:
        print_json({"signature": signature(made), "searches": [asdict(line) for line in made]})
        return
    for line in made:
        where = f"{line.game} {line.moves}".strip()
        print(f"{line.digest} {line.player} on {where}: {line.notation}, {line.nodes} nodes, {line.sims} simulations")
    print(f"signature {signature(made)}")


def _bench_games(names: list[str], peers: bool, seconds: float, absent: list[str]) -> list[dict[str, Any]]:
    from damier.experiments.contestants import ENTRANTS, damier_itself

    with one_core(), TemporaryDirectory() as folder:
        games = _find(names)
        with working("preparing"):
            fields = line_up(games, damier_itself, ENTRANTS if peers else (), Path(folder), absent)
        return _compete(games, fields, seconds, "games")


def _bench_search(names: list[str], peers: bool, sims: int, seconds: float, absent: list[str]) -> list[dict[str, Any]]:
    from damier.experiments.contestants import SEARCHERS, damier_search, threaded_search

    games = _find(names)
    with one_core():
        with working("preparing"):
            fields = line_up(games, damier_search, SEARCHERS if peers else (), sims, absent)
        results = _compete(games, fields, seconds, "simulations")
    if (os.cpu_count() or 1) > 1:
        pairs = [[threaded_search(game, 1), threaded_search(game, 2)] for game in games]
        ratios = {row["game"]: 1 / row["ratio"] for row in _compete(games, pairs, seconds, "simulations")}
        for row in results:
            if row["contestant"] == "damier":
                row["two_threads"] = round(ratios[row["game"]], 3)
    return results


def _find(names: list[str]) -> "list[Game]":
    from damier.games import game

    return [game(name) for name in dict.fromkeys(names)]


def line_up(
    games: "list[Game]", ours: Callable[..., Any], peers: tuple[Callable[..., Any], ...], given: Any, absent: list[str]
) -> "list[list[Contestant]]":
    """Create the contestants of each game, ours first, by calls with the game and `given`; list the others in `absent`.

    Each plays one game first, which loads and compiles everything.
    """
    from damier.experiments.contestants import AbsentError

    fields = []
    for game in games:
        field = [ours(game, given)]
        field[0].play(1, 0)
        for entrant in peers:
            try:
                peer = entrant(game, given)
                if peer is not None:
                    peer.play(1, 0)
                    field.append(peer)
            except AbsentError as reason:
                absent.append(reason.message)
            except Exception as error:  # somebody else's program, perhaps of a version that we don't know
                absent.append(f"{entrant.__name__} ({type(error).__name__}: {error})")
        fields.append(field)
    return fields


def _compete(games: "list[Game]", fields: "list[list[Contestant]]", seconds: float, unit: str) -> list[dict[str, Any]]:
    rounds = max(1, round(seconds / ROUND_SECONDS))
    results: list[dict[str, Any]] = []
    with _progress(sum(map(len, fields)) * (rounds + 1)) as advance:
        for game, field in zip(games, fields, strict=True):
            results += speeds_of(game.name, race(field, rounds, seconds / rounds, advance), unit)
    return results


def race(
    field: "list[Contestant]", rounds: int, seconds: float, advance: Callable[[], None] = lambda: None
) -> "dict[str, Played]":
    """The best round of each contestant. They take turns; a round lasts about `seconds`."""
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
    """The number of games that take `seconds`, found by trying more and more; these games don't count."""
    games = 1
    while True:
        played = contestant.play(games, 0)
        if played.seconds > seconds / 10:
            return max(1, round(played.games * seconds / played.seconds))
        games = 4 * max(games, played.games)


def speeds_of(game: str, best: "dict[str, Played]", unit: str = "games") -> list[dict[str, Any]]:
    """The speeds, and damier's speed relative to each contestant."""
    speeds = {name: played.games / played.seconds for name, played in best.items()}
    return [
        {
            "game": game,
            "contestant": name,
            f"{unit}_per_second": round(speeds[name], 1),
            "plies_per_second": None if played.plies is None else round(played.plies / played.seconds, 1),
            "ratio": round(speeds["damier"] / speeds[name], 3),
        }
        for name, played in best.items()
    ]


def machine() -> dict[str, Any]:
    """The machine and the versions behind the figures."""
    from damier.core.version import __version__
    from damier.experiments.contestants import PACKAGES

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
    """Keep this process and its children on one core, if the system can."""
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
    """Show a progress bar without a thread, which would disturb the measurement."""
    from rich.progress import Progress

    with Progress(console=notes, transient=True, auto_refresh=False, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("playing", total=total)
        progress.refresh()
        yield lambda: progress.update(task, advance=1, refresh=True)


def _print(document: dict[str, Any]) -> None:
    if "results" in document:
        _print_speeds("Random games per second, one core", document["results"], "games_per_second", "plies_per_second")
    if "search" in document:
        sims = document["settings"]["sims"]
        title = f"UCT, {sims:,} simulations per search, one core; {document['bytes_per_node']} bytes per node"
        _print_speeds(title, document["search"], "simulations_per_second", "two_threads")
    if document["absent"]:
        notes.print(say("bench.absent", names=document["absent"]).text(), highlight=False, markup=False, soft_wrap=True)


def _print_speeds(title: str, results: list[dict[str, Any]], speed: str, extra: str) -> None:
    """Print speeds; `extra` is a second speed, or the ratio of two threads to one."""
    rows = []
    for result in results:
        ours = result["contestant"] == "damier"
        more = result.get(extra)
        rows.append(
            [
                result["game"] if ours else "",
                result["contestant"],
                f"{result[speed]:,.0f}",
                "" if more is None else f"{more:,.0f}" if extra == "plies_per_second" else _times(more),
                "" if ours else _times(result["ratio"]),
            ]
        )
    unit = "games/s" if speed == "games_per_second" else "sims/s"
    columns = ["game", "who", unit, "plies/s" if extra == "plies_per_second" else "2 threads", "damier is"]
    print_table(title, columns, rows, right=tuple(columns[2:]))


def _times(ratio: float) -> str:
    return f"{ratio:,.2f} x" if ratio < 10 else f"{ratio:,.0f} x"
