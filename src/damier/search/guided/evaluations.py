"""The network's answers, remembered: games and simulations meet the same positions again and again.

A table finds a position by its key; a newer position replaces the older one in its place. The probabilities of its
moves and its values are stored one after the other in a ring. Entries that the ring has overwritten are forgotten.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.rng import mix

NUMBERS_EACH = 16  # room in the ring for each place in the table


class Evaluations(Struct):
    """Room for about `size` positions, rounded down to a power of two; with 0 nothing is remembered."""

    def __init__(self, size: int) -> None:
        places = 1 << size.bit_length() - 1 if size else 0
        self.keys = np.zeros(places, np.uint64)
        self.starts = np.full(places, -1, np.int64)  # where in the ring, counted without wrapping
        self.counts = np.zeros(places, np.int32)  # number of moves
        self.ring = np.empty(max(1, places * NUMBERS_EACH), np.float32)
        self.head = np.zeros(1, np.int64)  # where the next goes
        self.hits = np.zeros(1, np.int64)
        self.misses = np.zeros(1, np.int64)


@kernel
def place_of(cache: Any, key: Any) -> Any:
    return np.int64(mix(key) & np.uint64(cache.keys.size - 1))


@kernel
def recall(cache: Any, key: Any, count: int, probs: Any, values: Any) -> bool:
    """Read the probabilities and values of a position with `count` moves; False if it is unknown."""
    if cache.keys.size == 0:
        return False
    place = place_of(cache, key)
    start = cache.starts[place]
    is_known = start >= 0 and cache.keys[place] == key and cache.counts[place] == count
    if not is_known or cache.head[0] - start > cache.ring.size:
        cache.misses[0] += 1
        return False
    cache.hits[0] += 1
    at = start % cache.ring.size
    for i in range(count):
        probs[i] = cache.ring[at + i]
    for player in range(values.size):
        values[player] = cache.ring[at + count + player]
    return True


@kernel
def remember(cache: Any, key: Any, count: int, probs: Any, values: Any) -> None:
    length = count + values.size
    if cache.keys.size == 0 or length > cache.ring.size:
        return
    start = cache.head[0]
    if start % cache.ring.size + length > cache.ring.size:  # an entry is never split
        start += cache.ring.size - start % cache.ring.size
    cache.head[0] = start + length
    at = start % cache.ring.size
    for i in range(count):
        cache.ring[at + i] = probs[i]
    for player in range(values.size):
        cache.ring[at + count + player] = values[player]
    place = place_of(cache, key)
    cache.keys[place], cache.starts[place], cache.counts[place] = key, start, count
