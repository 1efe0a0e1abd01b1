"""Starting from another network: each layer that fits is taken, the others start anew.

A layer fits if it has the same place and the same shape. A head is taken from its beginning up to the first layer that
does not fit: what comes after it would make nothing of what it gets. Where the first layer sees other planes, each
plane takes the weights of one with its name (`plane_names`), and a plane that the other network did not see weighs 0.

In a file the normalisation is folded into the convolution. Learning normalises by the batch, so the layer gets one
that changes nothing on positions of random games:

    (y - mean) / sqrt(var + eps) * sqrt(var + eps) + (bias + mean)  =  y + bias,    y = W x
"""

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.messages import Message, say
from damier.games import game as find_game
from damier.search.laws import random_positions
from damier.zero.batches import encoded
from damier.zero.network import PolicyValueNetwork, build_network
from damier.zero.origin import INPUT, PARTS, Layer, Origin, full_name, modules_of, read_origin
from damier.zero.settings import Settings, StartSettings

_OF = {"trunk": "start.trunk", "policy": "start.policy", "value": "start.value"}
_POSITIONS = 256  # of random games


@dataclass(frozen=True)
class Taken:
    """What was taken of another network."""

    origin: Origin
    layers: dict[str, tuple[int, int]]  # by part: how many, and of how many
    planes: tuple[int, int] | None  # likewise of the first layer's planes; None where it is taken or starts as a whole

    @property
    def message(self) -> Message:
        counts = [say(_OF[part], taken=taken, count=count) for part, (taken, count) in self.layers.items()]
        facts = {"game": self.origin.game, "sha256": self.origin.sha256[:8], "parts": counts}
        planes = say("start.planes", known=self.planes[0], count=self.planes[1]) if self.planes else ""
        return say("start.taken", planes=planes, **facts)


def with_origin(settings: Settings, game: Game) -> Settings:
    """The settings with the game and the checksum of the network to start from, if there is one that fits."""
    start = settings.start
    if start.network is None:
        return settings
    origin = read_origin(start.network, start.sha256)
    take(origin, build_network(game, settings.network), settings.network.kind, game)
    known = StartSettings(network=full_name(start.network), game=origin.game, sha256=origin.sha256)
    return settings.model_copy(update={"start": known})


def begin(network: PolicyValueNetwork, settings: Settings, game: Game) -> Taken | None:
    """Give a new network the layers of the one to start from; None if there is none."""
    if settings.start.network is None:
        return None
    origin = read_origin(settings.start.network, settings.start.sha256)
    return take(origin, network, settings.network.kind, game)


@torch.no_grad()
def take(origin: Origin, network: PolicyValueNetwork, kind: str, game: Game) -> Taken:
    """Copy the layers that fit; raise an error if none of the trunk does."""
    if origin.kind != kind:
        raise SpecError("start.other-kind", path=origin.name, got=origin.kind, expected=kind)
    folded: dict[nn.BatchNorm2d, Tensor] = {}
    layers, planes = {}, None
    modules = modules_of(network, kind)
    for part in PARTS:
        places = [place for place, (layer, _) in modules.items() if layer in set(getattr(network, part).modules())]
        taken = 0
        for place in places:
            layer, after = modules[place]
            found = origin.layers.get(place)
            if found is not None and place == INPUT:
                found, planes = _seen_by(found, layer, origin, game)
            if found is None or found.weight.shape != layer.weight.shape:
                if part == "trunk":
                    continue
                break
            _copy(found, layer, after, folded)
            taken += 1
        layers[part] = taken, len(places)
    if not layers["trunk"][0]:
        shapes = ["x".join(map(str, each.weight.shape)) for each in (origin.layers[INPUT], modules[INPUT][0])]
        raise SpecError("start.nothing-fits", path=origin.name, got=shapes[0], expected=shapes[1])
    if folded:
        _normalise(network, folded, encoded(game, played_at_random(game, _POSITIONS)))
    return Taken(origin, layers, planes)


def _seen_by(found: Layer, layer: Any, origin: Origin, game: Game) -> tuple[Layer | None, tuple[int, int] | None]:
    """The first layer, for the planes of this game; and how many of them the other network has seen."""
    if origin.game == game.name or found.weight.dim() != layer.weight.dim() or found.weight.dim() != 4:
        return found, None
    if found.weight.shape[2:] != layer.weight.shape[2:] or len(found.weight) != len(layer.weight):
        return None, None
    theirs, mine = _planes_of(origin.game), game.plane_names
    if len(theirs) != found.weight.shape[1] or len(mine) != layer.weight.shape[1]:
        return found, None
    sources = counterparts(theirs, mine)
    known = sum(source is not None for source in sources)
    if not known:
        return None, None
    weight = torch.zeros_like(layer.weight)
    for plane, source in enumerate(sources):
        if source is not None:
            weight[:, plane] = found.weight[:, source]
    return Layer(weight, found.bias, found.normalisation), (known, len(mine))


def counterparts(theirs: tuple[str, ...], mine: tuple[str, ...]) -> list[int | None]:
    """For each of my planes one of theirs with its name; where several share it, in order, again from the first."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(theirs):
        places.setdefault(name, []).append(place)
    met: dict[str, int] = {}
    found: list[int | None] = []
    for name in mine:
        number = met[name] = met.get(name, -1) + 1
        found.append(places[name][number % len(places[name])] if name in places else None)
    return found


def _planes_of(game: str) -> tuple[str, ...]:
    """The names of a game's planes; none if the game can't be found, for example because its file is elsewhere."""
    try:
        return tuple(find_game(game).plane_names)
    except DamierError:
        return ()


def _copy(found: Layer, layer: Any, after: nn.BatchNorm2d | None, folded: dict[nn.BatchNorm2d, Tensor]) -> None:
    layer.weight.copy_(found.weight)
    if after is None:
        layer.bias.copy_(found.bias)
    elif found.normalisation is not None:
        after.load_state_dict(dict(found.normalisation))
    else:
        assert found.bias is not None
        folded[after] = found.bias


def _normalise(network: PolicyValueNetwork, folded: dict[nn.BatchNorm2d, Tensor], planes: NDArray[np.float32]) -> None:
    """Fit the normalisations, each to what it gets once those before it are fitted."""

    def fit(module: Any, given: tuple[Tensor, ...]) -> None:
        mean, var = given[0].mean((0, 2, 3)), given[0].var((0, 2, 3), unbiased=False)
        module.running_mean.copy_(mean)
        module.running_var.copy_(var)
        module.weight.copy_(torch.sqrt(var + module.eps))
        module.bias.copy_(folded[module] + mean)

    hooks = [module.register_forward_pre_hook(fit) for module in folded]
    network.eval()
    network(torch.from_numpy(planes))
    for hook in hooks:
        hook.remove()


def played_at_random(game: Game, count: int, seed: int = 0) -> NDArray[Any]:
    """That many positions of random games in which a player is to move."""
    positions = (each for each in random_positions(game, count, seed) if not each.is_over and not each.is_chance)
    found = game.new_states(count)
    for place, position in enumerate(islice(positions, count)):
        found[place] = position.state
    return found
