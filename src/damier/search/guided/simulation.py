"""Simulations of many trees at once: go down to a leaf in each, ask the network about all leaves together, and back up.

A simulation that reaches the end of a game, or a remembered position, needs no network; the tree starts the next one at
once. Every step therefore gives the network as many positions as there are trees with something to do. A tree may have
several lanes, simulations under way at the same time; a virtual loss keeps them apart.

The network's values start with the player to move; from here on values are by player number. At chance nodes the
outcome is drawn by its probability.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.compile import Struct, kernel
from damier.core.dealing import deal_anew, hides, known_key
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.generic import Buffers, draw_outcome, heuristic, list_moves, policy_index, random_move
from damier.core.knowledge import room_for
from damier.core.protocol import CHANCE, Record
from damier.core.rng import new_rng
from damier.search.guided.evaluations import recall, remember
from damier.search.guided.forest import NO_SET, OVER, add_children, add_virtual_loss, add_visit
from damier.search.guided.gumbel import select_by_halving, select_by_improved_policy, softmax
from damier.search.guided.information import information_set
from damier.search.guided.mass import num_considered, sort_children
from damier.search.guided.noise import dirichlet, gumbel
from damier.search.guided.proof import prove_path
from damier.search.guided.selection import GUMBEL, select_by_puct
from damier.search.montecarlo.margin import add_margin

BACKED_UP, ASKED, BLOCKED = range(3)  # how a simulation ends for the time being

NONE = -1


class Boards(Struct):
    """The positions of the searches under way, and their encodings for the network.

    They are separate because every game has another type of record: code that does not touch them is compiled once for
    all games.
    """

    def __init__(self, game: Game, trees: int, lanes_each: int = 1) -> None:
        self.roots = game.new_states(trees)
        self.states = game.new_states(trees * lanes_each)  # of the simulations, by lane
        self.planes = np.zeros((trees * lanes_each, *game.encode_shape), np.float32)  # of the leaves, by row


class Searches(Buffers):
    """The searches under way: one for each tree, one simulation for each lane. Lane i is of tree i // lanes_each.

    The lanes of a tree may be in several groups, lane i in group i % groups: one group searches on while the network is
    asked for another.
    """

    def __init__(self, game: Game, trees: int, lanes_each: int = 1, groups: int = 1) -> None:
        super().__init__(game.max_moves, game.num_players)
        lanes = trees * lanes_each
        self.lanes_each, self.groups = lanes_each, groups
        self.turn = np.zeros(1, np.int64)  # the group whose turn it is
        # by tree
        self.target = np.zeros(trees, np.int64)  # how many simulations are requested
        self.planned = np.zeros(trees, np.int64)  # ... for the whole search, if they are requested step by step
        self.started = np.zeros(trees, np.int64)
        self.done = np.zeros(trees, np.int64)
        self.is_ready = np.zeros(trees, np.bool_)  # whether the root has its noise
        self.explores = np.zeros(trees, np.bool_)  # whether it gets any
        self.temperature = np.zeros(trees)  # scales the gumbel numbers
        self.considered = np.zeros(trees, np.int64)
        self.gumbel = np.zeros((trees, game.max_moves))
        self.before = np.zeros((trees, game.max_moves), np.int64)  # visits of the root's children from a kept tree
        self.deepest = np.zeros(trees, np.int64)
        self.rngs = np.zeros(trees, new_rng(0).dtype)
        # by lane
        self.max_length = game.max_length
        self.path = np.zeros((lanes, 2 * game.max_length + 1), np.int64)  # nodes from the root on
        self.depth = np.zeros(lanes, np.int64)
        self.row = np.full(lanes, NONE, np.int64)  # the row of its leaf in the network's input
        self.keys = np.zeros(lanes, np.uint64)
        self.rows = np.zeros(1, np.int64)  # how many leaves there are to evaluate
        self.count = np.zeros(1, np.int64)  # of the moves in `moves`
        self.scores = np.zeros(game.max_moves)
        self.margins = np.zeros(game.num_players)
        self.observation = room_for(game)


@kernel
def new_search(work: Any, tree: int, sims: int, explores: bool, temperature: float) -> None:
    """Request that many more simulations from a tree's root."""
    work.target[tree] = sims
    work.planned[tree] = sims
    work.started[tree] = 0
    work.done[tree] = 0
    work.deepest[tree] = 0
    work.is_ready[tree] = False
    work.explores[tree] = explores
    work.temperature[tree] = temperature


@kernel
def search_all(game: Any, forest: Any, guide: Any, work: Any, boards: Any, cache: Any, logits: Any, values: Any) -> int:
    """Use the network's answers, and search on until every tree has asked again or is done.

    Return how many rows of `planes` are to be evaluated; 0 when all is done.
    """
    absorb_all(game, forest, guide, work, boards, cache, logits, values)
    for tree in range(boards.roots.size):
        search_tree(game, forest, guide, work, boards, cache, tree)
    return work.rows[0]


