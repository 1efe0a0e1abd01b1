"""The selection rules: which child a simulation goes to. One tree, many rules.

With N the visits of the node, n those of a child, x the mean payoff of the child in [0, 1]:

    UCB1        x + c sqrt(log N / n)                                    Kocsis, Szepesvari 2006 (UCT)
    UCB1-tuned  x + c sqrt(log N / n min(1/4, V)), V = var + sqrt(2 log N / n)            Auer et al. 2002
    RAVE        (1 - b) x + b x~ + c sqrt(log N / n), b = n~ / (n + n~ + bias n n~)     Gelly, Silver 2011
    GRAVE       the same, x~ and n~ from the nearest ancestor with more than `ref` visits    Cazenave 2015
    PUCT        q + c P sqrt(N) / (1 + n), q the mean in [-1, 1]                        Silver et al. 2017
    uniform     the child with the fewest visits: flat Monte-Carlo

x~ and n~ are the statistics of "all moves as first": of all games below the node in which the player made the
move at any time. RAVE is GRAVE with ref = 0. Where n is 0 a term with log N / n is infinite: each child is tried
once, in an order that starts at random. GRAVE as published has c = 0; then a child without visits counts by its x~
alone, and one without either comes first.
"""

import math
from typing import Any

import numpy as np

from damier.core.compile import Struct, inlined, kernel
from damier.core.generic import draw_outcome
from damier.core.protocol import CHANCE, Rng
from damier.search.montecarlo.amaf import amaf_of
from damier.search.montecarlo.tree import LOST, WON
from damier.search.montecarlo.widening import num_admitted

UCB1, UCB1_TUNED, GRAVE, PUCT, UNIFORM = range(5)

# By visits, for nodes with no more than most have: looking up is faster than computing.
_VISITS = np.maximum(1, np.arange(2**16))
SQRT_LOGS = np.sqrt(np.log(_VISITS))
INVERSE_ROOTS = 1 / np.sqrt(_VISITS)


class Rule(Struct):
    """A selection rule with its constants, and the limits of a simulation."""

    def __init__(
        self,
        kind: int,
        c: float = 0.0,
        bias: float = 1e-5,
        ref: int = 0,
        max_depth: int = 2**31 - 1,
        cutoff: int = -1,
        solver: bool = False,
        heavy: bool = False,
        widen: float = 0.0,
        margin: float = 0.0,
    ) -> None:
        self.kind = kind
        self.c = float(c)
        self.bias = float(bias)
        self.ref = int(ref)
        self.max_depth = max_depth  # nodes this deep are not expanded
        self.cutoff = cutoff  # moves of a playout before it is cut and evaluated; -1: play to the end
        self.solver = solver  # whether proven wins and losses are recognised
        self.heavy = heavy  # whether playouts follow the game's own policy
        self.widen = float(widen)  # see `widening`; 0: all children from the beginning
        self.margin = float(margin)  # the share of a payoff that is what the game's evaluation says of the end
        self.sqrt_logs, self.inverse_roots = SQRT_LOGS, INVERSE_ROOTS
        self.scales = self.c * SQRT_LOGS if kind == UCB1 and not solver else SQRT_LOGS[:0]
        self.forced = -1  # a child of the root that every simulation goes through; -1: the rule decides


@inlined
def select_child(tree: Any, rule: Any, node: int, path: Any, depth: int, rng: Rng) -> int:
    """The child of a node, `depth` moves below the root, that the simulation goes to."""
    here = tree.nodes[np.uint64(node)]
    first, count = here.first_child, here.num_children
    if here.player == CHANCE:
        return first + draw_outcome(tree.nodes["prior"][first : first + count], count, rng)
    if rule.widen > 0:
        count = num_admitted(rule.widen, here.visits, count)
    if rule.kind == UCB1 and not rule.solver:
        return select_by_ucb1(tree, rule, here, count)
    return best_by_score(tree, rule, node, count, reference_node(tree, rule, path, depth))


