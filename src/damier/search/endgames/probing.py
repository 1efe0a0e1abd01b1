"""Look up a position in a database, in compiled code, directly from the mapped file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import Struct, inlined
from damier.core.generic import ending_of
from damier.core.protocol import Record
from damier.search.endgames.packing import ZERO, Words, unpack

ABSENT = -1
NO_RESULT = ZERO  # no result


class Endgames(Struct):
    """The solved endings: their words one after the other, and where those of each begin."""

    def __init__(self, words: Words, starts: NDArray[np.int64]) -> None:
        self.words = words
        self.starts = starts  # [number]: where its words start, or ABSENT
        for array in (words, starts):
            array.flags.writeable = False  # like a file mapped for reading, so the type is the same


def no_endgames() -> Endgames:
    return Endgames(np.zeros(0, np.int64), np.zeros(0, np.int64))


@inlined
def stored_result(endgames: Any, number: int, index: int) -> int:
    """The result of a position by its numbers, or NO_RESULT."""
    if number < 0 or number >= endgames.starts.size or endgames.starts[number] == ABSENT:
        return NO_RESULT
    return unpack(endgames.words, endgames.starts[number], index)


@inlined
def probe(game: Any, endgames: Any, state: Record) -> tuple[int, bool]:
    """The result of a position, or NO_RESULT, and whether it is certain.

    Endings ignore rules that end a game after too many moves. A draw stays one. A win or loss is certain if the game is
    over before the limit, whatever happens on the way; otherwise it may become a draw.
    """
    if endgames.starts.size == 0:
        return NO_RESULT, False
    number, index, left = ending_of(game, state)
    result = stored_result(endgames, number, index)
    return result, result == 0 or abs(result) <= left
