"""A small game of hidden information with options that make it wrong, or larger."""

import numpy as np

from damier.core.protocol import Moves, Observation, Record, Rng, Values


class OddOne:
    """Everybody hides a coin, one after the other, and who alone shows heads or tails wins. With two players, the first
    wins if the coins match. `rounds` coins are hidden in turn, and only the last ones count.

    `forgets`: a player does not remember their own coins. `uneven`: after heads the next player has a third move.
    """

    State = np.dtype([("player", np.int8), ("coins", np.int8, (8,)), ("hidden", np.int8)])

    def __init__(self, players: int = 3, rounds: int = 1, forgets: bool = False, uneven: bool = False) -> None:
        self.players, self.rounds, self.forgets, self.uneven = players, rounds, forgets, uneven
        self.num_players = players
        self.max_moves = 3
        self.max_length = self.max_observation = players * rounds

    def setup(self, state: Record) -> None:
        state.player = state.hidden = 0
        state.coins[:] = 0

    def moves(self, state: Record, out: Moves) -> int:
        if state.hidden == self.players * self.rounds:
            return 0
        out[0], out[1], out[2] = 0, 1, 2
        return 3 if self.uneven and state.hidden > 0 and state.coins[0] == 0 else 2

    def play(self, state: Record, move: int) -> None:
        state.coins[state.hidden] = move
        state.hidden += 1
        state.player = state.hidden % self.players

    def returns(self, state: Record, out: Values) -> None:
        last = state.hidden - self.players
        heads = 0
        for place in range(last, state.hidden):
            heads += state.coins[place] == 0
        out[:] = 0
        if self.players == 2:
            out[0] = 1.0 if heads != 1 else -1.0
            out[1] = -out[0]
        elif heads in {1, self.players - 1}:
            for player in range(self.players):
                is_alone = (state.coins[last + player] == 0) == (heads == 1)
                out[player] = 1.0 if is_alone else -1.0 / (self.players - 1)

    def observe(self, state: Record, player: int, out: Observation) -> int:
        count = 0
        for place in range(state.hidden):
            if place % self.players == player and not self.forgets:
                out[count] = state.coins[place]
                count += 1
        return count

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        pass
