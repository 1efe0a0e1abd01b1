"""Monte-Carlo counterfactual regret minimisation: external and outcome sampling.

M. Lanctot and others, Monte Carlo sampling for regret minimization in extensive games, 2009. An iteration samples the
tree once for each player i, and updates i's regrets with unbiased estimates of those of `regrets`.

- *External sampling* draws one outcome of chance and one action of every other player on the way, and tries all actions
  of i. R(I, a) += u(I a) - sum of sigma(I, b) u(I b), where u is the sampled value for i.
- *Outcome sampling* draws a single line. At i's information sets it explores: every action with probability
  EXPLORATION / n + (1 - EXPLORATION) sigma. Let q be the probability of the sampled line up to I, and pi the product of
  the others' and chance's probabilities. Then R(I, a) += (pi / q) (u~(I a) - u~(I)), where u~ of the sampled action is
  the value behind it divided by its probability, and u~ of all others is 0.

The average strategy is weighted by the player's own plan. With external sampling it grows at the information sets of
the player after i, who is drawn there just as often; with outcome sampling at those of i, by the plan divided by q.

How it deviates: external sampling draws again if it comes to the same information set of another player a second time.
With more than two players the average strategy of external sampling also depends on how often the third player goes
there.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.protocol import CHANCE, Rng
from damier.core.rng import uniform
from damier.search.hidden.regrets import match_regrets
from damier.search.hidden.tree import END, FlatTree

EXPLORATION = 0.6  # the paper's


class Sampling(Struct):
    """Where sampling walks: the nodes of a tree, and room for the values of the moves at each level."""

    def __init__(self, tree: FlatTree) -> None:
        nodes, game = tree.nodes, tree.game
        self.player, self.child, self.link = nodes.player, nodes.child, nodes.link
        self.probability, self.payoffs = nodes.probability, nodes.payoffs
        self.values = np.zeros((game.max_length + 1, game.max_moves))  # [levels, max_moves]
        self.reach = np.ones(3)  # products along a line: the player's own probabilities, the others', the sampled ones


@kernel
def sample_external(form: Any, regrets: Any, where: Any, count: int, rng: Rng) -> None:
    """Do `count` iterations of external sampling."""
    for _ in range(count):
        for player in range(form.num_players):
            external(form, regrets, where, 0, player, 0, rng)


@kernel
def external(form: Any, regrets: Any, where: Any, node: int, player: int, level: int, rng: Rng) -> float:
    """The sampled value of a node for the player whose regrets are updated."""
    mover = where.player[node]
    if mover == END:
        return where.payoffs[where.link[node], player]
    child = where.child[node]
    if mover == CHANCE:
        return external(form, regrets, where, drawn_outcome(where, node, rng), player, level + 1, rng)
    number = where.link[node]
    begin, end = form.first[number], form.first[number + 1]
    match_regrets(form, regrets, number)
    if mover != player:
        if mover == (player + 1) % form.num_players:
            for sequence in range(begin, end):
                regrets.average[sequence] += regrets.strategy[sequence]
        move = drawn_move(regrets, begin, end, 0.0, rng)
        return external(form, regrets, where, child + move, player, level + 1, rng)
    if form.num_players == 1:  # chance alone decides how often this is
        for sequence in range(begin, end):
            regrets.plan[sequence] = regrets.plan[form.parent[number]] * regrets.strategy[sequence]
            regrets.average[sequence] += regrets.plan[sequence]
    value = 0.0
    for sequence in range(begin, end):
        found = external(form, regrets, where, child + sequence - begin, player, level + 1, rng)
        where.values[level, sequence - begin] = found
        value += regrets.strategy[sequence] * found
    for sequence in range(begin, end):
        regrets.regret[sequence] += where.values[level, sequence - begin] - value
    return value


@kernel
def sample_outcome(form: Any, regrets: Any, where: Any, count: int, rng: Rng) -> None:
    """Do `count` iterations of outcome sampling."""
    for _ in range(count):
        for player in range(form.num_players):
            where.reach[:] = 1.0
            outcome(form, regrets, where, 0, player, where.reach, rng)


@kernel
def outcome(form: Any, regrets: Any, where: Any, node: int, player: int, reach: Any, rng: Rng) -> float:
    """The estimated value of a node for the player, from one line behind it."""
    mover = where.player[node]
    if mover == END:
        return where.payoffs[where.link[node], player]
    own, others, sampled = reach[0], reach[1], reach[2]
    if mover == CHANCE:
        child = drawn_outcome(where, node, rng)
        reach[1] *= where.probability[child]
        reach[2] *= where.probability[child]
        return outcome(form, regrets, where, child, player, reach, rng)
    number = where.link[node]
    begin, end = form.first[number], form.first[number + 1]
    match_regrets(form, regrets, number)
    explored = EXPLORATION if mover == player else 0.0
    move = drawn_move(regrets, begin, end, explored, rng)
    wanted = regrets.strategy[begin + move]
    chosen = explored / (end - begin) + (1.0 - explored) * wanted
    reach[0 if mover == player else 1] *= wanted
    reach[2] *= chosen
    behind = outcome(form, regrets, where, where.child[node] + move, player, reach, rng) / chosen
    value = wanted * behind
    if mover == player:
        for sequence in range(begin, end):
            found = behind if sequence == begin + move else 0.0
            regrets.regret[sequence] += others / sampled * (found - value)
            regrets.average[sequence] += own / sampled * regrets.strategy[sequence]
    return value


@kernel
def drawn_outcome(where: Any, node: int, rng: Rng) -> int:
    """The child of a chance node, drawn by its probability."""
    left, child = uniform(rng), where.child[node]
    last = child + where.link[node] - 1
    while child < last:
        left -= where.probability[child]
        if left < 0.0:
            break
        child += 1
    return child


@kernel
def drawn_move(regrets: Any, begin: int, end: int, explored: float, rng: Rng) -> int:
    """The number of a move, drawn by the strategy, mixed with all moves alike."""
    left = uniform(rng)
    last = begin
    for sequence in range(begin, end):
        chance = explored / (end - begin) + (1.0 - explored) * regrets.strategy[sequence]
        if chance > 0.0:
            last = sequence  # rounding must not draw what is never played
        left -= chance
        if left < 0.0:
            break
    return last - begin
