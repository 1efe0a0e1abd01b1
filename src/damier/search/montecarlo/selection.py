"""Selection: which child a simulation goes to. One tree, many rules.

A selection rule is a class, yours or ours, with its constants and a compiled method

    score(self, child, node) -> float

of the statistics of a child and its node, see `ChildStatistics` and `NodeStatistics`. The child with the highest score
is selected, and the first of equal ones. A rule needs nothing else. It may declare

- `uses`: statistics that not every rule needs. "amaf" keeps the statistics of all moves as first, "squares" the squares
  of payoffs, "weight" the game's `weight` of the move.
- `is_reference(self, visits)`: whether a node with that many visits has reliable statistics of all moves as first. They
  come from the nearest such node up the path, the present one included, or else from the root.
- `tries_each_first = True`: a promise that the score depends on its two arguments alone, and is infinite for a child
  without visits. Untried children are then taken in their order, without computing scores, and a node's next child is
  chosen when the node changes, which makes UCT faster (`choose_ahead` in `simulation`).

The neighbouring modules hold the rules of the literature, each with the player that uses it.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.extending import overload

from damier.core.bring import ChildStatistics, NodeStatistics
from damier.core.compile import declared, inlined, kernel
from damier.core.generic import draw_outcome
from damier.core.parts import PART
from damier.core.protocol import CHANCE, Rng
from damier.search.montecarlo.amaf import amaf_of
from damier.search.montecarlo.strategy import AMAF, SELECTION_RULE, SQUARES, WEIGHT
from damier.search.montecarlo.tree import LOST, WON
from damier.search.montecarlo.widening import num_admitted


@inlined
def select_child(tree: Any, strategy: Any, node: int, path: Any, depth: int, rng: Rng) -> int:
    """The child that the simulation goes to from a node `depth` moves below the root."""
    here = tree.nodes[np.uint64(node)]
    first, count = here.first_child, here.num_children
    if here.player == CHANCE:
        return first + draw_outcome(tree.nodes["prior"][first : first + count], count, rng)
    if strategy.widen > 0:
        count = num_admitted(strategy.widen, here.visits, count)
    if strategy.tries_each_first:
        return select_each_first(tree, strategy, here, count)
    return best_child(tree, strategy, node, count, reference_node(tree, strategy.rule, path, depth))


@inlined
def select_each_first(tree: Any, strategy: Any, here: Any, count: int) -> int:
    """The best of the first children of a node; from the second visit on, the untried ones in their order."""
    first = here.first_child
    untried = first + max(0, here.visits - 1)
    if here.visits <= count and tree.value[np.uint64(untried)] == math.inf:
        return untried
    node = statistics_of_node(strategy, here)
    best, best_score = first, -math.inf
    for child in range(first, first + count):
        score = score_of(tree, strategy.rule, node, child, 0)
        if score > best_score:
            best, best_score = child, score
    return best


@kernel
def best_child(tree: Any, strategy: Any, number: int, count: int, reference: int) -> int:
    """The best of the first children by any rule, with proven wins and losses."""
    here = tree.nodes[number]
    first = here.first_child
    node = statistics_of_node(strategy, here)
    best, best_score = first, -math.inf
    for child in range(first, first + count):
        score = score_of(tree, strategy.rule, node, child, reference)
        if strategy.solver and tree.nodes[child].proven == WON:
            return child
        if strategy.solver and tree.nodes[child].proven == LOST:
            score = -math.inf
        if score > best_score:
            best, best_score = child, score
    return best


@inlined
def statistics_of_node(strategy: Any, here: Any) -> Any:
    visits = np.uint64(here.visits)
    is_listed = visits < np.uint64(strategy.sqrt_logs.size)
    return NodeStatistics(here.visits, strategy.sqrt_logs[visits] if is_listed else math.sqrt(math.log(here.visits)))


@inlined
def score_of(tree: Any, rule: Any, node: Any, child: int, reference: int) -> float:
    """The rule's score of a child."""
    place = np.uint64(child)  # for a signed index, compiled code checks whether it counts from the end
    record = tree.nodes[place]
    amaf_visits, amaf_total = known_amaf(tree, rule, reference, place)
    return rule.score(
        ChildStatistics(
            record.visits,
            record.total,
            tree.value[place],
            tree.spread[place],
            record.prior,
            known_weight(tree, rule, place),
            known_squares(tree, rule, place),
            amaf_visits,
            amaf_total,
        ),
        node,
    )


def reference_node(tree: Any, rule: Any, path: Any, depth: int) -> int:
    """The nearest node up the path, the present one included, that the rule takes as a reference; else the root."""
    if SELECTION_RULE.has(rule, "is_reference"):
        while depth > 0 and not rule.is_reference(tree.nodes[path[depth]].visits):
            depth -= 1
    return int(path[depth])


@overload(reference_node, strict=False, jit_options=PART)
def _reference_node(tree: Any, rule: Any, path: Any, depth: Any) -> Callable[..., int]:
    def above(tree, rule, path, depth):
        while depth > 0 and not rule.is_reference(tree.nodes[path[depth]].visits):
            depth -= 1
        return path[depth]

    def here(tree, rule, path, depth):
        return path[depth]

    return above if rule.has("is_reference") else here


# Statistics that a rule does not use are not looked up, and cost nothing.


def uses_amaf(rule: Any) -> bool:
    """Whether a rule uses all moves as first."""
    return AMAF in declared(type(rule))


@overload(uses_amaf, strict=False, jit_options=PART)
def _uses_amaf(rule: Any) -> Callable[..., bool]:
    return (lambda rule: True) if rule.uses(AMAF) else (lambda rule: False)


def known_amaf(tree: Any, rule: Any, reference: int, child: Any) -> tuple[int, float]:
    """The games with a child's move in the reference node: their number and the sum of payoffs."""
    if not uses_amaf(rule):
        return 0, 0.0
    entry = amaf_of(tree, reference, child)
    return entry.visits, entry.total


@overload(known_amaf, strict=False, jit_options=PART)
def _known_amaf(tree: Any, rule: Any, reference: Any, child: Any) -> Callable[..., tuple[int, float]]:
    def known(tree, rule, reference, child):
        entry = amaf_of(tree, reference, child)
        return entry.visits, entry.total

    def nothing(tree, rule, reference, child):
        return np.int32(0), 0.0

    return known if rule.uses(AMAF) else nothing


def known_squares(tree: Any, rule: Any, child: Any) -> float:
    return float(tree.squares[child]) if SQUARES in declared(type(rule)) else 0.0


@overload(known_squares, strict=False, jit_options=PART)
def _known_squares(tree: Any, rule: Any, child: Any) -> Callable[..., float]:
    return (lambda tree, rule, child: tree.squares[child]) if rule.uses(SQUARES) else (lambda tree, rule, child: 0.0)


def known_weight(tree: Any, rule: Any, child: Any) -> float:
    return float(tree.weights[child]) if WEIGHT in declared(type(rule)) else 1.0


@overload(known_weight, strict=False, jit_options=PART)
def _known_weight(tree: Any, rule: Any, child: Any) -> Callable[..., float]:
    def known(tree, rule, child):
        return np.float64(tree.weights[child])

    return known if rule.uses(WEIGHT) else (lambda tree, rule, child: 1.0)
