"""The results of a finished search: the policy to learn, the value, and the move."""

import math
from typing import Any

from damier.core.compile import kernel
from damier.core.protocol import Rng
from damier.core.rng import uniform
from damier.search.guided.forest import mean_value
from damier.search.guided.gumbel import best_of_halving, improved_logits, softmax
from damier.search.guided.proof import NONE, best_known, surely_loses
from damier.search.guided.selection import GUMBEL, puct_score, sum_of_visits

COLD = 0.01  # a temperature below this is 0


@kernel
def root_policy(forest: Any, guide: Any, work: Any, tree: int) -> None:
    """Write into `work.scores` the improved policy of Gumbel, or the shares of the visits."""
    number = forest.root[tree]
    node = forest.nodes[number]
    if guide.root == GUMBEL:
        improved_logits(forest, guide, number, work.scores)
        softmax(work.scores, node.num_children)
        return
    best = best_known(forest, number) if node.known else NONE
    for i in range(node.num_children):
        child = node.first_child + i
        is_out = surely_loses(forest, child, node.player) if best == NONE else child != best
        work.scores[i] = 0 if is_out else forest.nodes[child].visits
    if guide.forced > 0 and work.explores[tree]:
        prune_forced(forest, guide, work, tree)
    total = 0.0
    for i in range(node.num_children):
        total += work.scores[i]
    for i in range(node.num_children):
        # without any visit, the network's policy
        work.scores[i] = work.scores[i] / total if total else forest.nodes[node.first_child + i].prior


@kernel
def prune_forced(forest: Any, guide: Any, work: Any, tree: int) -> None:
    """Take back the forced visits that PUCT would not have made itself (Wu 2019, section 3.2)."""
    number = forest.root[tree]
    node = forest.nodes[number]
    total = sum_of_visits(forest, number)
    root_of_sum = math.sqrt(max(1, total))
    best = most_visited(forest, number)
    to_beat = puct_score(forest, guide, number, best, root_of_sum)
    for i in range(node.num_children):
        child = node.first_child + i
        here = forest.nodes[child]
        if child == best or here.visits == 0:
            continue
        mean, left = mean_value(forest, child, node.player), here.visits
        least = left - math.sqrt(guide.forced * here.prior * total)
        while left > 0 and left - 1 >= least and mean + guide.c_puct * here.prior * root_of_sum / left < to_beat:
            left -= 1
        work.scores[i] = left if left > 1 else 0


@kernel
def most_visited(forest: Any, number: int) -> int:
    """The child with the most visits; the better mean decides among equals. It avoids a sure loss if it can."""
    node = forest.nodes[number]
    best, most = node.first_child, -1
    for child in range(node.first_child, node.first_child + node.num_children):
        visits = -1 if surely_loses(forest, child, node.player) else forest.nodes[child].visits
        is_better = mean_value(forest, child, node.player) > mean_value(forest, best, node.player)
        if visits > most or (visits == most and is_better):
            best, most = child, visits
    return best


@kernel
def root_values(forest: Any, work: Any, tree: int, values: Any) -> None:
    """Write the value of each player: the known one, or else a mean over the visited moves.

    The mean is weighted by the policy in `work.scores`.
    """
    number = forest.root[tree]
    node = forest.nodes[number]
    weight = 0.0
    values[:] = 0
    for i in range(node.num_children):
        child = node.first_child + i
        if forest.nodes[child].visits and not node.known:
            weight += work.scores[i]
            for player in range(values.size):
                values[player] += work.scores[i] * mean_value(forest, child, player)
    for player in range(values.size):
        values[player] = values[player] / weight if weight > 0 else mean_value(forest, number, player)


@kernel
def choose_child(forest: Any, guide: Any, work: Any, tree: int, temperature: float, rng: Rng) -> int:
    """Choose the child to play. PUCT draws by policy^(1 / temperature); Gumbel has drawn its random numbers already.

    The policy must be in `work.scores`, and is overwritten.
    """
    number = forest.root[tree]
    if forest.nodes[number].known and best_known(forest, number) != NONE:
        return best_known(forest, number)
    if guide.root == GUMBEL:
        return best_of_halving(forest, guide, work, tree)
    if temperature < COLD:
        return most_visited(forest, number)
    node, total = forest.nodes[number], 0.0
    highest = 0.0
    for i in range(node.num_children):
        highest = max(highest, work.scores[i])
    for i in range(node.num_children):
        work.scores[i] = (work.scores[i] / highest) ** (1 / temperature)
        total += work.scores[i]
    left, last = uniform(rng) * total, 0
    for i in range(node.num_children):
        if work.scores[i] > 0:
            last = i
            left -= work.scores[i]
            if left < 0:
                break
    return node.first_child + last
