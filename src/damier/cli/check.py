"""`damier check`: does a game, or your own class of any kind, keep its laws?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import Json, Seed
from damier.cli.terminal.output import console, print_json, working

if TYPE_CHECKING:
    from damier.core.conformance import Report
    from damier.players.check import AnyReport, PlayerReport
    from damier.search.laws import PartReport


def command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A game, `name[:option=value,...]`; or `file.py:Class`: your own game, player, evaluation, selection"
            " rule or playout policy.",
        ),
    ],
    games: Annotated[int, typer.Option(help="Number of random games to check, or of positions in them.", min=1)] = 20,
    game: Annotated[
        list[str] | None,
        typer.Option(help="A game on which to check a player or a part of a search; may be repeated."),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game, or your own class of any kind, keeps its laws.

    For a game, the check plays random games, compiled and uncompiled side by side, and describes them. For a player,
    it asks for moves in random positions of several games; evaluations, selection rules and playout policies are
    tried in such positions too. The check stops at the first broken law.

    **Examples**

    - `damier check othello:size=6`
    - `damier check examples/breakthrough.py:Breakthrough --games 100`
    - `damier check examples/epsilon_greedy.py:EpsilonGreedy --game connect4`
    - `damier check examples/corners.py:Corners --game othello`
    """
    from damier.players.check import check

    with working(f"checking {name}"):
        report = check(name, game or (), games, seed)
    if json:
        print_json(report.as_dict())
        return
    for line in _lines(report):
        console.print(line, highlight=False, soft_wrap=True)


def _lines(report: "AnyReport") -> Iterator[str]:
    """What a report says, of whichever kind."""
    from damier.core.conformance import Report
    from damier.players.check import PlayerReport

    if isinstance(report, Report):
        return _show_game(report)
    return _show_player(report) if isinstance(report, PlayerReport) else _show_part(report)


def _show_game(report: "Report") -> Iterator[str]:
    yield f"[bold]{report.game}[/bold]: {report.games} random games, {report.plies} moves, no law broken"
    yield from map(_kept, report.laws)
    if report.absent:
        yield f"  [dim]not there, so not checked: {' '.join(report.absent)}[/dim]"
    if report.knowledge:
        yield _known(report.knowledge)
    yield f"moves in a game: {_spread(report.lengths)}"
    yield f"moves to choose from: {_spread(report.branching)}"
    yield f"moves made: {_shares(report.moved)}"
    yield f"games won: {_shares(report.wins)}" if report.wins else f"payoffs: {_spread(report.payoffs)}"
    for warning in report.warnings:
        yield f"[yellow]warning:[/yellow] {warning}"


def _known(knowledge: dict[str, Any]) -> str:
    """What the players know: whether they remember, and in how many situations they can find themselves."""
    recall = f"hidden information, {knowledge['recall']} recall"
    if not knowledge["is_exact"]:
        return f"{recall}, in the positions of these games"
    sets = " + ".join(map(str, knowledge["information_sets"]))
    return f"{recall}, in all {knowledge['nodes']:,} positions before the end; information sets: {sets}"


def _show_player(report: "PlayerReport") -> Iterator[str]:
    yield f"[bold]{report.player}[/bold]: {report.positions} positions of {', '.join(report.games)}, no law broken"
    yield from map(_kept, report.laws)
    if report.absent:
        yield "  [dim]it takes no `seed`, so equal seeds are not checked[/dim]"
    yield f"{report.seconds:.3g} s a move, {report.longest:.3g} s at most"


def _show_part(report: "PartReport") -> Iterator[str]:
    listed = ", ".join(f"{count} of {game}" for game, count in report.positions.items())
    yield f"[bold]{report.part}[/bold] is {_article(report.kind)} {report.kind}: positions {listed}; no law broken"
    yield from map(_kept, report.laws)
    for game, reason in report.refused.items():
        yield f"  [dim]not for {game}: {reason}[/dim]"


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _kept(law: str) -> str:
    return f"  [green]ok[/green] {law}"


def _spread(numbers: dict[str, float]) -> str:
    return f"{numbers['min']:.4g} to {numbers['max']:.4g}, on average {numbers['mean']:.4g}"


def _shares(counts: dict[str, int]) -> str:
    total = sum(counts.values()) or 1
    return ", ".join(f"{name} {count} ({count / total:.0%})" for name, count in counts.items())
