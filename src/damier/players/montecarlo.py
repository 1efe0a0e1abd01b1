"""The Monte-Carlo players: one tree, a class for each selection rule. See `damier.search.montecarlo`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from damier.core.budget import Budget, check_memory, check_threads
from damier.core.errors import SpecError
from damier.core.position import Position
from damier.search.montecarlo.halving import SequentialHalving
from damier.search.montecarlo.search import MonteCarlo
from damier.search.montecarlo.selection import GRAVE, PUCT, UCB1, UCB1_TUNED, UNIFORM, Rule
from damier.search.player import Player
from damier.search.result import SearchResult

DEFAULT_SIMS = 1000
PLAYOUTS = ("uniform", "heavy")


@dataclass
class MonteCarloPlayer(Player):
    """What all of them have in common. The search remembers its tree, so make a new player for a new game."""

    choices: ClassVar = {"playout": PLAYOUTS}

    sims: int | None = None
    seconds: float | None = None
    threads: int = 1
    memory: int = 256  # megabytes
    keep: bool = True
    cutoff: int = -1
    solver: bool = False
    playout: str = "uniform"
    widen: float = 0.0
    margin: float = 0.0

    def __post_init__(self) -> None:
        if self.sims is None and self.seconds is None:
            self.sims = DEFAULT_SIMS
        check_threads(self.threads)
        if self.widen < 0:
            raise SpecError("number.at-least", what="widen", least=0, got=self.widen)
        if not 0 <= self.margin < 1:
            raise SpecError("number.below-one", what="margin", got=self.margin)
        if self.margin and self.solver:
            raise SpecError("search.margin-or-solver")
        if self.playout not in PLAYOUTS:
            raise SpecError("spec.one-of", option="playout", known=list(PLAYOUTS), got=self.playout)
        budget = Budget(sims=self.sims, seconds=self.seconds)
        self._search = MonteCarlo(self.rule(), budget, self.threads, self.memory, self.keep)

    def rule(self) -> Rule:
        raise NotImplementedError

    def _rule(self, kind: int, **constants: Any) -> Rule:
        return Rule(
            kind,
            cutoff=self.cutoff,
            solver=self.solver,
            heavy=self.playout == "heavy",
            widen=self.widen,
            margin=self.margin,
            **constants,
        )

    def prepare(self, pos: Position) -> None:
        """Compile for this game, before somebody waits for a move."""
        self._search.prepare(pos)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        if self.solver and not _can_be_solved(pos):
            raise SpecError("search.solver", game=pos.game.name)
        if self.playout == "heavy" and not (pos.game.has("playout") or pos.game.has("weight")):
            raise SpecError("search.heavy", game=pos.game.name)
        if self.margin and not pos.game.has("evaluate"):
            raise SpecError("search.margin", game=pos.game.name)
        return self._search.search(pos, seed)


@dataclass
class Flat(MonteCarloPlayer):
    """Flat Monte-Carlo: the same number of random games for every move."""

    def rule(self) -> Rule:
        return self._rule(UNIFORM, max_depth=1)


@dataclass
class UCT(MonteCarloPlayer):
    """UCT: Monte-Carlo tree search with UCB1."""

    c: float = 0.4

    def rule(self) -> Rule:
        return self._rule(UCB1, c=self.c)


@dataclass
class UCBTuned(MonteCarloPlayer):
    """UCT with UCB1-tuned, which looks at the variance."""

    c: float = 1.0

    def rule(self) -> Rule:
        return self._rule(UCB1_TUNED, c=self.c)


@dataclass
class Rave(MonteCarloPlayer):
    """RAVE: all moves as first, blended in while a move has few visits."""

    c: float = 0.0
    bias: float = 1e-5

    def rule(self) -> Rule:
        return self._rule(GRAVE, c=self.c, bias=self.bias)


@dataclass
class Grave(MonteCarloPlayer):
    """GRAVE: RAVE with the statistics of an ancestor of more than `ref` visits."""

    ref: int = 50
    c: float = 0.0
    bias: float = 1e-5

    def rule(self) -> Rule:
        return self._rule(GRAVE, c=self.c, bias=self.bias, ref=self.ref)


@dataclass
class Puct(MonteCarloPlayer):
    """PUCT, the rule of AlphaZero, with a uniform prior."""

    c: float = 2.0

    def rule(self) -> Rule:
        return self._rule(PUCT, c=self.c)


@dataclass
class Halving(Player):
    """Sequential Halving at the root, UCT below."""

    sims: int = DEFAULT_SIMS
    c: float = 0.4
    memory: int = 256

    def __post_init__(self) -> None:
        check_memory(self.memory)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        rule = Rule(UCB1, c=self.c, solver=_can_be_solved(pos))
        return SequentialHalving(rule, self.sims, memory=self.memory).search(pos, seed)


@dataclass
class Shuss(Player):
    """SHUSS: Sequential Halving at the root, told by AMAF scores; GRAVE below."""

    sims: int = DEFAULT_SIMS
    weight: float = 128.0
    ref: int = 50
    bias: float = 1e-5
    memory: int = 256

    def __post_init__(self) -> None:
        check_memory(self.memory)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        rule = Rule(GRAVE, bias=self.bias, ref=self.ref, solver=_can_be_solved(pos))
        return SequentialHalving(rule, self.sims, self.weight, self.memory).search(pos, seed)


def _can_be_solved(pos: Position) -> bool:
    """Whether a win is a win: two players, and no chance."""
    return pos.game.num_players == 2 and not pos.game.has("chance")
