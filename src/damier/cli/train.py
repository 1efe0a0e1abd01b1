"""`damier train`: AlphaZero."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import Json
from damier.cli.terminal.events import Cluster
from damier.cli.terminal.output import console, print_json
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.zero.metrics import Row
    from damier.zero.run import Run


def command(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The game to learn; not needed with --resume.", show_default=False),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="A file of settings, like the `config.toml` of a run.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the run; default: `runs/<game>-<date-time>`.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="DIR", help="Resume a run.")] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="RUN|FILE",
            help="Start from the weights of another run, of an .onnx file, or of a network that comes with damier.",
        ),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Number of iterations of self-play, learning and gate.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Stop after this many minutes, at the end of an iteration.")
    ] = None,
    sims: Annotated[int | None, typer.Option(help="Simulations per move in self-play.")] = None,
    games: Annotated[int | None, typer.Option(help="Self-play games per iteration.")] = None,
    workers: Annotated[
        int | None, typer.Option(help="Number of processes that play; default: one per core.", min=1)
    ] = None,
    cluster: Cluster = None,
    seed: Annotated[int | None, typer.Option(help="The seed of all random numbers.")] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Any other setting; may be repeated."),
    ] = None,
    json: Json = False,
) -> None:
    """Train a network by self-play, from random weights: AlphaZero. The defaults are the recommended recipe.

    With --from the network starts from another one, also of another game or board: every layer that fits is taken.
    The run is stored as it proceeds. Resume an interrupted run with --resume.

    **Examples**

    - `damier train tictactoe`
    - `damier train connect4 --minutes 60 --out runs/four`
    - `damier train --resume runs/four --iterations 100`
    - `damier train connect4 --cluster 10.0.0.1:6379`
    - `damier train blokus --from blokus-board-duo --out runs/classic`
    - `damier train mnk:rows=4,cols=4,k=3 --sims 64 --set network.kind=small --set gate.kind=sprt`
    """
    from damier.core.errors import SpecError
    from damier.zero import require_training
    from damier.zero.configuration import merged, parse_assignments

    options = {"iterations": iterations, "minutes": minutes, "seed": seed}
    given: dict[str, Any] = {key: value for key, value in options.items() if value is not None}
    given = merged(given, {"search": {"sims": sims}} if sims is not None else {})
    given = merged(given, {"selfplay": {"games": games}} if games is not None else {})
    given = merged(given, parse_assignments(assign or []))
    if resume is not None and out is not None:
        raise SpecError("command.out-or-resume")
    if resume is None and game is None:
        raise SpecError("command.no-game")
    require_training()
    if start is not None:
        from damier.zero.origin import full_name

        given = merged(given, {"start": {"network": full_name(start)}})
    run = _open(resume, game, config, given) if resume is not None else _create(str(game), out, config, given)
    rows = _train(run, workers, cluster)
    if json:
        print_json({"run": str(run.folder), "game": run.game.name, "network": str(run.best), "rows": rows})
    else:
        console.print(say("command.trained", path=run.best, count=len(rows)).text(), highlight=False, markup=False)
        console.print(
            f"  damier play {run.settings.game} --seat human --seat zero:net={run.folder}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )


def _create(game: str, out: Path | None, config: Path | None, given: dict[str, Any]) -> "Run":
    from damier.core.errors import SpecError
    from damier.games import game as find_game
    from damier.zero.configuration import read_toml, settings_for, validated
    from damier.zero.run import create_run, default_folder

    found = find_game(game)
    tree = read_toml(config) if config else {}
    if config:
        validated({"game": game} | tree, str(config))  # an error then names the file
        if "game" in tree and find_game(tree["game"]).name != found.name:
            raise SpecError("command.other-game", path=config, theirs=tree["game"], game=found.name)
    settings = settings_for(game, tree, given)
    from damier.zero.network import build_network
    from damier.zero.targets import build_heads

    build_network(found, settings.network)  # what does not fit is an error before there is a folder
    build_heads(found, settings.network, settings.training)
    return create_run(out or default_folder(found), settings)


def _open(folder: Path, game: str | None, config: Path | None, given: dict[str, Any]) -> "Run":
    from damier.zero.configuration import merged, read_toml, validated
    from damier.zero.run import change_settings, open_run

    run = open_run(folder, game)
    tree = merged(run.settings.model_dump(), read_toml(config) if config else {})
    return change_settings(run, validated(merged(tree, given), "the settings"))


def _train(run: "Run", workers: int | None, cluster: str | None) -> "list[Row]":
    from damier.cli.terminal.dashboard import Dashboard, PlainLines
    from damier.zero.loop import train

    audience = Dashboard() if sys.stderr.isatty() else PlainLines()
    with audience:
        try:
            return train(run, workers, audience, cluster)
        except KeyboardInterrupt:
            audience.note(say("command.stopped-run", folder=run.folder).text())
            raise
