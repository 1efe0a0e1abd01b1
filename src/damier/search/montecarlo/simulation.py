"""Monte-Carlo tree search: select, expand, play out, back up.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning, 2006; Coulom 2006 for the four steps. How it deviates:
all children of a leaf are made at once, on the leaf's second visit, so that the tree holds only nodes whose
parent was visited twice (where the tree widens, only those that take part: see `widening`). UCB1 chooses a node's
next child on the way back, when the node changes, and not on the way down (`choose_ahead`). Payoffs are by
player number and a node keeps the sum for the player who moved into it, so that the same code serves one
player, two or more (max^n), and chance nodes, where the outcome is drawn. With a margin the payoff also tells
by how much was won, see `margin`.
"""

from typing import Any

import numpy as np

from damier.core.compile import inlined, kernel
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.generic import heuristic, list_moves, playout_move
from damier.core.protocol import CHANCE, Record, Rng
from damier.search.montecarlo.amaf import add_game, add_to_children
from damier.search.montecarlo.codes import NumberedMoves, move_code, number_of
from damier.search.montecarlo.margin import add_margin
from damier.search.montecarlo.selection import GRAVE, select_by_ucb1, select_child
from damier.search.montecarlo.tree import (
    DRAWN,
    LOST,
    NOT_CHOSEN,
    OVER,
    ROOT,
    UNPROVEN,
    WON,
    add_visit,
    expand,
)
from damier.search.montecarlo.widening import admit, has_enough

CODES = 1 << 18  # how many different moves can be told apart; of further ones nothing is known


Seen = np.dtype((np.record, [("simulation", np.int64), ("ply", np.int64)]))


