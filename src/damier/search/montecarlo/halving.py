"""Sequential Halving at the root, and SHUSS.

Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, 2013: the budget is divided into
log2(moves) rounds; in each round every move that is left gets the same number of simulations, then the worse half
is dropped. Fabiano and Cazenave, Sequential Halving Using Scores, 2021 (SHUSS): the halves are told apart by

    mean + c amaf / n

with the all-moves-as-first mean of the move at the root, so that the prior fades as visits grow, c = 128. Below
the root the tree grows by its own rule: UCB1 for plain Sequential Halving, GRAVE for SHUSS. How it deviates: with
a rule that has `solver` on, a move that is proven won or lost counts as such and not by its score. The budget is spent
to the last simulation: what does not divide in one round is left to the later ones, and n is the number of simulations
that every move of the round has had. A budget that is too small for all moves tries some of them.
"""

import math

from damier.core.budget import Budget
from damier.core.errors import SpecError
from damier.search.montecarlo.amaf import amaf_of
from damier.search.montecarlo.search import Grower, MonteCarlo
from damier.search.montecarlo.selection import GRAVE, Rule
from damier.search.montecarlo.tree import LOST, ROOT, WON


class SequentialHalving(MonteCarlo):
    """The root is searched by halving, everything below by the rule."""

    def __init__(self, rule: Rule, sims: int, amaf_weight: float = 0.0, memory: int = 256) -> None:
        if amaf_weight and rule.kind != GRAVE:
            raise SpecError("search.no-amaf")
        super().__init__(rule, Budget(sims=sims), memory=memory, keep=False)
        self.sims, self.amaf_weight = sims, amaf_weight
        self._survivor = 0

    def _think(self, began: float) -> None:
        grower, left = self.growers[0], self.sims
        children = grower.expand_root()
        for number in range(num_rounds(len(children)), 0, -1):
            share = min(left, max(left // number, len(children)))
            left -= share
            for child, sims in zip(children, deal(share, len(children)), strict=True):
                self.rule.forced = child
                grower.simulate(sims)
            children = self._better_half(grower, children)
        self._survivor = int(grower.tree.nodes["move"][children[0]])

    def _better_half(self, grower: Grower, children: list[int]) -> list[int]:
        """The children in the order of their scores, without the worse half."""
        nodes = grower.tree.nodes
        equally = max(1, min(int(nodes["visits"][child]) for child in children))
        scores = {child: self._score(grower, child, equally) for child in children}
        return sorted(children, key=scores.__getitem__, reverse=True)[: math.ceil(len(children) / 2)]

    def _score(self, grower: Grower, child: int, visits: int) -> float:
        """What tells the halves apart, of a child in a round in which every child has had so many visits."""
        tree = grower.tree
        node = tree.nodes[child]
        if node.proven in (WON, LOST):
            return math.inf if node.proven == WON else -math.inf
        score = 0.5 + 0.5 * float(node.total) / max(1, int(node.visits))
        if self.amaf_weight:
            amaf = amaf_of(tree, ROOT, child)
            if amaf.visits:
                score += self.amaf_weight * (0.5 + 0.5 * float(amaf.total) / int(amaf.visits)) / visits
        return score

    def _choose(self, moves: list[int], visits: list[int], means: list[float], proven: list[int]) -> int:
        return self._survivor


def num_rounds(moves: int) -> int:
    """How often the moves can be halved until one is left; at least once."""
    return max(1, math.ceil(math.log2(moves)))


def deal(sims: int, moves: int) -> list[int]:
    """So many simulations to each of the moves; where they don't divide, the first ones get one more."""
    return [sims // moves + (i < sims % moves) for i in range(moves)]
