"""The common part of the classical searches: one depth after the other, and the time limit.

The kernels read a flag at every node. A timer raises it from another thread, because kernels release the GIL; a limit
of nodes raises it too. A search that is stopped has searched the best move of the last depth first, so any move that it
found better is better.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Timer
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.core.budget import Budget
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.position import Position
from damier.evaluations import EVALUATION
from damier.search.classical.stack import NO_MOVE, Stack
from damier.search.pace import UNLIMITED, on_the_clock, warm_up
from damier.search.player import Player, Sight
from damier.search.result import SearchResult

DEFAULT_NODES = 100_000
MAX_DEPTH = 100


@dataclass
class KeptStack:
    """The state that a search keeps from one position to the next."""

    game: Game | None = None
    stack: Any = None  # made for that game
    evaluation: Any = None  # made from the parameter


@dataclass(frozen=True)
class Deepening(Player):
    """A search to a depth, or to depth 1, 2, 3, ... until its budget is used up. Its steps are the methods below."""

    sight: ClassVar[Sight] = Sight.OPEN
    scores_are_bounds: ClassVar[bool] = True

    parts: ClassVar[Mapping[str, PartKind]] = {"evaluation": EVALUATION}

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    evaluation: Any = "game"  # the value of a position where the search stops
    _kept: KeptStack = field(default_factory=KeptStack, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _ = self.budget  # refuses limits that make no sense
        self._kept.evaluation = EVALUATION.make(self.evaluation)

    @property
    def budget(self) -> Budget:
        """What limits the search; 100,000 nodes if nothing else does."""
        is_limited = self.depth is not None or self.nodes is not None or self.seconds is not None
        return Budget(depth=self.depth, nodes=self.nodes if is_limited else DEFAULT_NODES, seconds=self.seconds)

    @property
    def stack(self) -> Any:
        """The stack of the last search, with its counts of nodes and leaves; None before the first."""
        return self._kept.stack

    def prepare(self, pos: Position) -> None:
        pos = self.judged(pos)
        self._sit_down(pos.game)
        warm_up(pos)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Find the best move; the seed has no effect here."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=pos.described())
        pos = self.judged(pos)
        self._sit_down(pos.game)
        with on_the_clock(pos, self.budget) as began:
            self._start(pos)
            timer = self._set_timer(began)
            try:
                found = self._deepen(pos)
            finally:
                if timer is not None:
                    timer.cancel()
            return self._result(pos, found, time.perf_counter() - began)

    def _sit_down(self, game: Game) -> None:
        """Allocate and compile, which does not count as search time. Reuse what exists for the game."""
        kept = self._kept
        self.check(game)
        if kept.game == game:
            return
        EVALUATION.check_game(kept.evaluation, game)
        depth = min(self.budget.depth or MAX_DEPTH, game.max_length)
        stack = self.make_stack(game, depth + self.extra_plies(game))
        self.compile(game, stack)
        kept.game, kept.stack = game, stack

    def _start(self, pos: Position) -> None:
        stack = self.stack
        stack.states[0] = pos.state
        for number in (stack.nodes, stack.leaves, stack.stop):
            number[0] = 0
        stack.limit[0] = self.budget.nodes or UNLIMITED
        self.begin(pos)

    def _set_timer(self, began: float) -> Timer | None:
        if self.budget.seconds is None:
            return None
        stop = self.stack.stop
        timer = Timer(began + self.budget.seconds - time.perf_counter(), stop.__setitem__, (0, 1))
        timer.daemon = True
        timer.start()
        return timer

    def _deepen(self, pos: Position) -> "Found":
        found, stack = Found(pos.moves()), self.stack
        last = len(stack.states) - 1 - self.extra_plies(pos.game)
        if self.always_deepens or self.budget.seconds or self.budget.nodes:
            depths = range(1, last + 1)
        else:
            depths = range(last, last + 1)
        for depth in depths:
            stack.first[0] = found.line[0] if depth > 1 else NO_MOVE
            stack.guesses[0] = 0
            self.iterate(pos, depth, found)
            if stack.stop[0]:
                break
            found.depth = depth
            if stack.guesses[0] == 0 or abs(found.score) > 1:
                break  # a deeper search finds the same
        return found

    def _result(self, pos: Position, found: "Found", seconds: float) -> SearchResult:
        move = found.line[0]
        return SearchResult(
            move=move,
            notation=pos.notation(move),
            values=found.values,
            moves=tuple(found.scores),
            policy=tuple(float(other == move) for other in found.scores),
            scores=tuple(map(payoff, found.scores.values())),
            pv=found.line,
            nodes=int(self.stack.nodes[0]),
            depth=found.depth,
            seconds=seconds,
        )

    # -- the steps -----------------------------------------------------------------------------------------

    @property
    def kernel(self) -> Callable[..., Any]:
        """The search of one depth, a kernel (game, stack, ply, depth, ...)."""
        raise NotImplementedError

    @property
    def always_deepens(self) -> bool:
        """Whether depth 1, 2, 3, ... are searched even if nothing but the depth is limited."""
        return False

    def extra_plies(self, game: Game) -> int:
        """How far a search may go beyond its depth."""
        return 0

    def check(self, game: Game) -> None:
        """Raise a SpecError if this search is not for this game."""

    def make_stack(self, game: Game, plies: int) -> Stack:
        """Allocate a stack for that many plies."""
        return Stack(game, plies, self._kept.evaluation)

    def compile(self, game: Game, stack: Stack) -> None:
        """Compile what `iterate` calls."""
        game.prepare(self.kernel, stack, *self.arguments(1))

    def begin(self, pos: Position) -> None:
        """Do what is needed before the first depth."""

    def arguments(self, depth: int) -> tuple[Any, ...]:
        """The arguments of the kernel after the game and the stack."""
        return 0, depth

    def iterate(self, pos: Position, depth: int, found: "Found") -> None:
        """Search to a depth and record the result in `found`."""
        value = pos.game.run(self.kernel, self.stack, *self.arguments(depth))
        found.take(self.stack, None if self.stack.stop[0] else self.values(pos, value))

    def values(self, pos: Position, value: float) -> tuple[float, ...] | None:
        """The position's value for each player, from what the kernel returned."""
        return tuple(map(payoff, self.stack.values[0]))


class Found:
    """The results so far for the moves of the root."""

    def __init__(self, moves: list[int]) -> None:
        self.line: tuple[int, ...] = (moves[0],)
        self.scores = dict.fromkeys(moves, 0.0)
        self.score = 0.0  # of the best move
        self.values: tuple[float, ...] | None = None
        self.depth = 0

    def take(self, stack: Any, values: tuple[float, ...] | None) -> None:
        """Record the result of a search, which may have been stopped."""
        tried = int(stack.tried[0])
        self.scores.update(zip(stack.moves[0, :tried].tolist(), stack.scores[:tried].tolist(), strict=True))
        if stack.length[0] > 0 and tried > 0:
            self.line = tuple(stack.line[0, : stack.length[0]].tolist())
            self.score = self.scores[self.line[0]]
        if values is not None:
            self.values = values


def two_player_values(pos: Position, score: float) -> tuple[float, ...]:
    """Turn a score for the player to move into values by player number."""
    return (payoff(score), payoff(-score)) if pos.player == 0 else (payoff(-score), payoff(score))


def payoff(score: float) -> float:
    """A score without the preference for sooner wins."""
    return min(1.0, max(-1.0, float(score))) + 0.0  # 0 and not -0
