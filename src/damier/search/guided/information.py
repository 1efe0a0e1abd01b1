"""Guided search in games of hidden information: a tree of information sets.

Every simulation deals anew what the player at the root can't know (Cowling, Powley, Whitehouse, Information set Monte
Carlo tree search, 2012). A node is what its mover knows: it is found by the mover's observation, not by the moves that
led there. Equal observations mean equal moves, so a node has the same children in every deal, and no counts of
availability are needed. This is the paper's multiple-observer search with one difference: its trees have a node for
each sequence of observed moves, ours for each observation. Chance is drawn on the way and has no nodes. A path
alternates between nodes and their moves: after a move, `information_set` gives the node it leads to in this deal.

The network sees `encode`, which shows what the mover knows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.extending import overload

from damier.core.compile import kernel
from damier.core.dealing import observation_key
from damier.core.game import Game
from damier.core.generic import list_moves, random_move
from damier.core.parts import PART
from damier.core.protocol import CHANCE, Record
from damier.search.guided.forest import NO_SET, make_node

MOST_SLOTS = 1 << 20


def slots_for(game: Game, sims: int) -> int:
    """The size of a table for the information sets of that many simulations, at most half full; 0 if all is open."""
    return min(MOST_SLOTS, 1 << (2 * sims + 2).bit_length()) if game.is_hidden else 0


def information_set(game: Any, forest: Any, work: Any, state: Record, tree: int) -> int:
    """The node of what the next mover knows, after the moves of chance; NO_SET at the end, or if there is no room."""
    while state.player == CHANCE:
        game.play(state, random_move(game, state, work, work.rngs[tree]))
    if list_moves(game, state, work.moves, work.probs) == 0:
        return NO_SET
    return find_set(forest, tree, observation_key(game, state, work.observation))


@overload(information_set, strict=False, jit_options=PART)
def _information_set(game: Any, forest: Any, work: Any, state: Any, tree: Any) -> Callable[..., int]:
    def none(game, forest, work, state, tree):
        return NO_SET

    return information_set if game.has("observe") else none


@kernel
def find_set(forest: Any, tree: int, key: Any) -> int:
    """The node with this key; a new one if there is none. NO_SET if there is no room for it."""
    slots = forest.set_nodes.shape[1]
    slot: Any = np.int64(key & np.uint64(slots - 1))
    for _ in range(slots // 2):
        node = forest.set_nodes[tree, slot]
        if node == NO_SET:
            return add_set(forest, tree, slot, key)
        if forest.set_keys[tree, slot] == key:
            return node
        slot = (slot + 1) & (slots - 1)
    return NO_SET


@kernel
def add_set(forest: Any, tree: int, slot: int, key: Any) -> int:
    if forest.used[tree] >= forest.capacity:
        return NO_SET
    node = forest.root[tree] + forest.used[tree]
    make_node(forest, node, 0, 1.0)
    forest.used[tree] += 1
    forest.set_keys[tree, slot], forest.set_nodes[tree, slot] = key, node
    return node
