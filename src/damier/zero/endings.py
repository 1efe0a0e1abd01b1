"""The ends of the games that positions belong to: what ownership and score are learnt from.

A file of games has no ends: they are found again by playing the moves. A game that was resigned has none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core import calls
from damier.core.compile import kernel
from damier.core.game import Game
from damier.core.protocol import CHANCE
from damier.zero.samples import FinishedGame

NO_END = -1


@dataclass(frozen=True)
class Endings:
    """The ends of some games, and the one of each of n positions."""

    ends: NDArray[Any]  # records of the game
    of: NDArray[np.int64]  # [n] which of them; NO_END if the game was resigned

    def of_last(self, count: int) -> "Endings":
        """Those of the last positions."""
        return Endings(self.ends, self.of[max(0, len(self.of) - count) :])


def endings_of(game: Game, games: Sequence[FinishedGame]) -> Endings:
    """The ends of these games, and that of each of their positions, in order."""
    ends, of, buffers = game.new_states(len(games)), [], game.buffers()
    for number, each in enumerate(games):
        game.run(play_to_the_end, ends[number], np.array(each.moves, np.int64))
        is_over = ends[number].player != CHANCE and not game.run(calls.list_moves, ends[number], buffers)
        of.append(np.full(len(each.samples), number if is_over else NO_END))
    return Endings(ends, np.concatenate(of) if of else np.zeros(0, np.int64))


def joined(parts: Sequence[Endings]) -> Endings:
    """The endings of all parts, one after the other."""
    starts = np.cumsum([0, *(len(part.ends) for part in parts)])
    of = [np.where(part.of == NO_END, NO_END, part.of + start) for part, start in zip(parts, starts, strict=False)]
    return Endings(np.concatenate([part.ends for part in parts]).view(parts[0].ends.dtype), np.concatenate(of))


@kernel
def play_to_the_end(game: Any, state: Any, moves: Any) -> None:
    """Set up the first position and make all moves."""
    game.setup(state)
    for move in moves:
        game.play(state, move)


@kernel
def owners_of(game: Any, states: NDArray[Any], ends: NDArray[Any], of: Any, out: Any) -> None:
    """Write whose each square is at the end of each position's game [n, squares]; where it has none, nobody's."""
    for number in range(states.size):
        if of[number] >= 0:
            game.owners(states[number], ends[of[number]], out[number])
        else:
            out[number] = -1


@kernel
def evaluate_all(game: Any, states: NDArray[Any], out: Any) -> None:
    """Write the game's evaluation of each position [n, players]."""
    for number in range(states.size):
        game.evaluate(states[number], out[number])
