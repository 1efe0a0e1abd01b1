"""Iterations per second of regret minimisation, beside OpenSpiel's CFR in C++, on one core.

    .venv/bin/python benchmarks/cfr.py [--rounds 5] [--seconds 0.5] [--method cfr] [--json]

The two take turns, round by round, and do the same iterations: as many a round as OpenSpiel does in `--seconds`. Times
are processor times, and the best round counts. Both update the players one after the other; after the same iterations
they have the same NashConv, which is printed too. Building the tree does not count on either side.
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import pyspiel
from rich.console import Console
from rich.table import Table

import damier
from damier.search.hidden.minimiser import Minimiser

GAMES = {"kuhn": ("kuhn_poker", 15), "leduc": ("leduc_poker", 30), "liarsdice": ("liars_dice", 15)}
"""The name there, and how many times as fast ours has to be."""
SOLVERS = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}
CHECKED = 10  # iterations after which both are compared


def speed(iterate: Callable[[int], None], count: int) -> float:
    """Iterations per second of processor time."""
    began = time.process_time()
    iterate(count)
    return count / max(time.process_time() - began, 1e-9)


def measure(name: str, method: str, rounds: int, seconds: float) -> dict[str, Any]:
    other, required = GAMES[name]
    run, game = Minimiser(damier.game(name), method), pyspiel.load_game(other)
    solver = SOLVERS[method](game)

    def theirs(count: int) -> None:
        for _ in range(count):
            solver.evaluate_and_update_policy()

    contestants = (run.advance, theirs)
    for iterate in contestants:
        iterate(CHECKED)
    distances = run.measure().nash_conv, pyspiel.nash_conv(game, solver.average_policy())
    count = max(1, int(speed(theirs, 3) * seconds))
    run.advance(3)
    best = [0.0, 0.0]
    for _ in range(rounds):
        for side, iterate in enumerate(contestants):
            best[side] = max(best[side], speed(iterate, count))
    return {
        "game": name,
        "damier": best[0],
        "open_spiel": best[1],
        "ratio": best[0] / best[1],
        "required": required,
        "nash_conv": distances,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of a round of OpenSpiel")
    parser.add_argument("--method", choices=SOLVERS, default="cfr")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = [measure(name, given.method, given.rounds, given.seconds) for name in GAMES]
    if given.json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(title=f"{given.method}, iterations per second", title_justify="left")
    for column in ("game", "damier", "OpenSpiel", "ratio", "required", f"NashConv after {CHECKED}", "theirs"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for row in rows:
        speeds = f"{row['damier']:,.0f}", f"{row['open_spiel']:,.1f}", f"{row['ratio']:.0f}", str(row["required"])
        table.add_row(row["game"], *speeds, *(f"{each:.9f}" for each in row["nash_conv"]))
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
