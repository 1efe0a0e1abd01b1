"""The data between self-play and learning: positions with the policy and the values to learn.

Positions are kept as the game's records, a few bytes each; `damier.search.guided.encoding` turns them into a network's
input for learning. Per-player data starts with the player to move, like the network's values.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Samples:
    """A set of n positions, with m legal moves in all.

    The moves of position i are at `offsets[i]` to `offsets[i + 1]`: all legal ones, including those of probability 0.
    """

    states: NDArray[Any]  # [n] records of the game
    offsets: NDArray[np.int64]  # [n + 1]
    actions: NDArray[np.int32]  # [m] policy indices
    probs: Floats  # [m] the policy of the search
    outcomes: Floats  # [n, players] payoffs at the end, perhaps with a margin, starting with the player to move
    searched: Floats  # [n, players] the value found by the search, likewise
    weights: Floats  # [n] the weight of the policy; 0 after a fast search

    def __len__(self) -> int:
        return int(self.states.size)


@dataclass(frozen=True)
class FinishedGame:
    """A game of self-play, with the samples to learn from it."""

    number: int  # counted from 0 in the call of self-play that made it
    seed: int  # ... and the seed of that call
    moves: tuple[int, ...]  # from the start of the game, with the random opening and the moves of chance
    opening: int  # how many of them are the random opening
    returns: tuple[float, ...]  # by player number
    samples: Samples


def concatenate(parts: Sequence[Samples]) -> Samples:
    """The positions of all parts, one after the other."""
    joined = {
        field.name: _joined([getattr(part, field.name) for part in parts])
        for field in fields(Samples)
        if field.name != "offsets"
    }
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    return Samples(offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), **joined)


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Join arrays and keep their type.

    For records from several processes NumPy would choose a type without attributes, which uncompiled rules can't read.
    """
    return np.concatenate(arrays).view(arrays[0].dtype)
