"""Simulations of UCT per second on the first position of Blokus, beside the C reference of `damier bench`.

    .venv/bin/python benchmarks/blokus.py [--sims 2000] [--rounds 8] [--json]

The C program plays random games of Connect 4. The last column is what the speed would be on a machine where it plays
4 million of them a second: the figures of other machines, and of busy hours, can be compared by it. All take
turns in short rounds on one core; seconds are processor time, and the best round of each counts.
"""

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import damier
from damier.cli.bench import ROUND_SECONDS, one_core, race
from damier.experiments.contestants import Contestant, c_program, damier_search

GAMES = ("blokus:board=duo", "blokus", "blokus:players=2,colours=4", "blokus:board=junior")
REFERENCE = 4_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sims", type=int, default=2000, help="of one search")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with one_core(), TemporaryDirectory() as folder:
        reference = c_program(damier.game("connect4"), Path(folder))
        assert reference is not None
        field = [reference]
        for name in GAMES:
            search = damier_search(damier.game(name), arguments.sims)
            search.play(1, 0)  # compiles
            field.append(Contestant(name, search.play))
        best = race(field, arguments.rounds, ROUND_SECONDS)
    speeds = {name: played.games / played.seconds for name, played in best.items()}
    c_speed = speeds.pop(reference.name)
    rows = [
        {"game": name, "sims_per_second": round(speed), "scaled": round(speed * REFERENCE / c_speed)}
        for name, speed in speeds.items()
    ]
    if arguments.json:
        print(json.dumps({"c_games_per_second": round(c_speed), "results": rows}, indent=2))
        return
    print(f"C reference: {c_speed:,.0f} games of Connect 4 a second")
    for row in rows:
        print(f"{row['game']:30} {row['sims_per_second']:>9,} simulations/s, scaled to 4 M: {row['scaled']:>9,}")


if __name__ == "__main__":
    main()
