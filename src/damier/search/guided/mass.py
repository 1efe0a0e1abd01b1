"""Widening by the network's policy: a node considers only the moves that together have most of the probability.

The children of a node are sorted by their probability when the network's answer arrives, as far as they are needed, and
selection looks at the first ones whose probabilities add up to `mass`. A child whose value is known adds nothing, so
where all considered moves are proven losses the next ones take part. Compare progressive widening, `widening` in
`damier.search.montecarlo`, which counts visits instead.
"""

from typing import Any

from damier.core.compile import kernel
from damier.core.protocol import CHANCE


@kernel
def num_considered(forest: Any, guide: Any, number: int) -> int:
    """How many of a node's first children take part; all of them with a mass of 1, and where chance moves."""
    node = forest.nodes[number]
    if guide.mass >= 1 or node.player == CHANCE:
        return node.num_children
    total, count = 0.0, 0
    while count < node.num_children and total < guide.mass:
        child = forest.nodes[node.first_child + count]
        total += 0.0 if child.known else child.prior
        count += 1
    return count


@kernel
def sort_children(forest: Any, number: int, mass: float) -> None:
    """Bring the most probable children of a new node to the front, until they have that much of the probability."""
    node, total = forest.nodes[number], 0.0
    first, end = node.first_child, node.first_child + node.num_children
    while first < end and total < mass:
        best = first
        for child in range(first + 1, end):
            if forest.nodes[child].prior > forest.nodes[best].prior:
                best = child
        here, there = forest.nodes[first], forest.nodes[best]
        move, prior = there.move, there.prior
        there.move, there.prior = here.move, here.prior
        here.move, here.prior = move, prior
        total += prior
        first += 1
