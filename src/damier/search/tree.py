"""The Monte-Carlo tree: arrays of nodes, the same for every selection rule.

The children of a node are made together and lie side by side, so a node needs to know only its first child
and how many there are. Positions are not kept: a simulation plays the moves again from the root. A node takes
48 bytes, and 8 more where a rule needs the squares of the payoffs.

A simulation looks at all children of a node but changes only one. So what selection compares is computed when a
node changes and kept apart, in `value` and `spread`, close together; everything else about a node is one record.
"""

import math
from typing import Any

import numpy as np

from damier.core.compile import Struct, compiled_form, inlined, kernel
from damier.core.generic import list_moves
from damier.core.protocol import CHANCE, Record, Rng
from damier.core.rng import below, mix

ROOT = 0
UNPROVEN, LOST, DRAWN, WON = 0, 1, 2, 3  # for the player who moved into the node

OVER = -1  # as num_children: the game is known to be over

Node = np.dtype(
    (
        np.record,
        [
            ("move", np.int64),  # the move that leads to the node
            ("total", np.float64),  # sum of payoffs of the player who made that move
            ("visits", np.int32),
            ("first_child", np.int32),
            ("prior", np.float32),  # probability of the move, by chance or by a policy
            ("num_children", np.int16),
            ("player", np.int8),  # who moves here, known once the node has children
            ("proven", np.int8),
        ],
    )
)
Amaf = np.dtype(
    (
        np.record,
        [
            ("code", np.uint64),  # the move and who made it
            ("total", np.float64),  # sum of that player's payoffs
            ("node", np.int32),  # 1 + the name of the node below which it was made; 0 where the slot is free
            ("visits", np.int32),  # games with the move
        ],
    )
)
NODE_BYTES = Node.itemsize + 16
SQUARES_BYTES = 8
WIDENING_BYTES = 6
AMAF_BYTES = Amaf.itemsize
FIRST_AMAF_SLOTS = 1024
LARGE_AMAF = 1 << 16  # slots; a larger table takes its time to grow, so it asks before


class Tree(Struct):
    """Statistics by node; node 0 is the root. Only what was made by `plant` and `expand` means anything.

    When there is no room for the children of a leaf, the leaf stays one and is played out again and again.
    """

    def __init__(self, capacity: int, amaf_capacity: int = 0, squares: bool = False, widens: bool = False) -> None:
        self.nodes = np.empty(capacity, Node)
        self.value = np.empty(capacity, np.float64)  # mean payoff in [0, 1]; infinite before the first visit
        self.spread = np.empty(capacity, np.float64)  # 1 / sqrt(visits)
        self.squares = np.empty(capacity if squares else 0, np.float64)  # sum of payoffs squared, in [0, 1]
        # Where nodes may move, see `widening`: how many children a node could have, and a number that it keeps.
        self.num_moves = np.empty(capacity if widens else 0, np.int16)
        self.name = np.empty(capacity if widens else 0, np.int32)
        self.used = np.zeros(1, np.int64)  # how many nodes there are
        # All moves as first: from (node, move) to statistics of the games below the node in which the player
        # made that move at any time. Open addressing; the size is a power of two, or 0 where nobody asks. Only the
        # first slots are in use, twice as many whenever they fill up: who searches little touches little memory.
        self.amaf = np.empty(amaf_capacity, Amaf)
        self.amaf_slots = np.zeros(1, np.int64)  # how many are in use
        self.amaf_limit = np.zeros(1, np.int64)  # how many there may be
        self.amaf_used = np.zeros(1, np.int64)  # how many of them are not free
        plant(self)


@kernel
def plant(tree: Any) -> None:
    """A root, and nothing else."""
    make_node(tree, ROOT, 0, 1.0)
    tree.used[0] = 1
    tree.amaf_limit[0] = tree.amaf.size
    clear_amaf(tree, min(FIRST_AMAF_SLOTS, tree.amaf.size))


@kernel
def make_node(tree: Any, number: int, move: int, prior: float) -> None:
    """A node that was never visited."""
    node = tree.nodes[number]
    node.move = move
    node.total = 0.0
    node.visits = 0
    node.first_child = 0
    node.prior = prior
    node.num_children = 0
    node.player = 0
    node.proven = UNPROVEN
    tree.value[number] = math.inf
    tree.spread[number] = 0.0
    if tree.squares.size:
        tree.squares[number] = 0.0


@kernel
def expand(game: Any, tree: Any, state: Record, node: int, work: Any, rng: Rng) -> bool:
    """Make the children of a node; False if the game is over or the tree is full.

    They lie in the order of the moves, but from a random one on: of equal children the first is selected.
    """
    first = tree.used[0]
    count = list_moves(game, state, work.moves, work.probs)
    parent = tree.nodes[node]
    if count == 0:
        parent.num_children = OVER
    if count == 0 or first + count > tree.nodes.size:
        return False
    turn = below(rng, count)
    for i in range(count):
        source = i + turn if i + turn < count else i + turn - count
        prior = work.probs[source] if state.player == CHANCE else 1.0 / count
        make_node(tree, first + i, work.moves[source], prior)
    parent.player = state.player
    parent.first_child = first
    parent.num_children = count
    tree.used[0] = first + count
    return True


