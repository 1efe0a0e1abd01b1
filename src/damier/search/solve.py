"""Exact solving: the score of a position with best play on both sides, for two players without chance.

A score is a whole number, the **margin** by which player 0 wins, negative if player 1 does. A game with the method
`bounds` defines its own margins: in Connect 4 sooner wins are worth more, in Othello each disc counts. In any other
game the margin is 1, 0 or -1, like the payoff.

The search asks questions of the form "is the margin at least t?" and halves the interval that contains the margin
(Pascal Pons, Solving Connect 4, 2015: null-window searches, a table, moves ordered by created threats). The kernels
that answer one question are in `damier.search.null_window`.

Two methods of the game make it fast: `bounds` of the margin without searching, and `candidates`, the moves that include
a best one, the most promising first.

How it deviates from Pons: it works by player number instead of for the side to move, uses a stack instead of recursion,
and its table keeps both bounds of a position.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.budget import check_memory
from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.games import position
from damier.search.null_window import NO_LEVEL, NOTHING, SHIFT, UNDECIDED, Work, advance, solve_ends
from damier.search.pace import chunks

MEMORY = 32  # megabytes of the table
FIRST_CHUNK = 20_000  # nodes before the clock is checked first
FIRST_TIMED = 50  # ... if time is short: in some games a node takes some microseconds


Told = Callable[[int], None]  # how many more moves are solved


@dataclass(frozen=True)
class Solution:
    """The score for the player to move, the same by player number, and that of each legal move, if requested."""

    score: int
    values: tuple[int, ...]
    moves: dict[int, int]
    nodes: int
    seconds: float


def solve(where: object, moves: bool = False, memory: int = MEMORY, told: Told | None = None) -> Solution:
    """Solve a position, or the start of a game; with `moves` also each legal move."""
    pos = position(where)
    check_open(pos)
    return Solver(pos.game, memory).solve(pos, moves, told)


def check_open(pos: Position) -> None:
    """Raise a SpecError if something is hidden from the players: best play is then drawn at random."""
    if pos.game.is_hidden and not pos.is_open:
        raise SpecError("search.hidden-solve", game=pos.game.name)


class Solver:
    """Solves positions of one game, and remembers the results."""

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        if game.num_players != 2 or game.has("chance"):
            raise SpecError("search.unsolvable", game=game.name)
        self.game = game
        self._work = Work(game, check_memory(memory))
        game.prepare(advance, self._work, 1)

    @property
    def nodes(self) -> int:
        """The number of positions visited so far."""
        return int(self._work.question["nodes"].item())

    def solve(self, pos: Position, moves: bool = False, told: Told | None = None) -> Solution:
        """The exact score of a position; with `moves` also that of each legal move."""
        check_open(pos)
        began, before = time.perf_counter(), self.nodes
        sign = -1 if pos.player == 1 else 1
        scores: dict[int, int] = {}
        for move in pos.moves() if moves else ():
            scores[move] = sign * self._margin(pos.play(move))
            if told is not None:
                told(1)
        margin = sign * max(scores.values()) if scores else self._margin(pos)
        return Solution(sign * margin, (margin, -margin), scores, self.nodes - before, time.perf_counter() - began)

    def score(self, pos: Position) -> int:
        """Only the exact score for the player to move."""
        check_open(pos)
        margin = self._margin(pos)
        return -margin if pos.player == 1 else margin

    def best_moves(
        self, pos: Position, nodes: int | None = None, seconds: float | None = None
    ) -> tuple[int, list[int]]:
        """The winner, as a payoff of player 0, and the moves found that keep this result.

        There are no moves if the position takes more than that many nodes or seconds.
        """
        check_open(pos)
        effort = _Effort(self, nodes, seconds)
        winner = self._who_wins(pos, effort)
        if winner is None:
            return 0, []
        if winner == (-1 if pos.player == 0 else 1):
            return winner, pos.moves()
        best = []
        for move in pos.moves():
            answer = self._is_at_least(pos.play(move), winner if pos.player == 0 else winner + 1, effort)
            if answer is None:
                break
            if answer == (pos.player == 0):
                best.append(move)
        return winner, best

    def forget(self) -> None:
        """Clear the table."""
        self._work.table[:] = NOTHING

    def _who_wins(self, pos: Position, effort: "_Effort") -> int | None:
        for target in (1, 0):
            answer = self._is_at_least(pos, target, effort)
            if answer is None:
                return None
            if answer:
                return target
        return -1

    def _is_at_least(self, pos: Position, target: int, effort: "_Effort") -> bool | None:
        """Whether the margin is at least `target`; None if the effort is used up before that is known."""
        work = self._work
        work.states[0] = pos.state
        work.question["level"] = NO_LEVEL
        work.question["low"], work.question["high"] = target - 1, target
        for chunk in effort.chunks():
            if self.game.run(advance, work, chunk):
                return bool(work.question["low"].item() >= target)
        return None

    def ends(self, states: NDArray[Any], nodes: int) -> NDArray[np.int8]:
        """The winners of successive positions of one game: 1 player 0, -1 player 1, 0 nobody.

        They are solved from the last position backwards, as long as each takes no more than that many nodes; positions
        before that are UNDECIDED. The results do not depend on what was solved before.
        """
        if self.game.is_hidden:
            raise SpecError("search.hidden-solve", game=self.game.name)
        found = np.full(states.size, UNDECIDED, np.int8)
        self.forget()
        self.game.run(solve_ends, self._work, states, nodes, found)
        return found

    def _margin(self, pos: Position) -> int:
        if pos.game != self.game:
            raise DamierError("search.other-game", game=self.game.name, position=pos.described())
        work = self._work
        work.states[0] = pos.state
        work.question["level"] = NO_LEVEL
        work.question["low"], work.question["high"] = -SHIFT, SHIFT - 1
        for chunk in chunks(None, None, time.perf_counter(), FIRST_CHUNK):
            if self.game.run(advance, work, chunk):
                break
        return int(work.question["low"].item())


class _Effort:
    """The nodes and seconds that several questions may use together."""

    def __init__(self, solver: Solver, nodes: int | None, seconds: float | None) -> None:
        self._solver, self._seconds, self._began = solver, seconds, time.perf_counter()
        self._last = None if nodes is None else solver.nodes + nodes

    def chunks(self) -> Iterator[int]:
        """The number of nodes to visit next, as long as something is left."""
        left = None if self._last is None else self._last - self._solver.nodes
        is_late = self._seconds is not None and time.perf_counter() > self._began + self._seconds
        if is_late or (left is not None and left <= 0):
            return iter(())
        return chunks(left, self._seconds, self._began, FIRST_CHUNK if self._seconds is None else FIRST_TIMED)
