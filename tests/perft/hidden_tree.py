"""The whole tree of a small game of hidden information: how many nodes of each kind, and how many information sets."""

from typing import Any, NamedTuple

import numpy as np

import damier
from damier import CHANCE, Struct, kernel
from damier.core import generic


class Tree(NamedTuple):
    """Counts of nodes, and of the information sets of each player."""

    chance: int
    decisions: int
    ends: int
    information_sets: tuple[int, ...]


class Walk(Struct):
    """One position and its moves per level of the tree, and what was counted."""

    def __init__(self, game: damier.Game, room: int) -> None:
        levels = game.max_length + 1
        self.states = game.new_states(levels)  # [level]
        self.moves = np.zeros((levels, game.max_moves), np.int64)  # [level, move]
        self.probs = np.zeros(game.max_moves)
        self.counts = np.zeros(3, np.int64)  # chance, decisions, ends
        self.seen = np.full((room, game.max_observation), -99, np.int64)  # for each decision: what the player knows
        self.players = np.zeros(room, np.int64)  # and the player


def count_tree(name: str) -> Tree:
    """Walk through the tree twice: to count the decisions, and to write down what the players know."""
    game = damier.game(name)
    counted = _walked(game, 0)
    walk = _walked(game, int(counted.counts[1]))
    players = range(game.num_players)
    sets = tuple(len(np.unique(walk.seen[walk.players == player], axis=0)) for player in players)
    chance, decisions, ends = walk.counts.tolist()
    return Tree(chance, decisions, ends, sets)


def _walked(game: damier.Game, room: int) -> Walk:
    walk = Walk(game, room)
    walk.states[0] = game.start().state
    game.run(walk_from, walk, 0)
    return walk


@kernel
def walk_from(game: Any, walk: Any, level: int) -> int:
    state = walk.states[level]
    count = generic.list_moves(game, state, walk.moves[level], walk.probs)
    kind = 0 if state.player == CHANCE else 1 if count else 2
    if kind == 1 and walk.players.size:
        game.observe(state, state.player, walk.seen[walk.counts[1]])
        walk.players[walk.counts[1]] = state.player
    walk.counts[kind] += 1
    for i in range(count):
        walk.states[level + 1] = walk.states[level]
        game.play(walk.states[level + 1], walk.moves[level, i])
        walk_from(game, walk, level + 1)
    return 0
