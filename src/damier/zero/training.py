"""Learning from the replay memory.

    loss = (z - v)^2 - pi . log p + c |theta|^2

z is the outcome of the game, or the value of the search, for each player; pi is the search's policy; p is the network's
over the legal moves alone, averaged over the positions with a full search. (z - v)^2 is averaged over players, so its
weight does not depend on their number. The last term: for `sgd` it is part of the gradient, as in the papers; for
`adamw` the weights are shrunk directly (Loshchilov, Hutter 2019), which is the same only for plain gradient descent.

Each step fits the weights to one batch and leaves noise in them. With `average`, the trainer also keeps a running mean
of the weights, which plays better than any single set (Polyak averaging; Izmailov et al. 2018), and uses it for play.

`targets` has more terms for learning alone, each with a layer of its own above the trunk.

Convolutions are computed in bfloat16 if the processor supports it (Kalamkar et al. 2019): the weights, their gradients
and the losses stay in 32 bits.
"""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from damier.core.errors import DamierError
from damier.zero.batches import Batch, Batches
from damier.zero.network import PolicyValueNetwork
from damier.zero.settings import TrainingSettings
from damier.zero.targets import target_losses, weights_of

HEADS = "heads"  # in the names of the weights of further targets

_MOMENTUM = 0.9
_RISE = 10  # while there are few steps, the running mean is over their number divided by this
_COLD = 0.1  # the learning rate falls to this share
_MUCH = 300_000_000  # multiply-adds of a batch; with fewer, the threads wait for each other more than they compute


@dataclass(frozen=True)
class Losses:
    total: float
    policy: float
    value: float
    entropy: float  # of the network's policy over the legal moves
    gradient: float  # its length before clipping
    ownership: float = 0.0
    score: float = 0.0

    def __add__(self, other: "Losses") -> "Losses":
        return Losses(*(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))

    def __mul__(self, factor: float) -> "Losses":
        return Losses(*(value * factor for value in vars(self).values()))


class Trainer:
    """A network and the state of its optimiser. `heads` are the layers of further targets."""

    def __init__(
        self, network: PolicyValueNetwork, settings: TrainingSettings, heads: torch.nn.ModuleDict | None = None
    ) -> None:
        self.network: PolicyValueNetwork = network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.settings = settings
        self.heads = heads if heads is not None else torch.nn.ModuleDict()
        self.weights = {"policy": 1.0, "value": settings.value_weight} | weights_of(settings)
        self.precision = precision_of(network, settings)
        self.steps = 0  # in the whole run
        self.progress = 0.0  # the finished share of the run
        self.mean = copy.deepcopy(self.network).eval() if settings.average else None
        decay = settings.weight_decay
        self.optimiser: torch.optim.Optimizer
        if settings.optimiser == "adamw":
            self.optimiser = torch.optim.AdamW(self.learnt.values(), settings.learning_rate, weight_decay=decay)
        else:
            self.optimiser = torch.optim.SGD(
                self.learnt.values(), settings.learning_rate, _MOMENTUM, weight_decay=2 * decay
            )

    @property
    def learnt(self) -> dict[str, torch.nn.Parameter]:
        """All weights that are learnt, by name."""
        of_heads = {f"{HEADS}.{name}": weights for name, weights in self.heads.named_parameters()}
        return dict(self.network.named_parameters()) | of_heads

    @property
    def playing(self) -> PolicyValueNetwork:
        """The network that plays."""
        return self.mean or self.network

    @property
    def learning_rate(self) -> float:
        """The current learning rate: it rises during the warm-up, and falls evenly towards the end of the run."""
        settings = self.settings
        risen = min(1.0, (self.steps + 1) / max(1, settings.warmup))
        fallen = max(0.0, 1 - (1 - self.progress) / settings.cooldown) if settings.cooldown else 0.0
        return settings.learning_rate * risen * (1 - fallen * (1 - _COLD))

    def train(
        self, batches: Batches, steps: int, rng: np.random.Generator, watch: Callable[[int, Losses], None] | None = None
    ) -> Losses:
        """Train for that many steps; return their mean losses."""
        self.network.train()
        total = Losses(0, 0, 0, 0, 0)
        for step in range(steps):
            losses = self.step(batches.draw(self.settings.batch, rng))
            total += losses
            if watch:
                watch(step + 1, losses)
        self.network.eval()
        return total * (1 / max(1, steps))

    def step(self, batch: Batch) -> Losses:
        for group in self.optimiser.param_groups:
            group["lr"] = self.learning_rate
        found = losses_of(self.network, batch, self.precision, self.heads)
        entropy = found.pop("entropy")
        loss = sum((self.weights[name] * part for name, part in found.items()), torch.zeros(()))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        gradient = float(torch.nn.utils.clip_grad_norm_(self.learnt.values(), self.settings.clip))
        if not math.isfinite(gradient):
            raise DamierError("train.diverged")
        self.optimiser.step()
        self.steps += 1
        self._average()
        total = loss.item() + self.settings.weight_decay * self._squares()
        parts = {name: part.item() for name, part in found.items()}
        return Losses(total=total, entropy=entropy.item(), gradient=gradient, **parts)

    @torch.no_grad()
    def _average(self) -> None:
        if self.mean is None:
            return
        share = max(1 / self.settings.average, _RISE / (_RISE + self.steps))
        weights = zip(self.mean.state_dict().values(), self.network.state_dict().values(), strict=True)
        pairs = [pair for pair in weights if pair[0].is_floating_point()]
        torch._foreach_lerp_([mean for mean, _ in pairs], [now for _, now in pairs], share)

    def _squares(self) -> float:
        with torch.no_grad():
            lengths = torch._foreach_norm(list(self.network.parameters()))
            return float(torch.stack(lengths).square().sum())


