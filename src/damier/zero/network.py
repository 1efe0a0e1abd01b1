"""The networks: planes in, a logit for each action and a value for each player out.

    planes -> trunk -> policy head -> logits, one an action
                    -> value head  -> values in [-1, 1], the player to move first

`tower`  a convolution and n residual blocks (He et al. 2016); AlphaGo Zero has 19 of 256 channels
`small`  four convolutions
`mlp`    n dense layers

With `value = "pooled"` the value head sees the mean and the maximum of each filter over the board, as in KataGo (Wu
2019), and its weights fit a board of any size. `pooled_blocks` of the tower do the same between their two convolutions:
what they find on the whole board is added everywhere.

The last layer of each head starts near 0. An untrained network therefore says "all moves alike, nobody is ahead", and
the first steps don't have to unlearn anything. A network is a tree of the modules below and nothing else: `export`
writes exactly these.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn

from damier.core.errors import SpecError
from damier.core.game import Game
from damier.zero.settings import NetworkSettings

_FILTERS = 32  # of the heads, at most
_HIDDEN = 64  # neurons of the value head
NEAR_ZERO = 0.01
_FEWEST_FILTERS = 2  # of a dense policy head, as in AlphaGo Zero
_MANY_WEIGHTS = 600_000  # of a dense policy layer
_SMALL_DEPTH = 4


class Residual(nn.Module):
    """x + f(x), rectified."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(*convolution(channels, channels, 3), nn.ReLU(), *convolution(channels, channels, 3))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


class Pool(nn.Module):
    """The mean and the maximum of each channel over the board, as a board of one cell."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([x.mean((2, 3), keepdim=True), x.amax((2, 3), keepdim=True)], 1)


class PooledResidual(nn.Module):
    """x + f(x), rectified, where f also adds to every cell what it finds on the whole board."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Sequential(*convolution(channels, channels, 3), nn.ReLU())
        added = nn.Conv2d(2 * channels, channels, 1)
        nn.init.zeros_(added.weight)  # at first it is an ordinary block
        nn.init.zeros_(added.bias)  # type: ignore[arg-type]
        self.board = nn.Sequential(Pool(), added)
        self.second = nn.Sequential(*convolution(channels, channels, 3))

    def forward(self, x: Tensor) -> Tensor:
        found = self.first(x)
        return torch.relu(x + self.second(found) + self.board(found))


class PolicyValueNetwork(nn.Module):
    """A network whose `forward(planes)` returns the logits and the values."""

    def __init__(self, trunk: nn.Sequential, policy: nn.Sequential, value: nn.Sequential) -> None:
        super().__init__()
        self.trunk, self.policy, self.value = trunk, policy, value
        for head in (policy, value):
            last = [layer for layer in head if isinstance(layer, nn.Linear | nn.Conv2d)][-1]
            nn.init.normal_(last.weight, std=NEAR_ZERO)
            if last.bias is not None:
                nn.init.zeros_(last.bias)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        features = self.trunk(planes)
        return self.policy(features), self.value(features)

    @property
    def num_weights(self) -> int:
        return sum(weights.numel() for weights in self.parameters())


def build_network(game: Game, settings: NetworkSettings, seed: int = 0) -> PolicyValueNetwork:
    """Make a network for this game with random weights; the same seed gives the same weights."""
    check_encoding(game)
    _check(settings)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if settings.kind == "mlp":
            return _perceptron(game, settings)
        return _convolutional(game, settings)


def check_encoding(game: Game) -> None:
    """Raise an error if the game lacks `encode`, `encode_shape` or `num_actions`."""
    for name in ("encode", "encode_shape", "num_actions"):
        if not game.has(name):
            raise SpecError("train.no-encode", game=game.name, rule=name)


def _check(settings: NetworkSettings) -> None:
    """Raise an error for settings that don't go together."""
    if settings.kind == "mlp" and settings.value == "pooled":
        raise SpecError("train.pooled-value")
    if settings.pooled_blocks and settings.kind != "tower":
        raise SpecError("train.pooled-kind", kind=settings.kind)
    if settings.pooled_blocks > settings.blocks:
        raise SpecError("train.pooled-blocks", blocks=settings.blocks, got=settings.pooled_blocks)


