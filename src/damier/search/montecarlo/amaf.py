"""All moves as first (AMAF): for each move, the games below a node in which a player made it at any time.

RAVE asks a node only about the moves that can be made there. Each child therefore has an entry for the move that leads
to it. After a game, each child of a node on the path checks whether its move was made.

GRAVE also asks a node about moves that can only be made further down. Each node with children therefore has its own
table, by the number of the move (see `codes`). The data of one node is close together, and the tables of the most
visited nodes stay in the processor's caches. Tables have their places in a pool; a table that is nearly full moves to a
larger place and frees its own. When the pool is full a table keeps its entries and takes no new moves.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, inlined, kernel

AmafEntry = np.dtype(
    (
        np.record,
        [
            ("number", np.int32),  # of the move; 0 where the entry is free, or the move has no number
            ("visits", np.int32),  # games with the move
            ("total", np.float64),  # sum of the payoffs of the player who made it
        ],
    )
)
AmafTable = np.dtype(
    (
        np.record,
        [
            ("first", np.int32),  # where in the pool it begins
            ("room", np.int32),  # how many entries it has room for
            ("used", np.int32),
            ("number", np.int32),  # of the move that leads to the node
        ],
    )
)
SMALLEST = 16  # entries of a table
NUM_SIZES = 48  # 16, 24, 32, 48, 64, ...
NOWHERE = 0  # the first entry of the pool stays free: a table of it alone is empty
GOLDEN, WORD = 0x9E3779B1, 0xFFFFFFFF  # 2^32 over the golden ratio; Knuth's multiplicative hashing


class Pool(Struct):
    """Room for the entries of all tables."""

    def __init__(self, size: int = 0) -> None:
        self.entries = np.empty(size, AmafEntry)
        self.used = np.zeros(1, np.int64)  # how many of them have belonged to a table
        self.free = np.zeros(NUM_SIZES, np.int32)  # [kind of size]: a place that was freed, or NOWHERE
        clear_pool(self)


@kernel
def clear_pool(pool: Any) -> None:
    """Clear the pool: no node has a table."""
    pool.used[0] = 1
    pool.free[:] = NOWHERE
    if pool.entries.size:
        clear(pool, NOWHERE, 1)


@kernel
def clear(pool: Any, first: int, size: int) -> None:
    for place in range(first, first + size):
        clear_entry(pool.entries[place])


@inlined
def clear_entry(entry: Any) -> None:
    """Clear an entry, including its move."""
    entry.number = 0
    entry.visits = 0
    entry.total = 0.0


@inlined
def start_table(tree: Any, node: int, number: int) -> None:
    """Start an empty table for a node that a move leads to."""
    table = tree.tables[node]
    table.first = NOWHERE
    table.room = 1
    table.used = 0
    table.number = number


@inlined
def amaf_of(tree: Any, node: Any, child: Any) -> Any:
    """A node's entry for the move that leads to a child: its own child or, with tables, also one further down."""
    if tree.keeps_entries:
        return tree.amaf[np.uint64(child)]
    return tree.pool.entries[find_amaf(tree, node, np.int64(tree.tables[child].number))]


@kernel
def add_to_children(tree: Any, node: int, level: int, work: Any) -> None:
    """Count a game for each child whose move was made from a level on."""
    here, simulation = tree.nodes[node], work.simulation[0]
    for child in range(np.uint64(here.first_child), np.uint64(here.first_child + here.num_children)):
        entry = tree.amaf[child]
        last = work.seen[np.uint64(entry.number)]
        if last.simulation == simulation and last.ply >= level:
            entry.visits += 1
            entry.total += work.payoffs[last.ply]


@inlined
def find_amaf(tree: Any, node: Any, number: Any) -> Any:
    """The place of a node's entry for a move, or the free place for it."""
    table = tree.tables[np.uint64(node)]
    return find_entry(tree.pool.entries, np.int64(table.first), np.int64(table.room), number)


