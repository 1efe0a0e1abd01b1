"""The left-move problem: go left or right, `depth` times; the score is how often one went left.

Tristan Cazenave's example for nested search (Nested Monte-Carlo Search, IJCAI 2009): the best path is plain to
see, and random games hardly ever find it, since their scores gather around half of the depth.
"""

import re

import numpy as np

from damier.core.messages import say
from damier.core.protocol import Moves, Record, Rng, Values
from damier.core.rng import below

LEFT, RIGHT = 0, 1
NAMES = ("left", "right")
MAX_DEPTH = 10_000


class LeftMove:
    """Left move: go left or right, and left is right."""

    version = 1
    State = np.dtype([("player", np.int8), ("num_moves", np.int16), ("num_left", np.int16)])
    num_players = 1
    max_moves = 2

    def __init__(self, depth: int = 60) -> None:
        if not 1 <= depth <= MAX_DEPTH:
            raise ValueError(say("leftmove.depth", most=MAX_DEPTH, got=depth))
        self.depth = self.max_length = depth

    def setup(self, state: Record) -> None:
        state.player = state.num_moves = state.num_left = 0

    def moves(self, state: Record, out: Moves) -> int:
        if state.num_moves == self.depth:
            return 0
        out[0] = LEFT
        out[1] = RIGHT
        return 2

    def sample(self, state: Record, rng: Rng) -> int:
        return -1 if state.num_moves == self.depth else below(rng, 2)

    def play(self, state: Record, move: int) -> None:
        state.num_moves += 1
        if move == LEFT:
            state.num_left += 1

    def score(self, state: Record) -> int:
        """The number of moves to the left."""
        return int(state.num_left)

    def returns(self, state: Record, out: Values) -> None:
        out[0] = 2 * self.score(state) / self.depth - 1

    def format_move(self, state: Record, move: int) -> str:
        return NAMES[move]

    def parse_move(self, state: Record, text: str) -> int:
        """The first letter is enough."""
        return ("l", "r").index(text.lower())

    def format_position(self, state: Record) -> str:
        """How often left, out of how many moves: `7/12`."""
        return f"{state.num_left}/{state.num_moves}"

    def parse_position(self, state: Record, text: str) -> None:
        match = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", text)
        if match is None or not int(match[1]) <= int(match[2]) <= self.depth:
            raise ValueError(say("leftmove.position", depth=self.depth))
        state.num_left, state.num_moves = int(match[1]), int(match[2])

    def draw(self, state: Record) -> str:
        return say("board.leftmove", moves=state.num_moves, depth=self.depth, left=state.num_left)