@inlined
def add_visit(tree: Any, rule: Any, number: int, payoff: float) -> None:
    """One more game through a node, with the payoff of the player who moved into it."""
    place = np.uint64(number)
    node = tree.nodes[place]
    visits, total = node.visits + 1, node.total + payoff
    node.visits, node.total = visits, total
    tree.value[place] = 0.5 + 0.5 * total / visits
    tree.spread[place] = rule.inverse_roots[visits] if visits < rule.inverse_roots.size else 1.0 / math.sqrt(visits)
    if tree.squares.size:
        tree.squares[place] += (0.5 + 0.5 * payoff) ** 2


def move_code(move: int, player: int) -> int:
    """A number for a move by a player: the same move of another player is another move."""
    return (int(move) * 64 + int(player)) & (2**64 - 1)


@compiled_form(move_code)
def _move_code(move: Any, player: Any) -> Any:
    return np.uint64(move) * np.uint64(64) + np.uint64(player)


@inlined
def find_amaf(tree: Any, node: Any, code: Any) -> Any:
    """Where the statistics of a move below a node, given by its name, are, or the free slot where they would be."""
    mask = np.uint64(tree.amaf_slots[0] - 1)
    at_node: Any = np.uint64(node)
    slot = mix(code ^ mix(at_node)) & mask
    while tree.amaf[slot].node > 0 and (tree.amaf[slot].node != node + 1 or tree.amaf[slot].code != code):
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel
def clear_amaf(tree: Any, slots: int) -> None:
    tree.amaf_slots[0] = slots
    tree.amaf_used[0] = 0
    for slot in range(slots):
        entry = tree.amaf[slot]
        entry.node = 0
        entry.visits = 0
        entry.total = 0.0


@kernel
def wants_room(tree: Any) -> bool:
    """Whether the table is large, would soon have to grow and may."""
    slots = tree.amaf_slots[0]
    return slots >= LARGE_AMAF and 8 * tree.amaf_used[0] > 5 * slots and 2 * slots <= tree.amaf_limit[0]


@kernel
def grow_amaf(tree: Any) -> bool:
    """Use twice as many slots; False if there are no more."""
    slots = tree.amaf_slots[0]
    if 2 * slots > tree.amaf_limit[0]:
        return False
    before = tree.amaf[:slots].copy()
    clear_amaf(tree, 2 * slots)
    for i in range(slots):
        if before[i].node > 0:
            tree.amaf_used[0] += 1
            tree.amaf[find_amaf(tree, before[i].node - 1, before[i].code)] = before[i]
    return True


@inlined
def add_amaf(tree: Any, node: int, code: Any, visits: int, total: float) -> None:
    """Count games with a move; a full table keeps what it has and takes no new moves."""
    slot = find_amaf(tree, node, code)
    if tree.amaf[slot].node == 0:
        if 4 * (tree.amaf_used[0] + 1) > 3 * tree.amaf_slots[0]:
            if tree.amaf_slots[0] >= LARGE_AMAF or not grow_amaf(tree):
                return
            slot = find_amaf(tree, node, code)
        tree.amaf[slot].node = node + 1
        tree.amaf[slot].code = code
        tree.amaf_used[0] += 1
    entry = tree.amaf[slot]
    entry.visits += visits
    entry.total += total


@inlined
def name_of(tree: Any, node: Any) -> Any:
    """The number by which statistics of all moves as first know a node that has children."""
    return tree.name[np.uint64(node)] if tree.name.size else node


@kernel
def copy_subtree(old: Any, new: Any, top: int) -> None:
    """Make `top` the root of another tree, with everything below it."""
    plant(new)
    renamed = np.full(old.used[0], -1, np.int32)  # [name]: in the new tree
    copy_node(old, new, top, ROOT)
    sources, targets = np.empty(old.used[0], np.int32), np.empty(old.used[0], np.int32)
    sources[0], targets[0] = top, ROOT
    read, written = 0, 1
    while read < written:
        node, copy = sources[read], targets[read]
        read += 1
        first, count = old.nodes[node].first_child, old.nodes[node].num_children
        if count <= 0:
            continue
        new_first = new.used[0]
        new.used[0] += count
        new.nodes[copy].first_child = new_first
        if new.name.size:
            new.name[copy] = new_first
        renamed[name_of(old, node)] = name_of(new, copy)
        for i in range(count):
            copy_node(old, new, first + i, new_first + i)
            sources[written], targets[written] = first + i, new_first + i
            written += 1
    kept = 0
    for slot in range(old.amaf_slots[0]):
        kept += old.amaf[slot].node > 0 and renamed[old.amaf[slot].node - 1] >= 0
    while 5 * new.amaf_slots[0] < 8 * kept and 2 * new.amaf_slots[0] <= new.amaf_limit[0]:
        new.amaf_slots[0] *= 2
    clear_amaf(new, new.amaf_slots[0])
    for slot in range(old.amaf_slots[0]):
        entry = old.amaf[slot]
        if entry.node > 0 and renamed[entry.node - 1] >= 0:
            add_amaf(new, renamed[entry.node - 1], entry.code, entry.visits, entry.total)


@kernel
def copy_node(old: Any, new: Any, source: int, target: int) -> None:
    new.nodes[target] = old.nodes[source]
    new.value[target] = old.value[source]
    new.spread[target] = old.spread[source]
    if new.squares.size:
        new.squares[target] = old.squares[source]
    if new.name.size:
        new.num_moves[target] = old.num_moves[source]
        new.name[target] = old.name[source]
