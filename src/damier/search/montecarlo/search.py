"""The Monte-Carlo search as a player: within a budget, on several threads, with a memory.

The tree is kept from one move to the next: if the new position follows from the last one by moves that are in the tree,
the search continues with the tree below them. With several threads each has its own tree, and the statistics of their
roots are added up (root parallelisation; Chaslot, Winands, van den Herik 2008).
"""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.core.budget import Budget, check_memory, check_threads
from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.evaluations import EVALUATION
from damier.search.montecarlo.grower import Grower
from damier.search.montecarlo.strategy import PLAYOUT_POLICY, SELECTION_RULE, UNLIMITED_DEPTH, WEIGHT, Strategy
from damier.search.montecarlo.tree import LOST, UNPROVEN, WON
from damier.search.pace import EVEN, PACES, check_pace, keeps_pace, on_the_clock
from damier.search.player import Player, Sight
from damier.search.result import SearchNode, SearchResult

DEFAULT_SIMS = 1000
UNIFORM = "uniform"
PRIORS = (UNIFORM, WEIGHT)  # where the priors of moves come from


def check_prior(prior: str) -> None:
    if prior not in PRIORS:
        raise SpecError("spec.one-of", option="prior", known=list(PRIORS), got=prior)


def moves_since(last: Position | None, pos: Position) -> tuple[int, ...] | None:
    """The moves since the last search, if this position follows from that one; otherwise None."""
    if last is None or last.game != pos.game or pos.history[: len(last.history)] != last.history:
        return None
    follows = last.play_all(pos.history[len(last.history) :]) == pos
    return pos.history[len(last.history) :] if follows else None


class Growing:
    """The state of a search: the strategy made of its parameters, the trees, and the last position."""

    def __init__(self) -> None:
        self.strategy: Strategy | None = None
        self.growers: list[Grower] = []
        self.last: Position | None = None


