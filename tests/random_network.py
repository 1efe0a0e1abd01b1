"""A network file with random weights: one layer, made without torch."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import damier


def write_network(path: Path, game: damier.Game, seed: int = 1, scale: float = 0.5) -> Path:
    rng, cells = np.random.default_rng(seed), int(np.prod(game.encode_shape))
    sizes = {"policy": game.num_actions, "values": game.num_players}
    weights = [
        numpy_helper.from_array((scale * rng.normal(size=(cells, size))).astype(np.float32), f"{name}_weights")
        for name, size in sizes.items()
    ]
    nodes = [
        helper.make_node("Flatten", ["planes"], ["flat"]),
        helper.make_node("MatMul", ["flat", "policy_weights"], ["policy"]),
        helper.make_node("MatMul", ["flat", "values_weights"], ["sums"]),
        helper.make_node("Tanh", ["sums"], ["values"]),
    ]
    planes = helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", *game.encode_shape])
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size]) for name, size in sizes.items()]
    graph = helper.make_graph(nodes, "random", [planes], outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(model, {"damier.game": game.name, "damier.format": "1"})
    onnx.save(model, path)
    return path