def convolution(inputs: int, outputs: int, size: int) -> tuple[nn.Module, nn.Module]:
    """A convolution that keeps the board's size, with batch normalisation (which has the bias)."""
    return nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False), nn.BatchNorm2d(outputs)


def planes_of(shape: tuple[int, ...]) -> tuple[int, int, int]:
    """The planes, rows and columns of an encoding: a list has planes of one cell, a single board is one plane."""
    if len(shape) == 1:
        return shape[0], 1, 1
    *planes, rows, cols = shape
    return math.prod(planes), rows, cols


def _convolutional(game: Game, settings: NetworkSettings) -> PolicyValueNetwork:
    shape, channels = tuple(game.encode_shape), settings.channels
    planes, rows, cols = planes_of(shape)
    trunk: list[Any] = [] if len(shape) == 3 else [nn.Flatten(), nn.Unflatten(1, (planes, rows, cols))]
    trunk += [*convolution(planes, channels, 3), nn.ReLU()]
    if settings.kind == "small":
        for _ in range(_SMALL_DEPTH - 1):
            trunk += [*convolution(channels, channels, 3), nn.ReLU()]
    else:
        trunk += [PooledResidual(channels) if is_pooled else Residual(channels) for is_pooled in _blocks(settings)]
    filters, cells = min(channels, _FILTERS), rows * cols
    is_pooled = settings.value == "pooled"
    value = nn.Sequential(
        *convolution(channels, filters, 1),
        nn.ReLU(),
        *([Pool()] if is_pooled else []),
        nn.Flatten(),
        nn.Linear(filters * (2 if is_pooled else cells), _HIDDEN),
        nn.ReLU(),
        nn.Linear(_HIDDEN, game.num_players),
        nn.Tanh(),
    )
    return PolicyValueNetwork(nn.Sequential(*trunk), _policy_head(game, settings, cells), value)


def _blocks(settings: NetworkSettings) -> list[bool]:
    """For each block of the tower, whether it sees the whole board; the last one does if any does."""
    count, pooled = settings.blocks, settings.pooled_blocks
    return [(block + 1) * pooled // count > block * pooled // count for block in range(count)]


def _policy_head(game: Game, settings: NetworkSettings, cells: int) -> nn.Sequential:
    """A dense layer; or, if that would be huge, planes of the board, one for each orientation for example."""
    channels, actions = settings.channels, game.num_actions
    affordable = _MANY_WEIGHTS // (cells * actions)  # filters
    can_be_planes = actions % cells == 0
    if settings.policy == "planes" or (settings.policy == "auto" and affordable < _FEWEST_FILTERS and can_be_planes):
        if not can_be_planes:
            raise SpecError("train.planes", cells=cells, game=game.name, actions=actions)
        last = nn.Conv2d(channels, actions // cells, 1)
        return nn.Sequential(*convolution(channels, channels, 3), nn.ReLU(), last, nn.Flatten())
    filters = max(_FEWEST_FILTERS, min(channels, _FILTERS, affordable))
    return nn.Sequential(
        *convolution(channels, filters, 1), nn.ReLU(), nn.Flatten(), nn.Linear(filters * cells, actions)
    )


def _perceptron(game: Game, settings: NetworkSettings) -> PolicyValueNetwork:
    trunk: list[Any] = [nn.Flatten()]
    width = math.prod(game.encode_shape)
    for _ in range(settings.blocks):
        trunk += [nn.Linear(width, settings.channels), nn.ReLU()]
        width = settings.channels
    policy = nn.Sequential(nn.Linear(width, game.num_actions))
    value = nn.Sequential(nn.Linear(width, game.num_players), nn.Tanh())
    return PolicyValueNetwork(nn.Sequential(*trunk), policy, value)
