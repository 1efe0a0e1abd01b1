"""How fast networks learn, in 32-bit numbers and in bfloat16.

    .venv/bin/python benchmarks/learning.py [--rounds 5] [--steps 10] [--json]

The networks and batches of the recipes, with random weights and random positions, which don't matter for speed, on one
thread. The two learn in turns, round by round; seconds are processor time, and the best round counts on either side.
Each line: positions learnt per second in both, and their ratio.
"""

import argparse
import json
import time
from typing import Any

import numpy as np
import torch

import damier
from damier.zero.batches import Batch
from damier.zero.configuration import settings_for
from damier.zero.network import build_network
from damier.zero.recipes import RECIPES
from damier.zero.settings import Settings
from damier.zero.training import Trainer

PRECISIONS = ("float32", "bfloat16")
MOVES = 40  # legal in each position


def random_batch(game: damier.Game, size: int) -> Batch:
    rng = np.random.default_rng(1)
    moves = min(MOVES, game.num_actions)
    return Batch(
        planes=rng.integers(0, 2, (size, *game.encode_shape)).astype(np.float32),
        actions=rng.integers(0, game.num_actions, (size, moves)),
        probs=np.full((size, moves), 1 / moves, np.float32),
        is_legal=np.ones((size, moves), np.bool_),
        values=rng.uniform(-1, 1, (size, game.num_players)).astype(np.float32),
        weights=np.ones(size, np.float32),
    )


def trainer_for(game: damier.Game, settings: Settings, precision: str) -> Trainer:
    chosen = settings.training.model_copy(update={"precision": precision})
    trainer = Trainer(build_network(game, settings.network), chosen)
    trainer.network.train()
    return trainer


def measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    game, settings = damier.game(name), settings_for(name, {})
    batch = random_batch(game, settings.training.batch)
    trainers = {precision: trainer_for(game, settings, precision) for precision in PRECISIONS}
    rates = dict.fromkeys(PRECISIONS, 0.0)
    for _ in range(options.rounds):
        for precision, trainer in trainers.items():
            trainer.step(batch)
            began = time.process_time()
            for _ in range(options.steps):
                trainer.step(batch)
            took = time.process_time() - began
            rates[precision] = max(rates[precision], options.steps * len(batch.planes) / took)
    network = f"{settings.network.blocks} x {settings.network.channels}"
    return {"game": name, "network": network, **rates, "ratio": rates["bfloat16"] / rates["float32"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=10, help="a round, of each")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for name in RECIPES:
        row = measure(name, options)
        if options.json:
            print(json.dumps(row), flush=True)
        else:
            rates = ", ".join(f"{precision} {row[precision]:,.0f}" for precision in PRECISIONS)
            print(f"{name}, {row['network']}: positions/s {rates}, ratio {row['ratio']:.2f}", flush=True)


if __name__ == "__main__":
    main()
