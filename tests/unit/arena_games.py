"""A game for two to four, and records of games that nobody played."""

from typing import Any

import numpy as np

from damier.core.protocol import Moves, Values
from damier.store.record import GameRecord


class Most:
    """Everybody in turn names 0, 1 or 2; the highest sum wins, and equals share."""

    State = np.dtype([("player", np.int8), ("named", np.int8), ("sums", np.int8, (4,))])
    max_moves = 3

    def __init__(self, players: int = 3, turns: int = 2):
        self.players, self.turns = players, turns
        self.num_players, self.max_length = players, players * turns

    def setup(self, state: Any) -> None:
        state.player = state.named = 0
        state.sums[:] = 0

    def moves(self, state: Any, out: Moves) -> int:
        if state.named == self.players * self.turns:
            return 0
        for number in range(3):
            out[number] = number
        return 3

    def play(self, state: Any, move: int) -> None:
        state.sums[state.player] += move
        state.named += 1
        state.player = (state.player + 1) % self.players

    def returns(self, state: Any, out: Values) -> None:
        best = 0
        for player in range(self.players):
            best = max(best, state.sums[player])
        winners = 0
        for player in range(self.players):
            winners += state.sums[player] == best
        for player in range(self.players):
            share = (self.players - winners) / winners if state.sums[player] == best else -1.0
            out[player] = share / (self.players - 1)


def record(seating: tuple[int, ...], winners: tuple[int, ...], number: int = 0) -> GameRecord:
    """A game of which only the winning seats are known."""
    returns = tuple(float(seat in winners) for seat in range(len(seating)))
    return GameRecord(number, seating, 0, (), returns, 0, (0.0,) * len(seating))
