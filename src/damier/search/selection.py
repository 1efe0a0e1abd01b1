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

from damier.core.compile import Struct, kernel
from damier.core.generic import draw_outcome
from damier.core.protocol import CHANCE, Rng
from damier.core.rng import below
from damier.search.tree import LOST, WON, find_amaf, move_code

UCB1, UCB1_TUNED, GRAVE, PUCT, UNIFORM = range(5)


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
    ) -> None:
        self.kind = kind
        self.c = float(c)
        self.bias = float(bias)
        self.ref = int(ref)
        self.max_depth = max_depth  # nodes this deep are not expanded
        self.cutoff = cutoff  # moves of a playout before it is cut and evaluated; -1: play to the end
        self.solver = solver  # whether proven wins and losses are recognised
        self.forced = -1  # a child of the root that every simulation goes through; -1: the rule decides


@kernel
def select_child(tree: Any, rule: Any, node: int, path: Any, depth: int, rng: Rng) -> int:
    """The child of a node, `depth` moves below the root, that the simulation goes to."""
    first, count = tree.first_child[node], tree.num_children[node]
    if tree.player[node] == CHANCE:
        return first + draw_outcome(tree.prior[first : first + count], count, rng)
    log_visits = math.log(max(1, tree.visits[node]))
    reference = reference_node(tree, rule, path, depth)
    start = below(rng, count)
    best, best_score = first + start, -math.inf
    for i in range(start, start + count):
        child = first + (i if i < count else i - count)
        score = score_of(tree, rule, node, child, log_visits, reference)
        if rule.solver and tree.proven[child] == WON:
            return child
        if rule.solver and tree.proven[child] == LOST:
            score = -math.inf
        if score > best_score:
            best, best_score = child, score
    return best


@kernel
def reference_node(tree: Any, rule: Any, path: Any, depth: int) -> int:
    """The nearest node up the path, the present one included, with more than `ref` visits; else the root."""
    if rule.kind == GRAVE:
        while depth > 0 and tree.visits[path[depth]] <= rule.ref:
            depth -= 1
    return path[depth]


@kernel
def score_of(tree: Any, rule: Any, node: int, child: int, log_visits: float, reference: int) -> float:
    visits = tree.visits[child]
    if rule.kind == UNIFORM:
        return -visits
    if rule.kind == PUCT:
        mean = tree.total[child] / visits if visits else 0.0
        return mean + rule.c * tree.prior[child] * math.sqrt(tree.visits[node]) / (1 + visits)
    if rule.kind == GRAVE:
        return grave_score(tree, rule, node, child, log_visits, reference)
    if visits == 0:
        return math.inf
    mean = 0.5 + 0.5 * tree.total[child] / visits
    spread = log_visits / visits
    if rule.kind == UCB1_TUNED:
        variance = tree.squares[child] / visits - mean * mean + math.sqrt(2 * spread)
        spread *= min(0.25, variance)
    return mean + rule.c * math.sqrt(spread)


@kernel
def grave_score(tree: Any, rule: Any, node: int, child: int, log_visits: float, reference: int) -> float:
    visits = tree.visits[child]
    if visits == 0 and rule.c > 0:
        return math.inf
    slot = find_amaf(tree, reference, move_code(tree.move[child], tree.player[node]))
    amaf_visits = tree.amaf_visits[slot]
    if visits == 0 and amaf_visits == 0:
        return math.inf
    beta = amaf_visits / (amaf_visits + visits + rule.bias * amaf_visits * visits)
    score = 0.0
    if visits:
        score += (1 - beta) * (0.5 + 0.5 * tree.total[child] / visits)
    if amaf_visits:
        score += beta * (0.5 + 0.5 * tree.amaf_total[slot] / amaf_visits)
    if rule.c > 0:
        score += rule.c * math.sqrt(log_visits / visits)
    return score
