"""`damier serve`: the web application."""

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from damier.cli.arena import Database
from damier.cli.output import notes

PORT = 8000
LOOPBACK = ("127.0.0.1", "localhost", "::1")  # what only this computer can reach
PORTS = 100  # that are tried, one after the other


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[path/to/file.py:Class]...", help="Games of your own to play as well."),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen at. Others can reach you only if you change it.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int | None, typer.Option(help=f"The port; default: {PORT}, or the next one that is free.", min=0, max=65535)
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    allow_files: Annotated[
        bool, typer.Option("--allow-files", help="Let visitors load games from files, and networks by path.")
    ] = False,
    allow_engines: Annotated[
        bool, typer.Option("--allow-engines", help="Let visitors play against other programs on this computer.")
    ] = False,
    engines: Annotated[int, typer.Option(help="Searches at the same time.", min=1, max=256)] = 2,
    max_seconds: Annotated[float, typer.Option(help="How long a search may take.", min=0.1)] = 10.0,
    max_memory: Annotated[int, typer.Option(help="Megabytes that a search may take.", min=1)] = 64,
    max_games: Annotated[int, typer.Option(help="Games that one address may begin within an hour.", min=1)] = 1000,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="The folder in which training runs are.")] = Path("runs"),
    database: Database = None,
) -> None:
    """Serve the web application: play any game against any player, look inside, follow tournaments and training.

    **Examples**

    - `damier serve`
    - `damier serve --port 9000 --no-browser`
    - `damier serve path/to/file.py:Class` to play a game of your own
    """
    # The server runs the rules of one position at a time and never waits for a compiler. Its engines are processes of
    # their own, which compile.
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    import uvicorn

    from damier.web.app import create_app
    from damier.web.guard import own_game
    from damier.web.settings import WebSettings

    settings = WebSettings(
        games=tuple(map(own_game, games or ())),
        allow_files=allow_files,
        allow_engines=allow_engines,
        engines=engines,
        max_seconds=max_seconds,
        max_memory=max_memory,
        max_games=max_games,
        hosts=LOOPBACK if host in LOOPBACK else (),
        runs=runs,
        database=database,
    )
    listening = _listen(host, port)
    address = f"http://{_shown(host)}:{listening.getsockname()[1]}/"
    notes.print(f"damier is at {address} (Ctrl-C stops it)", highlight=False)
    if browser and _has_desktop():
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    config = uvicorn.Config(
        create_app(settings), log_level="warning", ws="websockets-sansio", timeout_graceful_shutdown=2
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int | None) -> socket.socket:
    """At the port that was asked for; otherwise at the first free one."""
    from damier.core.errors import DamierError

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(PORT, PORT + PORTS) if port is None else (port,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
        except (OSError, TypeError, UnicodeError) as error:  # the last two: what can't be the name of a computer
            listening.close()
            reason = getattr(error, "strerror", None) or str(error)
            continue
        return listening
    ports = f"port {port}" if port is not None else f"ports {PORT} to {PORT + PORTS - 1}"
    raise DamierError(f"can't listen at {host}, {ports}: {reason}; choose another with --host or --port")


def _shown(host: str) -> str:
    return "127.0.0.1" if host == "0.0.0.0" else f"[{host}]" if ":" in host else host


def _has_desktop() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
