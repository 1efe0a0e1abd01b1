"""`damier check`: does a game, or a player of your own, keep the laws?"""

from typing import TYPE_CHECKING, Annotated

import typer

from damier.cli.terminal.output import Json, Seed, console, print_json, working

if TYPE_CHECKING:
    from damier.players.check import PlayerReport


def command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A game, `name[:option=value,...]`; or `file.py:Class`, a game or a player of your own.",
        ),
    ],
    games: Annotated[int, typer.Option(help="How many random games to check, or positions of them.", min=1)] = 20,
    game: Annotated[
        list[str] | None, typer.Option(help="A game on which to check a player; repeat it for several.")
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game, or a player of your own, keeps the laws of the protocol.

    A game is played at random, compiled and uncompiled side by side. A player is asked for its moves on random
    positions of several games. The check stops at the first law that is broken.

    **Examples**

    - `damier check othello:size=6`
    - `damier check examples/breakthrough.py:Breakthrough --games 100`
    - `damier check examples/epsilon_greedy.py:EpsilonGreedy --game connect4`
    """
    from damier.core.errors import SpecError
    from damier.games import check_game

    if _is_player(name):
        _check_player(name, game, games, seed, json)
        return
    if game:
        raise SpecError(f"--game says on what to check a player, and '{name}' is none")
    with working(f"checking {name}"):
        report = check_game(name, games, seed)
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


def _is_player(name: str) -> bool:
    """Whether `file.py:Class` is a player; every other name is of a game."""
    from damier.core.kinds import kind_of
    from damier.core.loading import is_file_name
    from damier.core.spec import split_spec
    from damier.players import class_of

    place = split_spec(name)[0]
    return is_file_name(place) and kind_of(class_of(place)) == "player"


def _check_player(name: str, games: list[str] | None, positions: int, seed: int, json: bool) -> None:
    from damier.players.check import GAMES, check_player

    with working(f"checking {name}"):
        report = check_player(name, games or GAMES, positions, seed)
    if json:
        print_json(report.as_dict())
        return
    _show(report)


def _show(report: "PlayerReport") -> None:
    where = f"{report.positions} positions of {', '.join(report.games)}"
    console.print(f"[bold]{report.player}[/bold]: {where}, no law broken", soft_wrap=True, highlight=False)
    for law in report.laws:
        console.print(f"  [green]ok[/green] {law}", highlight=False, soft_wrap=True)
    if report.absent:
        told = "it takes no `seed`, so equal seeds are not checked"
        console.print(f"  [dim]{told}[/dim]", highlight=False)
    console.print(f"{report.seconds:.3g} s a move, {report.longest:.3g} s at most", highlight=False)
