"""Monte-Carlo tree search: select, expand, play out, back up.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning, 2006; Coulom 2006 for the four steps. How it deviates: all
children of a leaf are made at once, on the leaf's second visit, so the tree holds only nodes whose parent was visited
twice (if the tree widens, only the children that take part: see `widening`). UCB1, and any rule with
`tries_each_first`, chooses a node's next child on the way back, when the node changes, and not on the way down
(`choose_ahead`). Payoffs are by player number and a node keeps the sum for the player who moved into it. The same code
therefore serves one player, two or more (max^n), and chance nodes, where the outcome is drawn. With a margin the payoff
also counts by how much a game was won, see `margin`.
"""

from typing import Any

import numpy as np

from damier.core.bring import memory_of
from damier.core.compile import inlined, kernel
from damier.core.game import Game
from damier.core.generic import check_values, list_moves
from damier.core.protocol import CHANCE, Record, Rng
from damier.search.montecarlo.amaf import add_game, add_to_children
from damier.search.montecarlo.codes import NumberedMoves, move_code, number_of
from damier.search.montecarlo.margin import add_margin
from damier.search.montecarlo.playout import note_move, play_out, teach
from damier.search.montecarlo.selection import select_child, select_each_first, uses_amaf
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

CODES = 1 << 18  # how many different moves can be distinguished; further ones have no statistics


Seen = np.dtype((np.record, [("simulation", np.int64), ("ply", np.int64)]))


class Workspace(NumberedMoves):
    """The data of a simulation outside the tree: two positions, the path, and the moves made."""

    def __init__(self, game: Game, playout: object = None) -> None:
        super().__init__(game.max_moves, game.num_players, CODES)
        length = game.max_length + 1
        self.states = game.new_states(2)  # the root, and the position of the simulation
        self.path = np.zeros(length, np.int32)  # nodes from the root on
        self.made = np.zeros(length, np.uint64)  # the codes of the simulation's moves
        self.numbers = np.zeros(length, np.int64)  # ... and their numbers
        self.payoffs = np.zeros(length)  # of those who made them
        self.movers = np.zeros(length, np.int8)  # who made them; not set for choices made ahead if nobody asks
        self.line = np.zeros(length, np.int64)  # the moves themselves, for a playout policy that looks back
        self.memory = np.zeros(1, memory_of(playout))  # what that policy keeps from one simulation to the next
        self.earlier = np.zeros(length, np.int32)  # when the same move was made before, or -1
        self.order = np.zeros(game.max_moves, np.int64)  # see `widening`
        self.salt = np.zeros(1, np.uint64)  # of the tree, see `widening`
        self.margins = np.zeros(game.num_players)  # the evaluation of the end of the simulation
        self.root_total = np.zeros(game.num_players)  # sum of payoffs of all simulations
        self.deepest = np.zeros(1, np.int64)
        self.max_length = game.max_length
        self.seen = np.zeros(CODES + 1, Seen)  # [number of a move]: when it was made last
        self.simulation = np.zeros(1, np.int64)


@kernel
def simulate(game: Any, tree: Any, strategy: Any, work: Any, sims: int, rng: Rng) -> None:
    """Run that many simulations from the root position states[0]."""
    for _ in range(sims):
        work.states[1] = work.states[0]
        state = work.states[1]
        depth = descend(game, tree, strategy, state, work, rng)
        if tree.nodes[work.path[depth]].num_children == OVER:
            length = depth
            game.returns(state, work.values)
        else:
            length = play_out(game, strategy, state, depth, work, rng)
        if strategy.margin > 0:
            strategy.evaluation.evaluate(game, state, work.margins)
            check_values(work.margins)
            add_margin(strategy.margin, 1.0, work.values, work.margins)
        teach(strategy.playout, work, length)
        back_up(tree, strategy, work, depth, length)
        if depth == length and (strategy.solver or depth == 1):
            # A playout that is cut before its first move has not seen the end either.
            if strategy.cutoff != 0 or list_moves(game, state, work.moves, work.probs) == 0:
                back_up_proof(tree, work, depth)


