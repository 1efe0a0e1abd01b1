"""Sequential Halving at the root, and SHUSS.

Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, 2013: the budget is divided into
log2(moves) rounds; in each round every remaining move gets the same number of simulations, then the worse half is
dropped. Fabiano and Cazenave, Sequential Halving Using Scores, 2021 (SHUSS): the moves are ranked by

    mean + weight amaf / n

with the all-moves-as-first mean of the move at the root: the prior fades as visits grow, weight = 128. Below the root
the tree grows by its own rule: UCB1 for plain Sequential Halving, GRAVE for SHUSS. How it deviates: in games of two
without chance a proven win or loss counts as such and not by its score. The budget is spent to the last simulation:
simulations that do not divide evenly in one round go to later rounds, and n is the number of simulations that every
move of the round has had. A budget that is too small for all moves tries some of them.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.core.budget import Budget, check_memory
from damier.core.errors import DamierError
from damier.core.position import Position
from damier.core.rng import new_rng
from damier.evaluations import EVALUATION
from damier.search.montecarlo.amaf import amaf_of
from damier.search.montecarlo.grower import Grower
from damier.search.montecarlo.rave import GraveRule
from damier.search.montecarlo.search import DEFAULT_SIMS, Growing, RootStatistics, can_be_solved
from damier.search.montecarlo.strategy import PLAYOUT_POLICY, SELECTION_RULE, Strategy
from damier.search.montecarlo.tree import LOST, ROOT, WON
from damier.search.montecarlo.uct import UCB1
from damier.search.player import Player, Sight
from damier.search.result import SearchResult


@dataclass(frozen=True)
class SequentialHalving(Player):
    """The root is searched by halving, everything below by a selection rule."""

    sight: ClassVar[Sight] = Sight.OPEN

    parts: ClassVar[Mapping[str, PartKind]] = {"playout": PLAYOUT_POLICY, "evaluation": EVALUATION}

    sims: int = DEFAULT_SIMS
    memory: int = 256
    playout: Any = "uniform"
    evaluation: Any = "game"
    _growing: Growing = field(default_factory=Growing, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_memory(self.memory)
        _ = self.budget
        PLAYOUT_POLICY.make(self.playout)
        EVALUATION.make(self.evaluation)

    @cached_property
    def budget(self) -> Budget:
        return Budget(sims=self.sims)

    def make_rule(self) -> Any:
        """The selection rule below the root."""
        raise NotImplementedError

    def score(self, grower: Grower, child: int, visits: int) -> float:
        """The score that ranks a child, in a round in which every child has had that many visits."""
        node = grower.tree.nodes[child]
        if node.proven in (WON, LOST):
            return math.inf if node.proven == WON else -math.inf
        return 0.5 + 0.5 * float(node.total) / max(1, int(node.visits))

    def prepare(self, pos: Position) -> None:
        self._grower(pos)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        if pos.is_over:
            raise DamierError("search.nothing", position=pos.described())
        grower = self._grower(pos)
        began = time.perf_counter()
        grower.start(pos, None, new_rng(seed, 0))
        survivor = self._halve(grower)
        return RootStatistics(pos, [grower]).result(pos, survivor, time.perf_counter() - began)

    def _grower(self, pos: Position) -> Grower:
        """The tree and what grows it: made once for a game, and planted anew for every search."""
        growing = self._growing
        if not growing.growers or growing.growers[0].game != pos.game:
            growing.growers = [self._new_grower(pos)]
        return growing.growers[0]

    def _new_grower(self, pos: Position) -> Grower:
        strategy = Strategy(
            SELECTION_RULE.make(self.make_rule()),
            PLAYOUT_POLICY.make(self.playout),
            EVALUATION.make(self.evaluation),
            solver=can_be_solved(pos.game),
        )
        strategy.check(pos.game)
        return Grower(pos.game, strategy, self.budget, self.memory * 2**20, keep=False)

    def _halve(self, grower: Grower) -> int:
        """Halve until one move is left, and return it."""
        left, children = self.sims, grower.expand_root()
        for number in range(num_rounds(len(children)), 0, -1):
            share = min(left, max(left // number, len(children)))
            left -= share
            for child, sims in zip(children, deal(share, len(children)), strict=True):
                grower.strategy.forced = child
                grower.simulate(sims)
            children = self._better_half(grower, children)
        return int(grower.tree.nodes["move"][children[0]])

    def _better_half(self, grower: Grower, children: list[int]) -> list[int]:
        """The children in the order of their scores, without the worse half."""
        nodes = grower.tree.nodes
        equally = max(1, min(int(nodes["visits"][child]) for child in children))
        scores = {child: self.score(grower, child, equally) for child in children}
        return sorted(children, key=scores.__getitem__, reverse=True)[: math.ceil(len(children) / 2)]


@dataclass(frozen=True)
class Halving(SequentialHalving):
    """Sequential Halving at the root, UCT below."""

    c: float = 0.4

    def make_rule(self) -> UCB1:
        return UCB1(float(self.c))


@dataclass(frozen=True)
class Shuss(SequentialHalving):
    """SHUSS: Sequential Halving at the root, ranked by AMAF scores; GRAVE below."""

    weight: float = 128.0
    ref: int = 50
    bias: float = 1e-5

    def make_rule(self) -> GraveRule:
        return GraveRule(int(self.ref), 0.0, float(self.bias))

    def score(self, grower: Grower, child: int, visits: int) -> float:
        score = super().score(grower, child, visits)
        if self.weight and math.isfinite(score):
            amaf = amaf_of(grower.tree, ROOT, child)
            if amaf.visits:
                score += self.weight * (0.5 + 0.5 * float(amaf.total) / int(amaf.visits)) / visits
        return score


def num_rounds(moves: int) -> int:
    """How often the moves can be halved until one is left; at least once."""
    return max(1, math.ceil(math.log2(moves)))


def deal(sims: int, moves: int) -> list[int]:
    """Divide the simulations among the moves; if they don't divide evenly, the first ones get one more."""
    return [sims // moves + (i < sims % moves) for i in range(moves)]
