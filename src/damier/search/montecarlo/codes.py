"""Moves as numbers from 1 on, in the order in which a search meets them, so that statistics can be arrays."""

from typing import Any

import numpy as np

from damier.core.compile import compiled_form, inlined, kernel
from damier.core.generic import Buffers
from damier.core.rng import mix

FIRST_SLOTS = 1024


def move_code(move: int, player: int) -> int:
    """A word for a player's move; the same move of another player has another word."""
    return (int(move) * 64 + int(player)) & (2**64 - 1)


@compiled_form(move_code)
def _move_code(move: Any, player: Any) -> Any:
    return np.uint64(move) * np.uint64(64) + np.uint64(player)


class NumberedMoves(Buffers):
    """A map from move codes to numbers, by open addressing. Moves beyond the first `limit` have the number 0.

    Only the first slots are in use, and twice as many whenever half of them are taken, so few moves stay close
    together.
    """

    def __init__(self, max_moves: int, num_players: int, limit: int) -> None:
        super().__init__(max_moves, num_players)
        self.codes = np.zeros(limit + 1, np.uint64)  # [number]
        self.slots = np.zeros(
            max(FIRST_SLOTS, 2 << (limit - 1).bit_length()), np.int32
        )  # numbers; 0 where a slot is free
        self.num_slots = np.full(1, FIRST_SLOTS)
        self.num_codes = np.zeros(1, np.int64)


@kernel
def forget_moves(work: Any) -> None:
    """Start again with the number 1."""
    work.num_codes[0] = 0
    work.num_slots[0] = FIRST_SLOTS
    work.slots[:FIRST_SLOTS] = 0


@inlined
def number_of(work: Any, code: Any) -> Any:
    """The number of a move; a new move gets the next number."""
    slot = slot_of(work, code)
    number = work.slots[slot]
    return number if number > 0 else new_number(work, code, slot)


@inlined
def slot_of(work: Any, code: Any) -> Any:
    """The slot of a move's number, or the free slot for it."""
    mask = np.uint64(work.num_slots[0] - 1)
    slot = mix(code) & mask
    while work.slots[slot] > 0 and work.codes[np.uint64(work.slots[slot])] != code:
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel
def new_number(work: Any, code: Any, slot: Any) -> Any:
    number = work.num_codes[0] + 1
    if number >= work.codes.size:
        return np.int32(0)
    if 2 * number > work.num_slots[0]:
        work.num_slots[0] *= 2
        work.slots[: work.num_slots[0]] = 0
        for known in range(1, number):
            work.slots[slot_of(work, work.codes[known])] = known
        slot = slot_of(work, code)
    work.num_codes[0] = number
    work.codes[number] = code
    work.slots[slot] = number
    return work.slots[slot]