@inlined
def descend(game: Any, tree: Any, strategy: Any, state: Record, work: Any, rng: Rng) -> int:
    """Select down to a leaf, expanding it on its second visit; return its depth."""
    work.path[0] = ROOT
    depth = follow_choices(game, tree, strategy, state, work) if tree.keeps_choices else 0
    node = work.path[depth]
    while True:
        here = tree.nodes[np.uint64(node)]
        if here.num_children <= 0:
            is_leaf = here.num_children == OVER or (here.visits == 0 and depth > 0) or depth >= strategy.max_depth
            if is_leaf:
                return depth
            if strategy.widen > 0:
                is_grown = admit(game, tree, state, node, strategy.widen, work)
            else:
                is_grown = expand(game, tree, state, node, work, rng)
            if not is_grown:
                return depth
        elif strategy.widen > 0 and not has_enough(tree, strategy.widen, node):
            admit(game, tree, state, node, strategy.widen, work)
        child = select_child(tree, strategy, node, work.path, depth, rng)
        if depth == 0 and strategy.forced >= 0:
            child = strategy.forced
        move = tree.nodes[np.uint64(child)].move
        work.movers[depth] = here.player
        if uses_amaf(strategy.rule):
            work.made[depth] = move_code(move, here.player)
        note_move(strategy.playout, work, depth, here.player, move)
        game.play(state, move)
        depth += 1
        work.path[depth] = child
        node = child


@inlined
def follow_choices(game: Any, tree: Any, strategy: Any, state: Record, work: Any) -> int:
    """Go down as far as `choose_ahead` has chosen the children; return the depth."""
    depth = 0
    child = strategy.forced if strategy.forced >= 0 else tree.chosen[ROOT]
    while child != NOT_CHOSEN:
        note_move(strategy.playout, work, depth, state.player, tree.nodes[np.uint64(child)].move)
        game.play(state, tree.nodes[np.uint64(child)].move)
        depth += 1
        work.path[depth] = child
        child = tree.chosen[np.uint64(child)]
    return depth


@inlined
def back_up(tree: Any, strategy: Any, work: Any, depth: int, length: int) -> None:
    """Add the payoffs to every node of the path."""
    tree.nodes[ROOT].visits += 1
    for level in range(1, depth + 1):
        mover = tree.nodes[np.uint64(work.path[level - 1])].player
        add_visit(tree, strategy, work.path[level], work.values[np.uint64(mover)] if mover != CHANCE else 0.0)
    if tree.keeps_choices:
        choose_ahead(tree, strategy, work, depth)
    for player in range(work.values.size):
        work.root_total[player] += work.values[player]
    work.deepest[0] = max(work.deepest[0], depth)
    if uses_amaf(strategy.rule):
        back_up_amaf(tree, work, depth, length)


@inlined
def choose_ahead(tree: Any, strategy: Any, work: Any, depth: int) -> None:
    """Choose the next child of each node of the path.

    On the way down, each choice has to wait for the one above it. Here they are independent, and the processor works on
    several at once.
    """
    for level in range(depth):
        node = np.uint64(work.path[level])
        if tree.nodes[node].player != CHANCE:
            tree.chosen[node] = select_each_first(tree, strategy, tree.nodes[node], tree.nodes[node].num_children)


@kernel
def back_up_amaf(tree: Any, work: Any, depth: int, length: int) -> None:
    """Count every move of the simulation once, at each expanded node above it (all moves as first)."""
    number_moves(work, length)
    for level in range(depth + 1):
        node = work.path[level]
        if tree.nodes[node].num_children <= 0:
            continue
        if tree.keeps_entries:
            add_to_children(tree, node, level, work)
        else:
            add_game(tree, node, level, length, work)


@kernel
def number_moves(work: Any, length: int) -> None:
    """Find the number of each move of the simulation, and when the same move was made before."""
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
    """Prove what follows further up from the end of the game at the leaf (Winands et al., MCTS Solver, 2008).

    A node is won by the player to move if one child is, and lost if all children are. That is for two players. Without
    the solver only the moves of the root that end the game are marked, for any number of players.
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
    """The proven result that the player to move can get; UNPROVEN if it is not known."""
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
    is_whole = not tree.widens or tree.nodes[node].num_children == tree.num_moves[node]
    return best if is_whole else UNPROVEN
