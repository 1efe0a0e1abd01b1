"""How exactly a budget in seconds is met.

    .venv/bin/python benchmarks/time_budget.py [--game NAME ...] [--seconds S ...] [--searches 9] [--json]

A player may exceed its time by 10 ms or 2 %, whichever is more. Each line is one player at one game with one budget:
by how much `player.search` took longer than asked, in milliseconds, at the median and at most, on the clock and by the
processor's time of a thread. On a busy machine the clock also counts the time of others; what the search itself is to
blame for shows in both. A player first searches on an empty tree, then goes on through the game with the tree that it
keeps. Compilation and the first allocation are over by then. A virtual machine may get its memory from the host only
when it is touched first, which takes milliseconds for every two megabytes. So some is touched before; how long that
takes, first and again, is printed.
"""

import argparse
import json
import statistics
import time
from typing import Any

import numpy as np

import damier

LARGE_PAGE = 2 << 20
GAMES = ("tictactoe", "connect4", "othello", "dames8", "gomoku")
SECONDS = (0.01, 0.05, 0.2, 1.0)
PLAYERS = ("uct", "grave", "uct:threads=2", "alphabeta")


def measure(game: str, spec: str, seconds: float, searches: int) -> dict[str, Any]:
    """Search after search along the game that the player expects, from the start again when it is over."""
    player = damier.player(f"{spec}{',' if ':' in spec else ':'}seconds={seconds}")
    start = damier.game(game).start()
    player.search(start)
    position = start
    clock, processor = [], []
    threads = 2 if "threads=2" in spec else 1
    for number in range(searches):
        began, began_processor = time.perf_counter(), time.process_time()
        result = player.search(position, seed=number)
        processor.append(1000 * ((time.process_time() - began_processor) / threads - seconds))
        clock.append(1000 * (time.perf_counter() - began - seconds))
        position = position.play_all(result.pv[:2])
        position = start if position.is_over else position
    allowed = max(10.0, 20 * seconds)
    return {
        "game": game,
        "player": spec,
        "seconds": seconds,
        "median_ms": round(statistics.median(clock), 2),
        "most_ms": round(max(clock), 2),
        "most_processor_ms": round(max(processor), 2),
        "allowed_ms": allowed,
        "met": max(clock) <= allowed,
    }


def first_touch(megabytes: int = 1536) -> float:
    """Use more memory than the searches will, and give it back; the median of milliseconds for a large page of it."""
    memory = np.empty(megabytes << 20, np.uint8)
    took = []
    for place in range(0, memory.size, LARGE_PAGE):
        began = time.perf_counter()
        memory[place] = 1
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)


def line(row: dict[str, Any]) -> str:
    return (
        f"{row['game']:10} {row['player']:14} {row['seconds']:7} {row['median_ms']:10} {row['most_ms']:9} "
        f"{row['most_processor_ms']:9} {row['allowed_ms']:8}{'' if row['met'] else '  exceeded'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", dest="games")
    parser.add_argument("--seconds", type=float, action="append")
    parser.add_argument("--searches", type=int, default=9, help="how many searches a line stands for")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    touches = [first_touch(), first_touch()]
    if not arguments.json:
        print(f"two megabytes of memory: {touches[0]:.2f} ms when touched first, then {touches[1]:.2f} ms")
        print(
            f"{'game':10} {'player':14} {'seconds':>7} {'median ms':>10} {'most ms':>9} {'processor':>9} {'allowed':>8}"
        )
    rows = []
    for game in arguments.games or GAMES:
        for spec in PLAYERS:
            for seconds in arguments.seconds or SECONDS:
                row = measure(game, spec, seconds, arguments.searches)
                rows.append(row)
                if not arguments.json:
                    print(line(row), flush=True)
    if arguments.json:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{sum(row['met'] for row in rows)} of {len(rows)} within their allowance")


if __name__ == "__main__":
    main()