@inlined
def select_by_ucb1(tree: Any, rule: Any, here: Any, count: int) -> int:
    """The best of the first children of a node; the untried ones in their order, from the second visit on."""
    first = here.first_child
    untried = first + max(0, here.visits - 1)
    if here.visits <= count and tree.value[np.uint64(untried)] == math.inf:
        return untried
    return best_by_ucb1(tree, first, count, scale_of(rule, np.uint64(here.visits)))


@inlined
def sqrt_log(rule: Any, visits: int) -> float:
    return rule.sqrt_logs[visits] if visits < rule.sqrt_logs.size else math.sqrt(math.log(visits))


@inlined
def scale_of(rule: Any, visits: Any) -> float:
    """The c sqrt(log N) of UCB1. Every step down waits for it, so it is looked up as a whole."""
    return rule.scales[visits] if visits < np.uint64(rule.scales.size) else rule.c * math.sqrt(math.log(visits))


@inlined
def best_by_ucb1(tree: Any, first: int, count: int, scale: float) -> int:
    """The first of the best children. UCT spends most of its time here, so UCB1 has a loop of its own."""
    best, best_score = first, -math.inf
    for child in range(first, first + count):
        score = ucb1(tree, child, scale)
        if score > best_score:
            best, best_score = child, score
    return best


@inlined
def ucb1(tree: Any, child: int, scale: float) -> float:
    place = np.uint64(child)  # compiled code asks of a signed index whether it counts from the end
    return tree.value[place] + scale * tree.spread[place]


@kernel
def best_by_score(tree: Any, rule: Any, node: int, count: int, reference: int) -> int:
    """The best of the first children by any rule, proven wins and losses included."""
    first = tree.nodes[node].first_child
    root_log = sqrt_log(rule, tree.nodes[node].visits)
    best, best_score = first, -math.inf
    for child in range(first, first + count):
        score = score_of(tree, rule, node, child, root_log, reference)
        if rule.solver and tree.nodes[child].proven == WON:
            return child
        if rule.solver and tree.nodes[child].proven == LOST:
            score = -math.inf
        if score > best_score:
            best, best_score = child, score
    return best


@kernel
def reference_node(tree: Any, rule: Any, path: Any, depth: int) -> int:
    """The nearest node up the path, the present one included, with more than `ref` visits; else the root."""
    if rule.kind == GRAVE:
        while depth > 0 and tree.nodes[path[depth]].visits <= rule.ref:
            depth -= 1
    return path[depth]


@kernel
def score_of(tree: Any, rule: Any, node: int, child: int, root_log: float, reference: int) -> float:
    if rule.kind == UCB1:
        return ucb1(tree, child, rule.c * root_log)
    visits = tree.nodes[child].visits
    if rule.kind == UNIFORM:
        return -visits
    if rule.kind == PUCT:
        mean = tree.nodes[child].total / visits if visits else 0.0
        return mean + rule.c * tree.nodes[child].prior * math.sqrt(tree.nodes[node].visits) / (1 + visits)
    if rule.kind == GRAVE:
        return grave_score(tree, rule, child, root_log, reference)
    mean, deviation = tree.value[child], root_log * tree.spread[child]
    if visits:
        variance = tree.squares[child] / visits - mean * mean + math.sqrt(2) * deviation
        deviation *= math.sqrt(min(0.25, variance))
    return mean + rule.c * deviation


@kernel
def grave_score(tree: Any, rule: Any, child: int, root_log: float, reference: int) -> float:
    visits = tree.nodes[child].visits
    if visits == 0 and rule.c > 0:
        return math.inf
    amaf = amaf_of(tree, reference, child)
    amaf_visits = amaf.visits
    if visits == 0 and amaf_visits == 0:
        return math.inf
    beta = amaf_visits / (amaf_visits + visits + rule.bias * amaf_visits * visits)
    score = 0.0
    if visits:
        score += (1 - beta) * tree.value[child]
    if amaf_visits:
        score += beta * (0.5 + 0.5 * amaf.total / amaf_visits)
    return score + rule.c * root_log * tree.spread[child]
