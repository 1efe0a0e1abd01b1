"""The sequence form of a game: what regrets, best responses and values are computed from.

With perfect recall the probability that play reaches an end z is the product of what chance does, c(z), and of the
*realisation plan* x_q of each player q: the product of q's own probabilities along q's sequence (Koller, Megiddo, von
Stengel, Fast algorithms for finding randomized strategies in game trees, 1994). So the value of sequence s for player
p, against the plans of the others, is

    g_p(s) = sum over the ends z with sequence s of p:  c(z) u_p(z) prod_{q != p} x_q(sequence of q at z)

plus the values of the information sets that follow s. Nothing else of the tree is needed: a pass over the ends, and one
over the player's own information sets. A walk over all nodes would compute the same numbers.

Ends with the same sequences of all players are one entry: nobody can tell them apart.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, inlined, kernel
from damier.core.protocol import Values
from damier.search.hidden.tree import FlatTree


class SequenceForm(Struct):
    """Sequences, information sets and ends of a game. Sequences are numbered as in `tree`."""

    def __init__(self, tree: FlatTree) -> None:
        players = tree.game.num_players
        self.num_players = players
        self.sets_of = tree.sets_of  # [players + 1] where the information sets of each player start
        self.parent = tree.sets.parent  # [sets] the sequence that leads to a set
        self.first = (tree.sets.first + players).astype(np.int32)  # [sets + 1] the first sequence of a set
        entries = [_entries(tree, player) for player in range(players)]
        own = np.concatenate([own for own, _, _ in entries])
        order = np.argsort(own, kind="stable")  # empty sequences first
        self.weight = np.concatenate([weight for _, weight, _ in entries])[order]  # [entries] chance x payoff
        self.others = np.concatenate([others for _, _, others in entries])[order]  # [entries, players - 1] sequences
        self.row = np.searchsorted(own[order], np.arange(tree.num_sequences + 1))  # [sequences + 1] their entries


def _entries(tree: FlatTree, player: int) -> tuple[Any, Any, Any]:
    """A player's sequence at each end, the chance of the end times the payoff, and the others' sequences."""
    sequences, nodes = tree.nodes.sequences, tree.nodes
    weight = nodes.chance * nodes.payoffs[:, player]
    order = np.lexsort(np.roll(sequences, -1 - player, axis=1).T)  # by the player's own sequence, then the others'
    sequences, weight = sequences[order], weight[order]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (np.diff(sequences, axis=0) != 0).any(axis=1)
    starts = np.flatnonzero(is_new)
    return (
        sequences[starts, player],
        np.add.reduceat(weight, starts),
        np.ascontiguousarray(np.delete(sequences[starts], player, axis=1)),
    )


@inlined
def end_values(form: Any, plan: Values, player: int, values: Values) -> None:
    """Write g_p(s) of each sequence of a player, without the information sets that follow."""
    values[player] = end_value(form, plan, player)
    for sequence in range(form.first[form.sets_of[player]], form.first[form.sets_of[player + 1]]):
        values[sequence] = end_value(form, plan, sequence)


@inlined
def end_value(form: Any, plan: Values, sequence: int) -> float:
    total = 0.0
    if form.num_players == 2:
        for entry in range(form.row[sequence], form.row[sequence + 1]):
            total += form.weight[entry] * plan[form.others[entry, 0]]
        return total
    for entry in range(form.row[sequence], form.row[sequence + 1]):
        product = form.weight[entry]
        for other in range(form.num_players - 1):
            product *= plan[form.others[entry, other]]
        total += product
    return total


@kernel
def follow(form: Any, strategy: Values, player: int, plan: Values) -> None:
    """Write a player's realisation plan: the product of the probabilities along each sequence."""
    plan[player] = 1.0
    for number in range(form.sets_of[player], form.sets_of[player + 1]):
        reach = plan[form.parent[number]]
        for sequence in range(form.first[number], form.first[number + 1]):
            plan[sequence] = reach * strategy[sequence]
