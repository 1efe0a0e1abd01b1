"""A simulation of information-set Monte-Carlo tree search: deal, select, expand, play out, back up.

See `ismcts` for the paper and how this deviates from it.
"""

import math
from typing import Any

from damier.core.compile import inlined, kernel
from damier.core.errors import RulesError
from damier.core.generic import list_moves, random_move
from damier.core.protocol import CHANCE, Record, Rng
from damier.core.rng import below, uniform
from damier.search.hidden.sets import NONE, ROOT, UNKNOWN, edge_slot, join, key_of, new_edge, new_node, node_slot
from damier.search.montecarlo.playout import play_out

BLUR = 4.0


@kernel
def simulate(game: Any, sets: Any, strategy: Any, view: Any, sims: int, rng: Rng) -> None:
    """Run that many simulations from the root position states[0], each in a deal of its own."""
    for _ in range(sims):
        view.states[1] = view.states[0]
        state, observer = view.states[1], view.observer[0]
        game.determinize(state, observer, rng)
        if state.player != observer or key_of(game, state, observer, view) != sets.nodes[ROOT].key:
            raise RulesError("rules.deal-differs", "observer", observer)
        sets.nodes[ROOT].visits += 1
        depth = descend(game, sets, strategy, state, view, rng)
        back_up(sets, view, depth)


@kernel
def plant(game: Any, sets: Any, view: Any) -> None:
    """Make the root: what the player to move knows in states[0]."""
    state = view.states[0]
    view.observer[0] = state.player
    sets.nodes[new_node(sets, key_of(game, state, state.player, view), state.player)].visits = 0


@inlined
def descend(game: Any, sets: Any, strategy: Any, state: Record, view: Any, rng: Rng) -> int:
    """Select down to an information set that is new, and play the game out from there. Return the depth."""
    depth, node = 0, ROOT
    while True:
        count = list_moves(game, state, view.moves, view.probs)
        if count == 0:
            game.returns(state, view.values)
            return depth
        if depth >= view.max_length:
            raise RulesError("rules.too-long", "limit", view.max_length)
        if depth > 0:
            node = arrive(game, sets, state, view.path[depth - 1], view)
            if node == NONE:
                play_out(game, strategy, state, depth, view, rng)
                return depth
        mover = state.player
        edge = choose(sets, strategy, node, count, view, rng)
        if edge == NONE:  # no room for another move
            play_out(game, strategy, state, depth, view, rng)
            return depth
        game.play(state, sets.edges[edge].move)
        if view.is_single and mover != view.observer[0] and sets.marks[edge].seen == UNKNOWN:
            look_alike(game, sets, node, edge, state, view)
        leader = sets.edges[edge].leader
        view.path[depth], view.movers[depth] = leader, mover
        depth += 1
        while state.player == CHANCE:
            game.play(state, random_move(game, state, view, rng))


@inlined
def arrive(game: Any, sets: Any, state: Record, edge: int, view: Any) -> int:
    """The node of a position; NONE if it is new, in which case it is made."""
    owner = view.observer[0] if view.is_single else state.player
    key = key_of(game, state, owner, view)
    node = sets.node_slots[node_slot(sets, key)]
    sets.marks[edge].child = node if node != NONE else new_node(sets, key, state.player)
    if node != NONE:
        sets.nodes[node].visits += 1
    return node


@inlined
def choose(sets: Any, strategy: Any, node: int, count: int, view: Any, rng: Rng) -> int:
    """The edge to follow: an untried move if there is one, or else the highest upper confidence bound of those that
    are available in this deal."""
    view.stamp[0] += 1
    untried, best, highest, is_grouped = 0, NONE, -math.inf, sets.nodes[node].is_grouped == 1
    for i in range(count):
        found = sets.edge_slots[edge_slot(sets, node, view.moves[i])]
        view.found[i] = found
        if found == NONE:
            untried += 1
            continue
        leader = sets.edges[found].leader
        if is_grouped and not is_new_here(sets.marks[leader], view.stamp[0]):
            continue
        edge = sets.edges[leader]
        edge.available += 1
        bound = upper_bound(edge, strategy, 0.0 if view.is_single else uniform(rng))
        if bound > highest:
            best, highest = leader, bound
    if untried > 0:
        return new_edge(sets, node, untried_move(view, count, below(rng, untried)))
    return one_of(sets, best, count, view, rng) if is_grouped else best


@inlined
def upper_bound(edge: Any, strategy: Any, blur: float) -> float:
    """UCB1 with availability: x + c sqrt(log(times available) / visits), and the mean payoff x brought to [0, 1].

    `blur`, in [0, 1], adds at most about as much as eight visits change in the second term.
    """
    visits, size = max(1, edge.visits), strategy.sqrt_logs.size  # 0 if the observer did not notice the move just made
    mean = 0.5 + 0.5 * edge.total / visits
    sqrt_log = strategy.sqrt_logs[edge.available] if edge.available < size else math.sqrt(math.log(edge.available))
    spread = strategy.inverse_roots[visits] if visits < size else 1.0 / math.sqrt(visits)
    return mean + strategy.rule.c * sqrt_log * spread * (1.0 + BLUR * blur / visits)


@inlined
def is_new_here(mark: Any, stamp: int) -> bool:
    """Whether an edge is counted as available for the first time in this visit of its node."""
    is_new = mark.stamp != stamp
    mark.stamp = stamp
    return is_new


@inlined
def untried_move(view: Any, count: int, number: int) -> int:
    """The legal move that was not tried yet, by its number among these."""
    for i in range(count):
        if view.found[i] == NONE:
            if number == 0:
                return view.moves[i]
            number -= 1
    return NONE


@kernel
def one_of(sets: Any, leader: int, count: int, view: Any, rng: Rng) -> int:
    """One of the legal moves that look like the leader's, all equally likely."""
    chosen, alike = leader, 0
    for i in range(count):
        if sets.edges[view.found[i]].leader == leader:
            alike += 1
            if below(rng, alike) == 0:
                chosen = view.found[i]
    return chosen


@inlined
def look_alike(game: Any, sets: Any, node: int, edge: int, state: Record, view: Any) -> None:
    """After a new move of another player: let it share the statistics of moves that look the same to the observer. At
    the end of the game all is open; what the move looks like is then found out in another deal."""
    if list_moves(game, state, view.moves, view.probs) > 0:
        join(sets, node, edge, key_of(game, state, view.observer[0], view))


@inlined
def back_up(sets: Any, view: Any, depth: int) -> None:
    """Add the payoffs to every edge of the path, each for the player who moved."""
    for level in range(depth):
        edge = sets.edges[view.path[level]]
        edge.visits += 1
        edge.total += view.values[view.movers[level]]
    for player in range(view.values.size):
        view.root_total[player] += view.values[player]
    view.deepest[0] = max(view.deepest[0], depth)