@dataclass(frozen=True)
class MonteCarlo(Player):
    """The common part of all Monte-Carlo searches. It remembers its trees: make a new player for a new game."""

    sight: ClassVar[Sight] = Sight.OPEN

    parts: ClassVar[Mapping[str, PartKind]] = {"playout": PLAYOUT_POLICY, "evaluation": EVALUATION}
    grows: ClassVar[bool] = True
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"pace": PACES}

    sims: int | None = None
    seconds: float | None = None
    threads: int = 1
    memory: int = 256  # megabytes
    keep: bool = True
    cutoff: int = -1
    solver: bool = False
    playout: Any = "uniform"
    evaluation: Any = "game"
    widen: float = 0.0
    margin: float = 0.0
    pace: str = EVEN
    _growing: Growing = field(default_factory=Growing, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_threads(self.threads)
        check_memory(self.memory)
        check_pace(self.pace)
        if self.widen < 0:
            raise SpecError("number.at-least", what="widen", least=0, got=self.widen)
        if not 0 <= self.margin < 1:
            raise SpecError("number.below-one", what="margin", got=self.margin)
        if self.margin and self.solver:
            raise SpecError("search.margin-or-solver")
        _ = self.budget
        self._growing.strategy = Strategy(
            SELECTION_RULE.make(self.make_rule()),
            PLAYOUT_POLICY.make(self.playout),
            EVALUATION.make(self.evaluation),
            max_depth=self.max_depth,
            cutoff=self.cutoff,
            solver=self.solver,
            widen=self.widen,
            margin=self.margin,
            weighs=self.weighs,
        )

    def make_rule(self) -> Any:
        """The selection rule of this search."""
        raise NotImplementedError

    @property
    def weighs(self) -> bool:
        """Whether the rule has priors from the game's `weight`."""
        return False

    @property
    def max_depth(self) -> int:
        """The depth at which nodes are not expanded."""
        return UNLIMITED_DEPTH

    @cached_property
    def budget(self) -> Budget:
        is_default = self.sims is None and self.seconds is None
        return Budget(sims=DEFAULT_SIMS if is_default else self.sims, seconds=self.seconds)

    @property
    def strategy(self) -> Strategy:
        assert self._growing.strategy is not None
        return self._growing.strategy

    def check(self, game: Game) -> None:
        """Raise a SpecError if this search is not for this game."""
        if self.solver and not can_be_solved(game):
            raise SpecError("search.solver", game=game.name)
        if self.margin and self.evaluation == "game" and not game.has("evaluate"):
            raise SpecError("search.margin-evaluation", game=game.name)
        self.strategy.check(game)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Search a position and choose a move, see `_choose`."""
        if pos.is_over:
            raise DamierError("search.nothing", position=pos.described())
        self.prepare(pos)
        growing = self._growing
        with on_the_clock(pos, self.budget) as began:
            followed = moves_since(growing.last, pos) if self.keep or self.pace != EVEN else None
            known = followed if self.keep else None
            for number, grower in enumerate(growing.growers):
                grower.start(pos, known, new_rng(seed, number), follows=bool(followed))
            growing.last = None  # an interrupted search leaves nothing to continue with
            self._think(began)
            growing.last = pos
            statistics = RootStatistics(pos, growing.growers)
            return statistics.result(pos, self._choose(statistics), time.perf_counter() - began)

    def node(self, path: Sequence[int]) -> SearchNode | None:
        """The node of the first thread's tree that these moves lead to from the last position."""
        growers = self._growing.growers
        return growers[0].node(path) if growers else None

    def prepare(self, pos: Position) -> None:
        """Make the trees and compile, which does not count as search time."""
        growing = self._growing
        if not growing.growers or growing.growers[0].game != pos.game:
            self.check(pos.game)
            room = self.memory * 2**20 // self._threads
            shares = [self._share(number) for number in range(self._threads)]
            growing.growers = [Grower(pos.game, self.strategy, share, room, self.keep, self.pace) for share in shares]
            growing.last = None

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        return keeps_pace(self.pace, self.budget, seconds)

    # -- the steps -----------------------------------------------------------------------------------------

    @property
    def _threads(self) -> int:
        """The number of threads, each with something to do."""
        return min(self.threads, self.budget.sims or self.threads)

    def _think(self, began: float) -> None:
        growers = self._growing.growers
        if len(growers) == 1:
            growers[0].think(began)
            return
        with ThreadPoolExecutor(len(growers)) as pool:
            for done in [pool.submit(grower.think, began) for grower in growers]:
                done.result()

    def _share(self, number: int) -> Budget:
        """The budget of one thread."""
        budget, sims = self.budget, self.budget.sims
        if sims is not None:
            sims = sims // self._threads + (number < sims % self._threads)
        return Budget(sims=sims, seconds=budget.seconds)

    def _choose(self, statistics: "RootStatistics") -> int:
        """The move to play: a proven win, or else the best mean of the most visited moves that are not proven losses.

        The last simulation of a thread must not decide which moves those are: if a budget does not divide evenly, one
        extra visit means nothing. If the budget is too small to visit every move, the moves without visits are compared
        too: they count 0, between moves that won and moves that lost. Equal moves are drawn at random.
        """
        visits, means, proven = statistics.visits, statistics.means, statistics.proven
        grower, indices = self._growing.growers[0], range(len(statistics.moves))
        rest = [i for i in indices if proven[i] == WON] or [i for i in indices if proven[i] != LOST] or list(indices)
        fewest = max(visits[i] for i in rest) - self._threads
        if grower.game.num_players == 1:
            fewest = max(1, fewest)  # payoffs don't add up to 0, so a move without visits can't be compared
        ranked = [(means[i], visits[i], i) for i in rest if visits[i] >= fewest]
        highest = max(ranked, default=None)
        best = rest if highest is None else [i for mean, count, i in ranked if (mean, count) == highest[:2]]
        return statistics.moves[best[below(grower.rng, len(best)) if len(best) > 1 else 0]]


class RootStatistics:
    """For each move of the root its visits, its mean payoff and its proof, over all threads.

    It uses plain numbers: on a small game ten NumPy steps take as long as a hundred simulations.
    """

    def __init__(self, pos: Position, growers: list[Grower]) -> None:
        self.growers = growers
        self.moves = pos.moves()
        count = len(self.moves)
        self.visits, totals, self.proven = [0] * count, [0.0] * count, [UNPROVEN] * count
        for grower in growers:
            known = grower.known_moves()
            for i, move in enumerate(self.moves):
                if move in known:  # a full tree may have had no room for it
                    visits, total, proof = known[move]
                    self.visits[i] += visits
                    totals[i] += total
                    self.proven[i] = max(self.proven[i], proof)
        self.means = [total / (visits or 1) for total, visits in zip(totals, self.visits, strict=True)]

    def result(self, pos: Position, best: int, seconds: float) -> SearchResult:
        """The result of a search that plays the move `best`."""
        growers = self.growers
        sims, all_visits = sum(grower.sims for grower in growers), sum(self.visits) or 1
        payoffs = zip(*(grower.work.root_total.tolist() for grower in growers), strict=True)
        return SearchResult(
            move=best,
            notation=pos.notation(best),
            values=tuple([sum(each) / (sims or 1) for each in payoffs]),
            moves=tuple(self.moves),
            policy=tuple([visits / all_visits for visits in self.visits]),
            visits=tuple(self.visits),
            scores=tuple(self.means),
            pv=(best, *growers[0].principal_variation(best)),
            nodes=sum(int(grower.tree.used[0]) for grower in growers),
            depth=max(int(grower.work.deepest[0]) for grower in growers),
            sims=sims,
            seconds=seconds,
        )


def can_be_solved(game: Game) -> bool:
    """Whether the solver applies: two players, and no chance."""
    return game.num_players == 2 and not game.has("chance")
