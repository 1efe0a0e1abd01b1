"""A walk over every node of a game, depth first, that can pause: count the nodes before anything is built."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.generic import list_moves
from damier.core.protocol import CHANCE, Moves

OVER = -1  # the level of a walk that has seen everything
NODES, DECISIONS, ENDS = range(3)  # what is counted


class Walk(Struct):
    """Where a walk is: for each level of the tree a position, its moves, and which of them come next."""

    def __init__(self, game: Game) -> None:
        levels = game.max_length + 1
        self.states = game.new_states(levels)  # [levels]
        self.states[0] = game.start().state
        self.moves = np.zeros((levels, game.max_moves), np.int64)  # [levels, max_moves] legal moves, or outcomes
        self.probs = np.zeros((levels, game.max_moves))  # [levels, max_moves] of the outcomes at a chance node
        self.count = np.zeros(levels, np.int64)  # [levels] how many moves there are
        self.next = np.zeros(levels, np.int64)  # [levels] which move is made next
        self.line = np.zeros(levels, np.int64)  # [levels] the move made last
        self.level = np.zeros(1, np.int64)  # of the node that comes next, or OVER
        game.run(enter, self, 0)


@dataclass(frozen=True)
class Counts:
    """How many nodes a tree has, and of which kind. The rest are chance nodes."""

    nodes: int
    decisions: int
    ends: int


@kernel
def enter(game: Any, walk: Any, level: int) -> None:
    """List the moves of the position at a level."""
    walk.next[level] = 0
    walk.count[level] = list_moves(game, walk.states[level], walk.moves[level], walk.probs[level])


@kernel
def step(game: Any, walk: Any, level: int) -> int:
    """Go on to the next node, and return its level."""
    while level >= 0 and walk.next[level] == walk.count[level]:
        level -= 1
    if level < 0:
        return OVER
    if level + 1 == walk.states.size:
        raise RulesError("rules.too-long", "limit", level)
    move = walk.moves[level, walk.next[level]]
    walk.line[level] = move
    walk.next[level] += 1
    walk.states[level + 1] = walk.states[level]
    game.play(walk.states[level + 1], move)
    enter(game, walk, level + 1)
    return level + 1


@kernel
def count_nodes(game: Any, walk: Any, counts: Moves, steps: int) -> None:
    """Count at most that many more nodes."""
    level = walk.level[0]
    for _ in range(steps):
        if level == OVER:
            break
        counts[NODES] += 1
        if walk.count[level] == 0:
            counts[ENDS] += 1
        elif walk.states[level].player != CHANCE:
            counts[DECISIONS] += 1
        level = step(game, walk, level)
    walk.level[0] = level
