"""Simulations per second of information-set Monte-Carlo search on hearts, beside OpenSpiel's ISMCTSBot, on one core.

    .venv/bin/python -m benchmarks.ismcts [--sims 5000] [--rounds 3] [--json]

Both search the same positions of the same deals, without passing: OpenSpiel's bot can't redraw what was passed. It
chooses in the information set of the player to move, which is `observers=multiple` here. Its tree is a map of texts,
every simulation ends with one random game, as ours. Seconds are processor time, the two take turns, and the best round
of each counts.
"""

import argparse
import json
import time
from typing import Any

import pyspiel

import damier
from damier.core.rng import new_rng

GAME, PEER = "hearts:passing=none", "hearts(pass_cards=false)"
PLAYERS = ("ismcts:observers=multiple", "ismcts:observers=single")
BEFORE = (1, 9, 21)  # cards played before the positions that are searched


def theirs(card: int) -> int:
    """Our cards are numbered suit by suit, OpenSpiel's rank by rank."""
    return card % 13 * 4 + card // 13


def positions() -> list[tuple[damier.Position, Any]]:
    """The same positions of both programs, in which there is a choice."""
    found = []
    for seed, before in enumerate(BEFORE):
        rng, ours, twin = new_rng(seed), damier.game(GAME).start(), pyspiel.load_game(PEER).new_initial_state()
        twin.apply_action(0)  # chance draws "no passing", the only outcome
        while len(ours.history) < 52 + before or len(ours.moves()) < 3:
            move = ours.random_move(rng)
            ours = ours.play(move)
            twin.apply_action(theirs(move))
        assert sorted(map(theirs, ours.moves())) == twin.legal_actions()
        found.append((ours, twin))
    return found


def bot(sims: int) -> Any:
    return pyspiel.ISMCTSBot(
        seed=1,
        evaluator=pyspiel.RandomRolloutEvaluator(1, 1),
        uct_c=0.7,
        max_simulations=sims,
        max_world_samples=-1,  # a new one for each simulation
        final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False,
        allow_inconsistent_action_sets=True,
    )


def measure(sims: int, rounds: int) -> list[dict[str, Any]]:
    places = positions()
    players = {spec: damier.player(f"{spec},sims={sims}") for spec in PLAYERS}
    for player in players.values():
        player.search(places[0][0])  # compiles
    seconds: dict[str, list[float]] = {name: [] for name in (*PLAYERS, "OpenSpiel")}
    for _ in range(rounds):
        for spec, player in players.items():
            began = time.process_time()
            for ours, _ in places:
                player.search(ours)
            seconds[spec].append(time.process_time() - began)
        peer = bot(sims)
        began = time.process_time()
        for _, twin in places:
            peer.step(twin)
        seconds["OpenSpiel"].append(time.process_time() - began)
    best = {name: min(times) / (sims * len(places)) for name, times in seconds.items()}
    return [
        {"player": name, "sims_per_second": round(1 / each), "to_open_spiel": best["OpenSpiel"] / each}
        for name, each in best.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sims", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.sims, options.rounds)
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'player':28} {'sims/s':>9} {'to OpenSpiel':>13}")
    for row in rows:
        print(f"{row['player']:28} {row['sims_per_second']:9d} {row['to_open_spiel']:13.1f}")


if __name__ == "__main__":
    main()
