"""Scores of the nested searches on one-player games, by level.

    .venv/bin/python benchmarks/nested.py [--game leftmove] [--player nested:level=2] [--runs 100] [--seconds 1]
                                          [--seed 1] [--json]

Each run is one search from the start. Without --seconds a search of a level is made once; with it, again and again
until the time is over. The mean comes with its 95 % confidence interval. SameGame has another board in each run.
"""

import argparse
import json
from statistics import mean, stdev
from typing import Any

from damier.experiments.scores import scores

SPECS = {
    "leftmove": ["nested:level=1", "nested:level=2", "nested:level=3", "nrpa:level=1", "nrpa:level=2"],
    "morpion": ["nested:level=1", "nested:level=2", "nrpa:level=1", "nrpa:level=2"],
    "samegame": ["nested:level=1", "nested:level=2,sims=100000", "nrpa:level=1", "nrpa:level=2"],
}
RUNS = {  # where nothing is said: as many as take a minute or so
    ("morpion", "nested:level=2"): 20,
    ("morpion", "nrpa:level=2"): 10,
    ("samegame", "nested:level=2,sims=100000"): 5,  # a whole search has about a million playouts
    ("samegame", "nrpa:level=2"): 5,
}


def measure(game: str, spec: str, runs: int, seconds: float | None, seed: int) -> dict[str, Any]:
    limited = spec if seconds is None else f"{spec},seconds={seconds}"
    found = []
    for run in range(runs):
        board = f"samegame:seed={1 + run}" if game == "samegame" else game
        found += scores(board, limited, 1, seed + run)
    values = [score.value for score in found]
    return {
        "game": game,
        "player": limited,
        "runs": runs,
        "mean": round(mean(values), 2),
        "interval": round(1.96 * stdev(values) / len(values) ** 0.5, 2) if len(values) > 1 else None,
        "best": max(values),
        "playouts": round(mean(score.sims for score in found)),
        "seconds": round(mean(score.seconds for score in found), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(SPECS))
    parser.add_argument("--player")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = []
    if not arguments.json:
        print(f"{'game':9} {'player':28} {'runs':>5} {'mean':>17} {'best':>7} {'playouts':>9} {'seconds':>8}")
    for game in [arguments.game] if arguments.game else SPECS:
        for spec in [arguments.player] if arguments.player else SPECS[game]:
            runs = arguments.runs or RUNS.get((game, spec), 100)
            row = measure(game, spec, runs, arguments.seconds, arguments.seed)
            rows.append(row)
            if not arguments.json:
                about = f"{row['mean']:.2f}" + (f" +- {row['interval']:.2f}" if row["interval"] is not None else "")
                counts = f"{row['best']:7g} {row['playouts']:9d} {row['seconds']:8.3f}"
                print(f"{game:9} {row['player']:28} {runs:5d} {about:>17} {counts}", flush=True)
    if arguments.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
