"""A player that sees everything: the ceiling for what can be reached without seeing.

With `searches` above 1 it is the cheating ensemble of Cowling, Powley and Whitehouse 2012: several independent searches
of the true position, whose values are averaged.
"""

import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from damier.core.errors import DamierError, SpecError
from damier.core.position import Position
from damier.core.rng import new_rng, next_word
from damier.players.pimc import Inside, OfAnother, Worlds
from damier.search.player import Sight
from damier.search.result import SearchResult

INNER = "uct:sims=1000"
MOST_SEARCHES = 1000


@dataclass(frozen=True, init=False)
class Cheat(OfAnother):
    """Sees everything, hidden cards too, and searches with the player inside: what nobody can beat honestly."""

    sight: ClassVar[Sight] = Sight.ALL

    searches: int

    def __init__(self, search: Any = INNER, searches: int = 1) -> None:
        if not 1 <= searches <= MOST_SEARCHES:
            raise SpecError("number.between", what="searches", least=1, most=MOST_SEARCHES, got=searches)
        object.__setattr__(self, "searches", searches)
        self._sit(search)

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        return Inside(self.inside).player.keeps_time(pos.opened(), seconds / self.searches)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Search the true position."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=pos.described())
        self.prepare(pos)
        if self.searches == 1:
            return Inside(self.inside).player.search(pos, seed)
        began, rng, worlds = time.perf_counter(), new_rng(seed), Worlds(pos)
        for _ in range(self.searches):
            found = Inside(self.inside).look(pos, next_word(rng) >> 1)
            worlds.add(found)
            worlds.add_work(found)
        result = worlds.result(pos, rng, time.perf_counter() - began)
        return replace(result, deals=0, best_in=())  # the same deal each time
