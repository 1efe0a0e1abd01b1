"""The parts of a Monte-Carlo search: a selection rule, a playout policy, an evaluation, and limits.

Each of the three is a class that you can bring, see `damier.core.bring`; those that come with damier are listed below.
"""

from typing import Any

import numpy as np

from damier.core.bring import IS_REFERENCE, LEARN, MOVE, SCORE, PartKind
from damier.core.compile import Struct, declared
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.evaluations import EVALUATION

AMAF, SQUARES, WEIGHT = "amaf", "squares", "weight"  # what a selection rule may use

SELECTION_RULE = PartKind(
    "selection rule",
    SCORE,
    {
        "ucb1": "damier.search.montecarlo.uct:UCB1",
        "tuned": "damier.search.montecarlo.tuned:UCB1Tuned",
        "rave": "damier.search.montecarlo.rave:RaveRule",
        "grave": "damier.search.montecarlo.rave:GraveRule",
        "favoured": "damier.search.montecarlo.rave:FavouredGrave",
        "puct": "damier.search.montecarlo.puct:PuctRule",
        "uniform": "damier.search.montecarlo.flat:FewestVisits",
    },
    IS_REFERENCE,
    (AMAF, SQUARES, WEIGHT),
    {"amaf_visits": AMAF, "amaf_total": AMAF, "squares": SQUARES, "weight": WEIGHT},
    {"tries_each_first": False, "counts_payoffs": False},
)
PLAYOUT_POLICY = PartKind(
    "playout policy",
    MOVE,
    {
        "uniform": "damier.search.montecarlo.policies:Uniform",
        "heavy": "damier.search.montecarlo.policies:Heavy",
        "replies": "damier.search.montecarlo.replies:LastGoodReplies",
    },
    LEARN,
)

# Tables by visits, large enough for most nodes: a look-up is faster than computing.
_VISITS = np.maximum(1, np.arange(2**16))
SQRT_LOGS = np.sqrt(np.log(_VISITS))
INVERSE_ROOTS = 1 / np.sqrt(_VISITS)
UNLIMITED_DEPTH = 2**31 - 1


class Strategy(Struct):
    """A selection rule, a playout policy and an evaluation, and the limits of a simulation."""

    def __init__(
        self,
        rule: Any,
        playout: Any,
        evaluation: Any,
        max_depth: int = UNLIMITED_DEPTH,
        cutoff: int = -1,
        solver: bool = False,
        widen: float = 0.0,
        margin: float = 0.0,
        weighs: bool = False,
    ) -> None:
        self.rule, self.playout, self.evaluation = rule, playout, evaluation
        self.max_depth = max_depth  # nodes at this depth are not expanded
        self.cutoff = cutoff  # moves of a playout before it is cut and evaluated; -1: play to the end
        self.solver = solver  # whether proven wins and losses are used
        self.widen = float(widen)  # see `widening`; 0: all children from the beginning
        self.margin = float(margin)  # the share of a payoff that comes from the evaluation of the end
        self.weighs = weighs  # whether the priors of moves come from the game's `weight`
        self.sqrt_logs, self.inverse_roots = SQRT_LOGS, INVERSE_ROOTS
        # Whether untried children are taken in their order, and a child can be chosen when its node changes.
        self.tries_each_first = SELECTION_RULE.fact(rule, "tries_each_first") and not solver
        self.forced = -1  # a child of the root that every simulation goes through; -1: the rule decides

    @property
    def can_choose_ahead(self) -> bool:
        return self.tries_each_first and self.widen == 0

    def uses(self, what: str) -> bool:
        """Whether the selection rule declares this word in `uses`."""
        return what in declared(type(self.rule))

    @property
    def has_own_reference(self) -> bool:
        """Whether the rule takes the AMAF statistics from the node itself, never from an ancestor."""
        return not SELECTION_RULE.has(self.rule, "is_reference")

    def check(self, game: Game) -> None:
        """Raise a SpecError if a part is not for this game."""
        if self.weighs and not game.has("weight"):
            raise SpecError("search.no-weight", game=game.name)
        for kind, part in ((SELECTION_RULE, self.rule), (PLAYOUT_POLICY, self.playout), (EVALUATION, self.evaluation)):
            kind.check_game(part, game)
