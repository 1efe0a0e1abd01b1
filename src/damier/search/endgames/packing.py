"""The results of an ending in few bits; compiled code reads any of them without unpacking the others.

Neighbours in an ending have much in common. Each block of results therefore has a palette of its different results.
Each position then has the place of its result in the palette, in as few bits as possible: none at all if all results
are equal. The layout in 64-bit words:

    a word a block    where the block begins, counted from here, the size of its palette, the bits of a place
    of each block     the palette, four results a word; then the places, as many a word as fit
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import inlined, kernel

Words = NDArray[np.int64]
Results = NDArray[np.int16]

BLOCK = 256  # results
WORD_BITS = 63  # of 64, so no word is negative
RESULT_BITS = 15
ZERO = 1 << RESULT_BITS - 1  # added to a result in a palette; results lie within -ZERO and ZERO
NO_POSITION = -(1 << 15)  # marks a number without a position


def pack(results: Results) -> Words:
    """Pack the results of an ending, by position. A number without a position may give anything afterwards."""
    blocks = -(-results.size // BLOCK)
    out = np.zeros(blocks * (1 + BLOCK // 2), np.int64)
    filled = results.copy()
    fill_gaps(filled)
    end = pack_into(filled, out, np.full(2 * ZERO, -1, np.int64), np.zeros(BLOCK, np.int64))
    return out[:end].copy()


@kernel
def fill_gaps(results: Any) -> None:
    """Give a number without a position the result of its neighbour, which costs nothing."""
    last = 0
    for i in range(results.size):
        if results[i] == NO_POSITION:
            results[i] = last
        last = results[i]


@kernel
def pack_into(results: Any, out: Any, place_of: Any, palette: Any) -> int:
    """Write the words; return how many. `place_of` is all -1 before and after."""
    end = (results.size + BLOCK - 1) // BLOCK
    for first in range(0, results.size, BLOCK):
        block = results[first : first + BLOCK]
        count = 0
        for i in range(block.size):
            result = block[i] + ZERO
            if place_of[result] < 0:
                place_of[result] = count
                palette[count] = result
                count += 1
        bits = bits_for(count)
        out[first // BLOCK] = end << 16 | count << 4 | bits
        for i in range(count):
            out[end + i // 4] |= palette[i] << i % 4 * RESULT_BITS
        end += (count + 3) // 4
        if bits:
            per_word = WORD_BITS // bits
            for i in range(block.size):
                out[end + i // per_word] |= place_of[block[i] + ZERO] << i % per_word * bits
            end += (block.size + per_word - 1) // per_word
        for i in range(count):
            place_of[palette[i]] = -1
    return end


@inlined
def bits_for(count: int) -> int:
    """The number of bits that distinguish that many things."""
    bits = 0
    while count > 1 << bits:
        bits += 1
    return bits


@inlined
def unpack(words: Any, start: int, index: int) -> int:
    """The result at an index of the ending whose words start at `start`."""
    head = words[start + index // BLOCK]
    begin, count, bits = start + (head >> 16), head >> 4 & 0xFFF, head & 0xF
    place = 0
    if bits:
        per_word, i = WORD_BITS // bits, index % BLOCK
        place = words[begin + (count + 3) // 4 + i // per_word] >> i % per_word * bits & (1 << bits) - 1
    return (words[begin + place // 4] >> place % 4 * RESULT_BITS & 2 * ZERO - 1) - ZERO
