"""Targets beside policy and value, for learning alone: whose each square is in the end, and the score.

They teach the trunk what a position consists of, where a payoff alone says little (Wu, Accelerating self-play learning
in Go, 2019). For each target that is on, the trainer has a layer above the trunk; it is not exported.

    ownership   a class for each square: nobody, the player to move, the next one ...; cross-entropy
    score       what the game's evaluation says of the end, for each player; squared error
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from damier.core.errors import SpecError
from damier.core.game import Game
from damier.zero.batches import Batch
from damier.zero.network import NEAR_ZERO, Pool
from damier.zero.settings import NetworkSettings, TrainingSettings

OWNERSHIP, SCORE = "ownership", "score"
TARGETS = {OWNERSHIP: "owners", SCORE: "evaluate"}
"""The targets, and the capability of the game that each needs."""


def weights_of(settings: TrainingSettings) -> dict[str, float]:
    """The targets that are on, and how much the loss of each weighs."""
    weights = {OWNERSHIP: settings.ownership, SCORE: settings.score}
    return {name: weight for name, weight in weights.items() if weight}


def build_heads(game: Game, network: NetworkSettings, settings: TrainingSettings, seed: int = 0) -> nn.ModuleDict:
    """Make the layers of the targets that are on, with random weights."""
    heads: dict[str, nn.Module] = {}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for name in weights_of(settings):
            if not game.has(TARGETS[name]):
                raise SpecError("train.target", target=name, game=game.name, rule=TARGETS[name])
            if network.kind == "mlp":
                raise SpecError("train.target-kind", target=name)
            heads[name] = _ownership(game, network) if name == OWNERSHIP else _score(game, network)
    return nn.ModuleDict(heads)


def _ownership(game: Game, network: NetworkSettings) -> nn.Module:
    return _near_zero(nn.Conv2d(network.channels, game.num_players + 1, 1))


def _score(game: Game, network: NetworkSettings) -> nn.Module:
    return nn.Sequential(Pool(), nn.Flatten(), _near_zero(nn.Linear(2 * network.channels, game.num_players)))


def _near_zero(layer: Any) -> nn.Module:
    nn.init.normal_(layer.weight, std=NEAR_ZERO)
    nn.init.zeros_(layer.bias)
    return layer  # type: ignore[no-any-return]


def target_losses(heads: nn.ModuleDict, features: Tensor, batch: Batch) -> dict[str, Tensor]:
    """The loss of each target, a mean over the positions whose game has an end."""
    found: dict[str, Tensor] = {}
    if not heads:
        return found
    assert batch.ended is not None
    ended = torch.from_numpy(batch.ended)
    for name, head in heads.items():
        said = head(features).float()
        each = _of_owners(said, batch) if name == OWNERSHIP else _of_scores(said, batch)
        found[name] = (each * ended).sum() / ended.sum().clamp(min=1)
    return found


def _of_owners(said: Tensor, batch: Batch) -> Tensor:
    assert batch.owners is not None
    classes = torch.from_numpy(batch.owners + 1)  # 0 is nobody
    return cross_entropy(said.flatten(2), classes, reduction="none").mean(1)


def _of_scores(said: Tensor, batch: Batch) -> Tensor:
    assert batch.scores is not None
    return (torch.from_numpy(batch.scores) - said).square().mean(1)
