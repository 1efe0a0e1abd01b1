"""Gumbel's root and its selection rule; Danihelka et al., Policy improvement by planning with Gumbel, 2022.

At the root the `considered` moves with the highest gumbel + logit are drawn without replacement, and Sequential Halving
divides the simulations among them; the winner has the highest

    gumbel + logit + sigma(q),    sigma(q) = (c_visit + most visits of a child) c_scale q

Below, no random numbers are needed: the child with the highest pi'(a) - N(a) / (1 + sum of N) is visited, where
pi' = softmax(logit + sigma(completed q)) is the improved policy. The network learns the improved policy of the root. A
child without visits has no q of its own; it gets a mean of the network's value and the visited children's.

How it deviates: q is a payoff in [-1, 1], moved to [0, 1] for sigma. The gumbel numbers may be scaled by a temperature.
If the tree is kept from the move before, the halving counts the visits of this search alone. If the search ends in the
middle of a round, every child left in the round can win, and not only those that had their visit.
"""

import math
from typing import Any

from damier.core.compile import kernel
from damier.search.guided.forest import mean_value
from damier.search.guided.mass import num_considered

TINY = 1e-12  # a probability of 0 has no logarithm


@kernel
def improved_logits(forest: Any, guide: Any, number: int, out: Any) -> int:
    """Write the logit + sigma(completed q) of each child that is considered, and -infinity for the others.

    Return how many are considered.
    """
    node = forest.nodes[number]
    completed, scale, count = completed_value(forest, guide, number)
    for i in range(count):
        out[i] = improved_logit(forest, node.first_child + i, node.player, completed, scale)
    for i in range(count, node.num_children):
        out[i] = -math.inf
    return count


@kernel
def improved_logit(forest: Any, child: int, player: int, completed: float, scale: float) -> float:
    here = forest.nodes[child]
    q = mean_value(forest, child, player) if here.visits else completed
    return math.log(max(here.prior, TINY)) + scale * (0.5 + 0.5 * q)


@kernel
def completed_value(forest: Any, guide: Any, number: int) -> tuple[float, float, int]:
    """The q of a node's children without visits, the factor of sigma, and how many children are considered."""
    node, count = forest.nodes[number], num_considered(forest, guide, number)
    total, most, visited_prior, visited_value = 0, 0, 0.0, 0.0
    for child in range(node.first_child, node.first_child + count):
        here = forest.nodes[child]
        if here.visits:
            total += here.visits
            most = max(most, here.visits)
            visited_prior += max(here.prior, TINY)
            visited_value += max(here.prior, TINY) * mean_value(forest, child, node.player)
    completed = float(forest.first_values[number, node.player])
    if total:
        completed = (completed + total * visited_value / visited_prior) / (1 + total)
    return completed, (guide.c_visit + most) * guide.c_scale, count


@kernel
def softmax(numbers: Any, count: int) -> None:
    """Replace the numbers by their softmax, in place."""
    highest, total = numbers[0], 0.0
    for i in range(1, count):
        highest = max(highest, numbers[i])
    for i in range(count):
        numbers[i] = math.exp(numbers[i] - highest)
        total += numbers[i]
    for i in range(count):
        numbers[i] /= total


@kernel
def select_by_improved_policy(forest: Any, guide: Any, number: int, work: Any) -> int:
    """Select a child so that in the end the visits are shared out as the improved policy says."""
    node, policy = forest.nodes[number], work.scores
    count = improved_logits(forest, guide, number, policy)
    softmax(policy, count)
    total = 0
    for i in range(count):
        total += forest.nodes[node.first_child + i].visits
    best, best_score = 0, -math.inf
    for i in range(count):
        score = policy[i] - forest.nodes[node.first_child + i].visits / (1 + total)
        if score > best_score:
            best, best_score = i, score
    return node.first_child + best


@kernel
def select_by_halving(forest: Any, guide: Any, work: Any, tree: int) -> int:
    """Select the child of the root whose turn it is."""
    turn = visits_considered(work.considered[tree], work.planned[tree], work.started[tree])
    return best_with_visits(forest, guide, work, tree, turn, turn)


@kernel
def best_with_visits(forest: Any, guide: Any, work: Any, tree: int, fewest: int, most: int) -> int:
    """The best child of the root with that many visits in this search; the best of all if there is none."""
    number = forest.root[tree]
    node = forest.nodes[number]
    completed, scale, count = completed_value(forest, guide, number)
    best, best_score, is_found = 0, -math.inf, False
    for i in range(count):
        is_candidate = fewest <= forest.nodes[node.first_child + i].visits - work.before[tree, i] <= most
        if is_found and not is_candidate:
            continue
        score = work.gumbel[tree, i] + improved_logit(forest, node.first_child + i, node.player, completed, scale)
        if (is_candidate and not is_found) or (is_candidate == is_found and score > best_score):
            best, best_score, is_found = i, score, is_candidate
    return node.first_child + best


@kernel
def best_of_halving(forest: Any, guide: Any, work: Any, tree: int) -> int:
    """The winner: the best of the children that remained to the end."""
    node, most = forest.nodes[forest.root[tree]], 0
    for i in range(node.num_children):
        most = max(most, forest.nodes[node.first_child + i].visits - work.before[tree, i])
    turn = visits_considered(work.considered[tree], work.planned[tree], work.started[tree])
    return best_with_visits(forest, guide, work, tree, min(turn, most), most)


@kernel
def visits_considered(considered: int, sims: int, number: int) -> int:
    """How many visits the child has that simulation `number` of `sims` goes to.

    This is Sequential Halving (Karnin, Koren, Somekh 2013). A round visits each of the remaining children equally
    often; then the better half remains, at least two.
    """
    if considered <= 1:
        return number
    rounds = math.ceil(math.log2(considered))
    visits = 0
    while True:
        each = max(1, sims // (rounds * considered))
        if number < each * considered:
            return visits + number // considered
        number -= each * considered
        visits += each
        considered = max(2, considered // 2)