@kernel
def absorb_all(
    game: Any, forest: Any, guide: Any, work: Any, boards: Any, cache: Any, logits: Any, values: Any
) -> None:
    for lane in range(work.turn[0], work.row.size, work.groups):
        if work.row[lane] != NONE:
            recall_moves(game, forest, work, boards.states[lane], lane)
            read_answer(game, work, boards.states[lane], logits[work.row[lane]], values[work.row[lane]])
            absorb(forest, guide, work, cache, lane)
            work.row[lane] = NONE
    work.rows[0] = 0


@kernel
def search_tree(game: Any, forest: Any, guide: Any, work: Any, boards: Any, cache: Any, tree: int) -> None:
    """Start simulations until the search is done, or as many as there are lanes wait for the network."""
    # Few visits say little: one simulation at a time at first, and all lanes when the root has some visits.
    width = min(work.lanes_each, 1 + forest.nodes[forest.root[tree]].visits // 16)
    first = tree * work.lanes_each
    for lane in range(first + work.turn[0], first + width, work.groups):
        while work.started[tree] < work.target[tree]:
            if not work.is_ready[tree]:
                prepare_root(forest, guide, work, tree)
            end = simulate(game, forest, guide, work, boards, cache, tree, lane)
            if end == BLOCKED:
                return
            if end == ASKED:
                break


@kernel
def prepare_root(forest: Any, guide: Any, work: Any, tree: int) -> None:
    """Draw the random numbers of this search, once the root has children."""
    root, rng = forest.nodes[forest.root[tree]], work.rngs[tree]
    count = root.num_children
    if count <= 0 or root.waits:
        return
    work.is_ready[tree] = True
    if guide.root == GUMBEL:
        considered = num_considered(forest, guide, forest.root[tree])
        work.considered[tree] = min(guide.considered, considered, work.planned[tree])
        for i in range(count):
            work.before[tree, i] = forest.nodes[root.first_child + i].visits
            work.gumbel[tree, i] = work.temperature[tree] * gumbel(rng) if work.temperature[tree] > 0 else 0.0
    elif guide.noise > 0 and work.explores[tree]:
        alpha = guide.noise_alpha if guide.noise_alpha > 0 else 10.0 / count
        dirichlet(alpha, work.scores, count, rng)
        for i in range(count):
            child = forest.nodes[root.first_child + i]
            child.prior = (1 - guide.noise) * child.prior + guide.noise * work.scores[i]


@kernel
def simulate(game: Any, forest: Any, guide: Any, work: Any, boards: Any, cache: Any, tree: int, lane: int) -> int:
    """Go down to a leaf, and back up if its value is known."""
    boards.states[lane] = boards.roots[tree]
    state = boards.states[lane]
    deal_anew(game, state, work.rngs[tree])
    depth = descend(game, forest, guide, work, state, tree, lane)
    leaf = work.path[lane, depth]
    if forest.nodes[leaf].waits:
        return BLOCKED
    work.depth[lane] = depth
    work.deepest[tree] = max(work.deepest[tree], depth)
    if depth > 0:  # the first evaluation of a root is not a simulation
        work.started[tree] += 1
    if forest.nodes[leaf].known:
        for player in range(work.values.size):
            work.values[player] = forest.first_values[leaf, player]
        back_up(forest, work, lane)
        return BACKED_UP
    while state.player == CHANCE:  # only where the tree is full or too deep
        forest.nodes[leaf].player = CHANCE
        game.play(state, random_move(game, state, work, work.rngs[tree]))
    count = list_moves(game, state, work.moves, work.probs)
    if count == 0:
        if forest.nodes[leaf].num_children == 0 and forest.nodes[leaf].player != CHANCE and not hides(game):
            forest.nodes[leaf].num_children = OVER
        game.returns(state, work.values)
        if guide.margin > 0:
            heuristic(game, state, work.margins)
            add_margin(guide.margin, guide.reach, work.values, work.margins)
        back_up(forest, work, lane)
        if guide.solver and forest.nodes[leaf].num_children == OVER:
            prove_path(forest, work.path[lane], depth)
        return BACKED_UP
    work.keys[lane] = known_key(game, state, work)
    is_known = recall(cache, work.keys[lane], count, work.probs, work.values)
    expand(forest, guide, work, tree, lane, state.player, count)
    if is_known:
        settle(forest, guide, work, lane)
        return BACKED_UP
    work.row[lane] = work.rows[0]
    game.encode(state, boards.planes[work.rows[0]])
    work.rows[0] += 1
    if work.lanes_each > 1:
        add_virtual_loss(forest, work.path[lane], depth, 1)
    return ASKED


@kernel
def descend(game: Any, forest: Any, guide: Any, work: Any, state: Record, tree: int, lane: int) -> int:
    """Select down to a node without children, playing the moves in the position; return its depth."""
    node, depth = forest.root[tree], 0
    work.path[lane, 0] = node
    while True:
        here = forest.nodes[node]
        is_end = here.waits or here.num_children == OVER
        if is_end or (depth > 0 and (here.known or depth >= guide.max_depth)):
            return depth
        if here.num_children == 0 and not expand_chance(game, forest, work, state, tree, node):
            return depth
        if depth + 1 >= work.path.shape[1]:
            raise RulesError("rules.too-long", "limit", work.max_length)
        node = select_child(forest, guide, work, tree, node, depth)
        game.play(state, forest.nodes[node].move)
        depth += 1
        work.path[lane, depth] = node
        if hides(game):
            node = information_set(game, forest, work, state, tree)
            if node == NO_SET:
                return depth
            depth += 1
            work.path[lane, depth] = node


@kernel
def expand_chance(game: Any, forest: Any, work: Any, state: Record, tree: int, node: int) -> bool:
    """Make children of the outcomes of chance, without the network. False if it is not chance, or the tree is full."""
    if state.player != CHANCE:
        return False
    count = list_moves(game, state, work.moves, work.probs)
    return add_children(forest, tree, node, CHANCE, work.moves, work.probs, count)


@kernel
def select_child(forest: Any, guide: Any, work: Any, tree: int, number: int, depth: int) -> int:
    node = forest.nodes[number]
    first, count = node.first_child, node.num_children
    if node.player == CHANCE:
        return first + draw_outcome(forest.nodes["prior"][first : first + count], count, work.rngs[tree])
    if guide.root == GUMBEL:
        if depth == 0:
            return select_by_halving(forest, guide, work, tree)
        return select_by_improved_policy(forest, guide, number, work)
    return select_by_puct(forest, guide, number, guide.forced if depth == 0 and work.explores[tree] else 0.0)


@kernel
def expand(forest: Any, guide: Any, work: Any, tree: int, lane: int, player: int, count: int) -> None:
    """Make the children of a lane's leaf, which then waits for the network until it is settled."""
    depth = work.depth[lane]
    leaf = work.path[lane, depth]
    node = forest.nodes[leaf]
    if node.num_children == 0 and node.player != CHANCE and (depth < guide.max_depth or depth == 0):
        if add_children(forest, tree, leaf, player, work.moves, work.probs, count):
            node.waits = 1


@kernel
def recall_moves(game: Any, forest: Any, work: Any, state: Record, lane: int) -> None:
    """Write the moves of a lane's leaf again: those of its children, or if it has none those that the rules list."""
    node = forest.nodes[work.path[lane, work.depth[lane]]]
    if node.waits:
        work.count[0] = node.num_children
        for i in range(node.num_children):
            work.moves[i] = forest.nodes[node.first_child + i].move
    else:
        work.count[0] = list_moves(game, state, work.moves, work.probs)


@kernel
def read_answer(game: Any, work: Any, state: Record, logits: Any, values: Any) -> None:
    """Read the network's answer for a position: logits of its legal moves only, and values by player number."""
    for i in range(work.count[0]):
        action = policy_index(game, state, work.moves[i])
        if action < 0 or action >= logits.size:
            raise RulesError("rules.policy-index", "action", action, "most", logits.size - 1)
        work.probs[i] = logits[action]
    for i in range(values.size):
        work.values[(state.player + i) % values.size] = values[i]


@kernel
def absorb(forest: Any, guide: Any, work: Any, cache: Any, lane: int) -> None:
    """Give a lane's leaf the answer that `read_answer` found."""
    if work.lanes_each > 1:
        add_virtual_loss(forest, work.path[lane], work.depth[lane], -1)
    softmax(work.probs, work.count[0])
    remember(cache, work.keys[lane], work.count[0], work.probs, work.values)
    settle(forest, guide, work, lane)


@kernel
def settle(forest: Any, guide: Any, work: Any, lane: int) -> None:
    """Give a waiting leaf the numbers in `work.probs` and `work.values`, and back up."""
    leaf = work.path[lane, work.depth[lane]]
    node = forest.nodes[leaf]
    if node.waits:
        node.waits = 0
        for i in range(node.num_children):
            forest.nodes[node.first_child + i].prior = work.probs[i]
        if guide.mass < 1:
            sort_children(forest, leaf, guide.mass)
    back_up(forest, work, lane)


@kernel
def back_up(forest: Any, work: Any, lane: int) -> None:
    """Add `work.values` to every node of the path."""
    leaf = work.path[lane, work.depth[lane]]
    for player in range(work.values.size):
        forest.first_values[leaf, player] = work.values[player]
    for level in range(work.depth[lane] + 1):
        add_visit(forest, work.path[lane, level], work.values)
    if work.depth[lane] > 0:
        work.done[lane // work.lanes_each] += 1


def answers(game: Game, lanes: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Arrays for a network's answers about that many positions."""
    return np.zeros((lanes, game.num_actions), np.float32), np.zeros((lanes, game.num_players), np.float32)
