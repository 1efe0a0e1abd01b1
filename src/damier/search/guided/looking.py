"""Looking into a tree that a network guides: a node, its children, and the score of each by the selection rule.

The score of a child is PUCT's. Gumbel's search has none: it visits the move that is furthest behind the share of visits
that the improved policy gives it, and the score is this difference.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.protocol import CHANCE
from damier.search.guided.forest import Forest, mean_value
from damier.search.guided.gumbel import improved_logits, softmax
from damier.search.guided.selection import GUMBEL, Guide, puct_score, sum_of_visits
from damier.search.result import SearchChild, SearchNode


def describe_node(forest: Forest, guide: Guide, number: int) -> SearchNode:
    """Describe a node for callers. At a chance node means are those of player 0."""
    node = forest.nodes[number]
    children = range(int(node.first_child), int(node.first_child) + max(0, int(node.num_children)))
    if node.player == CHANCE or not children:
        scores: list[float | None] = [None] * len(children)
    else:
        scores = _scores(forest, guide, number).tolist()
    seer = max(0, int(node.player))
    found = [_describe_child(forest, guide, child, seer, scores[i]) for i, child in enumerate(children)]
    return SearchNode(int(node.visits), tuple(found))


def _scores(forest: Forest, guide: Guide, number: int) -> NDArray[np.float64]:
    node, total = forest.nodes[number], int(sum_of_visits(forest, number))
    children = range(int(node.first_child), int(node.first_child) + int(node.num_children))
    if guide.root != GUMBEL:
        root_of_sum = math.sqrt(max(1, total))
        return np.array([puct_score(forest, guide, number, child, root_of_sum) for child in children])
    shares = np.zeros(len(children))
    improved_logits(forest, guide, number, shares)
    softmax(shares, shares.size)
    return shares - forest.nodes["visits"][children.start : children.stop] / (1 + total)


def _describe_child(forest: Forest, guide: Guide, child: int, seer: int, score: float | None) -> SearchChild:
    record: Any = forest.nodes[child]
    mean = float(mean_value(forest, child, seer)) if record.visits else None
    added = None if score is None or mean is None else score if guide.root == GUMBEL else score - mean
    return SearchChild(
        move=int(record.move),
        visits=int(record.visits),
        mean=mean,
        prior=float(record.prior),
        score=score,
        bonus=added,
        proven=_proven(forest, guide, child, seer),
        has_children=int(record.num_children) > 0,
    )


def _proven(forest: Forest, guide: Guide, child: int, seer: int) -> str | None:
    value = float(forest.first_values[child, seer])
    # With a margin, a narrow loss may be worth more than nothing: only with two players is there no doubt.
    is_certain = forest.nodes[child].known and (not guide.margin or forest.totals.shape[1] == 2)
    return None if not is_certain or abs(value) <= guide.margin else "won" if value > 0 else "lost"
