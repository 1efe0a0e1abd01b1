"""`damier match`: two players against each other."""

from typing import Annotated

import typer

from damier.cli.terminal.arguments import GameName, with_options
from damier.cli.terminal.events import Event


@with_options(Event)
def command(
    game: GameName,
    first: Annotated[
        str,
        typer.Argument(metavar="A", help="A player: `name[:option=value,...]`, or `file.py:Class` for your own."),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The opponent.")],
    options: Event,
    games: Annotated[int, typer.Option(help="Number of games; with --sprt, the most games to play.", min=1)] = 100,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as a sequential test decides whether A is ELO0 or ELO1 stronger (5 % error each).",
        ),
    ] = None,
) -> None:
    """Play a match between two players, with balanced seats and confidence intervals.

    Each game is stored when it ends. To resume an interrupted match, run the same command again.

    **Examples**

    - `damier match connect4 uct:sims=500 grave:sims=500 --games 200`
    - `damier match dames8 grave:sims=500,ref=10 rave:sims=500 --openings 4 --report match.html`
    - `damier match othello uct:sims=200 uct:sims=100 --sprt 0,50 --games 2000`
    - `damier match tictactoe examples/epsilon_greedy.py:EpsilonGreedy random --move-seconds 2`
    """
    from damier.arena.run import match

    options.play(match, game, first, second, games, sprt=_read_sprt(sprt) if sprt is not None else None)


def _read_sprt(text: str) -> tuple[float, float]:
    from damier.core.errors import SpecError

    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise SpecError("command.sprt", got=text) from None
    return elo0, elo1
