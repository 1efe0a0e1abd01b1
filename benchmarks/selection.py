"""Simulations per second of the selection rules, beside UCT, on one core.

    .venv/bin/python benchmarks/selection.py [--sims 5000] [--moves 40] [--rounds 3] [--json]

Each player plays the first moves of a game against itself and keeps its tree from move to move, as in a match; so what
it takes to keep it counts. Seconds are processor time, the players take turns, and the best round of each counts.
"""

import argparse
import json
import time
from typing import Any

import damier

GAMES = ("dames8", "connect5", "blokus:board=duo")
PLAYERS = ("uct", "tuned:c=0.4", "puct", "rave:c=0.4", "grave:c=0.4")


def seconds_each(game: damier.Game, spec: str, moves: int) -> float:
    """Of a simulation."""
    player, position, sims, seconds = damier.player(spec), game.start(), 0, 0.0
    for seed in range(moves):
        if position.is_over:
            break
        began = time.process_time()
        result = player.search(position, seed)
        seconds += time.process_time() - began
        sims += result.sims
        position = position.play(result.move)
    return seconds / sims


def measure(name: str, sims: int, moves: int, rounds: int) -> list[dict[str, Any]]:
    game = damier.game(name)
    specs = [f"{player}{',' if ':' in player else ':'}sims={sims}" for player in PLAYERS]
    for spec in specs:
        seconds_each(game, spec, 2)  # compiles
    found = [{spec: seconds_each(game, spec, moves) for spec in specs} for _ in range(rounds)]
    best = {spec: min(of_round[spec] for of_round in found) for spec in specs}
    return [
        {"game": name, "player": spec, "sims_per_second": round(1 / best[spec]), "to_uct": best[specs[0]] / best[spec]}
        for spec in specs
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sims", type=int, default=5000)
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [row for name in GAMES for row in measure(name, options.sims, options.moves, options.rounds)]
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'game':18} {'player':24} {'sims/s':>9} {'to UCT':>7}")
    for row in rows:
        print(f"{row['game']:18} {row['player']:24} {row['sims_per_second']:9d} {row['to_uct']:7.2f}")


if __name__ == "__main__":
    main()
