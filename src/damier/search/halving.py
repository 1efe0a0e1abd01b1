"""Sequential Halving at the root, and SHUSS.

Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, 2013: the budget is divided into
log2(moves) rounds; in each round every move that is left gets the same number of simulations, then the worse half
is dropped. Fabiano and Cazenave, Sequential Halving Using Scores, 2021 (SHUSS): the halves are told apart by

    mean + c amaf / n

with the all-moves-as-first mean of the move at the root, so that the prior fades as visits grow, c = 128. Below
the root the tree grows by its own rule: UCB1 for plain Sequential Halving, GRAVE for SHUSS. How it deviates: with
a rule that has `solver` on, a move that is proven won or lost counts as such and not by its score.
"""

import math

from damier.core.budget import Budget
from damier.core.errors import SpecError
from damier.search.amaf import amaf_of
from damier.search.montecarlo import MonteCarlo, Worker
from damier.search.selection import GRAVE, Rule
from damier.search.tree import LOST, ROOT, WON


class SequentialHalving(MonteCarlo):
    """The root is searched by halving, everything below by the rule."""

    def __init__(self, rule: Rule, sims: int, amaf_weight: float = 0.0, memory: int = 256) -> None:
        if amaf_weight and rule.kind != GRAVE:
            raise SpecError("expected a rule that keeps AMAF statistics for an AMAF weight above 0")
        super().__init__(rule, Budget(sims=sims), memory=memory, keep=False)
        self.sims, self.amaf_weight = sims, amaf_weight
        self._survivor = 0

    def _think(self, began: float) -> None:
        worker = self.workers[0]
        self.rule.forced = -1
        worker.simulate(1)  # makes the children of the root
        first = int(worker.tree.nodes["first_child"][ROOT])
        children = list(range(first, first + len(worker.children(ROOT))))
        for simulations in rounds(len(children), self.sims - 1):
            for child in children:
                self.rule.forced = child
                worker.simulate(simulations)
            children.sort(key=lambda child: self._score(worker, child), reverse=True)
            children = children[: math.ceil(len(children) / 2)]
        self._survivor = int(worker.tree.nodes["move"][children[0]])

    def _score(self, worker: Worker, child: int) -> float:
        tree = worker.tree
        node = tree.nodes[child]
        if node.proven in (WON, LOST):
            return math.inf if node.proven == WON else -math.inf
        visits = max(1, int(node.visits))
        score = 0.5 + 0.5 * float(node.total) / visits
        if self.amaf_weight:
            amaf = amaf_of(tree, ROOT, child)
            if amaf.visits:
                score += self.amaf_weight * (0.5 + 0.5 * float(amaf.total) / int(amaf.visits)) / visits
        return score

    def _choose(self, moves: list[int], visits: list[int], means: list[float], proven: list[int]) -> int:
        return self._survivor


def rounds(moves: int, sims: int) -> list[int]:
    """How many simulations each move that is left gets, round by round; at least one."""
    number = max(1, math.ceil(math.log2(moves)))
    shares = []
    for _ in range(number):
        shares.append(max(1, sims // (moves * number)))
        moves = math.ceil(moves / 2)
    return shares
