"""Progressive widening: a node starts with its most promising moves and adds more with every visit.

Coulom, Computing Elo ratings of move patterns in the game of Go, 2007; Chaslot et al., Progressive strategies for
Monte-Carlo tree search, 2008 (who call it unpruning). The children of a node are sorted by the game's `weight`, and a
node of n visits has the first

    widen sqrt(n + 1)

of them, at least one. How it deviates: the root of the count is theirs up to a logarithm; moves of equal weight, which
are all moves in a game without `weight`, are in a random order that differs in every tree.

Most nodes have few visits and need few children; hundreds for each would fill the memory. Only the children that take
part are made, and some to spare. When more are needed, all of them move to a larger place. The root has them all.
"""

import math
from typing import Any

import numpy as np

from damier.core.compile import kernel
from damier.core.generic import list_moves, promise
from damier.core.protocol import CHANCE, Record
from damier.core.rng import mix
from damier.search.montecarlo.tree import OVER, ROOT, make_child, move_node, weigh_moves

FEW = 8  # children of a node at first
ALL = 1 << 30
LARGEST = 0x7FFFFFFF  # a float32 seen as a whole number
PLACE_BITS = 15  # a node has fewer than 2^15 children
PLACE = (1 << PLACE_BITS) - 1


@kernel
def num_admitted(widen: float, visits: int, count: int) -> int:
    """How many children of a node with that many visits take part."""
    return min(count, 1 + int(widen * math.sqrt(visits + 1)))


@kernel
def has_enough(tree: Any, widen: float, node: int) -> bool:
    """Whether all the children that take part in the next visit are made."""
    here = tree.nodes[node]
    count = tree.num_moves[node]
    if here.num_children == count or tree.used[0] + count > tree.nodes.size:
        return True
    return node != ROOT and num_admitted(widen, here.visits, ALL) <= here.num_children


@kernel
def admit(game: Any, tree: Any, state: Record, node: int, widen: float, work: Any) -> bool:
    """Make the children that a node needs for a while; False if the game is over or the tree is full."""
    parent, first = tree.nodes[node], tree.used[0]
    count = list_moves(game, state, work.moves, work.probs)
    if count == 0:
        parent.num_children = OVER
    if count == 0 or first + count > tree.nodes.size:
        return False
    wanted = min(count, max(FEW, 2 * num_admitted(widen, parent.visits, count)))
    if node == ROOT or state.player == CHANCE:
        wanted = count
    if parent.num_children == 0:
        parent.player = state.player
        tree.num_moves[node] = count
    if tree.weighs:
        weigh_moves(game, state, count, work)
    sort_moves(game, state, parent.move, count, work)
    for i in range(parent.num_children):
        move_node(tree, tree, parent.first_child + i, first + i)
    for i in range(parent.num_children, wanted):
        source = work.order[i] & PLACE
        prior = work.probs[source] if state.player == CHANCE or tree.weighs else 1.0 / count
        make_child(tree, first + i, state.player, work.moves[source], prior, work)
        if tree.keeps_weights and state.player != CHANCE:
            tree.weights[first + i] = promise(game, state, work.moves[source])
    parent.first_child = first
    parent.num_children = wanted
    tree.used[0] = first + wanted
    return True


@kernel
def sort_moves(game: Any, state: Record, last: int, count: int, work: Any) -> None:
    """Sort the moves, the most promising first: their places are in the lowest bits of `work.order`.

    The order of equal moves comes from a hash: it must be the same whenever the node is sorted again, so it depends
    only on the tree's salt, the move that led to the node, and the moves themselves.
    """
    here: Any = mix(np.uint64(last) ^ work.salt[0])
    order = work.order[:count]
    for i in range(count):
        weight = promise(game, state, work.moves[i]) if state.player != CHANCE else 1.0
        draw = np.int64(mix(here ^ np.uint64(work.moves[i])) >> np.uint64(32 + PLACE_BITS))
        # Positive floats sort like their bits: a word has the weight and, below it, the random bits and the place.
        order[i] = (LARGEST - np.int64(np.float32(weight).view(np.int32))) << 32 | draw << PLACE_BITS | i
    order.sort()
