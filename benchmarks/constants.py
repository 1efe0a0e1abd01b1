"""The constants of the Monte-Carlo searches: candidates against one reference, with intervals.

    .venv/bin/python benchmarks/constants.py [--game dames8] [--sims 100] [--games 300] [--json] [CANDIDATE ...]

A candidate is a player without its budget: `uct:c=0.7`, `grave:ref=50,c=0.4,bias=0.1`. The reference is `uct:c=0.41`,
which differs from the default just enough to have a name of its own. Games are kept as those of any match, so that an
interrupted run goes on where it stopped.
"""

import argparse
import json

import damier

REFERENCE = "uct:c=0.41"
CANDIDATES = [
    *(f"uct:c={c}" for c in (0.1, 0.2, 0.4, 0.55, 0.7, 1.0, 1.4)),
    *(f"rave:c={c},bias={bias}" for c, bias in ((0, 1e-5), (0, 0.1), (0.2, 1e-5), (0.4, 1e-5), (0.4, 0.1), (0.5, 1))),
    *(f"grave:ref={ref},c={c},bias=1e-5" for ref in (10, 50) for c in (0, 0.2)),
    "grave:ref=10,c=0.4,bias=0.1",
    "grave:ref=50,c=0.4,bias=0.1",
]


def with_budget(player: str, sims: int) -> str:
    name, _, options = player.partition(":")
    return f"{name}:sims={sims}" + (f",{options}" if options else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("candidates", nargs="*", metavar="CANDIDATE")
    parser.add_argument("--game", default="dames8")
    parser.add_argument("--sims", type=int, default=100)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = []
    for candidate in arguments.candidates or CANDIDATES:
        first, second = (with_budget(player, arguments.sims) for player in (candidate, REFERENCE))
        match = damier.match(arguments.game, first, second, games=arguments.games, seed=arguments.seed)
        low, high = match.interval
        rows.append({"candidate": candidate, "score": match.score, "interval": match.interval})
        if not arguments.json:
            print(f"{candidate:32} {match.score:6.1%}  {100 * low:.1f} - {high:.1%}", flush=True)
    if arguments.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
