"""Batches to learn from: positions drawn from the memory, each seen through a random symmetry of the game."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.game import Game
from damier.search.guided.encoding import encode_many
from damier.zero.endings import NO_END, Endings, evaluate_all, owners_of
from damier.zero.network import planes_of
from damier.zero.samples import Samples

Floats = NDArray[np.float32]

_CALIBRATION = 512  # positions, to fit 8-bit numbers


@dataclass(frozen=True)
class Batch:
    """A batch of b positions; `actions` and `probs` have as many columns as the position with the most legal moves."""

    planes: Floats  # [b, *encode_shape]
    actions: NDArray[np.int64]  # [b, most]
    probs: Floats  # [b, most]
    is_legal: NDArray[np.bool_]  # [b, most]; False in unused columns
    values: Floats  # [b, players] starting with the player to move
    weights: Floats  # [b] of the policy
    # of the ends of the games, if they are known and the game has the rules for it
    ended: Floats | None = None  # [b]; 0 for a game that was resigned
    owners: NDArray[np.int64] | None = None  # [b, squares] whose each is, from the player to move on; -1 is nobody
    scores: Floats | None = None  # [b, players] the evaluation, starting with the player to move


class Batches:
    """Draws batches from samples of a game."""

    def __init__(
        self, game: Game, samples: Samples, value_mix: float, symmetries: bool, endings: Endings | None = None
    ) -> None:
        self.game, self.samples, self.endings = game, samples, endings
        self.scores = np.zeros((0, game.num_players))
        if endings is not None and game.has("evaluate"):
            self.scores = np.zeros((len(endings.ends), game.num_players))
            game.run(evaluate_all, endings.ends, self.scores)
        self.targets = (1 - value_mix) * samples.outcomes + value_mix * samples.searched
        self.images = _images(game) if symmetries else []

    def draw(self, size: int, rng: np.random.Generator) -> Batch:
        """Draw that many positions, all equally likely."""
        return self.at(rng.integers(len(self.samples), size=size), rng)

    def at(self, chosen: NDArray[np.integer[Any]], rng: np.random.Generator | None = None) -> Batch:
        """The batch of these positions; with random symmetries if a generator is given."""
        samples = self.samples
        actions, probs, is_legal = self._moves(chosen)
        planes = encoded(self.game, samples.states[chosen])
        ends = self._ends(chosen)
        if rng is not None and self.images:
            self._reflect(planes, actions, ends.get("owners"), rng)
        return Batch(
            planes=planes,
            actions=actions,
            probs=probs,
            is_legal=is_legal,
            values=self.targets[chosen].astype(np.float32),
            weights=samples.weights[chosen],
            **ends,
        )

    def _ends(self, chosen: NDArray[Any]) -> dict[str, Any]:
        """What the ends of the games say of these positions."""
        if self.endings is None:
            return {}
        game, of = self.game, self.endings.of[chosen]
        states = np.ascontiguousarray(self.samples.states[chosen])
        found: dict[str, Any] = {"ended": (of != NO_END).astype(np.float32)}
        if game.has("owners"):
            found["owners"] = np.zeros((len(states), math.prod(planes_of(game.encode_shape)[1:])), np.int64)
            game.run(owners_of, states, self.endings.ends, of, found["owners"])
        if game.has("evaluate"):
            turned = (states["player"][:, np.newaxis] + np.arange(game.num_players)) % game.num_players
            found["scores"] = np.take_along_axis(self.scores[of], turned, axis=1).astype(np.float32)
        return found

    def _moves(self, chosen: NDArray[Any]) -> tuple[NDArray[np.int64], Floats, NDArray[np.bool_]]:
        starts = self.samples.offsets[chosen]
        counts = self.samples.offsets[chosen + 1] - starts
        columns = np.arange(max(1, counts.max()))
        is_legal = columns < counts[:, None]
        where = np.where(is_legal, starts[:, None] + columns, 0)
        actions = np.where(is_legal, self.samples.actions[where], 0).astype(np.int64)
        return actions, np.where(is_legal, self.samples.probs[where], 0).astype(np.float32), is_legal

    def _reflect(
        self, planes: Floats, actions: NDArray[np.int64], owners: NDArray[np.int64] | None, rng: np.random.Generator
    ) -> None:
        """Apply the identity or one of the symmetries, all equally likely; in place."""
        which = rng.integers(len(self.images) + 1, size=len(planes))
        by_cell = planes.reshape(len(planes), planes.shape[1], -1)
        for number, (cells, new_actions) in enumerate(self.images):
            rows = np.flatnonzero(which == number)
            by_cell[rows] = by_cell[rows][:, :, cells]
            actions[rows] = new_actions[actions[rows]]
            if owners is not None:
                owners[rows] = owners[rows][:, cells]


def encoded(game: Game, states: NDArray[Any]) -> Floats:
    """Positions as a network sees them."""
    planes = np.zeros((len(states), *game.encode_shape), np.float32)
    game.run(encode_many, np.ascontiguousarray(states), planes)
    return planes


def some_positions(game: Game, samples: Samples, rng: np.random.Generator) -> Floats:
    """Positions to fit networks in 8-bit numbers to."""
    return encoded(game, samples.states[rng.integers(len(samples), size=_CALIBRATION)])


def _images(game: Game) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """For each symmetry: the source of each cell, and the target of each action (`policy[actions]` is its source)."""
    if not game.has("symmetries"):
        return []
    return [(np.asarray(cells), np.argsort(actions)) for cells, actions in game.rules.symmetries()]
