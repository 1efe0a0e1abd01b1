"""`damier analyse`: a player's analysis of a position."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import GameName, Json, Moves, PositionText, Seed
from damier.cli.terminal.output import console, find_position, print_json, print_table, working

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.search.result import SearchResult

ANALYST = "uct:seconds=1"


def command(
    game: GameName,
    position: PositionText = "",
    moves: Moves = "",
    player: Annotated[
        str, typer.Option(help="The player: `name[:option=value,...]`, or `file.py:Class` for your own.")
    ] = ANALYST,
    top: Annotated[int, typer.Option(help="Number of moves to list, best first.", min=1)] = 10,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Analyse a position with a player: its move, the other moves and the main line.

    **Examples**

    - `damier analyse connect4 --moves "d d d d d"`
    - `damier analyse dames8 --player grave:sims=20000 --top 3`
    - `damier analyse sliding --player idastar --json`
    - `damier analyse draughts:rules=english --position "W:W23:B10,11,18,19"`
    """
    from damier.core.errors import DamierError
    from damier.players import player as find_player

    pos = find_position(game, position, moves)
    if pos.is_over:
        raise DamierError("command.nothing-to-analyse", position=repr(pos))
    if pos.is_chance:
        raise DamierError("command.chance-moves", position=repr(pos))
    thinker = find_player(player)
    with working(f"{player} thinks"):
        result = thinker.search(pos, seed)
    judged = thinker.judged(pos)
    if json:
        print_json(_document(pos, player, seed, result) | {"evaluation": _contributions(judged)})
        return
    console.print(pos.draw(), highlight=False, markup=False)
    _print_moves(pos, result, top)
    _print_evaluation(judged)
    console.print(f"[bold]{result.notation}[/bold]  expected: {' '.join(_line(pos, result))}", highlight=False)
    console.print(_summary(pos, player, result), highlight=False, style="dim")


def _print_moves(position: "Position", result: "SearchResult", top: int) -> None:
    """Print the moves by their share of the search, with their values for the player to move."""
    order = sorted(range(len(result.moves)), key=lambda i: (result.moves[i] != result.move, -result.policy[i]))
    if not order:
        return
    left = len(order) - top
    title = f"player {position.player + 1} to move" + (f", and {left} moves more" if left > 0 else "")
    columns = ["share", *_guided_columns(position)] if result.priors else ["share", "visits", "value"]
    cells = _guided_cells if result.priors else _cells
    rows = [
        [position.notation(result.moves[i]), f"{result.policy[i]:.1%}", *cells(position, result, i)]
        for i in order[:top]
    ]
    print_table(title, ["move", *columns], rows, tuple(columns))


def _cells(position: "Position", result: "SearchResult", i: int) -> list[str]:
    visits = f"{result.visits[i]}" if result.visits else "-"
    score = _value(position, result.scores[i]) if result.scores and (not result.visits or result.visits[i]) else "-"
    return [visits, score]


def _guided_columns(position: "Position") -> list[str]:
    """Columns in AlphaZero's notation: the prior P, the visits N and, for each player, the mean value Q and the
    network's value v of the position after the move."""
    players = range(1, position.game.num_players + 1)
    return ["P", "N", *(f"Q {player}" for player in players), *(f"v {player}" for player in players)]


def _guided_cells(position: "Position", result: "SearchResult", i: int) -> list[str]:
    values = [*result.move_values[i], *result.first_values[i]]
    shown = [_value(position, value) if result.visits[i] else "-" for value in values]
    return [f"{result.priors[i]:.1%}", f"{result.visits[i]}", *shown]


def _value(position: "Position", value: float) -> str:
    """A value in the game's own unit, if it has one."""
    rules = position.game.rules
    return str(rules.format_value(value)) if position.game.has("format_value") else f"{value:+.3f}"


def _contributions(position: "Position") -> list[dict[str, Any]]:
    """The terms of the evaluation: each feature, its weight and its contribution for the player to move."""
    if not position.game.has("features"):
        return []
    found, me = [], position.player
    for (name, amounts), weight in zip(position.features().items(), position.game.feature_weights, strict=True):
        others = [amount for player, amount in enumerate(amounts) if player != me]
        more = amounts[me] - sum(others) / max(1, len(others))
        found.append({"feature": name, "amounts": amounts, "weight": float(weight), "adds": float(weight) * more})
    return found


def _print_evaluation(position: "Position") -> None:
    rows = []
    for each in _contributions(position):
        amounts = " ".join(f"{amount:.4g}" for amount in each["amounts"])
        rows.append([each["feature"], amounts, f"{each['weight']:.4g}", f"{each['adds']:+.4g}"])
    if rows:
        shown = ", ".join(_value(position, value) for value in position.evaluate())
        print_table(
            f"evaluation by player {shown}", ["feature", "by player", "weight", "adds"], rows, ("weight", "adds")
        )


def _line(position: "Position", result: "SearchResult") -> list[str]:
    words = []
    for move in result.pv:
        words.append(position.notation(move))
        position = position.play(move)
    return words


def _summary(position: "Position", player: str, result: "SearchResult") -> str:
    parts = [player]
    if result.values is not None:
        shown = ", ".join(_value(position, value) for value in result.values)
        parts.append(f"value by player {shown}" if len(result.values) > 1 else f"value {shown}")
    for count, word in ((result.sims, "simulations"), (result.nodes, "nodes")):
        if count:
            parts.append(f"{count:,} {word}")
    if result.depth:
        parts.append(f"depth {result.depth}")
    return "; ".join([*parts, f"{result.seconds:.2f} s"])


def _document(position: "Position", player: str, seed: int, result: "SearchResult") -> dict[str, Any]:
    listed = []
    for i, move in enumerate(result.moves):
        entry: dict[str, Any] = {"move": position.notation(move), "share": result.policy[i]}
        entry |= {"visits": result.visits[i]} if result.visits else {}
        entry |= {"value": result.scores[i]} if result.scores else {}
        if result.priors:
            entry |= {
                "prior": result.priors[i],
                "values": result.move_values[i],
                "first_values": result.first_values[i],
            }
        listed.append(entry)
    return {
        "game": position.game.name,
        "position": position.origin.text(),
        "moves": position.line(),
        "to_move": position.player,
        "player": player,
        "seed": seed,
        "move": result.notation,
        "line": _line(position, result),
        "values": result.values,
        "candidates": listed,
        "sims": result.sims,
        "nodes": result.nodes,
        "depth": result.depth,
        "seconds": round(result.seconds, 6),
    }
