"""Last good replies: a playout repeats the answer that was last seen to win.

Drake, The last-good-reply policy for Monte-Carlo Go, 2009; Baier and Drake, The power of forgetting: improving the
last-good-reply policy in Monte Carlo Go, 2010 (LGRF). After a simulation, each move of a player who won becomes that
player's reply to the move before it; with `previous=2` also to the two moves before it. A loser's move is forgotten
where it was the reply. In a playout a player gives the stored reply if it is legal, first the one to two moves, then
the one to one; otherwise the move is drawn as by `uniform`, or by `heavy` with `heavy=true`.

How it deviates: with more than two players, or with a margin, a player has won whose payoff is above 0, an equal share,
and lost below. The move before may be the player's own, if they move twice, or an outcome of chance. The table has a
fixed size; a newer entry replaces another one in its place.
"""

from typing import Any

import numpy as np

from damier.core.compile import inlined
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.generic import Buffers, heavy_move, list_moves, random_move
from damier.core.protocol import Record, Rng
from damier.core.rng import mix
from damier.search.montecarlo.codes import move_code
from damier.search.montecarlo.policies import Heavy

PLACE_BITS, KEY_BITS = 16, 63
PLACES = 1 << PLACE_BITS
NONE = -1
MOST = 2  # moves that a reply answers


class LastGoodReplies:
    """Repeats the reply to the last move, or the last two, that was in a won game and not in a lost one since."""

    Memory = np.dtype([("keys", np.int64, PLACES), ("replies", np.int64, PLACES)])

    def __init__(self, previous: int = 1, forget: bool = True, heavy: bool = False) -> None:
        if not 1 <= previous <= MOST:
            raise SpecError("number.between", what="previous", least=1, most=MOST, got=previous)
        self.previous = previous
        self.forget = forget
        self.heavy = heavy

    def check(self, game: Game) -> None:
        """Raise a SpecError for a game without heavy playouts if they are wanted."""
        if self.heavy:
            Heavy().check(game)

    def move(self, game: Any, state: Record, line: Any, memory: Any, buffers: Buffers, rng: Rng) -> int:
        for before in range(min(self.previous, line.length), 0, -1):
            key = key_of(line, line.length, before, state.player)
            place = place_of(key)
            if memory.keys[place] == key:
                reply = memory.replies[place]
                for i in range(list_moves(game, state, buffers.moves, buffers.probs)):
                    if buffers.moves[i] == reply:
                        return reply
        return heavy_move(game, state, buffers, rng) if self.heavy else random_move(game, state, buffers, rng)

    def learn(self, line: Any, memory: Any, payoffs: Any) -> None:
        for ply in range(1, line.length):
            player = line.players[ply]
            if player < 0 or payoffs[player] == 0:
                continue
            for before in range(1, min(self.previous, ply) + 1):
                key = key_of(line, ply, before, player)
                place = place_of(key)
                if payoffs[player] > 0:
                    memory.keys[place] = key
                    memory.replies[place] = line.moves[ply]
                elif self.forget and memory.keys[place] == key and memory.replies[place] == line.moves[ply]:
                    memory.keys[place] = 0


@inlined
def key_of(line: Any, ply: int, before: int, player: int) -> int:
    """A hash of the moves before a ply, with those who made them, and of the player who replies; above 0."""
    word: Any = np.uint64(player + MOST)
    key: Any = mix(word)
    for earlier in range(ply - before, ply):
        key = mix(key ^ move_code(line.moves[earlier], line.players[earlier] + MOST))
    found: Any = np.int64(key >> np.uint64(1)) | 1
    return found


@inlined
def place_of(key: int) -> int:
    return key >> KEY_BITS - PLACE_BITS
