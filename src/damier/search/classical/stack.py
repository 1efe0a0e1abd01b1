"""The stack of positions from the root to the current node, and the steps that all classical searches share.

A **leaf** is a finished position, worth its payoffs, or a position at the full depth, worth what the evaluation says:
the game's own, or one of yours (see `damier.evaluations`). Values are by player number, in [-1, 1].

The sooner of two wins is better, and the later of two losses. In games of two without chance a payoff of 1 counts for 2
minus a little for each move on the way, and -1 likewise, so a win is also worth more than any evaluation. This only
separates equal results: cut back to [-1, 1], the value of a position is exactly the minimax value.

**Endgames.** If the search has a database (see `endgames`), a position in it is a leaf worth its result, if that is
certain. A win that a rule against long games may still spoil is searched further; at the full depth it counts for
almost 1, and the longer it takes, the less.
"""

from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.game import Game
from damier.core.generic import check_values, list_moves
from damier.core.protocol import Record
from damier.evaluations.plain import GameEvaluation
from damier.search.endgames.probing import NO_RESULT, Endgames, no_endgames, probe
from damier.search.pace import UNLIMITED

WIN = 2.0
SOONER = 2.0**-20  # a power of two, which avoids rounding
NO_MOVE = -1
LATER = 2.0**-16  # what a move takes off a win that is not certain


class Stack(Struct):
    """The positions from the root to the current node, one for each ply, and their data."""

    def __init__(
        self, game: Game, depth: int, evaluation: Any, has_probs: bool = False, endgames: Endgames | None = None
    ) -> None:
        size, players = depth + 1, game.num_players
        self.states = game.new_states(size)  # [ply]
        self.moves = np.zeros((size, game.max_moves), np.int64)  # [ply, i]
        self.probs = np.zeros((size, game.max_moves if has_probs or game.has("chance") else 1))  # [ply, i]
        self.values = np.zeros((size, players))  # [ply, player]
        self.line = np.zeros((size, size), np.int64)  # [ply, later ply]: the expected moves from here on
        self.length = np.zeros(size, np.int64)  # [ply]: up to which ply they go
        self.scores = np.zeros(game.max_moves)  # [i]: the values of the root's moves for the player to move
        self.tried = np.zeros(1, np.int64)  # how many of them have been searched
        self.first = np.full(1, NO_MOVE)  # the move of the root to begin with
        self.nodes = np.zeros(1, np.int64)
        self.leaves = np.zeros(1, np.int64)
        self.guesses = np.zeros(1, np.int64)  # leaves that are evaluated and not finished
        self.limit = np.full(1, UNLIMITED)  # of nodes
        self.stop = np.zeros(1, np.int64)
        self.prefers_sooner = players == 2 and not game.uses_chance
        self.evaluation = evaluation
        # No value is below this. Only the game's own evaluation is known to respect the game's least payoff.
        is_own = isinstance(evaluation, GameEvaluation)
        self.least = float(game.least_payoff) if is_own else -1.0
        self.endgames = endgames or no_endgames()


@kernel
def enter(game: Any, stack: Any, ply: int, depth: int) -> int:
    """Count a node and list its moves. Return 0 at a leaf, with its values in `stack.values[ply]`, or if stopped."""
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
    """Write the values of a finished position."""
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
    """Write the values of a position where the search stops."""
    if not look_up(game, stack, ply, False):
        stack.evaluation.evaluate(game, stack.states[ply], stack.values[ply])
        check_values(stack.values[ply])
        stack.leaves[0] += 1
    stack.guesses[0] += 1


@kernel
def look_up(game: Any, stack: Any, ply: int, is_certain: bool) -> bool:
    """Write the values of a position from the database, if it is there and is as certain as asked."""
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
    """Put a move in front, if it is in the list; the others keep their order."""
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
    """The player whose value counts in a game of two: the player to move; at an end either player will do."""
    return 1 if state.player == 1 else 0


@kernel
def keep_line(stack: Any, ply: int, move: int) -> None:
    """Record that a move is the best so far: the line goes through it."""
    stack.line[ply, ply] = move
    for later in range(ply + 1, stack.length[ply + 1]):
        stack.line[ply, later] = stack.line[ply + 1, later]
    stack.length[ply] = max(ply + 1, stack.length[ply + 1])


@kernel
def keep_score(stack: Any, i: int, score: float) -> None:
    """Record the score of a move of the root."""
    stack.scores[i] = score
    stack.tried[0] = i + 1