class Workspace(NumberedMoves):
    """What a simulation needs besides the tree: two positions, the path, and the moves made."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.max_moves, game.num_players, CODES)
        length = game.max_length + 1
        self.states = game.new_states(2)  # the root, and the position of the simulation
        self.path = np.zeros(length, np.int32)  # nodes from the root on
        self.made = np.zeros(length, np.uint64)  # the codes of the simulation's moves
        self.numbers = np.zeros(length, np.int64)  # ... and their numbers
        self.payoffs = np.zeros(length)  # of those who made them
        self.movers = np.zeros(length, np.int8)  # who made them; not kept of choices made ahead
        self.earlier = np.zeros(length, np.int32)  # when the same move was made before, or -1
        self.order = np.zeros(game.max_moves, np.int64)  # see `widening`
        self.salt = np.zeros(1, np.uint64)  # of the tree, likewise
        self.margins = np.zeros(game.num_players)  # what the evaluation says of the end of the simulation
        self.root_total = np.zeros(game.num_players)  # sum of payoffs of all simulations
        self.deepest = np.zeros(1, np.int64)
        self.max_length = game.max_length
        self.seen = np.zeros(CODES + 1, Seen)  # [number of a move]: when it was made last
        self.simulation = np.zeros(1, np.int64)


@kernel
def simulate(game: Any, tree: Any, rule: Any, work: Any, sims: int, rng: Rng) -> None:
    """That many simulations from the root position states[0]."""
    for _ in range(sims):
        work.states[1] = work.states[0]
        state = work.states[1]
        depth = descend(game, tree, rule, state, work, rng)
        if tree.nodes[work.path[depth]].num_children == OVER:
            length = depth
            game.returns(state, work.values)
        else:
            length = play_out(game, rule, state, depth, work, rng)
        if rule.margin > 0:
            add_margin(game, state, rule.margin, 1.0, work.values, work.margins)
        back_up(tree, rule, work, depth, length)
        if depth == length and (rule.solver or depth == 1):
            # A playout that is cut before its first move has not seen the end either.
            if rule.cutoff != 0 or list_moves(game, state, work.moves, work.probs) == 0:
                back_up_proof(tree, work, depth)


@inlined
def descend(game: Any, tree: Any, rule: Any, state: Record, work: Any, rng: Rng) -> int:
    """Select down to a leaf, expanding it on its second visit; return its depth."""
    work.path[0] = ROOT
    depth = follow_choices(game, tree, rule, state, work) if tree.chosen.size else 0
    node = work.path[depth]
    while True:
        here = tree.nodes[np.uint64(node)]
        if here.num_children <= 0:
            is_leaf = here.num_children == OVER or (here.visits == 0 and depth > 0) or depth >= rule.max_depth
            if is_leaf:
                return depth
            if rule.widen > 0:
                is_grown = admit(game, tree, state, node, rule.widen, work)
            else:
                is_grown = expand(game, tree, state, node, work, rng)
            if not is_grown:
                return depth
        elif rule.widen > 0 and not has_enough(tree, rule.widen, node):
            admit(game, tree, state, node, rule.widen, work)
        child = select_child(tree, rule, node, work.path, depth, rng)
        if depth == 0 and rule.forced >= 0:
            child = rule.forced
        move = tree.nodes[np.uint64(child)].move
        work.movers[depth] = here.player
        if rule.kind == GRAVE:
            work.made[depth] = move_code(move, here.player)
        game.play(state, move)
        depth += 1
        work.path[depth] = child
        node = child


@inlined
def follow_choices(game: Any, tree: Any, rule: Any, state: Record, work: Any) -> int:
    """Go down as far as the children were chosen ahead, by `choose_ahead`; return the depth."""
    depth = 0
    child = rule.forced if rule.forced >= 0 else tree.chosen[ROOT]
    while child != NOT_CHOSEN:
        game.play(state, tree.nodes[np.uint64(child)].move)
        depth += 1
        work.path[depth] = child
        child = tree.chosen[np.uint64(child)]
    return depth


@inlined
def play_out(game: Any, rule: Any, state: Record, depth: int, work: Any, rng: Rng) -> int:
    """Finish the game at random, by the playout policy, or cut it and evaluate; leave the payoffs in `work.values`.
    Return how many moves were made."""
    length = depth
    while length - depth != rule.cutoff:
        player = state.player
        move = playout_move(game, state, work, rule.heavy, rng)
        if move < 0:
            game.returns(state, work.values)
            return length
        if length >= work.max_length:
            raise RulesError("rules.too-long", "limit", work.max_length)
        if rule.kind == GRAVE:
            work.movers[length] = player
            work.made[length] = move_code(move, player)
        game.play(state, move)
        length += 1
    if list_moves(game, state, work.moves, work.probs) == 0:
        game.returns(state, work.values)
    else:
        heuristic(game, state, work.values)
    return length


@inlined
def back_up(tree: Any, rule: Any, work: Any, depth: int, length: int) -> None:
    """Add the payoffs to every node of the path."""
    tree.nodes[ROOT].visits += 1
    for level in range(1, depth + 1):
        mover = tree.nodes[np.uint64(work.path[level - 1])].player
        add_visit(tree, rule, work.path[level], work.values[np.uint64(mover)] if mover != CHANCE else 0.0)
    if tree.chosen.size:
        choose_ahead(tree, rule, work, depth)
    for player in range(work.values.size):
        work.root_total[player] += work.values[player]
    work.deepest[0] = max(work.deepest[0], depth)
    if rule.kind == GRAVE:
        back_up_amaf(tree, work, depth, length)


@inlined
def choose_ahead(tree: Any, rule: Any, work: Any, depth: int) -> None:
    """Where the next simulation goes from each node of the path.

    On the way down none can be chosen before the one above it; here none waits for another, and the processor works on
    several at once.
    """
    for level in range(depth):
        node = np.uint64(work.path[level])
        if tree.nodes[node].player != CHANCE:
            tree.chosen[node] = select_by_ucb1(tree, rule, tree.nodes[node], tree.nodes[node].num_children)


@kernel
def back_up_amaf(tree: Any, work: Any, depth: int, length: int) -> None:
    """All moves as first: count every move of the simulation, once, at each expanded node above it."""
    number_moves(work, length)
    for level in range(depth + 1):
        node = work.path[level]
        if tree.nodes[node].num_children <= 0:
            continue
        if tree.amaf.size:
            add_to_children(tree, node, level, work)
        else:
            add_game(tree, node, level, length, work)


@kernel
def number_moves(work: Any, length: int) -> None:
    """For each move of the simulation its number, and when the same move was made before."""
    work.simulation[0] += 1
    for ply in range(length):
        mover = work.movers[ply]
        number = 0 if mover == CHANCE else number_of(work, work.made[ply])
        last = work.seen[number]
        work.earlier[ply] = last.ply if last.simulation == work.simulation[0] else -1
        if number == 0:
            work.earlier[ply] = length  # nothing is counted
        else:
            last.simulation, last.ply = work.simulation[0], ply
        work.numbers[ply] = number
        work.payoffs[ply] = work.values[max(0, mover)]


@kernel
def back_up_proof(tree: Any, work: Any, depth: int) -> None:
    """The game ended at the leaf: what does that prove further up? (Winands et al., MCTS Solver, 2008)

    A node is won by the player to move if one child is, lost if all children are. That is for two players. Without the
    solver only the moves of the root that end the game are marked, for any number of players.
    """
    mover = tree.nodes[work.path[max(0, depth - 1)]].player
    if depth == 0 or mover == CHANCE:
        return
    payoff = work.values[mover]
    tree.nodes[work.path[depth]].proven = WON if payoff == 1 else LOST if payoff == -1 else DRAWN
    for level in range(depth - 1, 0, -1):
        node = work.path[level]
        best = best_proof(tree, node)
        if best == UNPROVEN:
            return
        same_player = tree.nodes[work.path[level - 1]].player == tree.nodes[node].player
        tree.nodes[node].proven = best if same_player else WON + LOST - best


@kernel
def best_proof(tree: Any, node: int) -> int:
    """What the player to move can surely get; UNPROVEN if that is not known."""
    best = LOST
    first = tree.nodes[node].first_child
    for child in range(first, first + tree.nodes[node].num_children):
        proven = tree.nodes[child].proven
        if proven == WON:
            return WON
        if proven == UNPROVEN:
            best = UNPROVEN
        elif best != UNPROVEN:
            best = max(best, proven)
    is_whole = not tree.num_moves.size or tree.nodes[node].num_children == tree.num_moves[node]
    return best if is_whole else UNPROVEN
