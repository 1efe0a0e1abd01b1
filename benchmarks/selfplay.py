"""What self-play costs besides its network.

    .venv/bin/python benchmarks/selfplay.py [--game connect4] [--parallel 64] [--rounds 5] [--seconds 2] [--json]

Residual towers of 3 and 4 blocks with 32 channels, and of 4 with 48, with random weights, play against
themselves, in 32-bit and in 8-bit numbers. The network alone is asked about batches of the same size, in turns with
self-play, round by round; seconds are processor time, and the best round counts on either side. Each line: positions
per second that the network alone evaluates, those that it evaluates in self-play, their ratio (at least 0.75 is asked
for), the share of the time that is not the network's (at most a quarter), simulations per second, and how many of them
the cache has spared the network.
"""

import argparse
import itertools
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import damier
from damier.search.guided.network import Network
from damier.zero.export import quantised, to_onnx
from damier.zero.network import build_network
from damier.zero.selfplay import SelfPlay
from damier.zero.settings import NetworkSettings, SearchSettings, SelfPlaySettings

SIZES = ((3, 32), (4, 32), (4, 48))
SIMS = 32


def towers(game: damier.Game, folder: Path) -> Iterator[tuple[str, Network]]:
    """Networks with random weights, which don't matter for speed; each as it is and in 8-bit numbers."""
    planes = np.random.default_rng(1).integers(0, 2, (64, *game.encode_shape)).astype(np.float32)
    for blocks, channels in SIZES:
        written = to_onnx(build_network(game, NetworkSettings(blocks=blocks, channels=channels)).eval(), game)
        for numbers, data in (("", written), (" int8", quantised(written, planes))):
            path = folder / "tower.onnx"
            path.write_bytes(data)
            yield f"{blocks} x {channels}{numbers}", Network(path)


def raw_rate(network: Network, planes: Any, seconds: float) -> float:
    """Positions per second of the network alone."""
    began, done = time.process_time(), 0
    while time.process_time() - began < seconds:
        network.evaluate(planes)
        done += len(planes)
    return done / (time.process_time() - began)


class Player:
    """Self-play that can be interrupted and goes on where it was."""

    def __init__(self, game: damier.Game, network: Network, parallel: int, cache: int) -> None:
        self.work = SelfPlay(game, network, SearchSettings(sims=SIMS, cache=cache), SelfPlaySettings(parallel=parallel))
        self.games = self.work.play(itertools.count())
        next(self.games)  # compiled now

    def play(self, seconds: float) -> tuple[float, float, float]:
        """Evaluations and simulations per second, and the share of the time outside of the network."""
        work = self.work
        evaluations, sims, total, network = work.evaluations, self.sims(), work.seconds, work.network_seconds
        began = time.process_time()
        for _ in self.games:
            if time.process_time() - began > seconds:
                break
        took = time.process_time() - began
        outside = 1 - (work.network_seconds - network) / (work.seconds - total)
        return (work.evaluations - evaluations) / took, (self.sims() - sims) / took, outside

    def sims(self) -> int:
        return int(self.work.evaluations + self.work.cache.hits[0])


def measure(game: damier.Game, name: str, network: Network, options: argparse.Namespace) -> list[dict[str, Any]]:
    players = {cache: Player(game, network, options.parallel, cache) for cache in (0, 1 << 18)}
    planes = players[0].work.games.planes.copy()
    raw, played = [], {cache: [] for cache in players}  # type: ignore[var-annotated]
    for _ in range(options.rounds):
        raw.append(raw_rate(network, planes, options.seconds))
        for cache, player in players.items():
            played[cache].append(player.play(options.seconds))
    rows = []
    for cache, rounds in played.items():
        evaluations, sims, _ = max(rounds)
        rows.append(
            {
                "network": name,
                "cache": bool(cache),
                "raw_per_second": round(max(raw)),
                "evaluations_per_second": round(evaluations),
                "ratio": round(evaluations / max(raw), 3),
                "outside_network": round(min(outside for *_, outside in rounds), 3),
                "simulations_per_second": round(sims),
                "spared": round(1 - evaluations / sims, 3),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--parallel", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    game = damier.game(options.game)
    if not options.json:
        print(f"{game.name}, {options.parallel} games in lock-step, {SIMS} simulations a move")
        print("network      cache  raw/s  self-play/s  ratio  outside  simulations/s  spared")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, network in towers(game, Path(folder)):
            for row in measure(game, name, network, options):
                rows.append(row)
                if not options.json:
                    print(line(row), flush=True)
    if options.json:
        print(json.dumps({"game": game.name, "parallel": options.parallel, "sims": SIMS, "rows": rows}, indent=2))


def line(row: dict[str, Any]) -> str:
    return (
        f"{row['network']:11} {'on' if row['cache'] else 'off':>6} {row['raw_per_second']:6} "
        f"{row['evaluations_per_second']:12} {row['ratio']:6} {row['outside_network']:8.1%} "
        f"{row['simulations_per_second']:14} {row['spared']:7.1%}"
    )


if __name__ == "__main__":
    main()
