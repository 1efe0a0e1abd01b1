"""Parts of a search that break their laws, each in one way."""

import math

import numpy as np


class TooLarge:
    def evaluate(self, game, state, out):
        out[:] = 0
        out[0] = 2.0
        out[1] = -2.0


class NotANumber:
    def evaluate(self, game, state, out):
        out[:] = math.nan


class OneSided:
    def evaluate(self, game, state, out):
        out[:] = 0.5


class Forgetful:
    """Does not write the second player's value."""

    def evaluate(self, game, state, out):
        out[0] = 0.0


class Meddler:
    def evaluate(self, game, state, out):
        state.player = 1 - state.player
        out[:] = 0


class AlwaysZero:
    """Plays move 0, legal or not."""

    def move(self, game, state, rng):
        return 0


class Endless:
    """Gives a move where the game is over."""

    def move(self, game, state, rng):
        moves = np.empty(game.max_moves, np.int64)
        count = game.moves(state, moves)
        return moves[0] if count else 0


class Undefined:
    """0/0 for a child without visits."""

    def score(self, child, node):
        return child.total / child.visits


class Impatient:
    """Promises what it does not keep."""

    tries_each_first = True

    def score(self, child, node):
        return 0.0


class Generating:
    def score(self, child, node):
        # a generator is more than the compiler takes
        return sum(value for value in (child.mean, 1.0))


class Misspelt:
    def score(self, child, node):
        return child.meen


class TooMuch:
    uses = ("telepathy",)

    def score(self, child, node):
        return child.mean


class Undeclared:
    """Reads statistics that are kept only for those who declare them."""

    def score(self, child, node):
        return child.mean + child.amaf_total


class Worded:
    uses = "amaf"

    def score(self, child, node):
        return child.mean


class Silent:
    def score(self, child, node):
        child.mean  # noqa: B018


class Writer:
    def __init__(self):
        self.seen = np.zeros(3)

    def score(self, child, node):
        self.seen[0] = 1.0
        return child.mean


class MisspeltField:
    def evaluate(self, game, state, out):
        out[:] = 0.0 * state.plyer


class Scattered:
    """Right, but Numba warns that the arrays are not contiguous."""

    def __init__(self):
        self.weights = np.zeros((2, 2))

    def evaluate(self, game, state, out):
        out[:] = self.weights[:, 0] @ self.weights[:, 1]


class Learner:
    """A playout policy that is right, for those below to learn wrongly."""

    Memory = np.dtype([("seen", np.int64)])

    def move(self, game, state, line, memory, buffers, rng):
        return buffers.moves[0] if game.moves(state, buffers.moves) else -1


class Greedy(Learner):
    """Changes what others read after it."""

    def learn(self, line, memory, payoffs):
        payoffs[0] = 1.0 + payoffs[0]


class Wrapping(Learner):
    """Short numbers overflow in NumPy, and become long ones in compiled code."""

    def learn(self, line, memory, payoffs):
        memory.seen = (line.players[:2] * 100 + 100)[1]


class Shapeless(Learner):
    Memory = "many numbers"


class Truthful(Learner):
    """NumPy knows arrays of truth values in a record, the compiler does not."""

    Memory = np.dtype([("seen", np.bool_, 8)])


class Deaf(Learner):
    def learn(self, line):
        pass
