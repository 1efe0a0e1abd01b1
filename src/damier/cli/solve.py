"""`damier solve`: the exact score of a position."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from damier.cli.terminal.arguments import GameName, Json, Moves, PositionText
from damier.cli.terminal.output import console, counting, find_position, headings, print_json, print_table, working
from damier.core.messages import say

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.search.solve import Solution


def command(
    game: GameName,
    position: PositionText = None,
    moves: Moves = "",
    score: Annotated[bool, typer.Option("--score", help="Solve only the position, not each move.")] = False,
    memory: Annotated[int, typer.Option(help="Megabytes of the transposition table.", min=1)] = 32,
    json: Json = False,
) -> None:
    """Solve a position exactly: its score with best play, and the score of each move.

    A score is for the player to move, in the game's usual convention: in Connect 4 faster wins score higher, in
    Othello the score is the difference in discs, and elsewhere a win is 1, a draw 0 and a loss -1.

    **Examples**

    - `damier solve tictactoe`
    - `damier solve connect4 --moves "4 4 4 4 4 2 6 6 6 1 1 7"`
    - `damier solve connect4 --memory 2048` solves the empty board in a few minutes
    - `damier solve othello:size=4 --score --json`
    - `damier solve tictactoe --position "X.O/.XO/... X"`
    """
    from damier.search.solve import solve

    pos = find_position(game, position, moves)
    if score:
        with working("solving"):
            solution = solve(pos, memory=memory)
    else:
        with counting("moves solved", len(pos.moves())) as told:
            solution = solve(pos, True, memory, told)
    if json:
        print_json(_document(pos, solution))
        return
    console.print(pos.draw(), highlight=False, markup=False)
    if solution.moves:
        order = sorted(solution.moves.items(), key=lambda item: -item[1])
        rows = [[pos.notation(move), f"{value:+d}" if value else "0"] for move, value in order]
        columns = headings("move", "score")
        print_table(say("title.analysis", player=pos.player + 1), columns, rows, tuple(columns[1:]))
    verdict = "draw" if not solution.score else f"player {1 + (solution.values[0] < 0)} wins"
    console.print(f"[bold]score {solution.score}[/bold]: {verdict}", highlight=False)
    console.print(f"{solution.nodes:,} nodes; {solution.seconds:.2f} s", highlight=False, style="dim")


def _document(position: "Position", solution: "Solution") -> dict[str, Any]:
    return {
        "game": position.game.name,
        "position": position.origin.text(),
        "moves": position.line(),
        "to_move": position.player,
        "score": solution.score,
        "values": solution.values,
        "candidates": {position.notation(move): score for move, score in solution.moves.items()},
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
    }
