"""A game with dice for three that is small enough to be solved on the spot, to be learnt from nothing."""

from functools import cache
from typing import Any

import numpy as np

from damier import CHANCE, Position
from damier.core.protocol import Moves, Planes, Values

HOLD, ROLL = 0, 1
LIMIT, SIDES = 6, 4


class NotTooMuch:
    """In turn everybody rolls a die as often as he likes; more than 6 counts as nothing, the highest sum wins."""

    State = np.dtype([("player", np.int8), ("turn", np.int8), ("rolled", np.int8), ("scores", np.int8, (3,))])
    num_players = 3
    max_moves = SIDES
    max_length = 3 * (2 * LIMIT + 3)
    num_actions = 2
    encode_shape = (9,)

    def setup(self, state: Any) -> None:
        state.player = state.turn = state.rolled = 0
        state.scores[:] = 0

    def moves(self, state: Any, out: Moves) -> int:
        if state.turn == 3:
            return 0
        out[0], out[1] = HOLD, ROLL
        return 2

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        for side in range(SIDES):
            out[side], probs[side] = side + 1, 1 / SIDES
        return SIDES

    def play(self, state: Any, move: int) -> None:
        if state.player == CHANCE:
            state.rolled += move
            state.player = state.turn
            if state.rolled > LIMIT:
                self.end_turn(state, 0)
        elif move == ROLL:
            state.player = CHANCE
        else:
            self.end_turn(state, state.rolled)

    def end_turn(self, state: Any, score: int) -> None:
        state.scores[state.turn] = score
        state.rolled = 0
        state.turn += 1
        state.player = state.turn % 3

    def returns(self, state: Any, out: Values) -> None:
        best = max(state.scores[0], state.scores[1], state.scores[2])
        winners = 0
        for player in range(3):
            winners += state.scores[player] == best
        for player in range(3):
            out[player] = (3 - winners) / (2 * winners) if state.scores[player] == best else -0.5

    def encode(self, state: Any, out: Planes) -> None:
        """Whose turn it is, how high the others are, and what there is to lose."""
        out[state.turn] = 1
        out[3] = state.rolled / LIMIT
        out[4] = state.rolled >= 3
        out[5] = state.rolled >= 5
        for turn in range(3):
            out[6 + turn] = state.scores[turn] / LIMIT


@cache
def best_values(position: Position) -> tuple[float, ...]:
    """What each player gets if all of them play as well as they can."""
    if position.returns is not None:
        return position.returns
    after = [best_values(position.play(move)) for move in position.moves()]
    if position.is_chance:
        return tuple(sum(values) / len(after) for values in zip(*after, strict=True))
    return max(after, key=lambda values: values[position.player])


def decisions(start: Position) -> list[Position]:
    """All positions in which somebody chooses."""
    found, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        for move in position.moves():
            after = position.play(move)
            if after not in found:
                found.add(after)
                waiting.append(after)
    return [position for position in found if not position.is_over and not position.is_chance]


def loss(position: Position, move: int) -> float:
    """What a move gives away."""
    mine = position.player
    return best_values(position)[mine] - best_values(position.play(move))[mine]
