"""Speeds of this state of the sources beside an earlier one: `python -m benchmarks.beside REVISION`.

Both play random games and search the same positions, in turns, each in processes of its own; of every figure the best
round counts. A ratio above 1 means that this state is faster. `cold` is the first search of a game with an empty cache,
as one second divided by its time.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
GAMES = ("tictactoe", "connect4", "othello", "dames8", "blokus:board=duo", "backgammon")
SEARCHES = (
    ("connect4", "uct:sims=10000,keep=false"),
    ("tictactoe", "uct:sims=10000,keep=false"),
    ("othello", "uct:sims=2000,keep=false"),
    ("dames8", "uct:sims=2000,keep=false"),
    ("connect4", "tuned:sims=10000,keep=false"),
    ("connect4", "rave:sims=5000,keep=false"),
    ("connect4", "grave:sims=5000,keep=false"),
    ("dames8", "grave:sims=2000,keep=false"),
    ("blokus:board=duo", "grave:sims=1000,widen=4,playout=heavy,bias=1e-3,margin=0.95,keep=false"),
    ("connect4", "puct:sims=5000,keep=false"),
    ("connect4", "flat:sims=10000,keep=false"),
    ("connect4", "halving:sims=5000"),
    ("connect4", "shuss:sims=5000"),
    ("connect4", "alphabeta:depth=9"),
    ("othello", "alphabeta:depth=6"),
    ("connect4", "minimax:depth=6"),
)
MEASURE = """
import json, sys, time
import damier
games, searches, seconds = json.loads(sys.argv[1])
found = {}
for name in games:
    start = damier.game(name).start()
    damier.playouts(start, games=10, seed=1)
    best, until, count = 0.0, time.perf_counter() + seconds, 100
    while time.perf_counter() < until:
        began = time.process_time()
        damier.playouts(start, games=count, seed=1)
        spent = time.process_time() - began
        best = max(best, count / max(spent, 1e-9))
        count = max(1, int(best * seconds / 8))
    found[f"random games, {name}"] = best
for name, spec in searches:
    start = damier.game(name).start()
    damier.player(spec).search(start, 1)
    best, until = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        player = damier.player(spec)
        getattr(player, "prepare", lambda pos: None)(start)
        if "keep=false" in spec:
            player.search(start, 2)  # the first search also waits for fresh memory, as the system happens to give it
        began = time.process_time()
        result = player.search(start, 1)
        best = max(best, (result.sims or result.nodes) / max(time.process_time() - began, 1e-9))
    found[f"{spec}, {name}"] = best
print(json.dumps(found))
"""
COLD = "import damier; damier.player('uct:sims=100').search(damier.game('connect4').start(), 1)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="the earlier state, as git names it")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each state")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure in a round")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        earlier = Path(folder) / "earlier"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", "-q", earlier, options.revision], check=True)
        try:
            figures = measure({"earlier": earlier, "now": ROOT}, Path(folder), options.rounds, options.seconds)
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", earlier], check=True)
    rows = {
        name: (figures["earlier"][name], now, now / figures["earlier"][name]) for name, now in figures["now"].items()
    }
    if options.json:
        print(
            json.dumps({name: dict(zip(("earlier", "now", "ratio"), row, strict=True)) for name, row in rows.items()})
        )
        return
    table = Table("what", "earlier", "now", "ratio", title=f"a second: {options.revision} and this state")
    for name, (before, now, ratio) in rows.items():
        table.add_row(name, f"{before:,.4g}", f"{now:,.4g}", f"{ratio:.3f}")
    Console().print(table)


def measure(states: dict[str, Path], folder: Path, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """By state and figure, the best of all rounds."""
    best: dict[str, dict[str, float]] = {state: {} for state in states}
    asked = json.dumps([GAMES, SEARCHES, seconds])
    for number in range(rounds):
        for state, root in states.items():
            found = json.loads(run(root, folder / f"cache-{state}", MEASURE, asked)) | {
                "cold": 1 / first_search(root, folder / f"cold-{state}-{number}")
            }
            for name, figure in found.items():
                best[state][name] = max(best[state].get(name, 0.0), figure)
    return best


def first_search(root: Path, cache: Path) -> float:
    """How long a process takes that compiles UCT for a game, in seconds of the processor."""
    before = os.times()
    run(root, cache, COLD)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def run(root: Path, cache: Path, script: str, *arguments: str) -> str:
    surroundings = os.environ | {"PYTHONPATH": f"{root / 'src'}", "DAMIER_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=surroundings, cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
