"""`damier check`: does a game keep the laws?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from damier.cli.terminal.output import GameName, Json, Seed, console, print_json, working

if TYPE_CHECKING:
    from damier.core.conformance import Report


def command(
    game: GameName,
    games: Annotated[int, typer.Option(help="How many random games to check.", min=1)] = 20,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game keeps the laws of the protocol, also one of your own.

    It plays random games, compiled and uncompiled side by side, and stops at the first law that is broken. It then
    shows what the games were like, with warnings: a player who never moved breaks no law and is probably a mistake.

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
    _say(f"[bold]{report.game}[/bold]: {report.games} random games, {report.plies} moves, no law broken")
    for law in report.laws:
        _say(f"  [green]ok[/green] {law}")
    if report.absent:
        _say(f"  [dim]not there, so not checked: {' '.join(report.absent)}[/dim]")
    for line in _what_happened(report):
        _say(line)
    for warning in report.warnings:
        _say(f"[yellow]warning:[/yellow] {warning}")


def _say(line: str) -> None:
    console.print(line, highlight=False, soft_wrap=True)


def _what_happened(report: "Report") -> Iterator[str]:
    yield f"moves in a game: {_spread(report.lengths)}"
    yield f"moves to choose from: {_spread(report.branching)}"
    yield f"moves made: {_shares(report.moved)}"
    yield f"games won: {_shares(report.wins)}" if report.wins else f"payoffs: {_spread(report.payoffs)}"


def _spread(numbers: dict[str, float]) -> str:
    return f"{numbers['min']:.4g} to {numbers['max']:.4g}, on average {numbers['mean']:.4g}"


def _shares(counts: dict[str, int]) -> str:
    total = sum(counts.values()) or 1
    return ", ".join(f"{name} {count} ({count / total:.0%})" for name, count in counts.items())
