"""The flat tree of a game: every node once, in a few arrays, with information sets and sequences.

A *sequence* is all that one player did on the way to a node: with perfect recall it is their last action, a move in an
information set. Sequences are numbered over all players: first the empty sequence of each player, p for player p, then
the actions, those of player 0's information sets first. `Sets.parent` is the sequence that leads to a set.

Nodes have no particular order, except that the children of a node stand one after the other, behind their parent.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.budget import check_memory
from damier.core.compile import Struct, kernel
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.observing import observed
from damier.core.position import Position
from damier.core.protocol import CHANCE, Values
from damier.search.hidden.information import ACTIONS, KNOWN, SETS, Sets, find_set
from damier.search.hidden.walk import OVER, Counts, Walk, count_nodes, step

END = -2  # in place of a player
STEPS = 20_000  # nodes before the memory is checked again
MEGABYTE = 1 << 20
MEMORY = 2000  # megabytes, by default
WHOLE = 1e-9  # how far from a whole number it still is one
FINE, FORGETS, OTHER_MOVES = range(3)  # what may be wrong with a node
_MOST_NODES = 2**31 - 1


class Nodes(Struct):
    """The nodes, and among them the ends and the inner nodes. Payoffs are in the game's unit."""

    def __init__(self, counts: Counts, num_players: int) -> None:
        self.player = np.zeros(counts.nodes, np.int8)  # [nodes] who moves, or CHANCE, or END
        self.child = np.zeros(counts.nodes, np.int32)  # [nodes] the first child
        self.parent = np.zeros(counts.nodes, np.int32)  # [nodes]
        self.link = np.zeros(counts.nodes, np.int32)  # [nodes] the information set, the outcomes' count, or the end
        self.probability = np.ones(counts.nodes)  # [nodes] of the outcome that leads here, 1 for a move
        self.payoffs = np.zeros((counts.ends, num_players))  # [ends, players]
        self.chance = np.zeros(counts.ends)  # [ends] the product of the probabilities on the way
        self.sequences = np.zeros((counts.ends, num_players), np.int32)  # [ends, players]
        inner = counts.nodes - counts.ends
        self.inner = np.zeros(inner, np.int32)  # [inner] the nodes before the end, each after its children
        self.inner_chance = np.zeros(inner)  # [inner] as for the ends
        self.inner_sequences = np.zeros((inner, num_players), np.int32)  # [inner, players] as for the ends


class Growth(Struct):
    """What is known of the current line while the tree grows."""

    def __init__(self, game: Game, walk: Walk) -> None:
        levels = walk.states.size
        self.node = np.zeros(levels, np.int64)  # [levels]
        self.chance = np.ones(levels)  # [levels] the product of the probabilities on the way
        self.sequences = np.zeros((levels, game.num_players), np.int32)  # [levels, players]
        self.sequences[0] = np.arange(game.num_players)
        self.values = np.zeros(game.num_players)
        self.known_room = known_room(game)  # the most numbers of an observation
        self.used = np.array([1, 0, 0])  # nodes, ends and inner nodes
        self.fault = np.zeros(3, np.int64)  # what is wrong, at which node, and another of its information set


@dataclass(frozen=True)
class FlatTree:
    """A whole game."""

    game: Game
    counts: Counts
    nodes: Nodes
    sets: Sets  # sorted by player
    sets_of: NDArray[np.int64]  # [players + 1] where the sets of each player start

    @property
    def num_sets(self) -> int:
        return int(self.sets.used[SETS])

    @property
    def num_sequences(self) -> int:
        return self.game.num_players + int(self.sets.used[ACTIONS])

    def position(self, node: int) -> Position:
        """The position of a node."""
        return position_of(self.game, self.nodes, node)


def position_of(game: Game, nodes: Nodes, node: int) -> Position:
    """The position of a node: the moves that lead there, made again."""
    path = []
    while node:
        parent = int(nodes.parent[node])
        path.append(node - int(nodes.child[parent]))
        node = parent
    pos = game.start()
    for number in reversed(path):
        pos = pos.play(pos.moves()[number])
    return pos


