"""The command line: one executable, one module a command.

The modules here import the rest of damier only inside their commands, so that `damier --help` is quick.
"""

import os
import sys
from typing import Annotated, Any

import typer

from damier import __version__
from damier.cli import (
    analyse,
    bench,
    check,
    endgame,
    engine,
    exercise,
    games,
    match,
    perft,
    play,
    players,
    reproduce,
    runs,
    serve,
    solve,
    tournament,
    trace,
    train,
    tune,
)
from damier.core.errors import CompileError, DamierError

# What Typer raises for a wrong command line, whichever click it carries.
_UsageError: Any = [cls for cls in typer.BadParameter.__mro__ if hasattr(cls, "format_message")][-1]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command("games")(games.command)
app.command("players")(players.command)
app.command("play")(play.command)
app.command("serve")(serve.command)
app.command("match")(match.command)
app.command("tournament")(tournament.command)
app.command("reproduce")(reproduce.command)
app.command("train")(train.command)
app.add_typer(runs.app, name="runs")
app.command("analyse")(analyse.command)
app.command("solve")(solve.command)
app.add_typer(endgame.app, name="endgame")
app.command("tune")(tune.command)
app.command("trace")(trace.command)
app.command("exercise")(exercise.command)
app.command("perft")(perft.command)
app.command("check")(check.command)
app.command("engine")(engine.command)
app.command("bench")(bench.command)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"damier {__version__}")
        raise typer.Exit


@app.callback(
    epilog="Games: `connect4`, `mnk:rows=15,cols=15,k=5`, `file.py:Class`. Players: `human`, `random`, `uct:sims=500`."
)
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks and the compiler's full messages.")] = False,
) -> None:
    """A laboratory for game-playing programs: rules of many games, compiled; searches, players, tournaments."""


def main() -> None:
    """Run the command; bad input is one line on stderr and exit code 2."""
    arguments = sys.argv[1:]
    debug = "--debug" in arguments  # may stand anywhere on the line
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        sys.exit(app(arguments, prog_name="damier", standalone_mode=False))
    except DamierError as error:
        if debug:
            if isinstance(error, CompileError):
                print(error.details, file=sys.stderr)
            raise
        _fail(str(error))
    except _UsageError as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "damier"
        _fail(f"{error.format_message()} (`{path} --help` shows how)")
    except (typer.Abort, KeyboardInterrupt):
        print("stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader, `| head` for example, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> None:
    print(f"damier: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)
