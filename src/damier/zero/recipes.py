"""Settings that are better than the defaults, for a game or a game with certain options. The user's override them."""

from typing import Any

_TINY_BLOKUS = {
    "iterations": 400,
    "minutes": 30.0,
    "quantised": True,
    "network": {"policy": "planes"},
    "search": {"sims": 64},
    "selfplay": {"games": 500, "parallel": 128, "random_openings": 0.5, "random_moves": 4},
    "training": {"reuse": 3.0, "average": 300, "cooldown": 0.2},
}

RECIPES: dict[str, dict[str, Any]] = {
    "tictactoe": {
        "iterations": 12,
        "network": {"kind": "tower", "blocks": 2, "channels": 32},
        "search": {"sims": 24, "temperature_moves": 9},
        "selfplay": {"games": 400, "parallel": 64, "random_openings": 0.5, "random_moves": 4},
        "training": {"memory": 20_000, "reuse": 6.0, "warmup": 50},
    },
    "connect4": {
        "iterations": 400,
        "minutes": 65.0,
        "quantised": True,
        "network": {"channels": 48},
        "search": {"sims": 48},
        "selfplay": {"games": 2000, "parallel": 128, "random_openings": 0.7, "random_moves": 24, "solve": 10_000},
        "training": {"memory": 400_000, "reuse": 3.0, "batch": 512, "average": 400, "cooldown": 0.2},
    },
    "othello:size=6": {
        "iterations": 400,
        "minutes": 40.0,
        "quantised": True,
        "selfplay": {"games": 500, "parallel": 128, "random_openings": 0.5},
        "training": {"memory": 300_000, "reuse": 3.0, "batch": 512, "average": 300, "cooldown": 0.2},
    },
    "dames8": {
        "iterations": 1000,
        "minutes": 92.0,
        "quantised": True,
        "selfplay": {"games": 400, "parallel": 128},
        "training": {"memory": 300_000, "reuse": 3.0, "batch": 512, "average": 300, "cooldown": 0.2},
    },
    "blokus:board=tiny": _TINY_BLOKUS
    | {
        "minutes": 45.0,
        "search": {"sims": 32},
        "selfplay": {"games": 500, "parallel": 128, "random_openings": 0.25, "random_moves": 4},
    },
    "blokus:board=tiny,players=3": _TINY_BLOKUS,
    "blokus:board=tiny,players=4": _TINY_BLOKUS,
    "blokus:board=duo": {
        "iterations": 400,
        "minutes": 60.0,
        "quantised": True,
        "network": {"policy": "planes"},
        "selfplay": {"games": 400, "parallel": 128},
        "training": {"memory": 150_000, "reuse": 3.0, "average": 300, "cooldown": 0.2},
    },
    # The board of 20 x 20 for any number of players. With its legal moves a position takes three kilobytes.
    "blokus": {
        "iterations": 1000,
        "minutes": 180.0,
        "quantised": True,
        "network": {"policy": "planes", "value": "pooled"},
        "selfplay": {"games": 128, "parallel": 64},
        "training": {"memory": 150_000, "reuse": 3.0, "average": 300, "cooldown": 0.2},
    },
    "leduc": {
        "iterations": 200,
        "minutes": 12.0,
        "network": {"kind": "mlp", "blocks": 2, "channels": 64},
        "search": {"root": "puct", "sims": 64, "temperature_moves": 99},
        "selfplay": {"games": 2000, "parallel": 128, "random_openings": 0.0},
        "training": {"reuse": 2.0, "value_mix": 0.0, "average": 300, "cooldown": 0.3},
    },
    "whist:variant=german": {
        "iterations": 400,
        "minutes": 22.0,
        "network": {"kind": "mlp", "blocks": 2, "channels": 256},
        "search": {"sims": 32, "temperature_moves": 99},
        "selfplay": {"games": 1000, "parallel": 128, "random_openings": 0.0},
        "training": {"memory": 400_000, "reuse": 2.0, "batch": 512, "average": 300, "cooldown": 0.2},
    },
}
