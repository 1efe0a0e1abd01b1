"""What self-play makes and learning takes: positions with the policy and the values to learn there.

Positions are kept as the game's records, a few bytes each; `search.encoding` turns them into a network's input when
they are learnt from. What is by player starts with the player to move, as the network's values do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Samples:
    """n positions, with m legal moves in all.

    The moves of position i are at `offsets[i]` to `offsets[i + 1]`: every legal one, also those of probability 0.
    """

    states: NDArray[Any]  # [n] records of the game
    offsets: NDArray[np.int64]  # [n + 1]
    actions: NDArray[np.int32]  # [m] policy indices
    probs: Floats  # [m] what the search made of the policy
    outcomes: Floats  # [n, players] payoffs at the end, perhaps with a margin, those of the player to move first
    searched: Floats  # [n, players] the value found by the search, likewise
    weights: Floats  # [n] how much the policy counts; 0 where the search was a quick one

    def __len__(self) -> int:
        return int(self.states.size)


@dataclass(frozen=True)
class FinishedGame:
    """A game of self-play, and what there is to learn from it."""

    number: int  # counted from 0 in the call of self-play that made it
    seed: int  # ... and the seed of that call
    moves: tuple[int, ...]  # from the start of the game on, the random opening and the moves of chance included
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
    """Of the type that they have. For records that several processes made NumPy would choose one without attributes,
    which uncompiled rules can't read."""
    return np.concatenate(arrays).view(arrays[0].dtype)
