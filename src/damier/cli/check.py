"""`damier check`: does a game keep the laws?"""

from typing import Annotated

import typer

from damier.cli.terminal.output import GameName, Json, Seed, console, print_json, working


def command(
    game: GameName,
    games: Annotated[int, typer.Option(help="How many random games to check.", min=1)] = 20,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game keeps the laws of the protocol, also one of your own.

    It plays random games, compiled and uncompiled side by side, and stops at the first law that is broken.

    **Examples**

    - `damier check othello:size=6`
    - `damier check examples/breakthrough.py:Breakthrough --games 100`
    """
    from damier.games import check_game

    with working(f"checking {game}"):
        report = check_game(game, games, seed)
    if json:
        print_json(report.as_dict())
        return
    console.print(
        f"[bold]{report.game}[/bold]: {report.games} random games, {report.plies} moves, no law broken", soft_wrap=True
    )
    for law in report.laws:
        console.print(f"  [green]ok[/green] {law}", highlight=False, soft_wrap=True)
    if report.absent:
        console.print(
            f"  [dim]not there, so not checked: {' '.join(report.absent)}[/dim]", highlight=False, soft_wrap=True
        )
