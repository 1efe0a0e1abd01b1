"""Nodes per second of A* and IDA* on sliding puzzles, on one core.

    .venv/bin/python benchmarks/paths.py [--rounds 3] [--memory 1024] [--json]

A node is a position whose moves were listed. The last puzzle is the first of Korf's hundred (1985), turned by half so
that the gap belongs into the last cell. Seconds are processor time, and the best round counts.
"""

import argparse
import json
import time
from typing import Any

import damier

PUZZLES = {
    "867254301": "sliding:board=867254301",
    "fifteen, scrambled": "sliding:size=4,scramble=80,seed=3",
    "fifteen, Korf 1": "sliding:size=4,board=d68cfe0ab7459132",
}


def measure(name: str, spec: str, rounds: int) -> dict[str, Any]:
    start = damier.game(PUZZLES[name]).start()
    player = damier.player(spec)
    player.search(start)  # compiles, and has its memory from the system
    seconds = []
    for _ in range(rounds):
        began = time.process_time()
        result = player.search(start)
        seconds.append(time.process_time() - began)
    return {
        "puzzle": name,
        "player": spec,
        "moves": result.depth,
        "nodes": result.nodes,
        "seconds": round(min(seconds), 4),
        "nodes_per_second": round(result.nodes / min(seconds)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    specs = ("idastar:keep=false", f"astar:memory={arguments.memory},keep=false")
    rows = [measure(name, spec, arguments.rounds) for name in PUZZLES for spec in specs]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'puzzle':19} {'player':29} {'moves':>5} {'nodes':>10} {'seconds':>8} {'nodes/s':>9}")
    for row in rows:
        counts = f"{row['moves']:5d} {row['nodes']:10d} {row['seconds']:8.4f} {row['nodes_per_second']:9d}"
        print(f"{row['puzzle']:19} {row['player']:29} {counts}")


if __name__ == "__main__":
    main()
