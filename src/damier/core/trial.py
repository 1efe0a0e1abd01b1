"""A game under test: its rules asked compiled and uncompiled, with guards around what they may write.

What is asked, and what must hold, is in `conformance`.
"""

import inspect
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from damier.core import calls
from damier.core.errors import DamierError, RulesError
from damier.core.game import Game
from damier.core.generic import Buffers
from damier.core.protocol import Record
from damier.core.rng import new_rng

LAWS = {
    "setup": "`setup` gives the same first position every time",
    "player": "`state.player` is a player's number, or CHANCE where the game has `chance`",
    "moves": "`moves` writes at most max_moves different whole numbers from 0, and changes nothing else",
    "play": "`play` changes the record and nothing around it",
    "length": "every game is over after at most max_length moves",
    "returns": "payoffs are in [-1, 1], one per player, and add up to 0 with two or more players",
    "agree": "compiled and uncompiled rules agree move for move",
    "key": "positions with equal keys have equal moves, and equal positions equal keys",
    "position": "a Position plays the same game, and survives pickling",
    "format_move": "every legal move has a notation of its own, which is read back as that move",
    "draw": "every position can be drawn",
    "chance": "the probabilities of a chance node's outcomes are positive and add up to 1",
    "sample": "`sample` draws every legal move equally often, and -1 at the end only",
    "evaluate": "heuristic values are in [-1, 1] and add up to 0 with two or more players",
    "features": "`features` writes a finite number for each player and each of feature_names, and each has a weight",
    "encode": "`encode` fills the whole of an array of encode_shape with finite numbers",
    "action": "policy indices are below num_actions, and different for different moves",
    "determinize": "`determinize` leaves the moves of the observer as they are",
    "distance": "`distance` is 0 at a won end, positive everywhere else, and falls by at most 1 a move",
    "noisy": "`noisy` is true or false, and changes nothing",
    "least_payoff": "no payoff and no heuristic value is below `least_payoff`",
    "bounds": "`bounds` are in order, agree at the end with the sign of the payoff, and fit those of the moves",
    "candidates": "where the bounds differ `candidates` are legal moves, and at least one",
    "symmetric_key": "positions with equal symmetric keys have the same mover, as many moves and the same bounds",
    "weight": "weights of moves are finite and above 0",
    "playout": "`playout` draws legal moves, and -1 at the end only",
    "ending": "`set_ending` and `ending` are each other's inverse, and moves lead to the same ending or an earlier one",
    "symmetries": "a mirrored game has mirrored moves and encodings, and the same payoffs",
    "trails": "trails lead over cells of the board, and no two moves have the same one",
}

_GUARD = 64  # elements before and after what the rules may write
_PATTERN = 0x5A


class Trial:
    """The same position three times: as a guarded record for the compiled rules, as a record for the plain ones,
    and as a Position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.compiled = Guarded(1, game.dtype)
        self.plain = game.new_states(1)[0]
        self.history: tuple[int, ...] = ()
        # What does not compile is told first. What runs, runs uncompiled first: there it can do no harm.
        self.compile_all()
        self.call_plain("setup", self.plain)
        self.position = game.start()

    def compile_all(self) -> None:
        state, rng, values = self.plain, new_rng(0), np.zeros(self.game.num_players)
        self.game.prepare(calls.setup, state)
        self.game.prepare(calls.list_moves, state, self.game.buffers())
        self.game.prepare(calls.play, state, 0)
        self.game.prepare(calls.returns, state, values)
        self.game.prepare(calls.key, state)
        planes = np.zeros(getattr(self.game.rules, "encode_shape", (1,)), np.float32)
        for rule, kernel, arguments in (
            ("sample", calls.sample, (state, rng)),
            ("evaluate", calls.evaluate, (state, values)),
            ("encode", calls.encode, (state, planes)),
            ("action", calls.action, (state, 0)),
            ("determinize", calls.determinize, (state, 0, rng)),
            ("distance", calls.distance, (state,)),
            ("features", calls.features, (state, np.zeros((1, 1)))),
            ("noisy", calls.noisy, (state, 0)),
            ("bounds", calls.bounds, (state,)),
            ("candidates", calls.candidates, (state, self.game.buffers())),
            ("symmetric_key", calls.symmetric_key, (state,)),
            ("weight", calls.weight, (state, 0)),
            ("playout", calls.playout, (state, rng)),
            ("ending", calls.ending, (state,)),
            ("set_ending", calls.set_ending, (state, 0, 0)),
        ):
            if self.game.has(rule):
                self.game.prepare(kernel, *arguments)

    def call_plain(self, rule: str, *args: Any) -> Any:
        """Call a rule as plain Python, where an index out of bounds is an error."""
        return self.guard(rule, getattr(self.game.rules, rule), *args)

    def guard(self, rule: str, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except DamierError as error:
            raise self.broken(f"`{rule}` fails: {error}") from None
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            own = inspect.getsourcefile(type(self.game.rules))
            frame = next((frame for frame in reversed(frames) if frame.filename == own), frames[-1])
            place = f"{frame.filename}, line {frame.lineno}"
            raise self.broken(f"`{rule}` fails: {type(error).__name__}: {error} ({place})") from error

    def compare(self, rule: str) -> None:
        """The compiled and the plain position must be the same after a rule was asked."""
        compiled, plain = self.compiled.array[0], self.plain
        for name in self.game.dtype.names or ():
            if not same_bytes(compiled[name], plain[name]):
                values = f"compiled {compiled[name]}, plain {plain[name]}"
                self.require(False, "agree", f"after `{rule}`, `state.{name}` is {values}")
        if rule not in ("setup", "play"):
            self.require(same_bytes(compiled, self.position.state), "moves", f"`{rule}` changed the position")

    def require(self, holds: bool, law: str, found: str) -> None:
        if not holds:
            raise self.broken(f"{LAWS[law]}: {found}")

    def broken(self, what: str) -> RulesError:
        history = self.history
        after = f"after the moves {' '.join(map(str, history))}" if history else "at the start"
        return RulesError(f"{self.game.name} breaks a law {after}: {what}")


class Guarded:
    """An array in the middle of a block of memory whose other bytes must stay as they are."""

    def __init__(self, count: int, dtype: np.dtype[Any]) -> None:
        size = count * dtype.itemsize
        self.memory = np.full(_GUARD * 8 + size + _GUARD * 8, _PATTERN, np.uint8)
        self.array = self.memory[_GUARD * 8 : _GUARD * 8 + size].view(dtype)

    def clear(self) -> None:
        self.array.view(np.uint8)[:] = 0

    def is_intact(self) -> bool:
        size = self.array.nbytes
        edges = np.concatenate([self.memory[: _GUARD * 8], self.memory[_GUARD * 8 + size :]])
        return bool((edges == _PATTERN).all())


def guarded_buffers(game: Game) -> tuple[Buffers, Callable[[], bool]]:
    """What `game.buffers()` gives, between guards, and a function that tells whether they are intact."""
    buffers = game.buffers()
    moves, probs = Guarded(game.max_moves, np.dtype(np.int64)), Guarded(game.max_moves, np.dtype(np.float64))
    buffers.moves, buffers.probs = moves.array, probs.array
    return buffers, lambda: moves.is_intact() and probs.is_intact()


def same_bytes(a: Record, b: Record) -> bool:
    return bool(a.tobytes() == b.tobytes())
