"""Simulations per second of UCT, beside OpenSpiel's C++ MCTSBot, on one core.

    .venv/bin/python benchmarks/simulations.py [--sims 20000] [--rounds 5] [--json]

Both search the first position with one random playout a simulation; the contestants take turns, and the best round
of each counts. The last column says how two threads of ours do beside one.
"""

import argparse
import json
import time
from collections.abc import Callable

import damier

GAMES = {
    "tictactoe": "tic_tac_toe",
    "connect4": "connect_four",
    "othello": "othello",
    "draughts:rules=english,draw_after=40,man_resets=no": "checkers",
}


def ours(name: str, sims: int, threads: int) -> Callable[[int], float]:
    start = damier.game(name).start()
    spec = f"uct:sims={sims * threads},threads={threads},keep=false"
    damier.player(spec).search(start)

    def rate(seed: int) -> float:
        result = damier.player(spec).search(start, seed)
        return result.sims / result.seconds

    return rate


def openspiel(name: str, sims: int) -> Callable[[int], float] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)

    def rate(seed: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, sims, 1000, False, seed, False)
        began = time.process_time()
        bot.step(game.new_initial_state())
        return sims / (time.process_time() - began)

    return rate


def measure(name: str, peer: str, sims: int, rounds: int) -> dict[str, float | str | None]:
    contestants = {
        "one": ours(name, sims, 1),
        "two": ours(name, sims, 2),
        "peer": openspiel(peer, max(200, sims // 20)),
    }
    best = dict.fromkeys(contestants, 0.0)
    for seed in range(rounds):
        for key, rate in contestants.items():
            if rate is not None:
                best[key] = max(best[key], rate(seed))
    return {
        "game": name,
        "damier": round(best["one"]),
        "openspiel": round(best["peer"]) or None,
        "ratio": round(best["one"] / best["peer"], 1) if best["peer"] else None,
        "two_threads": round(best["two"] / best["one"], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sims", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = [measure(name, peer, arguments.sims, arguments.rounds) for name, peer in GAMES.items()]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'game':52} {'damier/s':>10} {'OpenSpiel/s':>12} {'ratio':>6} {'2 threads':>10}")
    for row in rows:
        cells = (row["openspiel"] or "-", row["ratio"] or "-", row["two_threads"])
        print(f"{row['game']:52} {row['damier']:>10} {cells[0]:>12} {cells[1]:>6} {cells[2]:>10}")


if __name__ == "__main__":
    main()
