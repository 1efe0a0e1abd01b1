"""The transposition table: what a search found out about positions, by their keys.

Two neighbouring slots share a place. The first keeps the deeper search, unless it belongs to an earlier move of the
game; the second keeps the rest.

A value may be used again for a search of the same depth, so a search with a table finds exactly the same value as one
without. A value that depends on finished games alone, and on no evaluation, is `proven`: it is valid for every greater
depth too.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.rng import mix
from damier.search.classical.stack import SOONER

FREE, LOWER, UPPER, EXACT = 0, 1, 2, 3
NOT_FOUND = -1

_SLOT = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),
            ("move", np.int64),
            ("value", np.float64),
            ("depth", np.int16),
            ("bound", np.int8),
            ("proven", np.int8),
            ("age", np.int32),
        ],
    )
)
ONE = np.uint64(1)


class TranspositionTable(Struct):
    def __init__(self, megabytes: int) -> None:
        slots = max(2, megabytes * 2**20 // _SLOT.itemsize)
        self.slots = np.empty(1 << slots.bit_length() - 1, _SLOT)
        self.slots.fill(0)  # written now, because the first use of new memory is slow
        self.age = np.zeros(1, np.int64)  # counts searches


@kernel
def place_of(table: Any, key: Any) -> Any:
    """The first of the two slots of a key."""
    slot: Any = mix(key) & np.uint64(table.slots.size - 1) & ~ONE
    return np.int64(slot)


@kernel
def find(table: Any, key: Any) -> int:
    """The slot of a key, or NOT_FOUND."""
    place = place_of(table, key)
    for slot in range(place, place + 2):
        if table.slots[slot].bound != FREE and table.slots[slot].key == key:
            return slot
    return NOT_FOUND


@kernel
def is_valid(entry: Any, depth: int) -> bool:
    """Whether a value is valid for a search of this depth."""
    return entry.depth == depth or (entry.proven and entry.depth < depth)


@kernel
def store(table: Any, key: Any, depth: int, move: int, value: float, bound: int, proven: bool) -> None:
    place = place_of(table, key)
    slot = find(table, key)
    if slot == NOT_FOUND:
        deeper = table.slots[place]
        slot = place if deeper.age != table.age[0] or deeper.depth <= depth else place + 1
    entry = table.slots[slot]
    entry.key = key
    entry.move = move
    entry.value = value
    entry.depth = depth
    entry.bound = bound
    entry.proven = proven
    entry.age = table.age[0]


@kernel
def seen_from(value: float, plies: int) -> float:
    """A value, with wins counted from that many plies above, or below if negative."""
    if value > 1:
        return value - plies * SOONER
    return value + plies * SOONER if value < -1 else value
