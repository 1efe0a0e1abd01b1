"""How often a player gives away a win or a draw, on positions of Connect 4 whose exact values are known.

    .venv/bin/python benchmarks/connect4_errors.py [--player zero:net=connect4,sims=200] [--first N] [--json]
    .venv/bin/python benchmarks/connect4_errors.py --run runs/four [--every 5] [--out errors.png]

Each file of the folder is a set: a line holds the columns played. What each move is worth is solved and kept in a file,
so that the second time is quick; both commands may be stopped and go on. bitbully solves, with its opening book, or by
--solver damier ours, which has no book: a move that throws a quick win away leads to positions near the beginning, each
of which takes it minutes. With --run every checkpoint plays, or each k-th, and the errors are plotted against the
minutes of training; they are kept in the folder of the run. Published, for AlphaZero.jl after its training: L3_R1 0 %,
L2_R1 about 0 %, L1_R1 about 0 %.
"""

import argparse
import json
import sys
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import damier
from damier.arena.mistakes import Judge, Mistakes, Puzzle, mistakes, read_positions
from damier.zero.run import Run, open_run

NAMES = {"L1": "beginning", "L2": "middle", "L3": "end", "R1": "easy", "R2": "medium", "R3": "hard"}
KEPT = "errors.jsonl"  # in the folder of a run


def bitbully_solve() -> Callable[[damier.Position], dict[int, int]]:
    from bitbully import BitBully, Board

    solver = BitBully(opening_book="default")

    def solve(position: damier.Position) -> dict[int, int]:
        # A move of ours is the column from 0 on, as there.
        scores = solver.score_all_moves(Board.from_moves(list(position.history)))
        return {move: int(scores[move]) for move in position.moves()}

    return solve


def load_sets(folder: Path, values: Path, first: int | None, solver: str) -> dict[str, list[Puzzle]]:
    """By the name of the file. Says on stderr how far it is: solving may take its time."""
    game = damier.game("connect4")
    judge = Judge(game, values, bitbully_solve() if solver == "bitbully" else None)
    sets = {}
    for path in sorted(folder.glob("Test_*")):
        positions = read_positions(path, game, first)

        def watch(done: int, path: Path = path, total: int = len(positions)) -> None:
            if sys.stderr.isatty():
                print(f"\r{path.name}: {done} of {total} positions solved", end="", file=sys.stderr)

        sets[path.name] = judge.puzzles(positions, watch)
    if not sets:
        raise SystemExit(f"expected sets Test_* in {folder}, found none")
    return sets


def parse_with_sets(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, dict[str, list[Puzzle]]]:
    """Parse the command line, with the options that say which positions to use, and load these positions."""
    parser.add_argument("--folder", type=Path, default=Path("../shared/data/connect4"))
    parser.add_argument("--values", type=Path, default=Path("runs/connect4-values.jsonl"), help="the solved values")
    parser.add_argument("--solver", choices=("bitbully", "damier"), default="bitbully")
    parser.add_argument("--first", type=int, help="use only this many positions of each set")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    return options, load_sets(options.folder, options.values, options.first, options.solver)


def described(name: str) -> str:
    """`Test_L1_R1` as `beginning-easy`."""
    return "-".join(NAMES.get(part, part) for part in name.split("_")[1:])


def row_of(name: str, found: Mistakes) -> dict[str, Any]:
    facts = {"set": name, "name": described(name), "errors": found.made, "positions": found.positions}
    return facts | {"testing": found.testing, "rate": found.rate, "interval": found.interval}


def print_rows(rows: list[dict[str, Any]]) -> None:
    print(f"{'set':12} {'':18} {'errors':>6} {'of':>5} {'testing':>7} {'rate':>6}  95 %")
    for row in rows:
        low, high = row["interval"]
        counts = f"{row['errors']:6d} {row['positions']:5d} {row['testing']:7d}"
        print(f"{row['set']:12} {row['name']:18} {counts} {row['rate']:6.2%}  {low:.2%} - {high:.2%}")


def measured(run: Run, iteration: int, options: str, sets: dict[str, list[Puzzle]]) -> dict[str, Mistakes]:
    """The errors of a checkpoint; those that are known already are read."""
    file = run.folder / KEPT
    known: dict[tuple[Any, ...], Mistakes] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            entry = json.loads(line)
            key = (entry["iteration"], entry["options"], entry["set"], entry["positions"])
            known[key] = Mistakes(entry["errors"], entry["positions"], entry["testing"])
        except (ValueError, KeyError):
            continue
    found = {}
    for name, puzzles in sets.items():
        key = (iteration, options, name, len(puzzles))
        if key not in known:
            network = run.checkpoints / f"{iteration:04}" / "model.onnx"
            known[key] = mistakes(f"zero:net={network},{options}", puzzles)
            with file.open("a") as kept:
                kept.write(f"\n{json.dumps(row_of(name, known[key]) | {'iteration': iteration, 'options': options})}")
        found[name] = known[key]
    return found


def follow(run: Run, options: str, every: int, sets: dict[str, list[Puzzle]]) -> list[dict[str, Any]]:
    """The errors of the checkpoints, with the minutes of training that each took."""
    rows = run.metrics.rows()
    spent = accumulate(row["seconds"] / 60 for row in rows)
    minutes = {row["iteration"]: minute for row, minute in zip(rows, spent, strict=True)}
    wanted = [iteration for iteration in minutes if iteration % every == 0 or iteration == max(minutes)]
    points = []
    for iteration in wanted:
        found = measured(run, iteration, options, sets)
        points.append({"iteration": iteration, "minutes": minutes[iteration], "found": found})
        shown = ", ".join(f"{described(name)} {each.rate:.2%}" for name, each in found.items())
        print(f"iteration {iteration}, {minutes[iteration]:.1f} min: {shown}", file=sys.stderr, flush=True)
    return points


def plot(points: list[dict[str, Any]], title: str, out: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.8), layout="constrained")
    axes = figure.subplots()
    minutes = [point["minutes"] for point in points]
    for number, name in enumerate(points[0]["found"]):
        found = [point["found"][name] for point in points]
        axes.plot(minutes, [100 * each.rate for each in found], color=f"C{number}", marker=".", label=described(name))
        low, high = zip(*(each.interval for each in found), strict=True)
        axes.fill_between(minutes, [100 * x for x in low], [100 * x for x in high], color=f"C{number}", alpha=0.15)
    axes.set(title=title, xlabel="minutes of training", ylabel="moves that give away value, %")
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.9")
    axes.legend()
    figure.savefig(out, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="zero:net=connect4,sims=200")
    parser.add_argument("--run", type=Path, help="a run of `damier train connect4`: errors of its checkpoints")
    parser.add_argument("--options", default="sims=200", help="of the checkpoints' players")
    parser.add_argument("--every", type=int, default=1, help="each k-th checkpoint, and the last")
    parser.add_argument("--out", type=Path, default=Path("errors.png"))
    options, sets = parse_with_sets(parser)
    if options.run:
        run = open_run(options.run, "connect4")
        points = follow(run, options.options, options.every, sets)
        if not points:
            raise SystemExit(f"{options.run} has no checkpoint yet")
        plot(points, f"{run.folder.name}, {options.options}", options.out)
        print(f"wrote {options.out}", file=sys.stderr)
        found = points[-1]["found"]
    else:
        found = {name: mistakes(options.player, puzzles) for name, puzzles in sets.items()}
    rows = [row_of(name, each) for name, each in found.items()]
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print_rows(rows)


if __name__ == "__main__":
    main()
