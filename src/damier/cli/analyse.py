"""`damier analyse`: a player's analysis of a position."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import GameName, Json, Moves, PositionText, Seed
from damier.cli.terminal.output import console, find_position, headings, print_json, print_table, working
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.search.result import SearchResult

ANALYST = "uct:seconds=1"
HIDDEN_ANALYST = "ismcts:seconds=1"
LISTED = 10  # moves in the table


def command(
    game: GameName,
    position: PositionText = None,
    moves: Moves = "",
    player: Annotated[
        str | None,
        typer.Option(
            help="The player: `name[:option=value,...]`, or `file.py:Class` for your own; default: "
            f"`{ANALYST}`, or `{HIDDEN_ANALYST}` for hidden information."
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(help="Number of moves to list, best first. By default 10 in the table, all in JSON.", min=1),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Analyse a position with a player: its move, the other moves and the main line.

    In a game of hidden information the position is shown as the player to move sees it.

    **Examples**

    - `damier analyse connect4 --moves "d d d d d"`
    - `damier analyse dames8 --player grave:sims=20000 --top 3`
    - `damier analyse sliding --player idastar --json`
    - `damier analyse draughts:rules=english --position "W:W23:B10,11,18,19"`
    - `damier analyse kuhn --moves "K J" --player "pimc:deals=50,search=(minimax:depth=5)"`
    """
    from damier.core.errors import DamierError
    from damier.players import player as find_player

    pos = find_position(game, position, moves)
    if pos.is_over:
        raise DamierError("command.nothing-to-analyse", position=pos.described())
    if pos.is_chance:
        raise DamierError(
            "command.chance-moves", position=pos.described(), example=pos.notation(next(iter(pos.outcomes)))
        )
    name = player or (HIDDEN_ANALYST if pos.game.is_hidden else ANALYST)
    thinker = find_player(name)
    with working(say("analyse.thinks", player=name).text()):
        result = thinker.search(pos, seed)
    judged = None if pos.game.is_hidden else thinker.judged(pos)  # an evaluation sees hidden cards
    seen = pos.seen_by(pos.player)
    if json:
        evaluation = [] if judged is None else _contributions(judged)
        print_json(_document(seen, name, seed, result, top) | {"evaluation": evaluation})
        return
    console.print(seen.draw(), highlight=False, markup=False)
    _print_moves(seen, result, top or LISTED)
    if judged is not None:
        _print_evaluation(judged)
    expected = "" if pos.game.is_hidden else f"  {say('analyse.expected', line=' '.join(_line(pos, result))).text()}"
    console.print(f"[bold]{result.notation}[/bold]{expected}", highlight=False)
    _print_deals(result)
    console.print(_summary(seen, name, result), highlight=False, style="dim")


def _print_moves(position: "Position", result: "SearchResult", top: int) -> None:
    """Print the moves by their share of the search, with their values for the player to move."""
    order = _best_first(result)
    if not order:
        return
    left = len(order) - top
    player = position.player + 1
    title = say("title.analysis-more", player=player, count=left) if left > 0 else say("title.analysis", player=player)
    columns = headings("share") + _guided_columns(position) if result.priors else headings("share", "visits", "value")
    cells = _guided_cells if result.priors else _cells
    if result.deals:
        columns, cells = headings("share", "best-in", "value"), _cells_over_deals
    rows = [
        [position.notation(result.moves[i]), f"{result.policy[i]:.1%}", *cells(position, result, i)]
        for i in order[:top]
    ]
    print_table(title, [*headings("move"), *columns], rows, tuple(columns))


def _best_first(result: "SearchResult") -> list[int]:
    """The places of the moves: the move to play, then the others by their share of the search."""
    return sorted(range(len(result.moves)), key=lambda i: (result.moves[i] != result.move, -result.policy[i]))


def _cells(position: "Position", result: "SearchResult", i: int) -> list[str]:
    visits = f"{result.visits[i]}" if result.visits else "-"
    score = (
        position.game.value_text(result.scores[i]) if result.scores and (not result.visits or result.visits[i]) else "-"
    )
    return [visits, score]


def _cells_over_deals(position: "Position", result: "SearchResult", i: int) -> list[str]:
    return [
        say("analyse.best-in", best=result.best_in[i], deals=result.deals).text(),
        position.game.value_text(result.scores[i]) if result.scores else "-",
    ]


def _print_deals(result: "SearchResult") -> None:
    """Say in how many deals the move was best with open cards, or had the vote of the player inside."""
    if result.deals:
        best = result.best_in[result.moves.index(result.move)]
        key = "analyse.best-in-all" if best == result.deals else "analyse.best-in-some"
        key = key if result.scores else "analyse.voted"
        console.print(say(key, move=result.notation, best=best, deals=result.deals).text(), highlight=False)


def _guided_columns(position: "Position") -> list[str]:
    """Columns in AlphaZero's notation: the prior P, the visits N and, for each player, the mean value Q and the
    network's value v of the position after the move."""
    players = range(1, position.game.num_players + 1)
    return ["P", "N", *(f"Q {player}" for player in players), *(f"v {player}" for player in players)]


def _guided_cells(position: "Position", result: "SearchResult", i: int) -> list[str]:
    values = [*result.move_values[i], *result.first_values[i]]
    shown = [position.game.value_text(value) if result.visits[i] else "-" for value in values]
    return [f"{result.priors[i]:.1%}", f"{result.visits[i]}", *shown]


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
        shown = ", ".join(position.game.value_text(value) for value in position.evaluate())
        columns = headings("feature", "by-player", "weight", "adds")
        print_table(say("title.evaluation", values=shown), columns, rows, tuple(columns[2:]))


def _line(position: "Position", result: "SearchResult") -> list[str]:
    words: list[str] = []
    for move in result.pv[:1] if position.game.is_hidden else result.pv:  # the rest is of a deal, or of the truth
        words.append(position.notation(move))
        position = position.play(move)
    return words


def _summary(position: "Position", player: str, result: "SearchResult") -> str:
    parts = [player]
    if result.values is not None:
        shown = ", ".join(position.game.value_text(value) for value in result.values)
        parts.append(say("analyse.value", players=len(result.values), values=shown).text())
    counts = {"analyse.sims": result.sims, "analyse.nodes": result.nodes, "analyse.depth": result.depth}
    parts += [say(key, count=count).text() for key, count in counts.items() if count]
    return "; ".join([*parts, f"{result.seconds:.2f} s"])


def _document(position: "Position", player: str, seed: int, result: "SearchResult", top: int | None) -> dict[str, Any]:
    listed = []
    for i in _best_first(result)[:top]:
        entry: dict[str, Any] = {"move": position.notation(result.moves[i]), "share": result.policy[i]}
        entry |= {"visits": result.visits[i]} if result.visits else {}
        entry |= {"value": result.scores[i]} if result.scores else {}
        entry |= {"best_in": result.best_in[i]} if result.deals else {}
        if result.priors:
            entry |= {
                "prior": result.priors[i],
                "values": result.move_values[i],
                "first_values": result.first_values[i],
            }
        listed.append(entry)
    return {
        "game": position.game.name,
        "position": None if position.game.is_hidden else position.origin.text(),
        "moves": position.line(),
        "to_move": position.player,
        "player": player,
        "seed": seed,
        "move": result.notation,
        "line": _line(position, result),
        "values": result.values,
        "candidates": listed,
        **({"deals": result.deals} if result.deals else {}),
        "sims": result.sims,
        "nodes": result.nodes,
        "depth": result.depth,
        "seconds": round(result.seconds, 6),
    }
