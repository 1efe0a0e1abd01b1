"""Batches to learn from: positions drawn from the memory, each seen through a random symmetry of the game."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.game import Game
from damier.search.guided.encoding import encode_many
from damier.zero.samples import Samples

Floats = NDArray[np.float32]

_CALIBRATION = 512  # positions, for 8-bit numbers


@dataclass(frozen=True)
class Batch:
    """b positions; `actions` and `probs` have a column for each legal move of the position that has the most."""

    planes: Floats  # [b, *encode_shape]
    actions: NDArray[np.int64]  # [b, most]
    probs: Floats  # [b, most]
    is_legal: NDArray[np.bool_]  # [b, most]; what is beside a position's own moves is not
    values: Floats  # [b, players] the player to move first
    weights: Floats  # [b] of the policy


class Batches:
    """Draws batches from samples of a game."""

    def __init__(self, game: Game, samples: Samples, value_mix: float, symmetries: bool) -> None:
        self.game, self.samples = game, samples
        self.targets = (1 - value_mix) * samples.outcomes + value_mix * samples.searched
        self.images = _images(game) if symmetries else []

    def draw(self, size: int, rng: np.random.Generator) -> Batch:
        """That many positions, each as likely as any other."""
        return self.at(rng.integers(len(self.samples), size=size), rng)

    def at(self, chosen: NDArray[np.integer[Any]], rng: np.random.Generator | None = None) -> Batch:
        """These positions; with random symmetries if there is a generator to draw them."""
        samples = self.samples
        actions, probs, is_legal = self._moves(chosen)
        planes = encoded(self.game, samples.states[chosen])
        if rng is not None and self.images:
            self._reflect(planes, actions, rng)
        return Batch(
            planes=planes,
            actions=actions,
            probs=probs,
            is_legal=is_legal,
            values=self.targets[chosen].astype(np.float32),
            weights=samples.weights[chosen],
        )

    def _moves(self, chosen: NDArray[Any]) -> tuple[NDArray[np.int64], Floats, NDArray[np.bool_]]:
        starts = self.samples.offsets[chosen]
        counts = self.samples.offsets[chosen + 1] - starts
        columns = np.arange(max(1, counts.max()))
        is_legal = columns < counts[:, None]
        where = np.where(is_legal, starts[:, None] + columns, 0)
        actions = np.where(is_legal, self.samples.actions[where], 0).astype(np.int64)
        return actions, np.where(is_legal, self.samples.probs[where], 0).astype(np.float32), is_legal

    def _reflect(self, planes: Floats, actions: NDArray[np.int64], rng: np.random.Generator) -> None:
        """The identity, or one of the images, in equal shares; in place."""
        which = rng.integers(len(self.images) + 1, size=len(planes))
        by_cell = planes.reshape(len(planes), planes.shape[1], -1)
        for number, (cells, new_actions) in enumerate(self.images):
            rows = np.flatnonzero(which == number)
            by_cell[rows] = by_cell[rows][:, :, cells]
            actions[rows] = new_actions[actions[rows]]


def encoded(game: Game, states: NDArray[Any]) -> Floats:
    """Positions as a network sees them."""
    planes = np.zeros((len(states), *game.encode_shape), np.float32)
    game.run(encode_many, np.ascontiguousarray(states), planes)
    return planes


def some_positions(game: Game, samples: Samples, rng: np.random.Generator) -> Floats:
    """What networks in 8-bit numbers are fitted to."""
    return encoded(game, samples.states[rng.integers(len(samples), size=_CALIBRATION)])


def _images(game: Game) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Of each symmetry: where a cell is taken from, and where an action goes (`policy[actions]` takes it from)."""
    if not game.has("symmetries"):
        return []
    return [(np.asarray(cells), np.argsort(actions)) for cells, actions in game.rules.symmetries()]
