"""Pig for one (John Scarne, 1945): roll a die as often as you dare; a 1 takes the gain of this turn.

The number of turns is limited. A turn ends by holding, which adds the gain to the points, or by a 1, which adds
nothing. The game is small enough to solve exactly. Far from the goal the optimal policy is to hold at 20, which gains
8.14 points a turn (Todd Neller, Clifton Presser: Optimal play of the dice game Pig, 2004).
"""

import re

import numpy as np

from damier.core.messages import say
from damier.core.protocol import CHANCE, Moves, Planes, Record, Values

ROLL, HOLD = 0, 1
MOVES = ("roll", "hold")
SIDES = 6
MAX_GOAL, MAX_TURNS = 1000, 100


class Pig:
    """Pig for one: roll to score, hold to keep, and a 1 loses the points of the turn."""

    version = 1
    num_players = 1
    max_moves = SIDES
    num_actions = 2
    encode_shape = (4, 1, 1)
    State = np.dtype([("player", np.int8), ("turns_left", np.int8), ("points", np.int16), ("gain", np.int16)])

    def __init__(self, goal: int = 100, turns: int = 10) -> None:
        if not 2 <= goal <= MAX_GOAL:
            raise ValueError(say("pig.goal", most=MAX_GOAL, got=goal))
        if not 1 <= turns <= MAX_TURNS:
            raise ValueError(say("pig.turns", most=MAX_TURNS, got=turns))
        self.goal, self.turns = goal, turns
        self.max_length = turns * (goal + 3)  # a roll that goes on gains at least 2, and is two moves

    def setup(self, state: Record) -> None:
        state.player = state.points = state.gain = 0
        state.turns_left = self.turns

    def moves(self, state: Record, out: Moves) -> int:
        if state.turns_left == 0:
            return 0
        out[0] = ROLL
        if state.gain == 0:
            return 1
        out[1] = HOLD
        return 2

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        for side in range(SIDES):
            out[side] = side + 1
            probs[side] = 1 / SIDES
        return SIDES

    def play(self, state: Record, move: int) -> None:
        if state.player == CHANCE:
            state.player = 0
            if move == 1:
                state.gain = 0
                state.turns_left -= 1
            else:
                state.gain += move
                if state.points + state.gain >= self.goal:
                    self.hold(state)
        elif move == ROLL:
            state.player = CHANCE
        else:
            self.hold(state)

    def hold(self, state: Record) -> None:
        """Keep the gain. Points beyond the goal do not count, and reaching it ends the game."""
        state.points = min(self.goal, state.points + state.gain)
        state.gain = 0
        state.turns_left = 0 if state.points == self.goal else state.turns_left - 1

    def score(self, state: Record) -> int:
        """The points, without what the turn has gained."""
        return int(state.points)

    def returns(self, state: Record, out: Values) -> None:
        out[0] = 2 * state.points / self.goal - 1

    def evaluate(self, state: Record, out: Values) -> None:
        """The payoff of holding now and gaining 8 points in each turn left."""
        points = state.points + state.gain + 8 * max(0, state.turns_left - 1)
        out[0] = 2 * min(self.goal, points) / self.goal - 1

    def encode(self, state: Record, out: Planes) -> None:
        """Points and gain as shares of the goal, the share of turns left, and whether the die rolls."""
        out[0, 0, 0] = state.points / self.goal
        out[1, 0, 0] = state.gain / self.goal
        out[2, 0, 0] = state.turns_left / self.turns
        out[3, 0, 0] = state.player == CHANCE

    def format_move(self, state: Record, move: int) -> str:
        return str(move) if state.player == CHANCE else MOVES[move]

    def format_position(self, state: Record) -> str:
        """Points, the gain at stake and the turns left: `34+5 7`, and `rolls` if the die is rolling."""
        rolls = " rolls" if state.player == CHANCE else ""
        return f"{state.points}+{state.gain} {state.turns_left}{rolls}"

    def parse_position(self, state: Record, text: str) -> None:
        match = re.fullmatch(r"([0-9]{1,4})\+([0-9]{1,4}) +([0-9]{1,3})( +rolls)?", text)
        if match is None:
            raise ValueError(say("pig.position"))
        points, gain, turns = (int(match[number]) for number in (1, 2, 3))
        if turns > self.turns or points > self.goal or (turns == self.turns and points):
            raise ValueError(say("pig.most", points=self.goal, turns=self.turns))
        if turns and points + gain >= self.goal:
            raise ValueError(say("pig.over", points=self.goal))
        if gain == 1 or (turns == 0 and (gain or match[4])):
            raise ValueError(say("pig.gain"))
        state.player = CHANCE if match[4] else 0
        state.points, state.gain, state.turns_left = points, gain, turns

    def draw(self, state: Record) -> str:
        return say(
            "board.pig-rolls" if state.player == CHANCE else "board.pig",
            points=state.points,
            goal=self.goal,
            gain=state.gain,
            turns=state.turns_left,
        )
