"""What self-play costs besides its network.

    .venv/bin/python benchmarks/selfplay.py [--game connect4] [--parallel 64] [--rounds 5] [--seconds 2] [--json]

Residual towers with random weights, of 3 and 4 blocks with 32 channels, play against themselves. The network alone is
asked about batches of the same size, in turns with self-play, round by round; seconds are processor time, and the best
round counts on either side. Each line: positions per second that the network alone evaluates, those that it evaluates
in self-play, their ratio (at least 0.75 is asked for), the share of the time that is not the network's (at most a
quarter), simulations per second, and how many of them the cache has spared the network.
"""

import argparse
import itertools
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import damier
from damier.search.network import Network
from damier.zero.selfplay import SelfPlay
from damier.zero.settings import SearchSettings, SelfPlaySettings

NETWORKS = ((3, 32), (4, 32))
SIMS = 32


class Tower:
    """A residual tower as an ONNX graph, its weights random: they don't matter for speed."""

    def __init__(self, game: damier.Game, blocks: int, channels: int) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.rng, self.numbers = np.random.default_rng(1), itertools.count()
        planes, rows, cols = game.encode_shape
        last = self.convolution("planes", planes, channels, 3)
        for _ in range(blocks):
            body = self.convolution(self.convolution(last, channels, channels, 3), channels, channels, 3, relu=False)
            last = self.add("Relu", [self.add("Add", [last, body])])
        for name, size, filters in (("policy", game.num_actions, 32), ("values", game.num_players, 4)):
            flat = self.add("Flatten", [self.convolution(last, channels, filters, 1)])
            logits = self.add("MatMul", [flat, self.weight(filters * rows * cols, size)])
            self.nodes.append(helper.make_node("Tanh" if name == "values" else "Identity", [logits], [name]))
        inputs = [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", *game.encode_shape])]
        sizes = (("policy", game.num_actions), ("values", game.num_players))
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size]) for name, size in sizes]
        graph = helper.make_graph(self.nodes, "tower", inputs, outputs, self.weights)
        self.model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)

    def convolution(self, source: str, planes: int, filters: int, size: int, relu: bool = True) -> str:
        weight = self.weight(filters, planes, size, size)
        made = self.add("Conv", [source, weight], kernel_shape=[size, size], pads=[size // 2] * 4)
        return self.add("Relu", [made]) if relu else made

    def weight(self, *shape: int) -> str:
        name = f"weight{next(self.numbers)}"
        scale = 1 / np.sqrt(np.prod(shape[1:])) if len(shape) > 2 else 0.1
        values = (scale * self.rng.normal(size=shape)).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def add(self, kind: str, sources: list[str], **attributes: Any) -> str:
        name = f"step{next(self.numbers)}"
        self.nodes.append(helper.make_node(kind, sources, [name], **attributes))
        return name


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


def measure(game: damier.Game, size: tuple[int, int], options: argparse.Namespace) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tower.onnx"
        onnx.save(Tower(game, *size).model, path)
        network = Network(path)
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
                "network": f"{size[0]} x {size[1]}",
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
        print("network  cache  raw/s  self-play/s  ratio  outside  simulations/s  spared")
    rows = []
    for size in NETWORKS:
        for row in measure(game, size, options):
            rows.append(row)
            if not options.json:
                print(line(row), flush=True)
    if options.json:
        print(json.dumps({"game": game.name, "parallel": options.parallel, "sims": SIMS, "rows": rows}, indent=2))


def line(row: dict[str, Any]) -> str:
    return (
        f"{row['network']:7} {'on' if row['cache'] else 'off':>6} {row['raw_per_second']:6} "
        f"{row['evaluations_per_second']:12} {row['ratio']:6} {row['outside_network']:8.1%} "
        f"{row['simulations_per_second']:14} {row['spared']:7.1%}"
    )


if __name__ == "__main__":
    main()
