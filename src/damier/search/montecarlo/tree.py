"""The Monte-Carlo tree: arrays of nodes, the same for every selection rule.

The children of a node are made together and stored side by side, so a node only stores its first child and how many
there are. Positions are not kept: a simulation replays the moves from the root. A node takes 48 bytes, 4 more if
children are chosen ahead, 4 if a rule uses the weights of moves, 8 for the squares of payoffs, and 16 for all moves as
first.

A simulation reads all children of a node but changes only one. The numbers that selection compares are therefore
computed when a node changes and stored separately, in `value` and `spread`, close together; everything else about a
node is one record.
"""

import math
from typing import Any

import numpy as np

from damier.core.compile import Struct, inlined, kernel
from damier.core.generic import list_moves, promise
from damier.core.protocol import CHANCE, Record, Rng
from damier.core.rng import shuffle
from damier.search.montecarlo.amaf import AmafEntry, AmafTable, Pool, clear_entry, clear_pool, drop_tables, start_table
from damier.search.montecarlo.codes import move_code, number_of

ROOT = 0
UNPROVEN, LOST, DRAWN, WON = 0, 1, 2, 3  # for the player who moved into the node

NOT_CHOSEN = ROOT  # as a chosen child: not selected yet
OVER = -1  # as num_children: the game is known to be over

Node = np.dtype(
    (
        np.record,
        [
            ("move", np.int64),  # the move that leads to the node
            ("total", np.float64),  # sum of payoffs of the player who made that move
            ("visits", np.int32),
            ("first_child", np.int32),
            ("prior", np.float32),  # probability of the move, from chance or from a policy
            ("num_children", np.int16),
            ("player", np.int8),  # who moves here, known once the node has children
            ("proven", np.int8),
        ],
    )
)


class Tree(Struct):
    """Statistics by node; node 0 is the root. Only nodes made by `plant` and `expand` are valid.

    When there is no room for the children of a leaf, it stays a leaf and is played out again and again.
    """

    def __init__(
        self,
        capacity: int,
        pool: Pool | None = None,
        entries: bool = False,
        squares: bool = False,
        weights: bool = False,
        widens: bool = False,
        ahead: bool = False,
        weighs: bool = False,
    ) -> None:
        # Which of the arrays below are kept. All but the first three are only as large as needed.
        self.keeps_choices, self.keeps_squares, self.keeps_weights, self.widens = ahead, squares, weights, widens
        self.keeps_entries, self.keeps_tables = entries, pool is not None
        self.weighs = weighs  # whether a move's prior is its share of the weights, and not of the number of moves
        self.nodes = np.empty(capacity, Node)
        self.value = np.empty(capacity, np.float64)  # mean payoff in [0, 1]; infinite before the first visit
        self.spread = np.empty(capacity, np.float64)  # 1 / sqrt(visits)
        self.chosen = np.empty(capacity if ahead else 0, np.int32)  # where the next simulation goes from a node
        self.squares = np.empty(capacity if squares else 0, np.float64)  # sum of payoffs squared, in [0, 1]
        self.weights = np.empty(capacity if weights else 0, np.float32)  # the game's weight of the move
        self.num_moves = np.empty(capacity if widens else 0, np.int16)  # how many children a node could have
        self.used = np.zeros(1, np.int64)  # how many nodes there are
        # All moves as first, where a rule asks for them: an entry a node, or a table a node, its entries in the pool.
        self.amaf = np.empty(capacity if entries else 0, AmafEntry)
        self.pool = pool or Pool()
        self.tables = np.empty(capacity if pool else 0, AmafTable)
        make_root(self)

    def node_bytes(self) -> int:
        """How much memory a node takes."""
        always = (self.nodes, self.value, self.spread)
        sometimes = (self.chosen, self.squares, self.weights, self.num_moves, self.amaf, self.tables)
        return sum(array.itemsize for array in (*always, *sometimes) if array.size)


@kernel
def make_root(tree: Any) -> None:
    make_node(tree, ROOT, 0, 1.0)
    tree.used[0] = 1


@kernel
def plant(tree: Any) -> None:
    """Make a tree of a root and nothing else."""
    make_root(tree)
    clear_pool(tree.pool)


@inlined
def make_node(tree: Any, number: int, move: int, prior: float) -> None:
    """Make a node that was never visited."""
    place = np.uint64(number)
    node = tree.nodes[place]
    node.move = move
    node.total = 0.0
    node.visits = 0
    node.first_child = 0
    node.prior = prior
    node.num_children = 0
    node.player = 0
    node.proven = UNPROVEN
    tree.value[place] = math.inf
    tree.spread[place] = 0.0
    if tree.keeps_choices:
        tree.chosen[place] = NOT_CHOSEN
    if tree.keeps_squares:
        tree.squares[number] = 0.0
    if tree.keeps_entries:
        clear_entry(tree.amaf[number])
    if tree.keeps_tables:
        start_table(tree, number, 0)


