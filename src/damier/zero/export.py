"""Networks for play: ONNX files, which need no torch.

The graph is written module by module, with batch normalisation folded into the convolution before it:

    gamma (W x - mean) / sqrt(var + eps) + beta  =  (s W) x + (beta - s mean),    s = gamma / sqrt(var + eps)

The input is `planes` [batch, *encode_shape]. The outputs are `policy` [batch, num_actions], logits, and `values`
[batch, num_players] in [-1, 1], starting with the player to move. The file names its game.
"""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from damier.core.errors import DamierError
from damier.core.game import Game
from damier.zero.network import PolicyValueNetwork, Pool, PooledResidual, Residual

FORMAT = "1"
_OPSET = 17
_IR_VERSION = 9  # read by every ONNX Runtime since 1.15
_CLOSE = 1e-3  # how much the file may differ from the network


def to_onnx(network: PolicyValueNetwork, game: Game, margin: float = 0.0, reach: float = 1.0) -> bytes:
    """The network as an ONNX file."""
    graph = _Graph()
    features = graph.write(network.trunk, "planes")
    policy = graph.write(network.policy, features)
    values = graph.write(network.value, features)
    graph.add("Identity", [policy], "policy")
    graph.add("Identity", [values], "values")
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "damier",
            [_tensor("planes", *game.encode_shape)],
            [_tensor("policy", game.num_actions), _tensor("values", game.num_players)],
            graph.weights,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="damier",
    )
    helper.set_model_props(model, metadata(game, margin, reach))
    onnx.checker.check_model(model)
    written: bytes = model.SerializeToString()
    return written


def metadata(game: Game, margin: float = 0.0, reach: float = 1.0) -> dict[str, str]:
    """The metadata of the file: the game, and the meaning of its values."""
    return {
        "damier.format": FORMAT,
        "damier.game": game.name,
        "damier.encode_shape": ",".join(map(str, game.encode_shape)),
        "damier.num_actions": str(game.num_actions),
        "damier.num_players": str(game.num_players),
        "damier.margin": str(margin),
        "damier.margin_reach": str(reach),
    }


def check_agreement(network: PolicyValueNetwork, written: bytes, planes: NDArray[np.float32]) -> float:
    """The largest difference between the network and its file on these positions; an error if it is not small."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(written, options, providers=["CPUExecutionProvider"])
    network.eval()
    with torch.no_grad():
        expected = network(torch.from_numpy(planes))
    got = session.run(["policy", "values"], {"planes": planes})
    difference = max(
        float(np.abs(ours.numpy() - theirs).max() / (1 + np.abs(theirs).max()))
        for ours, theirs in zip(expected, got, strict=True)
    )
    if not difference < _CLOSE:
        raise DamierError("train.export-differs", got=difference, most=_CLOSE)
    return difference


def quantised(written: bytes, planes: NDArray[np.float32], batch: int = 64) -> bytes:
    """The network in 8-bit numbers, with ranges fitted to these positions."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.batches: Iterator[NDArray[np.float32]] = (
                planes[start : start + batch] for start in range(0, len(planes), batch)
            )

        def get_next(self) -> dict[str, Any] | None:
            chunk = next(self.batches, None)
            return None if chunk is None else {"planes": chunk}

    logging.getLogger().addFilter(_is_no_advice)
    try:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "float.onnx"), Path(folder, "int8.onnx")
            source.write_bytes(written)
            quantize_static(
                source,
                target,
                Reader(),
                quant_format=QuantFormat.QDQ,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
                per_channel=True,
                reduce_range=True,  # sums of 8-bit products overflow on processors without VNNI
            )
            model = onnx.load(target)
    finally:
        logging.getLogger().removeFilter(_is_no_advice)
    del model.metadata_props[:]
    helper.set_model_props(model, {entry.key: entry.value for entry in onnx.load_from_string(written).metadata_props})
    data: bytes = model.SerializeToString()
    return data


def _is_no_advice(record: logging.LogRecord) -> bool:
    """Drop the quantiser's advice to preprocess, which our graphs don't need."""
    return "pre-processing" not in record.getMessage()


def _tensor(name: str, *shape: int) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])


class _Graph:
    """An ONNX graph that grows module by module; each module gets its input's name and returns its output's."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def write(self, module: nn.Module, x: str) -> str:
        if isinstance(module, nn.Sequential):
            return self._sequence(list(module), x)
        if isinstance(module, Residual):
            return self.add("Relu", [self.add("Add", [x, self.write(module.body, x)])])
        if isinstance(module, PooledResidual):
            return self._pooled_residual(module, x)
        if isinstance(module, Pool):
            return self.add("Concat", [self.add("GlobalAveragePool", [x]), self.add("GlobalMaxPool", [x])], axis=1)
        if isinstance(module, nn.ReLU):
            return self.add("Relu", [x])
        if isinstance(module, nn.Tanh):
            return self.add("Tanh", [x])
        if isinstance(module, nn.Flatten):
            return self.add("Flatten", [x], axis=1)
        if isinstance(module, nn.Unflatten):
            sizes: Any = module.unflattened_size
            return self.add("Reshape", [x, self._constant(np.array([-1, *sizes], np.int64))])
        if isinstance(module, nn.Linear):
            weight, bias = self._tensor(module.weight), self._tensor(module.bias)
            return self.add("Gemm", [x, weight, bias], transB=1)
        if isinstance(module, nn.Conv2d):
            return self._convolution(module, module.weight, module.bias, x)
        raise TypeError(f"no ONNX form of {type(module).__name__}")

    def _pooled_residual(self, module: PooledResidual, x: str) -> str:
        found = self.write(module.first, x)
        of_the_board = self.write(module.board, found)
        added = self.add("Add", [x, self.write(module.second, found)])
        return self.add("Relu", [self.add("Add", [added, of_the_board])])

    def _sequence(self, modules: list[nn.Module], x: str) -> str:
        while modules:
            module = modules.pop(0)
            if isinstance(module, nn.Conv2d) and modules and isinstance(modules[0], nn.BatchNorm2d):
                x = self._convolution(module, *_folded(module, modules.pop(0)), x)
            else:
                x = self.write(module, x)
        return x

    def _convolution(self, module: nn.Conv2d, weight: Tensor, bias: Tensor | None, x: str) -> str:
        inputs = [x, self._tensor(weight)] + ([] if bias is None else [self._tensor(bias)])
        size, padding = module.kernel_size, module.padding
        assert not isinstance(padding, str)
        return self.add("Conv", inputs, kernel_shape=list(size), pads=[*padding, *padding])

    def add(self, operation: str, inputs: list[str], output: str | None = None, **attributes: Any) -> str:
        name = output or f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [name], **attributes))
        return name

    def _tensor(self, tensor: Tensor) -> str:
        return self._constant(tensor.detach().contiguous().numpy())

    def _constant(self, array: NDArray[Any]) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name


def _folded(convolution: nn.Conv2d, normalisation: Any) -> tuple[Tensor, Tensor]:
    scale = normalisation.weight / torch.sqrt(normalisation.running_var + normalisation.eps)
    bias = normalisation.bias - scale * normalisation.running_mean
    return convolution.weight * scale[:, None, None, None], bias
