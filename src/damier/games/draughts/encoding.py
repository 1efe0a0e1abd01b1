"""What a network sees of a position, and the policy index of each move."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.bits import bit, lowest
from damier.core.compile import inlined, kernel
from damier.core.protocol import Planes, Record
from damier.games.draughts.captures import captured_of, find_captures, start_of, target_of
from damier.games.draughts.sets import NONE


@kernel
def encode(game: Any, state: Record, out: Planes) -> None:
    """Planes, with the board turned so that the player to move goes up: men and kings of that player, men and kings of
    the other, and a plane filled with the used share of the moves without progress."""
    out[:] = 0
    me = state.player
    for square in range(game.num_squares):
        seen = seen_as(game, square, me)
        row, col = game.places[seen, 0], game.places[seen, 1]
        for side in range(2):
            player = me if side == 0 else 1 - me
            out[2 * side, row, col] = 1 if state.men[player] & bit(square) else 0
            out[2 * side + 1, row, col] = 1 if state.kings[player] & bit(square) else 0
    out[4] = state.quiet / game.quiet_limit


@inlined
def seen_as(game: Any, square: int, player: int) -> int:
    """The number of a square when the board is turned so that this player goes up."""
    return game.num_squares - 1 - square if game.is_turned[player] else square


def number_actions(places: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], int]:
    """The policy has a plane for each way from a start to an end, by rows and columns, and a last one for captures that
    share both with another. Return the index of a move by start and end, and where the last plane begins."""
    width = 2 * size - 1
    ways = places[None, :] - places[:, None] + size - 1  # [start, end, 2]
    # Rows plus columns of a way between dark squares are even, so every second number is free.
    plane = (ways[:, :, 0] * width + ways[:, :, 1]) // 2
    cell = places[:, 0] * size + places[:, 1]
    return plane * size**2 + cell[:, None], (width * width + 1) // 2 * size**2


@inlined
def action(game: Any, state: Record, move: int) -> int:
    """The index by start and end as `encode` shows them; if earlier captures share both, by how many come before."""
    start, target = seen_as(game, start_of(move), state.player), seen_as(game, target_of(move), state.player)
    if move >> 12 == 0:
        return int(game.actions[start, target])
    out = np.empty(game.max_moves, np.int64)
    is_first, before = True, 0
    for i in range(find_captures(game, state, out)):
        if comes_before(game, out[i], move, state.player):
            before += 1
            is_first = is_first and (out[i] ^ move) & 4095 != 0
    return int(game.actions[start, target] if is_first else game.other_captures + min(before, game.num_cells - 1))


@inlined
def comes_before(game: Any, one: int, other: int, player: int) -> bool:
    """An order of captures that is the same for both players, each of whom sees the board as `encode` shows it."""
    differing = captured_of(one) ^ captured_of(other)
    if differing:  # on a turned board, the first square at which the two differ counts most
        is_less = captured_of(one) < captured_of(other)
        return captured_of(other) & bit(lowest(differing)) != NONE if game.is_turned[player] else is_less
    if (one ^ other) & 4095:
        return (one & 4095 > other & 4095) == game.is_turned[player]
    return one < other  # one of them promotes on the way
