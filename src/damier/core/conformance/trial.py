"""A game under test: its rules are called compiled and uncompiled, with guards around the memory they may write.

The modules beside this one make the calls and check the laws.
"""

import inspect
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from damier.core import calls
from damier.core.errors import DamierError, RulesError
from damier.core.game import Game
from damier.core.generic import Buffers
from damier.core.messages import Message, message_of, say
from damier.core.protocol import CAPABILITIES, Record

GENERAL = {
    "agree": "compiled and uncompiled rules agree move for move",
    "position": "a Position plays the same game, and survives pickling",
}
"""The laws that belong to no single capability."""

LAWS = {name: each.law for name, each in CAPABILITIES.items() if each.law} | GENERAL
"""Every law, by the capability it belongs to."""

TOLERANCE = 1e-6
GARBAGE = -7_770_001, -8_880_003
"""The content of move arrays before a rule writes, uncompiled and compiled: no valid moves, and different."""

_GUARD = 64  # elements before and after what the rules may write
_PATTERN = 0x5A  # and what records hold before `setup`


class Trial:
    """The same position three times: as a guarded record for the compiled rules, as a record for the plain ones,
    and as a Position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.compiled = Guarded(1, game.dtype)
        self.plain = game.new_states(1)[0]
        self.history: tuple[int, ...] = ()
        self.met: dict[tuple[str, int], Any] = {}  # what is known of a key, by rule
        # Compile first, to report what does not compile. Then run uncompiled first: there it can do no harm.
        self.compile_all()
        self.call_plain("setup", self.plain)
        self.position = game.start()

    def set_up(self) -> None:
        """Set up the first position, in a record of zeros and in records of garbage."""
        self.history = ()
        self.position = self.game.start()
        self.plain = self.game.new_states(1)[0]
        self.call_plain("setup", self.plain)
        self.require(same_bytes(self.plain, self.position.state), "setup", "it differs")
        filled = self.game.new_states(1)
        filled.view(np.uint8)[:] = _PATTERN
        self.call_plain("setup", filled[0])
        for name in self.game.dtype.names or ():
            is_set = same_bytes(filled[0][name], self.plain[name])
            self.require(is_set, "setup", f"it does not set all of `state.{name}`")
        self.compiled.array.view(np.uint8)[:] = _PATTERN
        self.game.run(calls.setup, self.compiled.array[0])
        self.compare("setup")

    def compile_all(self) -> None:
        self.game.prepare(calls.list_moves, self.plain, self.game.buffers())
        for rule, declared in CAPABILITIES.items():
            is_there = rule == "key" or self.game.has(rule)  # without `key` a default is compiled
            if declared.is_compiled and is_there and rule not in ("moves", "chance"):
                arguments = calls.example_arguments(self.game.rules, self.plain, declared.parameters)
                self.game.prepare(getattr(calls, rule), *(arguments or ()))

    def call_plain(self, rule: str, *args: Any) -> Any:
        """Call a rule as plain Python, where an index out of bounds is an error."""
        return self.guard(rule, getattr(self.game.rules, rule), *args)

    def guard(self, rule: str, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except DamierError as error:
            raise self.broken(say("law.fails", rule=rule, why=error.message)) from None
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            own = Path(inspect.getsourcefile(type(self.game.rules)) or "?").parent
            near = [frame for frame in frames if own in Path(frame.filename).parents]  # the rules and their helpers
            frame = near[-1] if near else frames[-1]
            kind, why = type(error).__name__, message_of(error)
            what = say("law.raises", rule=rule, kind=kind, why=why, file=frame.filename, line=frame.lineno)
            raise self.broken(what) from error

    def compare(self, rule: str) -> None:
        """Check that the compiled and the plain position are equal after a rule was called."""
        compiled, plain = self.compiled.array[0], self.plain
        for name in self.game.dtype.names or ():
            if not same_bytes(compiled[name], plain[name]):
                values = f"compiled {compiled[name]}, plain {plain[name]}"
                self.require(False, "agree", f"after `{rule}`, `state.{name}` is {values}")
        if rule not in ("setup", "play") and not same_bytes(compiled, self.position.state):
            self.require(rule not in ("moves", "chance"), "moves", f"`{rule}` changed the position")
            raise self.broken(say("law.changed", method=rule))

    def require(self, holds: bool, law: str, found: str) -> None:
        if not holds:
            raise self.broken(say("law.found", law=LAWS[law], found=found))

    def broken(self, what: Message) -> RulesError:
        return RulesError("law.broken", name=self.game.name, after=after_moves(self.history), what=what)


def after_moves(history: Sequence[int]) -> Message:
    """Where in a game a law was broken."""
    return say("law.after", moves=" ".join(map(str, history))) if history else say("position.start")


class Guarded:
    """An array in the middle of a block of memory whose other bytes must stay as they are."""

    def __init__(self, count: int, dtype: np.dtype[Any]) -> None:
        size = count * dtype.itemsize
        self.memory = np.full(_GUARD * 8 + size + _GUARD * 8, _PATTERN, np.uint8)
        self.array = self.memory[_GUARD * 8 : _GUARD * 8 + size].view(dtype)

    def is_intact(self) -> bool:
        size = self.array.nbytes
        edges = np.concatenate([self.memory[: _GUARD * 8], self.memory[_GUARD * 8 + size :]])
        return bool((edges == _PATTERN).all())


def guarded_buffers(game: Game) -> tuple[Buffers, Callable[[], bool]]:
    """The arrays of `game.buffers()` between guards, and a function that says whether the guards are intact."""
    buffers = game.buffers()
    moves, probs = Guarded(game.max_moves, np.dtype(np.int64)), Guarded(game.max_moves, np.dtype(np.float64))
    moves.array[:], probs.array[:] = GARBAGE[1], np.nan
    buffers.moves, buffers.probs = moves.array, probs.array
    return buffers, lambda: moves.is_intact() and probs.is_intact()


def same_bytes(a: Record, b: Record) -> bool:
    return bool(a.tobytes() == b.tobytes())
