"""What a pass over the flat tree reads: the nodes before the end, each after its children.

A pass computes the values of all nodes for a player, from the ends back to the root:

    u(h) = sum over the children of  sigma(h, a) u(h a)       with chance's own probabilities at its nodes

Each node knows its first child and where its probabilities are, so one loop serves chance and players. With two
players payoffs are opposite, and the values of player 1 are those of player 0 with the other sign.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct
from damier.core.protocol import CHANCE, Values
from damier.search.hidden.tree import END, FlatTree


class Passes(Struct):
    """The nodes before the end in the order of a pass, and room for the values of all nodes."""

    def __init__(self, tree: FlatTree) -> None:
        nodes, first, players = tree.nodes, tree.sets.first, tree.game.num_players
        self.node = nodes.inner  # [inner]
        self.player = nodes.player[self.node]  # [inner] who moves, or CHANCE
        self.child = nodes.child[self.node]  # [inner] the first child
        self.chance = nodes.inner_chance  # [inner] the product of chance's probabilities on the way
        self.sequences = nodes.inner_sequences  # [inner, players] on the way
        is_chance = self.player == CHANCE
        outcomes = np.where(is_chance, nodes.link[self.node], 0)
        set_ = np.where(is_chance, 0, nodes.link[self.node])
        moves = np.diff(first)[set_] if tree.num_sets else 0
        self.count = np.where(is_chance, outcomes, moves).astype(np.int32)  # [inner] children
        behind = tree.num_sequences + np.cumsum(outcomes) - outcomes
        self.place = np.where(is_chance, behind, players + first[set_]).astype(np.int32)  # [inner] of its probabilities
        self.outcomes = _outcomes(tree, self.node[is_chance])  # chance's probabilities, in the order of its nodes
        self.values = np.zeros((1 if players == 2 else players, tree.counts.nodes))  # [1 or players, nodes] u
        ends = np.flatnonzero(nodes.player == END)
        self.values[:, ends] = nodes.payoffs[nodes.link[ends], : len(self.values)].T


def _outcomes(tree: FlatTree, at_chance: Any) -> Values:
    """The probabilities of the outcomes, chance node by chance node."""
    child, count = tree.nodes.child[at_chance].astype(np.int64), tree.nodes.link[at_chance]
    ends = np.cumsum(count)
    total = int(ends[-1]) if ends.size else 0
    return tree.nodes.probability[np.arange(total) + np.repeat(child - (ends - count), count)]
