"""Information sets: what a player knows at their turn, numbered, found again by exact comparison.

The key of a set is the player and the observation. A hash only says where to look; the numbers themselves are
compared.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.protocol import Observation
from damier.core.rng import mix

NONE = -1
SETS, ACTIONS, KNOWN = range(3)  # what is counted


class Sets(Struct):
    """Room for information sets, in the order in which they are found. An action is a move in a set."""

    def __init__(self, sets: int, actions: int, known: int) -> None:
        self.player = np.zeros(sets, np.int8)  # [sets] who moves
        self.parent = np.zeros(sets, np.int32)  # [sets] the sequence before: the player's last action, see `tree`
        self.first = np.zeros(sets + 1, np.int32)  # [sets + 1] the first action of each set
        self.start = np.zeros(sets + 1, np.int64)  # [sets + 1] where its observation starts
        self.example = np.zeros(sets, np.int32)  # [sets] a node in it, the first that was found
        self.moves = np.zeros(actions, np.int64)  # [actions]
        self.known = np.zeros(known, np.int64)  # the observations, one after the other
        self.slots = np.full(1 << (2 * sets - 1).bit_length(), NONE, np.int32)  # the sets, by hash; half of them free
        self.used = np.zeros(3, np.int64)  # how many sets, actions and numbers there are

    def grown(self, sets: int, actions: int, known: int) -> "Sets":
        """A copy with room for that many more."""
        counts = self.used.tolist()
        more = Sets(counts[SETS] + sets, counts[ACTIONS] + actions, counts[KNOWN] + known)
        for name in ("player", "parent", "first", "start", "example", "moves", "known"):
            old, new = getattr(self, name), getattr(more, name)
            shared = min(old.size, new.size)
            new[:shared] = old[:shared]
        more.used[:] = self.used
        fill_slots(more)
        return more


@kernel
def hash_of(player: int, known: Observation, start: int, end: int) -> Any:
    """Where to look for an observation first."""
    hashed: Any = np.uint64((end - start + 1) * 64 + player)
    for place in range(start, end):
        hashed = mix(hashed ^ np.uint64(known[place]))
    return mix(hashed)


@kernel
def fill_slots(sets: Any) -> None:
    """Enter every set into the table of hashes."""
    mask = np.uint64(sets.slots.size - 1)
    for number in range(sets.used[SETS]):
        slot = hash_of(sets.player[number], sets.known, sets.start[number], sets.start[number + 1]) & mask
        while sets.slots[np.int64(slot)] != NONE:
            slot = (slot + np.uint64(1)) & mask
        sets.slots[np.int64(slot)] = number


@kernel
def find_set(sets: Any, player: int, length: int) -> int:
    """The number of the set whose observation stands behind all others in `known`; a new one if there is none.

    A set is new if its number is the count of sets before the call.
    """
    begin = sets.used[KNOWN]
    mask = np.uint64(sets.slots.size - 1)
    slot = hash_of(player, sets.known, begin, begin + length) & mask
    while sets.slots[np.int64(slot)] != NONE:
        number = sets.slots[np.int64(slot)]
        if sets.player[number] == player and sets.start[number + 1] - sets.start[number] == length:
            place = 0
            while place < length and sets.known[sets.start[number] + place] == sets.known[begin + place]:
                place += 1
            if place == length:
                return number
        slot = (slot + np.uint64(1)) & mask
    number = sets.used[SETS]
    sets.slots[np.int64(slot)] = number
    sets.used[SETS] += 1
    sets.used[KNOWN] += length
    sets.player[number] = player
    sets.start[number + 1] = sets.used[KNOWN]
    return number
