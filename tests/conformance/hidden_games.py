"""Tiny games of hidden information with known answers, for the laws of searches."""

from typing import Any

import numpy as np

from damier.core.knowledge import HIDDEN
from damier.core.protocol import CHANCE, Moves, Observation, Rng, Values
from damier.core.rng import below

SURE, GUESS = 0, 1
NOTHING = -1


class Guess:
    """Player 0 takes a sure quarter, or guesses under which of two cups a coin is: 1 if right, -1 if wrong.

    Chance hides the coin, or player 1 (`hider=1`) after player 0 has decided to guess. Player 0 never sees it, so the
    guess is worth 0 against chance: less than the quarter. Who looks under the cups first calls it 1.
    """

    num_players = 2
    max_moves = 2
    max_length = 4
    max_observation = 3
    State = np.dtype([("player", np.int8), ("coin", np.int8), ("first", np.int8), ("guess", np.int8)])

    def __init__(self, hider: int = 0) -> None:
        self.hider = hider

    def setup(self, state: Any) -> None:
        state.player = 0 if self.hider else CHANCE
        state.coin = state.first = state.guess = NOTHING

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        out[0], out[1] = 0, 1
        probs[:2] = 0.5
        return 2

    def moves(self, state: Any, out: Moves) -> int:
        out[0], out[1] = 0, 1
        return 0 if state.first == SURE or state.guess != NOTHING else 2

    def play(self, state: Any, move: int) -> None:
        if state.player != 0:
            state.coin = move
            state.player = 0
        elif state.first == NOTHING:
            state.first = move
            if self.hider and move == GUESS:
                state.player = 1
        else:
            state.guess = move

    def returns(self, state: Any, out: Values) -> None:
        if state.first == SURE:
            out[0] = 0.25
        else:
            out[0] = 1.0 if state.guess == state.coin else -1.0
        out[1] = -out[0]

    def observe(self, state: Any, player: int, out: Observation) -> int:
        """Everybody sees whether the coin is hidden and the moves of player 0; only player 1 sees the coin."""
        out[0] = state.first
        out[1] = state.coin != NOTHING
        out[2] = state.coin if player == 1 else NOTHING
        return 3

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 0 and state.coin != NOTHING:
            state.coin = below(rng, 2)

    def format_move(self, state: Any, move: int) -> str:
        if state.player == 0 and state.first == NOTHING:
            return ("sure", "go")[move]
        return ("left", "right")[move]

    def format_seen(self, state: Any, move: int, observer: int) -> str:
        return HIDDEN if state.player != 0 and observer == 0 else self.format_move(state, move)
