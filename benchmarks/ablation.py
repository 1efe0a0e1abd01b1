"""What each part of the recipe is worth: Connect 4 learnt for a while by the recipe, and with one thing changed.

    .venv/bin/python -m benchmarks.ablation [--minutes 10 | --games 10000] [--seeds 1] [--only NAME ...] [--json]

Every variant learns for the same time, or the same number of games, from the same seeds; then it plays the positions of
`connect4_errors` with 200 simulations, and its moves that give away a win or a draw are counted. `difference` is its
rate less that of the recipe, with the 95 % interval of the difference of two independent shares: two variants play the
same positions, so the truth is a little narrower; but other seeds learn other networks, and with one seed nothing tells
how much that is. Every variant is a run in --root: the command can be stopped and goes on where it was, and
`damier runs compare` and `plot` show the curves. Run it on a quiet machine: minutes are minutes.
"""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.connect4_errors import described, measured, parse_with_sets

from damier.arena.mistakes import Mistakes, Puzzle
from damier.arena.statistics import Z95
from damier.zero.configuration import merged, settings_for
from damier.zero.loop import train
from damier.zero.run import Run, change_settings, create_run, open_run
from damier.zero.settings import Settings

RECIPE = "recipe"
VARIANTS: dict[str, dict[str, Any]] = {
    RECIPE: {},
    "puct": {"search": {"root": "puct"}},
    "puct-forced-playouts": {"search": {"root": "puct", "forced_playouts": 2.0}},
    # A quarter of the moves is searched in full; a move costs about as many simulations as in the recipe.
    "playout-cap": {"search": {"sims": 64}, "selfplay": {"full_search": 0.25, "fast_sims": 20}},
    "no-symmetries": {"training": {"symmetries": False}},
    "no-cache": {"search": {"cache": 0}},
    "value-of-the-outcome": {"training": {"value_mix": 0.0}},
    "value-of-the-search": {"training": {"value_mix": 1.0}},
    "no-random-openings": {"selfplay": {"random_openings": 0.0}},
    "few-random-moves": {"selfplay": {"random_openings": 0.5, "random_moves": 8}},
    "proofs": {"search": {"solver": True}},
    "ends-not-solved": {"selfplay": {"solve": 0}},
    "32-channels": {"network": {"channels": 32}},
    "32-bit": {"quantised": False},
    "gate": {"gate": {"kind": "threshold", "games": 40}},
}
GAMES = 500  # an iteration: small steps, so that all variants stop at nearly the same time
ENDLESS = 100_000


def settings_of(variant: str, seed: int, options: argparse.Namespace) -> Settings:
    budget: dict[str, Any] = {"iterations": ENDLESS, "minutes": options.minutes}
    if options.games:
        budget = {"iterations": math.ceil(options.games / GAMES), "minutes": None}
    return settings_for("connect4", merged(budget | {"seed": seed, "selfplay": {"games": GAMES}}, VARIANTS[variant]))


def learn(variant: str, seed: int, options: argparse.Namespace) -> Run:
    """A run to the end of its budget, from wherever it is."""
    folder, settings = options.root / f"{variant}-{seed}", settings_of(variant, seed, options)
    run = change_settings(open_run(folder), settings) if folder.exists() else create_run(folder, settings)
    print(f"{variant}, seed {seed}: learning", file=sys.stderr, flush=True)
    train(run, options.workers)
    return run


def warm_up(workers: int | None) -> None:
    """What is compiled, and takes half a minute, is compiled before the first minute is counted."""
    with tempfile.TemporaryDirectory() as folder:
        short = {"iterations": 1, "search": {"sims": 2}, "selfplay": {"games": 4}, "gate": VARIANTS["gate"]["gate"]}
        train(create_run(Path(folder) / "run", settings_for("connect4", short)), workers)


def last_accepted(run: Run) -> int:
    """The iteration whose network is the run's best."""
    accepted: list[int] = [row["iteration"] for row in run.metrics.rows() if row["gate"]["accepted"]]
    if not accepted:
        raise SystemExit(f"{run.folder}: no network was accepted yet; give it more --minutes")
    return max(accepted)


def measure(variant: str, sets: dict[str, list[Puzzle]], options: argparse.Namespace) -> dict[str, Any]:
    """The errors of all seeds together."""
    found = dict.fromkeys(sets, Mistakes(0, 0, 0))
    games, seconds, playing = 0, 0.0, 0.0
    for seed in range(options.seeds):
        run = learn(variant, seed, options)
        rows = run.metrics.rows()
        games += rows[-1]["games"]
        seconds += sum(row["seconds"] for row in rows)
        playing += sum(row["selfplay_seconds"] for row in rows)
        for name, each in measured(run, last_accepted(run), f"sims={options.sims}", sets).items():
            found[name] += each
    return {
        "variant": variant,
        "games": games,
        "minutes": seconds / 60,
        "games_per_second": games / playing,
        "sets": {name: vars(each) | {"rate": each.rate, "interval": each.interval} for name, each in found.items()},
        "all": sum(found.values(), Mistakes(0, 0, 0)),
    }


def difference(mine: Mistakes, other: Mistakes) -> tuple[float, float]:
    """Of two rates, and half the width of its 95 % interval (Agresti, Caffo 2000: one error and one success added)."""
    rates = [(each.made + 1) / (each.positions + 2) for each in (mine, other)]
    spread = sum(r * (1 - r) / (each.positions + 2) for r, each in zip(rates, (mine, other), strict=True))
    return rates[0] - rates[1], Z95 * math.sqrt(spread)


def line(row: dict[str, Any], recipe: Mistakes) -> str:
    sets = "  ".join(
        f"{each['rate']:6.2%} ({each['interval'][0]:.1%} - {each['interval'][1]:.1%})" for each in row["sets"].values()
    )
    apart, half = difference(row["all"], recipe)
    against = "" if row["variant"] == RECIPE else f"  {apart:+.2%} ± {half:.2%}"
    facts = f"{row['variant']:22} {row['games']:6d} {row['minutes']:5.1f} {row['games_per_second']:7.1f}"
    return f"{facts}  {sets}{against}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="of learning, a variant and seed")
    parser.add_argument("--games", type=int, help="of self-play instead of minutes")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=[name for name in VARIANTS if name != RECIPE], metavar="NAME")
    parser.add_argument("--sims", type=int, default=200, help="of the player that is measured")
    parser.add_argument("--root", type=Path, default=Path("runs/ablation"))
    parser.add_argument("--workers", type=int)
    options, sets = parse_with_sets(parser)
    warm_up(options.workers)
    rows = []
    if not options.json:
        heads = "  ".join(f"{described(name) + ', errors':>22}" for name in sets)
        print(f"{'variant':22} {'games':>6} {'min':>5} {'games/s':>7}  {heads}  difference, all")
    for variant in [RECIPE, *(options.only or [name for name in VARIANTS if name != RECIPE])]:
        rows.append(measure(variant, sets, options))
        if not options.json:
            print(line(rows[-1], rows[0]["all"]), flush=True)
    if options.json:
        print(json.dumps([row | {"all": vars(row["all"])} for row in rows], indent=2))


if __name__ == "__main__":
    main()
