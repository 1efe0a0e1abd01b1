"""The table of information sets that information-set Monte-Carlo tree search grows.

A *node* is an information set: who moves, and all that its owner knows. It is found by a hash of the owner's
observation, so positions that the owner can't tell apart share a node, whatever led to them. An *edge* is a move that
was tried in a node; it is found by a hash too, of its node and its move, because other deals allow other moves. The
edges of a node also form a list.

    node --> edge --> edge --> edge        (`first`, then `next`)
               |__ `leader`: the edge that keeps the statistics

In a node that belongs to somebody else than the mover, moves that look the same to the owner have the same leader.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, compiled_form, inlined, kernel
from damier.core.game import Game
from damier.core.generic import Buffers, check_observation
from damier.core.knowledge import room_for
from damier.core.protocol import Record
from damier.core.rng import mix, new_rng, next_word

NONE = -1
ROOT = 0
UNKNOWN = 0
FIRST_SLOTS = 1024
EDGES_A_NODE = 4  # room for edges, on average
SPREAD = 0x9E3779B1  # an odd number, which separates the slots of nodes
_MASK = (1 << 64) - 1

Node = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),
            ("first", np.int32),  # the edge that was tried last
            ("visits", np.int32),
            ("player", np.int8),
            ("is_grouped", np.int8),  # whether some edges have a leader other than themselves
        ],
    )
)
# A simulation reads an edge for each legal move; two of them fit in a line of the processor's cache.
Edge = np.dtype(
    (
        np.record,
        [
            ("move", np.int64),
            ("total", np.float64),  # sum of the payoffs of the player who made the move
            ("visits", np.int32),
            ("available", np.int32),  # how often it could have been chosen
            ("node", np.int32),
            ("leader", np.int32),
        ],
    )
)
Mark = np.dtype(  # the rest of what is known of an edge
    (
        np.record,
        [
            ("seen", np.uint64),  # the key of what the owner saw after it, or UNKNOWN
            ("next", np.int32),  # edge of the same node
            ("child", np.int32),  # the node that the last simulation through it reached
            ("stamp", np.int32),  # the last visit of its node in which it was counted as available
        ],
    )
)
SLOT_BYTES = 4 * np.dtype(np.int32).itemsize  # at most four slots for each thing
NODE_BYTES = Node.itemsize + SLOT_BYTES + EDGES_A_NODE * (Edge.itemsize + Mark.itemsize + SLOT_BYTES)


class InformationSets(Struct):
    """The nodes and edges, and their hash tables. Only the first `num_slots` slots of a table are in use."""

    def __init__(self, capacity: int) -> None:
        self.nodes = np.zeros(capacity, Node)
        self.edges = np.zeros(EDGES_A_NODE * capacity, Edge)
        self.marks = np.zeros(EDGES_A_NODE * capacity, Mark)  # of the edges
        self.used = np.zeros(2, np.int64)  # nodes, edges
        self.node_slots = _slots(self.nodes.size)
        self.edge_slots = _slots(self.edges.size)
        self.num_slots = np.full(2, FIRST_SLOTS)  # of nodes, of edges


def _slots(capacity: int) -> Any:
    return np.full(max(FIRST_SLOTS, 2 << (capacity - 1).bit_length()), NONE, np.int32)


class View(Buffers):
    """The data of a simulation outside the table, and who looks at the game."""

    def __init__(self, game: Game, is_single: bool) -> None:
        super().__init__(game.max_moves, game.num_players)
        length = game.max_length + 1
        self.states = game.new_states(2)  # the root, and the position of the simulation
        self.path = np.zeros(length, np.int32)  # the edges with the statistics, from the root on
        self.movers = np.zeros(length, np.int8)  # who made these moves
        self.made = np.zeros(length, np.uint64)  # for playouts that number their moves, which these don't
        self.root_total = np.zeros(game.num_players)  # sum of payoffs of all simulations
        self.deepest = np.zeros(1, np.int64)
        self.max_length = game.max_length
        self.is_single = is_single  # one observer, or else each mover is the owner of the node
        self.observer = np.zeros(1, np.int64)
        self.observation = room_for(game)
        rng = new_rng(game.max_observation)
        self.salts = np.array([next_word(rng) for _ in range(game.max_observation + 1)], np.uint64)
        self.found = np.zeros(game.max_moves, np.int32)  # the edge of each legal move, or NONE
        self.stamp = np.zeros(1, np.int32)  # counts visits


@kernel
def forget(sets: Any, view: Any) -> None:
    """Empty the tables."""
    sets.node_slots[: sets.num_slots[0]] = NONE
    sets.edge_slots[: sets.num_slots[1]] = NONE
    sets.num_slots[:] = FIRST_SLOTS
    sets.used[:] = 0
    view.stamp[0] = 0
    view.root_total[:] = 0
    view.deepest[0] = 0


# -- nodes -----------------------------------------------------------------------------------------------------


@inlined
def key_of(game: Any, state: Record, owner: int, view: Any) -> Any:
    """A hash of who moves and of all that the owner knows, before the end of the game."""
    count = check_observation(game.observe(state, owner, view.observation), view.observation.size)
    return hashed(view.observation, count, view.salts, owner, state.player + 1)


def hashed(numbers: Any, count: int, salts: Any, owner: int, player: int) -> int:
    """A sum of mixed words, each with a salt for its place: a processor computes them in parallel."""
    total = mix((int(owner) * 256 + int(player)) ^ int(salts[count]))
    for i in range(count):
        total += mix((int(numbers[i]) & _MASK) ^ int(salts[i]))
    return mix(total & _MASK)


@compiled_form(hashed)
def _hashed(numbers: Any, count: Any, salts: Any, owner: Any, player: Any) -> Any:
    total = mix(np.uint64(owner * 256 + player) ^ salts[count])
    for i in range(count):
        total += mix(np.uint64(numbers[i]) ^ salts[i])
    return mix(total)


@inlined
def node_slot(sets: Any, key: Any) -> Any:
    """The slot of a node, or the free slot for it."""
    mask = sets.num_slots[0] - 1
    slot = np.int64(np.uint64(key) & np.uint64(mask))
    while sets.node_slots[slot] != NONE and sets.nodes[sets.node_slots[slot]].key != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def new_node(sets: Any, key: Any, player: int) -> int:
    """Make a node, and return its number; NONE if there is no room."""
    number = sets.used[0]
    if number >= sets.nodes.size:
        return NONE
    if 2 * (number + 1) > sets.num_slots[0]:
        sets.num_slots[0] *= 2
        sets.node_slots[: sets.num_slots[0]] = NONE
        for known in range(number):
            sets.node_slots[node_slot(sets, sets.nodes[known].key)] = known
    node = sets.nodes[number]
    node.key, node.first, node.visits, node.player, node.is_grouped = key, NONE, 1, player, 0
    sets.node_slots[node_slot(sets, key)] = number
    sets.used[0] = number + 1
    return number


# -- edges -----------------------------------------------------------------------------------------------------


@inlined
def edge_slot(sets: Any, node: int, move: int) -> int:
    """The slot of an edge, or the free slot for it. Slots of a node's moves lie close together, if the moves do."""
    mask = sets.num_slots[1] - 1
    slot = (int(node) * SPREAD + int(move)) & mask
    while sets.edge_slots[slot] != NONE:
        edge = sets.edges[sets.edge_slots[slot]]
        if edge.node == node and edge.move == move:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def new_edge(sets: Any, node: int, move: int) -> int:
    """Make an edge that leads itself, and return its number; NONE if there is no room."""
    number = sets.used[1]
    if number >= sets.edges.size:
        return NONE
    if 2 * (number + 1) > sets.num_slots[1]:
        sets.num_slots[1] *= 2
        sets.edge_slots[: sets.num_slots[1]] = NONE
        for known in range(number):
            sets.edge_slots[edge_slot(sets, sets.edges[known].node, sets.edges[known].move)] = known
    edge, mark = sets.edges[number], sets.marks[number]
    edge.move, edge.total, edge.visits, edge.available = move, 0.0, 0, 1
    edge.node, edge.leader = node, number
    mark.seen, mark.next, mark.child, mark.stamp = UNKNOWN, sets.nodes[node].first, NONE, 0
    sets.nodes[node].first = number
    sets.edge_slots[edge_slot(sets, node, move)] = number
    sets.used[1] = number + 1
    return number


@kernel
def join(sets: Any, node: int, number: int, seen: Any) -> None:
    """Let an edge follow another edge of its node after which the owner saw the same."""
    sets.marks[number].seen = seen
    other = sets.nodes[node].first
    while other != NONE:
        if other != number and sets.edges[other].leader == other and sets.marks[other].seen == seen:
            sets.edges[number].leader = other
            sets.nodes[node].is_grouped = 1
            return
        other = sets.marks[other].next