def build_tree(game: Game, memory: int = MEMORY) -> FlatTree:
    """Build the tree of a game if it fits into the memory, in megabytes; a SpecError says why it does not."""
    limit = check_memory(memory) * MEGABYTE
    counts = count(game, limit)
    walk = Walk(game)
    nodes, growth = Nodes(counts, game.num_players), Growth(game, walk)
    room = 64, 64 + game.max_moves, 1024 + known_room(game)
    sets = Sets(*room)
    while walk.level[0] != OVER and not growth.fault[0]:
        game.run(fill, walk, nodes, sets, growth, STEPS)
        used = sets.used.tolist()
        if is_short(sets, game.max_moves, known_room(game)):
            sets = sets.grown(*(more + have for more, have in zip(room, used, strict=True)))
        need = bytes_of(game, counts) + bytes_of_sets(used)
        if need > limit:
            raise too_large(game, counts.nodes, need, limit)
    if growth.fault[0]:
        raise _fault(game, nodes, *growth.fault.tolist())
    nodes.payoffs[:] = in_unit(game, nodes.payoffs)
    return _sorted(game, counts, nodes, sets)


def in_unit(game: Game, payoffs: Values) -> Values:
    """Payoffs in the game's unit; those that are whole numbers there, such as chips, exactly."""
    amounts = payoffs * float(game.unit_size)
    return np.where(np.abs(amounts - np.rint(amounts)) < WHOLE, np.rint(amounts), amounts)


def known_room(game: Game) -> int:
    """The most numbers that an observation may have."""
    return int(game.max_observation) if game.is_hidden else game.max_length


def count(game: Game, limit: int) -> Counts:
    """Count the nodes of a game before anything is built; a SpecError if they need more bytes than the limit."""
    walk, found = Walk(game), np.zeros(3, np.int64)
    while walk.level[0] != OVER:
        game.run(count_nodes, walk, found, STEPS)
        nodes, decisions, ends = found.tolist()
        counts = Counts(nodes, decisions, ends)
        if bytes_of(game, counts) > limit or nodes > _MOST_NODES:
            raise too_large(game, nodes, bytes_of(game, counts), limit)
    return counts


def bytes_of(game: Game, counts: Counts) -> int:
    """The bytes that nodes and ends take, here and in the sequence form."""
    players = game.num_players
    entry = 8 + 4 * (players - 1)
    inner = counts.nodes - counts.ends
    tree = 21 * counts.nodes + counts.ends * (8 + 12 * players) + inner * (12 + 4 * players)
    sequence_form = counts.ends * (24 + players * entry)
    return tree + sequence_form + 8 * counts.nodes * (1 if players == 2 else players) + 13 * inner


def bytes_of_sets(used: list[int]) -> int:
    """The bytes that information sets take, here, while they are sorted, and while regrets are minimised."""
    return 120 * used[SETS] + 80 * used[ACTIONS] + 20 * used[KNOWN]


def too_large(game: Game, nodes: int, need: int, limit: int) -> SpecError:
    return SpecError(
        "equilibrium.too-large",
        game=game.name,
        nodes=f"{nodes:,}",
        need=f"{-(-need // MEGABYTE):,}",
        limit=f"{limit // MEGABYTE:,}",
    )


def _fault(game: Game, nodes: Nodes, what: int, node: int, other: int) -> SpecError:
    here, there = (repr(position_of(game, nodes, each).line()) for each in (node, other))
    key = "equilibrium.forgets" if what == FORGETS else "equilibrium.other-moves"
    return SpecError(key, game=game.name, player=int(nodes.player[node]), here=here, there=there)


def _sorted(game: Game, counts: Counts, nodes: Nodes, sets: Sets) -> FlatTree:
    """The tree with its information sets, and with them the sequences, sorted by player."""
    num_sets, num_actions, num_known = sets.used.tolist()
    players = game.num_players
    order = np.argsort(sets.player[:num_sets], kind="stable")
    lengths, sizes = np.diff(sets.start[: num_sets + 1])[order], np.diff(sets.first[: num_sets + 1])[order]
    made = Sets(num_sets, num_actions, num_known)
    made.used[:] = sets.used
    made.player[:], made.example[:] = sets.player[order], sets.example[order]
    made.start[1:], made.first[1:] = np.cumsum(lengths), np.cumsum(sizes)
    made.known[:] = sets.known[_ranges(sets.start[order], lengths)]
    actions = _ranges(sets.first[order], sizes)  # the old number of each action
    made.moves[:] = sets.moves[actions]
    renamed = np.arange(players + num_actions, dtype=np.int32)  # the new number of each sequence
    renamed[players + actions] = np.arange(players, players + num_actions)
    made.parent[:] = renamed[sets.parent[order]]
    nodes.sequences[:] = renamed[nodes.sequences]
    nodes.inner_sequences[:] = renamed[nodes.inner_sequences]
    place = np.empty(num_sets, np.int32)
    place[order] = np.arange(num_sets)
    decisions = nodes.player >= 0
    nodes.link[decisions] = place[nodes.link[decisions]]
    sets_of = np.searchsorted(made.player, np.arange(players + 1)).astype(np.int64)
    return FlatTree(game, counts, nodes, made, sets_of)