def precision_of(network: PolicyValueNetwork, settings: TrainingSettings) -> torch.dtype:
    """The chosen precision; by default bfloat16 for convolutions if the processor has it: elsewhere it is slower."""
    if settings.precision != "auto":
        return torch.bfloat16 if settings.precision == "bfloat16" else torch.float32
    has: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    is_convolutional = any(isinstance(layer, torch.nn.Conv2d) for layer in network.modules())
    return torch.bfloat16 if is_convolutional and (has.get("avx512_bf16") or has.get("amx_bf16")) else torch.float32


def losses_of(
    network: PolicyValueNetwork,
    batch: Batch,
    precision: torch.dtype = torch.float32,
    heads: torch.nn.ModuleDict | None = None,
) -> dict[str, Tensor]:
    """The parts of the loss by name, and the entropy of the policy."""
    planes = torch.from_numpy(batch.planes)
    if planes.dim() == 4:
        planes = planes.to(memory_format=torch.channels_last)
    with torch.autocast("cpu", precision, enabled=precision != torch.float32):
        features = network.trunk(planes)
        logits, values = network.policy(features).float(), network.value(features).float()
        more = target_losses(heads, features, batch) if heads is not None else {}
    is_legal = torch.from_numpy(batch.is_legal)
    weights = torch.from_numpy(batch.weights)
    logits = logits.gather(1, torch.from_numpy(batch.actions)).masked_fill(~is_legal, -math.inf)
    log_p = logits.log_softmax(1).masked_fill(~is_legal, 0.0)
    policy = -((torch.from_numpy(batch.probs) * log_p).sum(1) * weights).sum() / weights.sum().clamp(min=1)
    value = (torch.from_numpy(batch.values) - values).square().mean()
    entropy = -(log_p.exp() * log_p).sum(1).mean()
    return {"policy": policy, "value": value, "entropy": entropy} | more


def num_threads(network: PolicyValueNetwork, cells: int, batch: int, cores: int) -> int:
    """The number of threads: all cores if there is enough work for them."""
    convolved = sum(layer.weight.numel() for layer in network.modules() if isinstance(layer, torch.nn.Conv2d))
    return cores if batch * convolved * cells >= _MUCH else 1


def num_steps(settings: TrainingSettings, new: int, remembered: int) -> int:
    """The steps of an iteration with that many new positions, in a memory of that many."""
    if settings.epochs is not None:
        return settings.epochs * math.ceil(remembered / settings.batch)
    return max(1, round(settings.reuse * new / settings.batch))
