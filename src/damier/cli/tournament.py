"""`damier tournament`: a round robin."""

from typing import Annotated

import typer

from damier.cli.terminal.arguments import GameName, with_options
from damier.cli.terminal.events import Event


@with_options(Event)
def command(
    game: GameName,
    players: Annotated[
        list[str],
        typer.Argument(metavar="A B ...", help="Two or more players: `name[:option=value,...]`, or `file.py:Class`."),
    ],
    options: Event,
    games: Annotated[
        int, typer.Option(help="Games per pair (per group of three in a game for three, ...).", min=1)
    ] = 60,
) -> None:
    """Play a round robin of any number of players, with ratings and confidence intervals.

    Each game is stored when it ends. To resume an interrupted tournament, run the same command again.

    **Examples**

    - `damier tournament dames8 uct:sims=100 rave:sims=100 grave:sims=100`
    - `damier tournament connect4 uct:sims=50 uct:sims=200 flat:sims=200 random --games 40 --report table.html`
    """
    from damier.arena.run import tournament

    options.play(tournament, game, players, games)
