"""The trees of many games: each has one region of one array.

As in `damier.search.montecarlo.tree`, the children of a node are stored side by side and positions are not kept. The
differences: a node is expanded at its first visit, by the network's answer; values are kept for every player, because
the network gives all of them; there are many trees, so one step of all games is one call.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.protocol import CHANCE

OVER = -1  # as num_children: the game is known to be over
NO_SET = -1

Node = np.dtype(
    (
        np.record,
        [
            ("move", np.int64),  # the move that leads to the node
            ("visits", np.int32),
            ("first_child", np.int64),
            ("num_children", np.int32),
            ("prior", np.float32),  # probability of the move, from the network or from chance
            ("player", np.int16),  # who moves here, known once the node has children
            ("waits", np.int8),  # whether it waits for the network
            ("known", np.int8),  # whether its values are known exactly, see `proof`
        ],
    )
)


def node_bytes(num_players: int, keep: bool) -> int:
    return (Node.itemsize + 12 * num_players) * (2 if keep else 1)


class Forest(Struct):
    """Trees of at most `capacity` nodes. When there is no room for the children of a leaf, it stays a leaf.

    If trees are kept from move to move, each has two regions: the kept part moves from one to the other. In a game of
    hidden information each tree has a table of `slots` information sets, see `information`.
    """

    def __init__(self, trees: int, capacity: int, num_players: int, keep: bool, slots: int = 0) -> None:
        regions = trees * (2 if keep else 1)
        self.capacity = capacity
        self.nodes = np.empty(regions * capacity, Node)
        self.totals = np.empty((regions * capacity, num_players))  # sums of the values of all visits, by player
        # The network's own value; for a known position, the known value.
        self.first_values = np.empty((regions * capacity, num_players), np.float32)
        self.root = np.arange(trees) * capacity  # [tree]: its root, the first node of its region
        self.spare = self.root + (trees * capacity if keep else 0)  # [tree]: the other region
        self.used = np.zeros(trees, np.int64)  # [tree]: how many nodes it has
        self.set_keys = np.zeros((trees, slots), np.uint64)
        self.set_nodes = np.zeros(
            (trees, slots), np.int64
        )  # the node of an information set; NO_SET where there is none
        for tree in range(trees):
            plant(self, tree)


@kernel
def plant(forest: Any, tree: int) -> None:
    """Make a tree of a root and nothing else."""
    make_node(forest, forest.root[tree], 0, 1.0)
    forest.used[tree] = 1
    for slot in range(forest.set_nodes.shape[1]):
        forest.set_nodes[tree, slot] = NO_SET


@kernel
def make_node(forest: Any, number: int, move: int, prior: float) -> None:
    make_record(forest.nodes[number], move, prior)
    for player in range(forest.totals.shape[1]):
        forest.totals[number, player] = 0.0
        forest.first_values[number, player] = 0.0


@kernel
def make_record(node: Any, move: int, prior: float) -> None:
    node.move = move
    node.visits = 0
    node.first_child = 0
    node.num_children = 0
    node.prior = prior
    node.player = 0
    node.waits = 0
    node.known = 0


@kernel
def add_children(forest: Any, tree: int, number: int, player: int, moves: Any, probs: Any, count: int) -> bool:
    """Make a child for each move, with these probabilities; False if there is no room."""
    if forest.used[tree] + count > forest.capacity:
        return False
    first = forest.root[tree] + forest.used[tree]
    forest.totals[first : first + count] = 0.0
    forest.first_values[first : first + count] = 0.0
    for i in range(count):
        make_record(forest.nodes[first + i], moves[i], probs[i])
    forest.used[tree] += count
    node = forest.nodes[number]
    node.first_child = first
    node.num_children = count
    node.player = player
    return True


@kernel
def add_visit(forest: Any, number: int, values: Any) -> None:
    forest.nodes[number].visits += 1
    for player in range(values.size):
        forest.totals[number, player] += values[player]


@kernel
def mean_value(forest: Any, number: int, player: int) -> float:
    if forest.nodes[number].known:
        return forest.first_values[number, player]
    return forest.totals[number, player] / max(1, forest.nodes[number].visits)


@kernel
def add_virtual_loss(forest: Any, path: Any, length: int, sign: int) -> None:
    """Count a visit as lost for the player who chose it while the network is asked, so others look elsewhere."""
    forest.nodes[path[0]].visits += sign
    for level in range(1, length + 1):
        chooser = forest.nodes[path[level - 1]].player
        forest.nodes[path[level]].visits += sign
        if chooser != CHANCE:
            forest.totals[path[level], chooser] -= sign


@kernel
def keep_subtree(forest: Any, tree: int, top: int) -> None:
    """Make `top` the root, with everything below it; the rest is forgotten.

    Nodes are copied level by level. The copied nodes are the queue of those whose children are still to be copied
    (Cheney 1970).
    """
    old, new = forest.root[tree], forest.spare[tree]
    forest.root[tree], forest.spare[tree] = new, old
    copy_node(forest, top, new)
    read, written = 0, 1
    while read < written:
        node = forest.nodes[new + read]
        if node.num_children > 0:
            first = node.first_child
            node.first_child = new + written
            for i in range(node.num_children):
                copy_node(forest, first + i, new + written + i)
            written += node.num_children
        read += 1
    forest.used[tree] = written


@kernel
def copy_node(forest: Any, source: int, target: int) -> None:
    forest.nodes[target] = forest.nodes[source]
    for player in range(forest.totals.shape[1]):
        forest.totals[target, player] = forest.totals[source, player]
        forest.first_values[target, player] = forest.first_values[source, player]
