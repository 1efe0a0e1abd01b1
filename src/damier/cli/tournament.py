"""`damier tournament`: a round robin."""

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
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="A B ...", help="The players, two or more: `name[:option=value,...]`, or `file.py:Class`."
        ),
    ],
    games: Annotated[int, typer.Option(help="Games for each pair (for three seats: each three, ...).", min=1)] = 60,
    seed: Seed = 0,
    openings: Openings = "0",
    move_seconds: MoveSeconds = None,
    workers: Workers = None,
    cluster: Cluster = None,
    database: Database = None,
    fresh: Fresh = False,
    report: Report = None,
    json: Json = False,
) -> None:
    """A round robin of any number of players, with ratings and confidence intervals.

    Each game is kept as it ends: a tournament that was interrupted goes on when the same command is given again.

    **Examples**

    - `damier tournament dames8 uct:sims=100 rave:sims=100 grave:sims=100`
    - `damier tournament connect4 uct:sims=50 uct:sims=200 flat:sims=200 random --games 40 --report table.html`
    """
    from damier.arena.run import Conclusion, tournament

    with Conclusion() as conclusion:
        with Watch() as watch:
            result = tournament(
                game,
                players,
                games,
                seed,
                read_openings(openings),
                move_seconds=move_seconds,
                workers=workers,
                cluster=cluster,
                database=database,
                fresh=fresh,
                watcher=watch,
                conclusion=conclusion,
            )
        show(result, json, report)
