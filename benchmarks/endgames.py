"""Won endings of three and four pieces, played by alpha-beta with a database and without one.

    .venv/bin/python benchmarks/endgames.py [--game draughts:rules=english] [--endings 20] [--nodes 1000] [--json]

The positions are drawn at random from those that the player to move wins within the game's limit of moves, as many
from each ending. The other side defends as long as it can, by the database, which is made in the usual folder if it is
not there.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import damier
from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.search.endgames.build import build_database
from damier.search.endgames.files import Database, endgame_file, endgame_folder


def won_positions(game: damier.Game, database: Database, number: int, seed: int) -> Iterator[Position]:
    """Positions of an ending that are won in time and not at once."""
    rng = new_rng(seed, number)
    for _ in range(100_000):
        state = game.new_states(1)[0]
        if game.rules.set_ending(state, number, below(rng, database.endings[number]["size"])):
            pos = Position(game, state)
            result = database.result(pos) or 0
            if 8 < result <= game.rules.ending(state)[2]:
                yield pos


def is_won(pos: Position, attacker: str, defender: str) -> bool:
    players = damier.player(attacker), damier.player(defender)
    while not pos.is_over:
        pos = pos.play(players[pos.player].search(pos).move)
    return pos.returns == (1.0, -1.0)


def measure(name: str, endings: int, nodes: int) -> list[dict[str, Any]]:
    game = damier.game(name)
    database = build_database(game, 4, endgame_file(game, endgame_folder()))
    plain = f"alphabeta:nodes={nodes},memory=1"
    rows: dict[str, dict[str, Any]] = {}
    for number, head in enumerate(database.endings):
        pieces = f"{len(head['name']) - 1} pieces"
        row = rows.setdefault(pieces, {"endings": pieces, "positions": 0, "with": 0, "without": 0})
        for pos in islice(won_positions(game, database, number, 1), endings):
            row["positions"] += 1
            row["with"] += is_won(pos, f"{plain},endgames=auto", f"{plain},endgames=auto")
            row["without"] += is_won(pos, plain, f"{plain},endgames=auto")
    return list(rows.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="draughts:rules=english")
    parser.add_argument("--endings", type=int, default=20, help="positions of each ending")
    parser.add_argument("--nodes", type=int, default=1000, help="of both players")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = measure(arguments.game, arguments.endings, arguments.nodes)
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{arguments.game}, {arguments.nodes} nodes a move: won positions, and how many of them were won")
    for row in rows:
        print(f"{row['endings']}  {row['positions']:4} positions  with {row['with']:4}  without {row['without']:4}")


if __name__ == "__main__":
    main()
