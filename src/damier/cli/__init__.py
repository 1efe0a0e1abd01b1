"""The command line: one program, one module a command.

The modules import the rest of damier only inside their commands, which keeps `damier --help` fast.
"""

import os
import sys
from collections.abc import Callable
from typing import Annotated, Any, NoReturn, TextIO

import typer

from damier.cli import (
    analyse,
    bench,
    check,
    endgame,
    engine,
    equilibrium,
    exercise,
    games,
    ladder,
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
from damier.cli.terminal.arguments import Command
from damier.cli.terminal.output import claim_stdout
from damier.core.errors import CompileError, DamierError, SpecError
from damier.core.messages import ENGLISH, LANGUAGES, VARIABLE, say, speaking
from damier.core.secrets import without_passwords
from damier.core.version import __version__

# The error that Typer raises for a wrong command line; its class depends on the bundled click.
_UsageError: Any = [cls for cls in typer.BadParameter.__mro__ if hasattr(cls, "format_message")][-1]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
COMMANDS: dict[str, Callable[..., None]] = {
    "games": games.command,
    "players": players.command,
    "play": play.command,
    "serve": serve.command,
    "match": match.command,
    "tournament": tournament.command,
    "ladder": ladder.command,
    "reproduce": reproduce.command,
    "train": train.command,
    "analyse": analyse.command,
    "solve": solve.command,
    "equilibrium": equilibrium.command,
    "tune": tune.command,
    "trace": trace.command,
    "exercise": exercise.command,
    "perft": perft.command,
    "check": check.command,
    "engine": engine.command,
    "bench": bench.command,
}
for _name, _function in COMMANDS.items():
    app.command(_name, cls=Command)(_function)
app.add_typer(runs.app, name="runs")
app.add_typer(endgame.app, name="endgame")


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
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks and full compiler messages.")] = False,
    lang: Annotated[
        str,
        typer.Option(metavar="en|fr", help="The language of errors, lessons and games; default: $DAMIER_LANG or en."),
    ] = "",
) -> None:
    """A laboratory for game-playing programs: compiled rules of many games, searches, players, tournaments."""


def main() -> None:
    """Run the command; bad input is one line on stderr and exit code 2."""
    claim_stdout()
    arguments = sys.argv[1:]
    debug = "--debug" in arguments  # anywhere on the line
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        lang, arguments = _language(arguments)  # anywhere too
    except DamierError as error:
        _fail(error.text())
    with speaking(lang):
        _run(arguments, debug)


def _run(arguments: list[str], debug: bool) -> None:
    try:
        code = app(arguments, prog_name="damier", standalone_mode=False)
        sys.stdout.flush()  # now, while an error can still be reported
        sys.exit(code)
    except DamierError as error:
        if debug:
            if isinstance(error, CompileError):
                print(error.details, file=sys.stderr)
            raise
        _fail(error.text())
    except _UsageError as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "damier"
        _fail(f"{error.format_message()} (`{path} --help` shows how)")
    except (typer.Abort, KeyboardInterrupt):
        print(say("command.stopped").text(), file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader, `| head` for example, has stopped reading
        _silence(sys.stdout)
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):  # Rich and Typer exit with code 1 there
            raise
        _silence(sys.stdout)
    except (OSError, MemoryError) as error:
        if debug:
            raise
        _fail(_refusal(error))


def _language(arguments: list[str]) -> tuple[str, list[str]]:
    """The requested language, and the other arguments."""
    chosen, rest, is_next = os.environ.get(VARIABLE) or ENGLISH, list[str](), False
    for argument in arguments:
        if is_next or argument.startswith("--lang="):
            chosen, is_next = argument.removeprefix("--lang="), False
        elif argument == "--lang":
            is_next = True
        else:
            rest.append(argument)
    if is_next or chosen not in LANGUAGES:
        raise SpecError("spec.language", known=list(LANGUAGES), got="" if is_next else chosen)
    return chosen, rest


def _refusal(error: OSError | MemoryError) -> str:
    """The message for a system error: no memory, an unusable file, or output to a full disk."""
    if isinstance(error, MemoryError):
        return say("system.memory", why=str(error)).text() if str(error) else say("system.less-memory").text()
    try:
        sys.stdout.flush()
    except OSError:
        _silence(sys.stdout)
    reason = error.strerror or str(error)
    if error.filename:
        return say("system.file", path=error.filename, why=reason).text()
    return say("system.no-file", why=reason).text()


def _fail(message: str) -> NoReturn:
    try:
        print(f"damier: {without_passwords(' '.join(message.split()))}", file=sys.stderr)
    except OSError:  # the message can't be written
        _silence(sys.stderr)
    sys.exit(2)


def _silence(stream: TextIO) -> None:
    """Discard pending output, because Python would try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
