"""What alpha-beta saves, and what each part of the playing search does for it.

    .venv/bin/python benchmarks/alphabeta.py [--game NAME ...] [--depth N] [--plot FILE.svg] [--json]

The first table: leaves that are looked at, by depth, on trees of equal breadth b whose leaves are random or whose
moves are perfectly ordered, beside b^m (minimax) and b^ceil(m/2) + b^floor(m/2) - 1, the fewest there can be (Knuth and
Moore). The second: nodes and time of the engine on games, everything on, and with one switch off at a time. Counts are
the same on every machine; of the times, compare those of one run. --plot draws the first table.
"""

import argparse
import gc
import json
import random
import statistics
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import damier
from damier.games.trees.rules import ExplicitTree
from damier.search.classical.alphabeta import AlphaBeta, Switches
from damier.search.classical.deepening import Deepening
from damier.search.classical.minimax import Minimax
from damier.search.classical.negamax import Negamax

BREADTH, DEPTHS, TREES = 4, range(1, 9), 5
GAMES = {"connect4": 10, "othello": 7, "dames8": 9}
OPENING = 4  # random moves before the search
POSITIONS = 5
MEMORY = 4  # megabytes; clearing a larger table would take longer than the search


def tree(depth: int, value: int | None, player: int, rng: random.Random) -> str:
    """A tree of this value whose first moves are the best ones, or with random leaves if there is none."""
    if depth == 0:
        return str(rng.randint(-99, 99) if value is None else value)
    children = []
    for i in range(BREADTH):
        worse = None if value is None else value - i if player == 0 else value + i
        children.append(tree(depth - 1, worse, 1 - player, rng))
    return f"{('max', 'min')[player]}({' '.join(children)})"


def leaves(search: Deepening, text: str) -> int:
    search.search(damier.game(ExplicitTree(text=text)).start())
    return int(search.stack.leaves[0])


def measure_depths() -> list[dict[str, Any]]:
    rows = []
    for depth in DEPTHS:
        rng = random.Random(depth)
        wild = [tree(depth, None, 0, rng) for _ in range(TREES)]
        rows.append(
            {
                "depth": depth,
                "minimax": leaves(Minimax(depth), wild[0]),
                "random": statistics.mean(leaves(Negamax(depth), text) for text in wild),
                "ordered": leaves(Negamax(depth), tree(depth, 0, 0, rng)),
                "fewest": BREADTH ** ((depth + 1) // 2) + BREADTH ** (depth // 2) - 1,
            }
        )
    return rows


def positions(game: damier.Game) -> list[damier.Position]:
    found = []
    for seed in range(POSITIONS):
        rng, position = damier.new_rng(seed), game.start()
        for _ in range(OPENING):
            position = position.play(position.random_move(rng))
        found.append(position)
    return found


def measure_switches(name: str, depth: int) -> list[dict[str, Any]]:
    """All ways in turn on each position, so that they share whatever happens on the machine."""
    game = damier.game(name)
    ways: dict[str, Deepening] = {"all on": AlphaBeta(depth, memory=MEMORY, keep=False)}
    for field in fields(Switches):
        off: dict[str, Any] = {field.name: False}
        ways[f"no {field.name}"] = AlphaBeta(depth, memory=MEMORY, keep=False, **off)
    ways["plain alpha-beta"] = Negamax(depth)
    found = positions(game)
    for search in ways.values():
        search.search(game.start())
    gc.collect()  # or what compiling has left is collected while somebody's time is taken
    totals = {way: [0.0, 0.0] for way in ways}
    for position in found:
        for way, search in ways.items():
            began = time.process_time()
            totals[way][0] += search.search(position).nodes
            totals[way][1] += time.process_time() - began
    return [
        {"game": name, "depth": depth, "way": way, "nodes": int(nodes), "seconds": round(seconds, 4)}
        for way, (nodes, seconds) in totals.items()
    ]


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "damier"  # the same picture, the same file
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for name, label in (
        ("minimax", "minimax"),
        ("random", "alpha-beta, any order"),
        ("ordered", "alpha-beta, best first"),
    ):
        axes.semilogy([row["depth"] for row in rows], [row[name] for row in rows], marker="o", label=label)
    axes.set_xlabel("depth m")
    axes.set_ylabel(f"leaves looked at, b = {BREADTH}")
    axes.legend()
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", dest="games")
    parser.add_argument("--depth", type=int, help="for all games, instead of one for each")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    by_depth = measure_depths()
    if not arguments.json:
        print(f"{'depth':>5} {'minimax':>9} {'random':>9} {'ordered':>8} {'fewest':>8}")
        for row in by_depth:
            print(
                f"{row['depth']:5} {row['minimax']:9,} {row['random']:9,.0f} {row['ordered']:8,} {row['fewest']:8,}",
                flush=True,
            )
    if arguments.plot:
        plot(by_depth, arguments.plot)
    by_switch = []
    for name in GAMES if arguments.games is None else arguments.games:
        rows = measure_switches(name, arguments.depth or GAMES.get(name, 6))
        by_switch += rows
        if not arguments.json:
            print(
                f"\n{name}, depth {rows[0]['depth']}, {POSITIONS} positions: nodes, seconds, times the nodes of all on"
            )
            for row in rows:
                ratio = row["nodes"] / rows[0]["nodes"]
                print(f"  {row['way']:18} {row['nodes']:12,} {row['seconds']:9.3f} {ratio:7.2f}", flush=True)
    if arguments.json:
        print(json.dumps({"by_depth": by_depth, "by_switch": by_switch}, indent=2))


if __name__ == "__main__":
    main()
