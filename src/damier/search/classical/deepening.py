"""What the classical searches have in common: a stack of positions, what a leaf is worth, and how time is kept.

A **leaf** is a finished position, worth its payoffs, or one at the depth where the search stops, worth what the game's
`evaluate` says. Values are by player number, in [-1, 1].

Of two wins the sooner one is better, and of two losses the later one. In games of two without chance a payoff of 1
counts for 2 minus a little for each move on the way, and -1 likewise: so a win is also worth more than any evaluation.
This only tells apart what is equal: cut back to [-1, 1], the value of a position is exactly the minimax value.

**Endgames.** Where a search has a database (see `endgames`), a position in it is a leaf worth its result, if that is
certain. A win that a rule against long games may yet spoil is searched on; at the depth where the search stops it
counts for almost 1, the less the longer it takes.

**Time.** The kernels look at a flag at every node. A timer raises it from another thread, since kernels release the
GIL; a limit of nodes raises it too. A search that is stopped has searched the best move of the last depth first, so
whatever it likes better than that one by then is better.
"""

import time
from threading import Timer
from typing import Any

import numpy as np

from damier.core.budget import Budget
from damier.core.compile import Struct, kernel
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.generic import heuristic, list_moves
from damier.core.position import Position
from damier.core.protocol import Record
from damier.search.endgames.probing import NO_RESULT, Endgames, no_endgames, probe
from damier.search.pace import UNLIMITED, on_the_clock
from damier.search.result import SearchResult

MAX_DEPTH = 100
WIN = 2.0
SOONER = 2.0**-20  # a power of two, so that nothing is rounded
NO_MOVE = -1
LATER = 2.0**-16  # what a move takes off a win that is not certain


class Stack(Struct):
    """The positions from the root to the node that is searched, one a ply, and what is known about them."""

    def __init__(self, game: Game, depth: int, has_probs: bool = False, endgames: Endgames | None = None) -> None:
        size, players = depth + 1, game.num_players
        self.states = game.new_states(size)  # [ply]
        self.moves = np.zeros((size, game.max_moves), np.int64)  # [ply, i]
        self.probs = np.zeros((size, game.max_moves if has_probs or game.has("chance") else 1))  # [ply, i]
        self.values = np.zeros((size, players))  # [ply, player]
        self.line = np.zeros((size, size), np.int64)  # [ply, later ply]: the moves that are expected from here on
        self.length = np.zeros(size, np.int64)  # [ply]: up to which ply they go
        self.scores = np.zeros(game.max_moves)  # [i]: what the root's moves are worth to the player to move
        self.tried = np.zeros(1, np.int64)  # how many of them have been searched
        self.first = np.full(1, NO_MOVE)  # the move of the root to begin with
        self.nodes = np.zeros(1, np.int64)
        self.leaves = np.zeros(1, np.int64)
        self.guesses = np.zeros(1, np.int64)  # leaves that were no ends but evaluated
        self.limit = np.full(1, UNLIMITED)  # of nodes
        self.stop = np.zeros(1, np.int64)
        self.prefers_sooner = players == 2 and not game.uses_chance
        self.endgames = endgames or no_endgames()


@kernel
def enter(game: Any, stack: Any, ply: int, depth: int) -> int:
    """Count a node and list its moves. 0 at a leaf, whose values are then in `stack.values[ply]`, or if stopped."""
    if stack.nodes[0] >= stack.limit[0]:
        stack.stop[0] = 1
    stack.length[ply] = ply
    if stack.stop[0]:
        return 0
    stack.nodes[0] += 1
    if ply > 0 and look_up(game, stack, ply, True):
        return 0
    count = list_moves(game, stack.states[ply], stack.moves[ply], stack.probs[ply])
    if count == 0:
        end(game, stack, ply)
    elif depth <= 0:
        guess(game, stack, ply)
        return 0
    elif ply == 0:
        begin_with(stack.moves[0], count, stack.first[0])
        stack.tried[0] = 0
    return count


@kernel
def end(game: Any, stack: Any, ply: int) -> None:
    """The values of a finished position."""
    values = stack.values[ply]
    game.returns(stack.states[ply], values)
    stack.leaves[0] += 1
    if stack.prefers_sooner:
        for player in range(values.size):
            if values[player] == 1:
                values[player] = WIN - ply * SOONER
            elif values[player] == -1:
                values[player] = ply * SOONER - WIN


@kernel
def guess(game: Any, stack: Any, ply: int) -> None:
    """The values of a position in which the search stops."""
    if not look_up(game, stack, ply, False):
        heuristic(game, stack.states[ply], stack.values[ply])
        stack.leaves[0] += 1
    stack.guesses[0] += 1


@kernel
def look_up(game: Any, stack: Any, ply: int, is_certain: bool) -> bool:
    """The values of a position from the database, if it is there: its result, or what an uncertain one is worth."""
    result, holds = probe(game, stack.endgames, stack.states[ply])
    if result == NO_RESULT or holds != is_certain:
        return False
    plies = abs(result) - 1
    value = WIN - (ply + plies) * SOONER if is_certain else 1 - plies * LATER
    value = 0.0 if result == 0 else value if result > 0 else -value
    player = mover(stack.states[ply])
    stack.values[ply, player] = value
    stack.values[ply, 1 - player] = -value
    stack.leaves[0] += 1
    return True


