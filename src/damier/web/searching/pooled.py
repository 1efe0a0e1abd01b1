"""A live analysis by a search that begins anew each time: the visits of independent searches add up.

Counting the visits of several trees together is root parallelisation (Chaslot, Winands and van den Herik, Parallel
Monte-Carlo tree search, 2008), here one tree after the other.
"""

from dataclasses import replace

import numpy as np

from damier.core.position import Position
from damier.search.result import SearchResult


class Pooled:
    """The searches of a position so far."""

    def __init__(self, pos: Position) -> None:
        self.pos = pos
        count = len(pos.moves())
        self.visits = np.zeros(count, np.int64)
        self.totals = np.zeros(count)  # of the scores, by move
        self.values = np.zeros(pos.game.num_players)  # of all simulations
        self.nodes = self.sims = self.depth = 0
        self.seconds = 0.0

    def add(self, found: SearchResult) -> SearchResult:
        """Count one more search. The result of all: the move with the best mean among the most visited ones."""
        self.visits += found.visits
        self.totals += np.multiply(found.visits, found.scores)
        self.values += np.multiply(found.values or 0.0, found.sims)
        self.nodes, self.sims = self.nodes + found.nodes, self.sims + found.sims
        self.depth, self.seconds = max(self.depth, found.depth), self.seconds + found.seconds
        scores = self.totals / np.maximum(1, self.visits)
        best = int(np.argmax(np.where(self.visits >= self.visits.max() - 1, scores, -np.inf)))
        move = found.moves[best]
        return replace(
            found,
            move=move,
            notation=self.pos.notation(move),
            values=None if found.values is None else tuple((self.values / max(1, self.sims)).tolist()),
            policy=tuple((self.visits / max(1, self.visits.sum())).tolist()),
            visits=tuple(self.visits.tolist()),
            scores=tuple(scores.tolist()),
            pv=found.pv if found.pv[:1] == (move,) else (move,),
            nodes=self.nodes,
            sims=self.sims,
            depth=self.depth,
            seconds=self.seconds,
        )
