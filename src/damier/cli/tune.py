"""`damier tune`: fit the weights of an evaluation to results of games."""

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.terminal.arguments import GameName, Json, Seed
from damier.cli.terminal.output import console, counting, headings, print_json, print_table, print_written
from damier.core.messages import say


def command(
    game: GameName,
    games: Annotated[
        int, typer.Option(help="Number of games to play, or the most to take from a database.", min=1)
    ] = 200,
    player: Annotated[
        str, typer.Option(help="The player of the games, against itself: `name[:option=value,...]`.")
    ] = "alphabeta:depth=2,memory=1",
    database: Annotated[
        str | None,
        typer.Option(help="Use stored games of matches and tournaments from this database instead, a file or a URL."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the weights to this JSON file.", dir_okay=False)] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Fit the weights of a game's evaluation to the results of its games, by logistic regression.

    The game needs `features`, as in othello and draughts. Use the weights with `GAME:weights=FILE`, or for one
    player with `alphabeta:weights=FILE`.

    **Examples**

    - `damier tune othello --games 500 --out othello.json`
    - `damier match othello alphabeta:depth=4,weights=othello.json alphabeta:depth=4`
    - `damier tune dames8 --database games.sqlite3`
    """
    from dataclasses import asdict

    from damier.core.files import check_path, write_json
    from damier.games import game as find
    from damier.learning.tuning import tune

    chosen = find(game)
    if out is not None:
        check_path(out)
    with counting(f"games of {chosen.name}", games) as told:
        tuned = tune(chosen, games, player, seed, database, told)
    if out is not None:
        write_json(out, tuned.weights)
        print_written(out)
    if json:
        print_json({"game": chosen.name, **asdict(tuned)})
        return
    rows = [[name, f"{tuned.before[name]:.4g}", f"{weight:.4g}"] for name, weight in tuned.weights.items()]
    title = say("title.tuned", game=chosen.name, positions=tuned.positions, games=tuned.games)
    columns = headings("feature", "before", "fitted")
    print_table(title, columns, rows, tuple(columns[1:]))
    console.print(f"loss {tuned.loss_before:.4f} before, {tuned.loss:.4f} fitted", highlight=False)