def _ranges(starts: NDArray[Any], lengths: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers start, start + 1, ... of each range, one range after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    return np.arange(total) + np.repeat(np.asarray(starts, np.int64) - (ends - lengths), lengths)


# -- kernels -------------------------------------------------------------------------------------------------


@kernel
def is_short(sets: Any, max_moves: int, max_known: int) -> bool:
    """Whether there may be no room for one more information set."""
    return (
        sets.used[SETS] == sets.player.size
        or sets.used[ACTIONS] + max_moves > sets.moves.size
        or sets.used[KNOWN] + max_known > sets.known.size
    )


@kernel
def fill(game: Any, walk: Any, nodes: Any, sets: Any, growth: Any, steps: int) -> None:
    """Write at most that many more nodes, until something is wrong or there is no room for an information set."""
    level = walk.level[0]
    max_known = growth.known_room
    for _ in range(steps):
        if level == OVER or growth.fault[0] != FINE or is_short(sets, walk.moves.shape[1], max_known):
            break
        place(game, walk, nodes, sets, growth, level)
        before, level = level, step(game, walk, level)
        for left in range(before, max(level, 0) - 1, -1):
            leave(nodes, growth, left)
        if level > 0:
            arrive(walk, nodes, sets, growth, level)
    walk.level[0] = level


@kernel
def place(game: Any, walk: Any, nodes: Any, sets: Any, growth: Any, level: int) -> None:
    """Write the node of a level."""
    node, count = growth.node[level], walk.count[level]
    state = walk.states[level]
    if count == 0:
        end = growth.used[1]
        growth.used[1] += 1
        nodes.player[node] = END
        nodes.link[node] = end
        game.returns(state, growth.values)
        nodes.payoffs[end] = growth.values
        nodes.chance[end] = growth.chance[level]
        nodes.sequences[end] = growth.sequences[level]
        return
    nodes.player[node] = state.player
    nodes.child[node] = growth.used[0]
    growth.used[0] += count
    if state.player == CHANCE:
        nodes.link[node] = count
    else:
        nodes.link[node] = join_set(game, walk, sets, growth, level)


@kernel
def leave(nodes: Any, growth: Any, level: int) -> None:
    """Note that all children of the node at a level are written."""
    node = growth.node[level]
    if nodes.player[node] == END:
        return
    number = growth.used[2]
    growth.used[2] += 1
    nodes.inner[number] = node
    nodes.inner_chance[number] = growth.chance[level]
    nodes.inner_sequences[number] = growth.sequences[level]


@kernel
def join_set(game: Any, walk: Any, sets: Any, growth: Any, level: int) -> int:
    """The information set of the player to move; say so if another of its nodes contradicts this one."""
    player, count = walk.states[level].player, walk.count[level]
    out = sets.known[sets.used[KNOWN] : sets.used[KNOWN] + growth.known_room]
    length = observed(game, walk.states[level], walk.line, level, out)
    before = sets.used[SETS]
    number = find_set(sets, player, length)
    first = sets.first[number]
    if number == before:
        sets.parent[number] = growth.sequences[level, player]
        sets.example[number] = growth.node[level]
        sets.moves[first : first + count] = walk.moves[level, :count]
        sets.first[number + 1] = first + count
        sets.used[ACTIONS] += count
        return number
    fault = FINE
    if sets.first[number + 1] - first != count:
        fault = OTHER_MOVES
    else:
        for place in range(count):
            if sets.moves[first + place] != walk.moves[level, place]:
                fault = OTHER_MOVES
    if fault == FINE and sets.parent[number] != growth.sequences[level, player]:
        fault = FORGETS
    if fault != FINE:
        growth.fault[0], growth.fault[1], growth.fault[2] = fault, growth.node[level], sets.example[number]
    return number


@kernel
def arrive(walk: Any, nodes: Any, sets: Any, growth: Any, level: int) -> None:
    """Follow the move that was just made into its child."""
    above = level - 1
    parent, number = growth.node[above], walk.next[above] - 1
    node = nodes.child[parent] + number
    nodes.parent[node] = parent
    growth.node[level] = node
    growth.sequences[level] = growth.sequences[above]
    growth.chance[level] = growth.chance[above]
    player = nodes.player[parent]
    if player == CHANCE:
        nodes.probability[node] = walk.probs[above, number]
        growth.chance[level] *= walk.probs[above, number]
    else:
        num_players = growth.sequences.shape[1]
        growth.sequences[level, player] = num_players + sets.first[nodes.link[parent]] + number
