"""Solve the published positions of Connect 4, beside bitbully (C++, without its opening book), on one core.

    .venv/bin/python benchmarks/solver.py [--folder ../shared/data/connect4] [--first N] [--memory 32] [--json]

Each file of the folder is a set: a line holds the columns played and the exact score. The two solvers take turns,
position by position, and keep their tables. Seconds are processor time; making the positions does not count.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bitbully import BitBully, Board

import damier
from damier.search.solve import Solver


def timed(solve: Callable[[], int]) -> tuple[int, float]:
    began = time.process_time()
    score = solve()
    return score, time.process_time() - began


def measure(path: Path, first: int | None, memory: int) -> dict[str, Any]:
    ours, theirs = Solver(damier.game("connect4"), memory), BitBully(opening_book=None)
    row: dict[str, Any] = {"set": path.name, "positions": 0, "wrong": 0, "seconds": 0.0, "bitbully": 0.0}
    for line in path.read_text().splitlines()[:first]:
        columns, expected = line.split()
        position = ours.game.start().play_all(list(columns))
        board = Board.from_moves([int(column) - 1 for column in columns])
        score, seconds = timed(lambda position=position: ours.score(position))  # type: ignore[misc]
        _, their_seconds = timed(lambda board=board: theirs.null_window(board))  # type: ignore[misc]
        row["positions"] += 1
        row["wrong"] += score != int(expected)
        row["seconds"] += seconds
        row["bitbully"] += their_seconds
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("../shared/data/connect4"))
    parser.add_argument("--first", type=int, help="only so many positions of each set")
    parser.add_argument("--memory", type=int, default=32, help="megabytes of our table")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = [measure(path, arguments.first, arguments.memory) for path in sorted(arguments.folder.glob("Test_*"))]
    if not rows:
        parser.error(f"expected sets Test_* in {arguments.folder}, found none")
    total = {"set": "all"} | {key: sum(row[key] for row in rows) for key in rows[0] if key != "set"}
    rows = [row | {"ratio": round(row["seconds"] / row["bitbully"], 2)} for row in (*rows, total)]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'set':12} {'positions':>9} {'wrong':>5} {'seconds':>8} {'bitbully':>8} {'ratio':>5}")
    for row in rows:
        times = f"{row['seconds']:8.3f} {row['bitbully']:8.3f} {row['ratio']:5.2f}"
        print(f"{row['set']:12} {row['positions']:9d} {row['wrong']:5d} {times}")


if __name__ == "__main__":
    main()
