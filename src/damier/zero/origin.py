"""The layers of a trained network, by their place: from a checkpoint of a run, or from a network file of damier.

In a file batch normalisation is folded into the convolution before it, see `export`, and the weights may be 8-bit
numbers. Its layers are told apart by the graph: what both outputs need is the trunk, the rest belongs to a head.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import safetensors.torch
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from safetensors import SafetensorError
from torch import Tensor, nn

from damier.core.errors import DamierError, SpecError
from damier.core.files import digest, is_file, is_folder, user_path
from damier.core.messages import say
from damier.search.guided.network import read_network
from damier.search.guided.shipped import shipped_networks
from damier.zero.checkpoint import MEAN, MODEL, Checkpoint, DamagedError, chosen_checkpoint, load
from damier.zero.export import FORMAT
from damier.zero.network import PolicyValueNetwork, build_network
from damier.zero.run import Run, open_run

INPUT = "trunk input"
PARTS = ("trunk", "policy", "value")
_OUTPUTS = {"policy": "policy", "values": "value"}
_WEIGHT = re.compile(r"w(\d+)(_|$)")  # `export` numbers the weights in the order of the modules

Place = str


@dataclass(frozen=True)
class Layer:
    """The weights of a convolution or a dense layer."""

    weight: Tensor
    bias: Tensor | None
    normalisation: Mapping[str, Tensor] | None  # after it; None where there is none, or where it is folded in


@dataclass(frozen=True)
class Origin:
    """A network that another one may start from."""

    name: str  # as the user says it
    game: str
    sha256: str
    kind: str  # as in the settings
    layers: Mapping[Place, Layer]


def full_name(name: str) -> str:
    """The name of a network that comes with damier, or else the full path."""
    return name if name in shipped_networks() else str(user_path(name))


def read_origin(name: str, sha256: str | None = None) -> Origin:
    """Read a network: one that comes with damier, an .onnx file, or the last accepted one of a run.

    With a checksum it must be this one, and of a run it may be an earlier one.
    """
    path = shipped_networks().get(name, user_path(name))
    if is_folder(path):
        return _of_run(name, open_run(path), sha256)
    if not is_file(path):
        shipped = say("network.shipped", names=list(shipped_networks()))
        raise SpecError("network.unknown", name=name, shipped=shipped)
    data = read_network(path)
    if sha256 not in (None, digest(data)):
        raise DamierError("start.altered", path=path, sha256=sha256)
    try:
        return _of_file(name, data)
    except Exception:  # of reading what is something else; those of protobuf have no common base with the others
        raise SpecError("start.not-ours", path=path) from None


def modules_of(network: PolicyValueNetwork, kind: str) -> dict[Place, tuple[Any, nn.BatchNorm2d | None]]:
    """The convolutions and dense layers of a network, each with the normalisation after it, by their place."""
    found: dict[Place, tuple[Any, nn.BatchNorm2d | None]] = {}
    for part in PARTS:
        layers: list[list[Any]] = []
        for module in getattr(network, part).modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                layers.append([module, None])
            elif isinstance(module, nn.BatchNorm2d):
                layers[-1][1] = module
        places = _places(part, [tuple(layer.weight.shape) for layer, _ in layers], kind)
        found |= {place: (layer, after) for place, (layer, after) in zip(places, layers, strict=True)}
    return found


def _places(part: str, shapes: Iterable[tuple[int, ...]], kind: str) -> list[Place]:
    """A name for each layer. In a tower it says which block it belongs to: blocks that see the whole board have one
    layer more, of one cell."""
    if part != "trunk" or kind != "tower":
        return [INPUT if part == "trunk" and not number else f"{part} {number}" for number, _ in enumerate(shapes)]
    names, block, is_first = [INPUT], 1, True
    for shape in list(shapes)[1:]:
        if shape[-1] == 1:
            names.append(f"block {block} board")
        else:
            names.append(f"block {block} {'first' if is_first else 'second'}")
            block, is_first = block + (not is_first), not is_first
    return names


# -- from a run --------------------------------------------------------------------------------------------------------


def _of_run(name: str, run: Run, sha256: str | None) -> Origin:
    found = chosen_checkpoint(run) if sha256 is None else _with_weights(run, sha256)
    file = _weights(found)
    settings = run.settings.network
    network = build_network(run.game, settings)
    try:
        network.load_state_dict(safetensors.torch.load_file(found.folder / file))
    except (RuntimeError, SafetensorError) as error:
        raise DamierError("checkpoint.other-network", path=found.folder, why=str(error).splitlines()[0]) from None
    layers = {
        place: Layer(layer.weight.detach(), layer.bias, after.state_dict() if after is not None else None)
        for place, (layer, after) in modules_of(network, settings.kind).items()
    }
    return Origin(name, run.game.name, found.manifest["files"][file], settings.kind, layers)


def _weights(found: Checkpoint) -> str:
    """The file of the weights that play."""
    return MEAN if MEAN in found.manifest["files"] else MODEL


def _with_weights(run: Run, sha256: str) -> Checkpoint:
    for folder in sorted(run.checkpoints.glob("[0-9]*"), reverse=True):
        try:
            found = load(folder)
        except DamagedError:
            continue
        if found.manifest["files"][_weights(found)] == sha256:
            return found
    raise DamierError("start.altered", path=run.folder, sha256=sha256)


# -- from a file -------------------------------------------------------------------------------------------------------


def _of_file(name: str, data: bytes) -> Origin:
    model = onnx.load_from_string(data)
    facts = {entry.key: entry.value for entry in model.metadata_props}
    if facts["damier.format"] != FORMAT:
        raise ValueError(facts["damier.format"])
    graph = _Graph(model.graph)
    needed = {part: graph.needed_for(output) for output, part in _OUTPUTS.items()}
    trunk = set.intersection(*needed.values())
    of_part = {part: trunk if part == "trunk" else needed[part] - trunk for part in PARTS}
    kind = graph.kind_of(trunk)
    layers: dict[Place, Layer] = {}
    for part, nodes in of_part.items():
        found = [layer for _, layer in sorted(graph.layers_in(nodes), key=lambda pair: pair[0])]
        places = _places(part, [tuple(layer.weight.shape) for layer in found], kind)
        layers |= dict(zip(places, found, strict=True))
    return Origin(name, facts["damier.game"], digest(data), kind, layers)


class _Graph:
    """The graph of a file, as `export` writes it and the quantiser rewrites it."""

    def __init__(self, graph: Any) -> None:
        self.nodes = list(graph.node)
        self.constants = {each.name: each for each in graph.initializer}
        self.maker = {output: index for index, node in enumerate(self.nodes) for output in node.output}

    def needed_for(self, output: str) -> set[int]:
        """The nodes that an output needs."""
        found: set[int] = set()
        waiting = [self.maker[output]]
        while waiting:
            index = waiting.pop()
            if index not in found:
                found.add(index)
                waiting += [self.maker[name] for name in self.nodes[index].input if name in self.maker]
        return found

    def kind_of(self, trunk: set[int]) -> str:
        kinds = {self.nodes[index].op_type for index in trunk}
        return "mlp" if "Gemm" in kinds else "tower" if "Add" in kinds else "small"

    def layers_in(self, nodes: set[int]) -> list[tuple[int, Layer]]:
        """The convolutions and dense layers among these nodes, each with the number of its weights."""
        found = []
        for node in (self.nodes[index] for index in nodes):
            if node.op_type in ("Conv", "Gemm"):
                (weight, name), (bias, _) = self._value(node.input[1]), self._value(node.input[2])
                match = _WEIGHT.match(name)
                if match is None:
                    raise ValueError(name)
                found.append((int(match[1]), Layer(torch.from_numpy(weight), torch.from_numpy(bias), None)))
        return found

    def _value(self, name: str) -> tuple[NDArray[np.float32], str]:
        """A constant in 32-bit numbers, and its name in the file."""
        if name in self.constants:
            return np.array(numpy_helper.to_array(self.constants[name]), np.float32), name
        node = self.nodes[self.maker[name]]
        if node.op_type != "DequantizeLinear":
            raise ValueError(node.op_type)
        value, scale, zero = (numpy_helper.to_array(self.constants[each]) for each in node.input)
        axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 1)
        along = [-1 if dimension == axis % value.ndim else 1 for dimension in range(value.ndim)]
        scale, zero = (each.reshape(along) if each.ndim and each.size > 1 else each for each in (scale, zero))
        return ((value.astype(np.float32) - zero) * scale).astype(np.float32), node.input[0]
