"""Solve positions of Connect 4, beside bitbully (C++, without its opening book), on one core.

    .venv/bin/python benchmarks/solver.py [--folder ../shared/data/connect4] [--first N] [--memory 32] [--json]

Each file of the folder is a set: a line holds the columns played and the exact score. To them come random positions
after few discs, which are harder; of these bitbully tells the score. The two solvers take turns, position by position,
and keep their tables, of 32 and 64 megabytes. Seconds are processor time; making the positions does not count.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bitbully import BitBully, Board

import damier
from damier.search.solve import Solver

HARD = [("after 10-14", 40, (10, 14)), ("after 8-14", 40, (8, 14)), ("after 6-9", 8, (6, 9))]
"""Random positions: the name of the set, how many of them, and after how many discs."""

Line = tuple[str, int | None]  # the columns played, and the score if it is known


def published(path: Path) -> list[Line]:
    lines = (line.split() for line in path.read_text().splitlines())
    return [(columns, int(score)) for columns, score in lines]


def random_lines(number: int, discs: tuple[int, int], seed: int) -> list[Line]:
    rng = random.Random(seed)
    lines: list[Line] = []
    while len(lines) < number:
        columns, length = "", rng.randint(*discs)
        position = damier.game("connect4").start()
        while len(columns) < length and position.moves():
            columns += str(1 + rng.choice(position.moves()))
            position = position.play(columns[-1])
        if not position.is_over:
            lines.append((columns, None))
    return lines


def timed(solve: Callable[[], int]) -> tuple[int, float]:
    began = time.process_time()
    score = solve()
    return score, time.process_time() - began


def measure(name: str, lines: list[Line], memory: int) -> dict[str, Any]:
    ours, theirs = Solver(damier.game("connect4"), memory), BitBully(opening_book=None)
    row: dict[str, Any] = {"set": name, "positions": 0, "wrong": 0, "seconds": 0.0, "bitbully": 0.0}
    before = ours.nodes
    made = [
        (ours.game.start().play_all(list(columns)), Board.from_moves([int(column) - 1 for column in columns]), expected)
        for columns, expected in lines
    ]
    for position, board, expected in made:
        score, seconds = timed(lambda position=position: ours.score(position))  # type: ignore[misc]
        their_score, their_seconds = timed(lambda board=board: theirs.null_window(board))  # type: ignore[misc]
        row["positions"] += 1
        row["wrong"] += score != (their_score if expected is None else expected)
        row["seconds"] += seconds
        row["bitbully"] += their_seconds
    return row | {"nodes": ours.nodes - before, "bitbully_nodes": theirs.get_node_counter()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("../shared/data/connect4"))
    parser.add_argument("--first", type=int, help="only so many positions of each set")
    parser.add_argument("--seed", type=int, default=1, help="of the random positions")
    parser.add_argument("--memory", type=int, default=32, help="megabytes of our table")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    sets = {path.name: published(path) for path in sorted(arguments.folder.glob("Test_*"))}
    if not sets:
        parser.error(f"expected sets Test_* in {arguments.folder}, found none")
    sets |= {name: random_lines(number, discs, arguments.seed) for name, number, discs in HARD}
    rows = [measure(name, lines[: arguments.first], arguments.memory) for name, lines in sets.items()]
    rows = [row | {"ratio": round(row["seconds"] / row["bitbully"], 2)} for row in rows]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    heads = f"{'seconds':>8} {'bitbully':>8} {'ratio':>5} {'M nodes':>8} {'bitbully':>8}"
    print(f"{'set':12} {'positions':>9} {'wrong':>5} {heads}")
    for row in rows:
        times = f"{row['seconds']:8.3f} {row['bitbully']:8.3f} {row['ratio']:5.2f}"
        nodes = f"{row['nodes'] / 1e6:8.2f} {row['bitbully_nodes'] / 1e6:8.2f}"
        print(f"{row['set']:12} {row['positions']:9d} {row['wrong']:5d} {times} {nodes}")


if __name__ == "__main__":
    main()
