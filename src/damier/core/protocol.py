"""What a game is: the names of its rules, and what each of them promises.

A game is an ordinary class; it inherits from nothing of ours. `Rules` spells the protocol out for readers
and for the type checker, `REQUIRED` and `OPTIONAL` for the program. The laws are checked by `conformance`.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

CHANCE = -1
"""`state.player` where no player moves but chance does."""

Record = Any  # one record of the game's State type; its fields are the game's own business
Moves = NDArray[np.int64]
Values = NDArray[np.float64]
Planes = NDArray[np.float32]
Rng = Any  # a random number generator, see `rng`

REQUIRED = {
    "setup": "setup(self, state)",
    "moves": "moves(self, state, out)",
    "play": "play(self, state, move)",
    "returns": "returns(self, state, out)",
}
"""The rules that every game has."""

OPTIONAL = {
    "chance": "chance(self, state, out, probs)",
    "sample": "sample(self, state, rng)",
    "evaluate": "evaluate(self, state, out)",
    "key": "key(self, state)",
    "encode": "encode(self, state, out)",
    "action": "action(self, state, move)",
    "determinize": "determinize(self, state, observer, rng)",
    "distance": "distance(self, state)",
    "noisy": "noisy(self, state, move)",
    "features": "features(self, state, out)",
    "bounds": "bounds(self, state)",
    "candidates": "candidates(self, state, out)",
    "symmetric_key": "symmetric_key(self, state)",
    "weight": "weight(self, state, move)",
    "playout": "playout(self, state, rng)",
    "ending": "ending(self, state)",
    "set_ending": "set_ending(self, state, number, index)",
}
"""The rules that a game may have, each unlocking something."""

FOR_PEOPLE = {
    "symmetries": "symmetries(self)",
    "format_move": "format_move(self, state, move)",
    "parse_move": "parse_move(self, state, text)",
    "format_position": "format_position(self, state)",
    "parse_position": "parse_position(self, state, text)",
    "draw": "draw(self, state)",
    "view": "view(self, state)",
    "format_value": "format_value(self, value)",
    "trails": "trails(self, state, move)",
    "endings": "endings(self, pieces)",
}
"""Plain Python that a game may have. It is never compiled and may use anything."""

FACTS = {
    "num_players": "how many players there are",
    "max_moves": "no position has more legal moves than this",
    "max_length": "no game has more moves than this, chance included",
}
"""Whole numbers that every game states, on the class or in `__init__`."""


class Rules(Protocol):
    """The rules of a game. Positions are records of the type `State`, changed in place."""

    State: np.dtype[Any]
    """A structured NumPy type with a whole-number field `player`: who moves next, 0..n-1 or CHANCE."""
    num_players: int
    max_moves: int
    max_length: int

    def setup(self, state: Record) -> None:
        """Set up the first position in a record of zeros."""

    def moves(self, state: Record, out: Moves) -> int:
        """Write the legal moves, whole numbers from 0, and return how many; 0 means the game is over."""

    def play(self, state: Record, move: int) -> None:
        """Make a legal move, or let the outcome `move` of chance happen."""

    def returns(self, state: Record, out: Values) -> None:
        """At the end: one payoff per player, by player number, in [-1, 1]. With two or more players they
        add up to 0: a sole winner among n gets 1 and the others -1/(n-1) each, winners who tie share."""


class FullRules(Rules, Protocol):
    """What a game may have besides.

    `chance` is for games with dice or cards: where `state.player` is CHANCE it is asked instead of `moves`.
    `sample` draws a legal move, each with the same probability, without listing them all; -1 if the game is
    over. `evaluate` is a heuristic value per player in [-1, 1]. `key` is a hash of the position (default: of
    the record's bytes). `encode` writes a network's input, an array of the shape `encode_shape`, as the player
    to move sees it: what is by player starts with them, as the network's values do, and where the sides play alike
    nothing else tells who they are. `action` is the policy index, below `num_actions`, of a move, seen the same way
    (default: the move itself).
    `determinize` deals anew what the observer cannot see. `distance`, of a one-player game, is a lower bound of
    the number of moves to a won end, one with a payoff above 0: it is 0 there and nowhere else, and a move takes
    at most 1 off it. `noisy`
    marks the moves after which an evaluation can't be trusted yet, captures for example. `least_payoff` is a number
    that no payoff and no evaluation is below (default: -1). `features` are what `evaluate` is made of: in row p and
    column i of `out` it writes how much player p has of `feature_names[i]`, which weighs `feature_weights[i]`.
    `bounds` and `candidates`, of a two-player game, are for solving it exactly: between which two whole numbers the
    margin lies by which player 0 wins with best play, and the moves among which a best one is, the most promising
    first. At the end the two bounds agree and have the sign of the payoff. `symmetric_key` is a hash that a position
    may share with its mirror images, all of the same worth: what a solver finds of one it knows of the others. `weight`
    says how promising a legal move looks, any number above 0: what searches try first. `playout` draws a move that a
    sensible player would make, fast, for random games that are less random; -1 if the game is over.
    `endings`, `ending` and `set_ending`, of a two-player game, number the positions in which few pieces are left, for
    databases: `endings` lists the kinds of them there are, name and size, so that a move leads to the same kind or to
    an earlier one; `ending` is the number of a position's kind, or -1, its number there, and how many moves may be made
    before a rule ends the game that endings leave out of account; `set_ending` sets up a position by its two numbers,
    or is False where there is none. `endings_key` is a text that is equal where endings are (default: the name).
    """

    encode_shape: tuple[int, ...]
    num_actions: int
    least_payoff: float
    feature_names: tuple[str, ...]
    feature_weights: Values
    endings_key: str

    def chance(self, state: Record, out: Moves, probs: Values) -> int: ...

    def sample(self, state: Record, rng: Rng) -> int: ...

    def evaluate(self, state: Record, out: Values) -> None: ...

    def key(self, state: Record) -> int: ...

    def encode(self, state: Record, out: Planes) -> None: ...

    def action(self, state: Record, move: int) -> int: ...

    def determinize(self, state: Record, observer: int, rng: Rng) -> None: ...

    def distance(self, state: Record) -> int: ...

    def noisy(self, state: Record, move: int) -> bool: ...

    def features(self, state: Record, out: Values) -> None: ...

    def bounds(self, state: Record) -> tuple[int, int]: ...

    def candidates(self, state: Record, out: Moves) -> int: ...

    def symmetric_key(self, state: Record) -> int: ...

    def weight(self, state: Record, move: int) -> float: ...

    def playout(self, state: Record, rng: Rng) -> int: ...

    def ending(self, state: Record) -> tuple[int, int, int]: ...

    def set_ending(self, state: Record, number: int, index: int) -> bool: ...

    def symmetries(self) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Pairs (cells, actions) of permutations under which the game is the same, the identity not among
        them: `encoded.reshape(planes, -1)[:, cells]` and `policy[actions]` are the mirrored sample."""

    def format_move(self, state: Record, move: int) -> str: ...

    def parse_move(self, state: Record, text: str) -> int:
        """The move meant by a text; ValueError if it is no move. Default: the one that is written so."""

    def format_position(self, state: Record) -> str:
        """The position as text on one line, in the usual format of the game where there is one. Default: the fields of
        the record by name."""

    def parse_position(self, state: Record, text: str) -> None:
        """Set up in a record of zeros the position that a text describes; ValueError says why there is none. It goes
        together with `format_position`: what that writes is read back as the same position."""

    def draw(self, state: Record) -> str: ...

    def view(self, state: Record) -> Any: ...

    def format_value(self, value: float) -> str:
        """A payoff or an evaluation in the unit that people use for it."""

    def trails(self, state: Record, move: int) -> list[tuple[int, ...]]:
        """How one points at a move on the board of `view`: the cells in their order, counted row by row from the top
        left; several ways, if there are, and none for a move that is nowhere on it. Default: the cells that its
        notation names."""

    def endings(self, pieces: int) -> list[tuple[str, int]]:
        """Name and size of each kind of ending with at most that many pieces; more pieces only add some at the end."""
