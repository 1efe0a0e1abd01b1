"""What is known for certain: the end of a game, and what follows from it further up.

A position is known if all its moves lead to known ones, or if one of them surely wins: nothing is better. Its values
are those of the best move for whoever chooses, and where chance chooses the mean. From then on they stand in the place
of the mean of the simulations, which end there without asking the network. Winands et al., MCTS Solver, 2008, for two
players; here for any number, of whom each may choose among equally good moves as they like.
"""

from typing import Any

from damier.core.compile import kernel
from damier.core.protocol import CHANCE

NONE = -1
WIN = 1.0


@kernel
def prove_path(forest: Any, path: Any, depth: int) -> None:
    """What is at the end of the path is known: as far up as it goes, so is the rest."""
    forest.nodes[path[depth]].known = 1
    level = depth - 1
    while level >= 0 and prove(forest, path[level]):
        level -= 1


@kernel
def prove(forest: Any, number: int) -> bool:
    """Whether a node becomes known by its children."""
    node = forest.nodes[number]
    best = best_known(forest, number)
    wins = best != NONE and forest.first_values[best, node.player] >= WIN
    if node.known or not (wins or all_known(forest, number)):
        return False
    node.known = 1
    for player in range(forest.totals.shape[1]):
        value = 0.0
        if node.player == CHANCE:
            for child in range(node.first_child, node.first_child + node.num_children):
                value += forest.nodes[child].prior * forest.first_values[child, player]
        else:
            value = forest.first_values[best, player]
        forest.first_values[number, player] = value
    return True


@kernel
def best_known(forest: Any, number: int) -> int:
    """Of the children that are known the best for whoever chooses, the more visited one of two; NONE if none is, or
    where chance chooses."""
    node, best = forest.nodes[number], NONE
    for child in range(node.first_child, node.first_child + node.num_children):
        if not forest.nodes[child].known or node.player == CHANCE:
            continue
        value = forest.first_values[child, node.player]
        highest = forest.first_values[best, node.player]
        is_preferred = value == highest and forest.nodes[child].visits > forest.nodes[best].visits
        if best == NONE or value > highest or is_preferred:
            best = child
    return best


@kernel
def all_known(forest: Any, number: int) -> bool:
    node = forest.nodes[number]
    for child in range(node.first_child, node.first_child + node.num_children):
        if not forest.nodes[child].known:
            return False
    return True


@kernel
def surely_loses(forest: Any, child: int, player: int) -> bool:
    return forest.nodes[child].known and forest.first_values[child, player] <= -WIN
