"""`damier serve`: the web application."""

import logging
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from damier.cli.terminal.events import Database
from damier.cli.terminal.output import notes
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.web.hosts import Hosts

PORT = 8000
PORTS = 100  # number of ports to try, in order
PROXIES = ["127.0.0.0/8", "::1"]  # whose X-Forwarded-For is trusted with --behind-proxy


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[path/to/file.py:Class]...", help="Your own games, in addition."),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on. By default, only this computer can connect.")] = (
        "127.0.0.1"
    ),
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further host name of this server; may be repeated."),
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option("--behind-proxy", help="Trust the X-Forwarded-For header of a proxy on this computer."),
    ] = False,
    port: Annotated[
        int | None, typer.Option(help=f"The port; default: {PORT}, or the next free one.", min=0, max=65535)
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    allow_files: Annotated[
        bool,
        typer.Option("--allow-files", help="Let visitors load games and players from files, and networks by path."),
    ] = False,
    allow_engines: Annotated[
        bool, typer.Option("--allow-engines", help="Let visitors play against other programs on this computer.")
    ] = False,
    processes: Annotated[int, typer.Option(help="Number of searches that run in parallel.", min=1, max=256)] = 2,
    max_seconds: Annotated[float, typer.Option(help="Time limit of a search, in seconds.", min=0.1)] = 10.0,
    prepare_seconds: Annotated[
        float,
        typer.Option(help="Time limit for compiling a search, in seconds; at least --max-seconds.", min=0.1),
    ] = 60.0,
    max_memory: Annotated[int, typer.Option(help="Memory limit of a search, in megabytes.", min=1)] = 64,
    max_games: Annotated[int, typer.Option(help="Games that one address may start per hour.", min=1)] = 1000,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the training runs.")] = Path("runs"),
    database: Database = None,
) -> None:
    """Start the web application: play any game against any player, analyse, and follow tournaments and training.

    **Examples**

    - `damier serve`
    - `damier serve --port 9000 --no-browser`
    - `damier serve path/to/file.py:Class` adds your own game
    """
    # The server runs the rules of one position at a time and never compiles. Searches run in separate processes,
    # which compile.
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    import uvicorn

    from damier.store.database import Store
    from damier.web.app import create_app
    from damier.web.hosts import Hosts
    from damier.web.permissions import own_game
    from damier.web.settings import WebSettings

    own_games, names = tuple(map(own_game, games or ())), tuple(map(_checked_name, allow_host or ()))
    Store(database).close()  # fails first if the database can't be opened
    listening = _listen(host, port)
    hosts = Hosts.at(host, listening.getsockname()[0], names)
    settings = WebSettings(
        games=own_games,
        allow_files=allow_files,
        allow_engines=allow_engines,
        processes=processes,
        max_seconds=max_seconds,
        prepare_seconds=prepare_seconds,
        max_memory=max_memory,
        max_games=max_games,
        hosts=hosts,
        runs=runs,
        database=database,
    )
    address = _tell_where(host, listening, hosts, behind_proxy)
    if browser and _has_desktop():
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=settings.max_body,
        # By default uvicorn trusts these headers from every process on this computer.
        proxy_headers=behind_proxy,
        forwarded_allow_ips=PROXIES,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    uvicorn.Server(config).run(sockets=[listening])


def _is_news(record: logging.LogRecord) -> bool:
    """Bytes that are no text close their WebSocket, which is all there is to it; uvicorn would print a traceback."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence received")


def _tell_where(host: str, listening: socket.socket, hosts: "Hosts", behind_proxy: bool) -> str:
    """Say where the page is, and who can reach it; the address of the page."""
    from damier.web.hosts import is_everywhere, is_local

    bound, port = listening.getsockname()[:2]
    shown = ("::1" if ":" in bound else "127.0.0.1") if is_everywhere(bound) else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    told = [say("serve.at", address=address)]
    if not is_local(bound):
        told.append(say("serve.reachable", host=bound, port=port, hosts=hosts))
    if behind_proxy:
        told.append(say("serve.proxy", hosts=hosts))
    for line in told:
        notes.print(line.text(), highlight=False, markup=False, soft_wrap=True)
    return address


def _checked_name(name: str) -> str:
    from damier.core.errors import DamierError
    from damier.web.hosts import host_name

    if host_name(name) != name.lower():
        raise DamierError("serve.bad-name", got=name[:60])
    return name


def _listen(host: str, port: int | None) -> socket.socket:
    """Listen on the requested port, or on the first free one."""
    from damier.core.errors import DamierError

    if not host.strip():
        raise DamierError("serve.no-host")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(PORT, PORT + PORTS) if port is None else (port,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
        except (OSError, TypeError, UnicodeError) as error:  # the last two: an invalid host name
            listening.close()
            reason = getattr(error, "strerror", None) or str(error)
            continue
        return listening
    if port is not None:
        raise DamierError("serve.port-taken", host=host[:60], port=port, why=reason)
    raise DamierError("serve.ports-taken", host=host[:60], first=PORT, last=PORT + PORTS - 1, why=reason)


def _has_desktop() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
