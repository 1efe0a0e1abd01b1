"""Counterfactual regret minimisation by whole passes: CFR, CFR+, linear and discounted CFR.

Each iteration updates the players one after the other, each against the current strategies of the others. With u(h)
the value of node h for the player, at every information set I of the player,

    R(I, a) += sum over h in I of  pi(h) (u(h a) - u(h))    the regret of not having played a

where pi(h) is the product of what chance and the other players do on the way to h. Then

    sigma(I, a) = R+(I, a) / sum of R+(I, .)        regret matching; all alike if no regret is positive
    X(I a)  += w_t x_t(I a)                         the average strategy, weighted by the player's own plan x_t

After iteration t a positive regret is multiplied by t^alpha / (t^alpha + 1), a negative one by t^beta / (t^beta + 1).
The weights are w_t = t^gamma (Brown, Sandholm, Solving imperfect-information games via discounted regret minimization,
2019). All methods are choices of the three powers:

    cfr         alpha = beta = inf, gamma = 0       Zinkevich and others, Regret minimization in games with incomplete
                                                    information, 2007
    cfr+        alpha = inf, beta = -inf, gamma = 1 Tammelin, Solving large imperfect information games using CFR+, 2014
    linear      alpha = beta = gamma = 1            Brown, Sandholm 2019
    discounted  alpha = 3/2, beta = 0, gamma = 2    the same, the setting they recommend

How it deviates: CFR of 2007 updates all players at the same time. Discounted CFR multiplies the sum of the strategies
by (t / (t+1))^gamma instead of weighting, which is the same but for a common factor.

CFR+ amplifies differences in the last bit of a sum: on Leduc poker they show after a hundred iterations. So histories
are added one by one in the order of a walk over the tree, as OpenSpiel adds them, with payoffs in whole chips. Then
both programs find the same numbers.
"""

import math
from typing import Any

import numpy as np

from damier.core.compile import Struct, inlined, kernel
from damier.core.protocol import Values
from damier.search.hidden.passes import Passes
from damier.search.hidden.sequences import SequenceForm, follow


class Regrets(Struct):
    """What a method remembers, by sequence, and its current strategy."""

    def __init__(self, form: SequenceForm, passes: Passes) -> None:
        size = int(form.first[-1])
        self.regret = np.zeros(size)  # [sequences] R
        self.average = np.zeros(size)  # [sequences] X, the sum of the plans
        self.plan = np.zeros(size)  # [sequences] x
        self.chances = np.concatenate([np.zeros(size), passes.outcomes])  # [sequences + outcomes] of everything
        self.strategy = self.chances[:size]  # [sequences] sigma
        start(form, self)


class Powers(Struct):
    """The three powers that make a method."""

    def __init__(self, alpha: float, beta: float, gamma: float) -> None:
        self.alpha, self.beta, self.gamma = alpha, beta, gamma


POWERS = {
    "cfr": (math.inf, math.inf, 0.0),
    "cfr+": (math.inf, -math.inf, 1.0),
    "discounted": (1.5, 0.0, 2.0),
    "linear": (1.0, 1.0, 1.0),
}


@kernel
def start(form: Any, regrets: Any) -> None:
    """Make the current strategy and plans from the regrets."""
    for player in range(form.num_players):
        for number in range(form.sets_of[player], form.sets_of[player + 1]):
            match_regrets(form, regrets, number)
        follow(form, regrets.strategy, player, regrets.plan)


@inlined
def match_regrets(form: Any, regrets: Any, number: int) -> None:
    """The strategy at an information set: in proportion to the positive regrets."""
    begin, end = form.first[number], form.first[number + 1]
    total = 0.0
    for sequence in range(begin, end):
        total += max(regrets.regret[sequence], 0.0)
    if total > 0.0:
        for sequence in range(begin, end):
            regrets.strategy[sequence] = max(regrets.regret[sequence], 0.0) / total
    else:
        for sequence in range(begin, end):
            regrets.strategy[sequence] = 1.0 / (end - begin)


@inlined
def kept(iteration: int, power: float) -> float:
    """The factor t^p / (t^p + 1) by which a regret is discounted."""
    if math.isinf(power):
        return 1.0 if power > 0.0 else 0.0
    grown = float(iteration) ** power
    return grown / (grown + 1.0)


@kernel
def minimise(form: Any, passes: Any, regrets: Any, powers: Any, first: int, count: int) -> None:
    """Do `count` iterations, from number `first` on; the first of all is 1."""
    for iteration in range(first, first + count):
        weight = 1.0
        if powers.gamma > 0.0:
            weight = float(iteration) ** powers.gamma
        positive, negative = kept(iteration, powers.alpha), kept(iteration, powers.beta)
        for player in range(form.num_players):
            sweep(passes, regrets, player)
            for number in range(form.sets_of[player], form.sets_of[player + 1]):
                for sequence in range(form.first[number], form.first[number + 1]):
                    regret = regrets.regret[sequence]
                    regrets.regret[sequence] = regret * (positive if regret > 0.0 else negative)
                    regrets.average[sequence] += weight * regrets.plan[sequence]
                match_regrets(form, regrets, number)
            follow(form, regrets.strategy, player, regrets.plan)


@inlined
def sweep(passes: Any, regrets: Any, player: int) -> None:
    """Compute the values of all nodes for a player, and add the regrets of the player's actions."""
    players = passes.sequences.shape[1]
    row, sign = (0, 1.0 - 2.0 * player) if players == 2 else (player, 1.0)
    values = passes.values[row]
    for number in range(passes.node.size):
        reach = sign
        for other in range(players):
            if other != player:
                reach *= regrets.plan[passes.sequences[number, other]]
        if reach == 0.0:  # nothing behind it counts, and whatever its value is, it is multiplied by 0
            continue
        child, place, count = passes.child[number], passes.place[number], passes.count[number]
        value = 0.0
        for move in range(count):
            value += regrets.chances[place + move] * values[child + move]
        values[passes.node[number]] = value
        if passes.player[number] == player:
            reach *= passes.chance[number]
            for move in range(count):
                regrets.regret[place + move] += reach * (values[child + move] - value)


@kernel
def average_strategy(form: Any, average: Values, out: Values) -> None:
    """Write the average strategy: the normalised sums; all moves alike where the player never wanted to go."""
    for number in range(form.parent.size):
        begin, end = form.first[number], form.first[number + 1]
        total = 0.0
        for sequence in range(begin, end):
            total += average[sequence]
        for sequence in range(begin, end):
            out[sequence] = average[sequence] / total if total > 0.0 else 1.0 / (end - begin)
