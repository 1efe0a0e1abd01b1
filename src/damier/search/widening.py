"""Progressive widening: of hundreds of moves only the most promising are looked at, more of them with every visit.

Coulom, Computing Elo ratings of move patterns in the game of Go, 2007; Chaslot et al., Progressive strategies for
Monte-Carlo tree search, 2008 (who call it unpruning). The children of a node are sorted by the game's `weight`, and a
node of n visits has the first

    widen sqrt(n + 1)

of them, at least one. How it deviates: the root of the count is theirs up to a logarithm; a game without `weight` has
its children in the order of its moves, from a random one on.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.extending import overload

from damier.core.compile import kernel
from damier.core.parts import PART
from damier.core.protocol import CHANCE, Record

LARGEST = 0x7FFFFFFF  # as a float32 seen as a whole number


@kernel
def num_admitted(widen: float, visits: int, count: int) -> int:
    """How many of the children of a node with so many visits take part."""
    return min(count, 1 + int(widen * math.sqrt(visits + 1)))


def sort_children(game: Any, tree: Any, state: Record, node: int, work: Any) -> None:
    """The most promising first, right after they were made; equal ones stay in their order."""
    if hasattr(game, "weight") and state.player != CHANCE:
        _sort_by_weight(game, tree, state, node, work)


@overload(sort_children, strict=False, jit_options=PART)
def _sort_children(game: Any, tree: Any, state: Any, node: Any, work: Any) -> Callable[..., None]:
    def by_weight(game, tree, state, node, work):
        if state.player != CHANCE:
            _sort_by_weight(game, tree, state, node, work)

    def as_they_are(game, tree, state, node, work):
        pass

    return by_weight if game.has("weight") else as_they_are


@kernel
def _sort_by_weight(game: Any, tree: Any, state: Record, node: int, work: Any) -> None:
    first, count = tree.nodes[node].first_child, tree.nodes[node].num_children
    order = work.order[:count]
    for i in range(count):
        work.moves[i] = tree.nodes[first + i].move
        # The bits of positive numbers are in their order: one word tells the weight and, below it, the place.
        order[i] = (LARGEST - np.int64(np.float32(game.weight(state, work.moves[i])).view(np.int32))) << 32 | i
    order.sort()
    for i in range(count):
        tree.nodes[first + i].move = work.moves[order[i] & 0xFFFFFFFF]
