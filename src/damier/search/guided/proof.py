"""Certain values: the end of a game, and what follows from it further up.

A position is known if all its moves lead to known ones, or if one of them surely wins, because nothing is better. Its
values are those of the best move for the player who chooses, or the mean where chance chooses. They then replace the
mean of the simulations, which end there without asking the network. Winands et al., MCTS Solver, 2008, describe this
for two players; here it works for any number, and a player may choose any of several equally good moves.
"""

from typing import Any

from damier.core.compile import kernel
from damier.core.protocol import CHANCE

NONE = -1
WIN = 1.0


@kernel
def prove_path(forest: Any, path: Any, depth: int) -> None:
    """Prove upwards from the end of the path, which is known, as far as possible."""
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
    """The best known child for the player who chooses, the more visited of equals; NONE if no child is known.

    It is also NONE where chance chooses.
    """
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