@inlined
def make_child(tree: Any, number: int, player: int, move: int, prior: float, work: Any) -> None:
    """Make the node that a player's move leads to."""
    make_node(tree, number, move, prior)
    if player == CHANCE:
        return
    if tree.keeps_entries:
        tree.amaf[number].number = number_of(work, move_code(move, player))
    if tree.keeps_tables:
        tree.tables[number].number = number_of(work, move_code(move, player))


@kernel
def expand(game: Any, tree: Any, state: Record, node: int, work: Any, rng: Rng) -> bool:
    """Make the children of a node; False if the game is over or the tree is full.

    The moves of a player are shuffled: the first of equal children is selected, and the order in which the rules list
    the moves must not favour any.
    """
    first = tree.used[0]
    count = list_moves(game, state, work.moves, work.probs)
    parent = tree.nodes[node]
    if count == 0:
        parent.num_children = OVER
    if count == 0 or first + count > tree.nodes.size:
        return False
    if state.player != CHANCE:
        shuffle(work.moves, count, rng)
    if tree.weighs:
        weigh_moves(game, state, count, work)
    share = 1.0 / count
    for i in range(count):
        prior = work.probs[i] if state.player == CHANCE or tree.weighs else share
        make_child(tree, first + i, state.player, work.moves[i], prior, work)
        if tree.keeps_weights and state.player != CHANCE:
            tree.weights[first + i] = promise(game, state, work.moves[i])
    parent.player = state.player
    parent.first_child = first
    parent.num_children = count
    tree.used[0] = first + count
    return True


@kernel
def weigh_moves(game: Any, state: Record, count: int, work: Any) -> None:
    """Write each move's share of the weights into `work.probs`; the outcomes of chance have their probabilities."""
    if state.player == CHANCE:
        return
    total = 0.0
    for i in range(count):
        work.probs[i] = promise(game, state, work.moves[i])
        total += work.probs[i]
    for i in range(count):
        work.probs[i] /= total


@inlined
def add_visit(tree: Any, strategy: Any, number: int, payoff: float) -> None:
    """Add a game through a node, with the payoff of the player who moved into it."""
    place = np.uint64(number)
    node = tree.nodes[place]
    visits, total = node.visits + 1, node.total + payoff
    node.visits, node.total = visits, total
    tree.value[place] = 0.5 + 0.5 * total / visits
    is_listed = visits < strategy.inverse_roots.size
    tree.spread[place] = strategy.inverse_roots[np.uint64(visits)] if is_listed else 1.0 / math.sqrt(visits)
    if tree.keeps_squares:
        tree.squares[place] += (0.5 + 0.5 * payoff) ** 2


@kernel
def most_visited_line(tree: Any, node: int, out: Any) -> int:
    """Write the most visited line from a node on; return its length."""
    length = 0
    while length < out.size:
        here, best, most = tree.nodes[node], node, 0
        for child in range(here.first_child, here.first_child + here.num_children):
            if tree.nodes[child].visits > most:
                best, most = child, tree.nodes[child].visits
        if most == 0:
            break
        out[length] = tree.nodes[best].move
        length += 1
        node = best
    return length


@kernel
def keep_subtree(old: Any, new: Any, top: int) -> None:
    """Make `top` the root of another tree, with everything below it; the rest is forgotten.

    Nodes move level by level. The moved nodes are the queue of those whose children are still to move (Cheney 1970).
    Their tables stay where they are, in the pool that both trees share.
    """
    move_node(old, new, top, ROOT)
    read, written = 0, 1
    while read < written:
        node = new.nodes[read]
        if node.num_children > 0:
            first = node.first_child
            node.first_child = written
            if new.keeps_choices and new.chosen[read] != NOT_CHOSEN:
                new.chosen[read] += written - first
            for i in range(node.num_children):
                move_node(old, new, first + i, written + i)
            written += int(node.num_children)
        read += 1
    new.used[0] = written
    if old.keeps_tables:
        drop_tables(old)


@kernel
def move_node(old: Any, new: Any, source: int, target: int) -> None:
    new.nodes[target] = old.nodes[source]
    new.value[target] = old.value[source]
    new.spread[target] = old.spread[source]
    if new.keeps_choices:
        new.chosen[target] = old.chosen[source]
    if new.keeps_squares:
        new.squares[target] = old.squares[source]
    if new.keeps_weights:
        new.weights[target] = old.weights[source]
    if new.widens:
        new.num_moves[target] = old.num_moves[source]
    if new.keeps_entries:
        new.amaf[target] = old.amaf[source]
    if new.keeps_tables:
        new.tables[target] = old.tables[source]
        start_table(old, source, 0)
