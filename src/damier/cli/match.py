"""`damier match`: two players against each other."""

from typing import Annotated

import typer

from damier.cli.terminal.events import (
    Cluster,
    Database,
    Fresh,
    MoveSeconds,
    Openings,
    Report,
    Watch,
    Workers,
    read_openings,
    show,
)
from damier.cli.terminal.output import GameName, Json, Seed


def command(
    game: GameName,
    first: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A player: `name[:option=value,...]`, or `file.py:Class` for one of your own."
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    games: Annotated[int, typer.Option(help="How many games; with --sprt at most so many.", min=1)] = 100,
    seed: Seed = 0,
    openings: Openings = "0",
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as a sequential test can tell whether A is ELO0 or ELO1 stronger (5 % error each).",
        ),
    ] = None,
    move_seconds: MoveSeconds = None,
    workers: Workers = None,
    cluster: Cluster = None,
    database: Database = None,
    fresh: Fresh = False,
    report: Report = None,
    json: Json = False,
) -> None:
    """Play two players against each other, seats balanced, with confidence intervals.

    Each game is kept as it ends: a match that was interrupted goes on when the same command is given again.

    **Examples**

    - `damier match connect4 uct:sims=500 grave:sims=500 --games 200`
    - `damier match dames8 grave:sims=500,ref=10 rave:sims=500 --openings 4 --report match.html`
    - `damier match othello uct:sims=200 uct:sims=100 --sprt 0,50 --games 2000`
    - `damier match tictactoe examples/epsilon_greedy.py:EpsilonGreedy random --move-seconds 2`
    """
    from damier.arena.run import Conclusion, match

    test = _read_sprt(sprt) if sprt is not None else None
    with Conclusion() as conclusion:
        with Watch() as watch:
            result = match(
                game,
                first,
                second,
                games,
                seed,
                read_openings(openings),
                test,
                move_seconds=move_seconds,
                workers=workers,
                cluster=cluster,
                database=database,
                fresh=fresh,
                watcher=watch,
                conclusion=conclusion,
            )
        show(result, json, report)


def _read_sprt(text: str) -> tuple[float, float]:
    from damier.core.errors import SpecError

    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise SpecError("command.sprt", got=text) from None
    return elo0, elo1