@kernel
def begin_with(moves: Any, count: int, first: int) -> None:
    """Put a move in front, if it is there; the others keep their order."""
    for i in range(count):
        if moves[i] == first:
            for j in range(i, 0, -1):
                moves[j] = moves[j - 1]
            moves[0] = first
            return


@kernel
def descend(game: Any, stack: Any, ply: int, move: int) -> None:
    """Make a move, one ply further down."""
    stack.states[ply + 1] = stack.states[ply]
    game.play(stack.states[ply + 1], move)


@kernel
def mover(state: Record) -> int:
    """Whose eyes a value is seen with in a game of two: the player's to move; at an end it does not matter whose."""
    return 1 if state.player == 1 else 0


@kernel
def keep_line(stack: Any, ply: int, move: int) -> None:
    """A move is the best so far: the line goes through it."""
    stack.line[ply, ply] = move
    for later in range(ply + 1, stack.length[ply + 1]):
        stack.line[ply, later] = stack.line[ply + 1, later]
    stack.length[ply] = max(ply + 1, stack.length[ply + 1])


@kernel
def keep_score(stack: Any, i: int, score: float) -> None:
    """A move of the root has been searched."""
    stack.scores[i] = score
    stack.tried[0] = i + 1


class Deepening:
    """A search to a depth, or to depth 1, 2, 3, ... until its budget is used up. Its steps are the methods below."""

    kernel: Any = None  # (game, stack, ply, depth, ...)
    always_deepens = False  # also if only the depth is limited

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.stack: Any = None
        self._game: Game | None = None

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Find the best move; the seed means nothing here."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=repr(pos))
        self.check(pos.game)
        if self._game != pos.game:
            self._game = pos.game
            self.set_up(pos.game, min(self.budget.depth or MAX_DEPTH, pos.game.max_length))
        with on_the_clock(pos, self.budget) as began:
            self._start(pos)
            timer = self._set_timer(began)
            try:
                found = self._deepen(pos)
            finally:
                if timer is not None:
                    timer.cancel()
            return self._result(pos, found, time.perf_counter() - began)

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
        found = Found(pos.moves())
        last = len(self.stack.states) - 1 - self.extra_plies
        if self.always_deepens or self.budget.seconds or self.budget.nodes:
            depths = range(1, last + 1)
        else:
            depths = range(last, last + 1)
        for depth in depths:
            self.stack.first[0] = found.line[0] if depth > 1 else NO_MOVE
            self.stack.guesses[0] = 0
            self.iterate(pos, depth, found)
            if self.stack.stop[0]:
                break
            found.depth = depth
            if self.stack.guesses[0] == 0 or abs(found.score) > 1:
                break  # a deeper search sees the same
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

    extra_plies = 0  # that a search may go beyond its depth

    def check(self, game: Game) -> None:
        """SpecError if this search is not for this game."""

    def set_up(self, game: Game, depth: int) -> None:
        """Make room and compile, which is not the search's time."""
        self.stack = Stack(game, depth)
        game.prepare(self.kernel, self.stack, *self.arguments(depth))

    def begin(self, pos: Position) -> None:
        """Something to do before the first depth."""

    def arguments(self, depth: int) -> tuple[Any, ...]:
        """What the kernel gets besides the game and the stack."""
        return 0, depth

    def iterate(self, pos: Position, depth: int, found: "Found") -> None:
        """Search to a depth and tell what was found."""
        pos.game.run(self.kernel, self.stack, *self.arguments(depth))
        found.take(self.stack, None if self.stack.stop[0] else self.values(pos))

    def values(self, pos: Position) -> tuple[float, ...] | None:
        """What the position is worth to each player."""
        return tuple(map(payoff, self.stack.values[0]))


class Found:
    """What is known so far about the moves of the root."""

    def __init__(self, moves: list[int]) -> None:
        self.line: tuple[int, ...] = (moves[0],)
        self.scores = dict.fromkeys(moves, 0.0)
        self.score = 0.0  # of the best move
        self.values: tuple[float, ...] | None = None
        self.depth = 0

    def take(self, stack: Any, values: tuple[float, ...] | None) -> None:
        """After a search, which may have been stopped."""
        tried = int(stack.tried[0])
        self.scores.update(zip(stack.moves[0, :tried].tolist(), stack.scores[:tried].tolist(), strict=True))
        if stack.length[0] > 0 and tried > 0:
            self.line = tuple(stack.line[0, : stack.length[0]].tolist())
            self.score = self.scores[self.line[0]]
        if values is not None:
            self.values = values


def two_player_values(pos: Position, score: float) -> tuple[float, ...]:
    """A score for the player to move, as values by player number."""
    return (payoff(score), payoff(-score)) if pos.player == 0 else (payoff(-score), payoff(score))


def payoff(score: float) -> float:
    """A score without the preference for sooner wins."""
    return min(1.0, max(-1.0, float(score))) + 0.0  # 0 and not -0
