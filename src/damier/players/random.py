"""The weakest honest opponent."""

import time

from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.search.player import Player
from damier.search.result import SearchResult


class Random(Player):
    """Plays a uniformly random legal move."""

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        began = time.perf_counter()
        moves = tuple(pos.moves())
        move = moves[below(new_rng(seed), len(moves))]
        return SearchResult(
            move,
            pos.notation(move),
            moves=moves,
            policy=(1 / len(moves),) * len(moves),
            pv=(move,),
            seconds=time.perf_counter() - began,
        )