@inlined
def find_entry(entries: Any, first: Any, size: Any, number: Any) -> Any:
    place = first + ((number * GOLDEN & WORD) * size >> 32)
    while True:
        found = entries[np.uint64(place)].number
        if found in (0, number):
            return np.uint64(place)
        place += 1
        if place == first + size:
            place = first


@kernel
def add_game(tree: Any, node: int, level: int, length: int, work: Any) -> None:
    """Count every move of a game from a level on, once. The loop uses local data, because it takes most of the time."""
    entries, numbers, earlier, payoffs = tree.pool.entries, work.numbers, work.earlier, work.payoffs
    table = tree.tables[node]
    if table.used == 0:
        make_room(tree, node, length - level)
    first, size = np.int64(table.first), np.int64(table.room)
    for ply in range(np.uint64(level), np.uint64(length)):
        if earlier[ply] >= level:
            continue
        number = numbers[ply]
        place = find_entry(entries, first, size, number)
        if entries[place].number == 0:
            place = new_entry(tree, node, number, place)
            first, size = np.int64(table.first), np.int64(table.room)
            if place == NOWHERE:
                continue
        entry = entries[place]
        entry.visits += 1
        entry.total += payoffs[ply]


@kernel
def new_entry(tree: Any, node: Any, number: Any, place: Any) -> Any:
    """Make an entry for a move that is new to a node; NOWHERE if there is no room."""
    table = tree.tables[node]
    if not has_room(table.used + 1, table.room):
        if not make_room(tree, node, table.used + 1):
            return np.uint64(NOWHERE)
        place = find_amaf(tree, node, number)
    tree.pool.entries[place].number = number
    tree.tables[node].used += 1
    return place


@inlined
def has_room(used: int, size: int) -> bool:
    """Whether a table has room: it is at most five sixths full, because one free entry ends every look-up."""
    return 6 * used <= 5 * size


@kernel
def make_room(tree: Any, node: int, wanted: int) -> bool:
    """Make room for that many moves in a node's table, which keeps its entries; False if the pool is full."""
    table = tree.tables[node]
    old_first, old_size = int(table.first), int(table.room)
    if has_room(wanted, old_size):
        return True
    kind = 0
    while not has_room(wanted, size_of(kind)):
        kind += 1
    first, size = take(tree.pool, kind)
    if first == NOWHERE:
        return False
    table.first, table.room = first, size
    for place in range(old_first, old_first + old_size):
        if tree.pool.entries[place].number != 0:
            tree.pool.entries[find_amaf(tree, node, np.int64(tree.pool.entries[place].number))] = tree.pool.entries[
                place
            ]
    if old_first != NOWHERE:
        give_back(tree.pool, old_first, old_size)
    return True


@inlined
def size_of(kind: int) -> int:
    return (SMALLEST if kind % 2 == 0 else SMALLEST * 3 // 2) << kind // 2


@kernel
def take(pool: Any, kind: int) -> tuple[int, int]:
    """Take a place in the pool for a table of some size; return it and its size, or NOWHERE if there is none.

    It is a freed place of that size, a new one, or a larger freed one.
    """
    first, size = int(pool.free[kind]), size_of(kind)
    if first == NOWHERE and pool.used[0] + size <= pool.entries.size:
        first = pool.used[0]
        pool.used[0] += size
        clear(pool, first, size)
        return first, size
    while first == NOWHERE and kind + 1 < NUM_SIZES:
        kind += 1
        first, size = int(pool.free[kind]), size_of(kind)
    if first != NOWHERE:
        pool.free[kind] = pool.entries[first].visits
        clear(pool, first, size)
    return first, size


@kernel
def give_back(pool: Any, first: int, size: int) -> None:
    """Free a place. Free places of one size form a chain: each names the next."""
    kind = 0
    while size_of(kind) < size:
        kind += 1
    pool.entries[first].visits = pool.free[kind]
    pool.free[kind] = first


@kernel
def drop_tables(tree: Any) -> None:
    """Free the places of a tree's tables."""
    for node in range(tree.used[0]):
        table = tree.tables[node]
        if table.first != NOWHERE:
            give_back(tree.pool, table.first, table.room)
