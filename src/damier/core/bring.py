"""Bring your own: your own classes as parts of a search.

A *kind* of part, for example an evaluation, is declared once: the compiled methods of its classes, the parts that come
with damier, and the names of its laws. A part is given as a name, as `file.py:Class`, as a class or as an instance; all
of them become an object that kernels can call, by the same mechanism as a game.
"""

import dis
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np

from damier.core.compile import COMPILER_ON, Struct, data_of, declared, num_arguments, object_type, rule_methods
from damier.core.errors import SpecError
from damier.core.loading import is_file_name, load_class
from damier.core.spec import build, kind_name, split_spec, unknown

EVALUATE = ("evaluate(self, game, state, out)",)
MOVE = (
    "move(self, game, state, rng)",
    "move(self, game, state, buffers, rng)",
    "move(self, game, state, line, memory, buffers, rng)",
)
LEARN = ("learn(self, line, memory, payoffs)",)
SCORE = ("score(self, child, node)",)
IS_REFERENCE = ("is_reference(self, visits)",)


class NodeStatistics(NamedTuple):
    """The facts about a node whose children a selection rule compares."""

    visits: int
    sqrt_log: float  # the square root of the logarithm of the visits


class ChildStatistics(NamedTuple):
    """The facts about a child for a selection rule. Payoffs are those of the player who chooses."""

    visits: int
    total: float  # the sum of the payoffs, each in [-1, 1]
    mean: float  # the mean payoff, brought to [0, 1]; infinite before the first visit
    spread: float  # 1 / sqrt(visits); 0 before the first visit
    prior: float  # 1 / the number of legal moves
    weight: float  # how promising the game finds the move, with uses = ("weight",)
    squares: float  # the sum of the payoffs squared, brought to [0, 1], with uses = ("squares",)
    amaf_visits: int  # the games below in which the move was made at any time, with uses = ("amaf",)
    amaf_total: float  # the sum of their payoffs


class Line(NamedTuple):
    """The moves of a simulation so far, for a playout policy that looks back. It begins at the root of the search."""

    moves: Any  # [number of the move]: int64
    players: Any  # who made it: int8; CHANCE for an outcome
    length: int  # how many there are; what lies behind is left from other simulations


EXAMPLE_LINE = Line(np.zeros(1, np.int64), np.zeros(1, np.int8), 1)
EXAMPLE_NODE = NodeStatistics(4, 1.0)
EXAMPLE_CHILD = ChildStatistics(np.int32(1), 1.0, 1.0, 1.0, np.float32(0.5), 1.0, 1.0, np.int32(1), 1.0)  # type: ignore[arg-type]


def arguments_of(method: str) -> list[list[str]]:
    """The argument names of a part's method in the protocol; several lists if it has several forms."""
    listed = (*EVALUATE, *MOVE, *LEARN, *SCORE, *IS_REFERENCE)
    return [re.findall(r"\w+", each)[1:] for each in listed if each.startswith(f"{method}(")]


@dataclass(frozen=True)
class PartKind:
    """A kind of part of a search."""

    name: str  # its usual name: "evaluation"
    signatures: tuple[str, ...]  # the methods that its classes must have; those of one name are alternatives
    registry: Mapping[str, str]  # the parts that come with damier: their names and where they are
    optional: tuple[str, ...] = ()  # the compiled methods that its classes may have
    uses: tuple[str, ...] = ()  # the words that `uses` may hold
    needs: Mapping[str, str] = field(default_factory=dict)  # fields of its first argument, and the word that keeps them
    facts: Mapping[str, bool] = field(default_factory=dict)  # what its classes may state, and what holds otherwise

    def make(self, given: object) -> Any:
        """The part given by a text, a class or an instance, checked and ready for kernels."""
        if isinstance(given, str):
            name, options = split_spec(given)
            made = build(self.find(name), name, options)
        else:
            made = given() if isinstance(given, type) else given
        self.check(type(made))
        for value in data_of(made).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        if COMPILER_ON:
            object.__setattr__(made, "_numba_type_", object_type(made))
        return made

    def find(self, name: str) -> type:
        """The class behind a name."""
        if is_file_name(name):
            return load_class(name)
        if name not in self.registry:
            raise unknown(self.name, name, self.registry, "damier players")
        return load_class(self.registry[name])

    def has(self, part: object, method: str) -> bool:
        """Whether a part has an optional method."""
        return callable(getattr(type(part), method, None))

    def fact(self, part: object, name: str) -> bool:
        """An attribute that a part states, or its default."""
        return bool(getattr(part, name, self.facts[name]))

    def check_game(self, part: Any, game: object) -> None:
        """Raise SpecError if a part refuses this game in its plain method `check(self, game)`."""
        if self.has(part, "check"):
            part.check(game)

    def fits(self, cls: type) -> bool:
        """Whether a class has the methods of this kind."""
        return all(callable(getattr(cls, name, None)) for name in self.methods)

    @property
    def methods(self) -> dict[str, list[str]]:
        """The possible signatures of each method, by name."""
        listed: dict[str, list[str]] = {}
        for signature in self.signatures:
            listed.setdefault(signature.partition("(")[0], []).append(signature)
        return listed

    def check(self, cls: type) -> None:
        """Raise SpecError if a class lacks a method, has other arguments, or names something unknown in `uses`."""
        for name, signatures in self.methods.items():
            if not callable(getattr(cls, name, None)):
                raise SpecError("part.lacks", part=cls.__qualname__, kind=kind_name(self.name), methods=signatures)
        for signature in (*self.signatures, *self.optional):
            name = signature.partition("(")[0]
            method = getattr(cls, name, None)
            allowed = self.methods.get(name, [signature])
            if method is not None and num_arguments(method) not in {each.count(",") + 1 for each in allowed}:
                got = f"{name}{inspect.signature(method)}"
                raise SpecError("part.signature", part=cls.__qualname__, expected=allowed, got=got)
        self._check_uses(cls)

    def _check_uses(self, cls: type) -> None:
        """SpecError where `uses` is no tuple of known words, or lacks a word for what a method reads."""
        uses = declared(cls)
        if isinstance(getattr(cls, "uses", ()), str):
            raise SpecError("part.uses-text", part=cls.__qualname__, got=cls.__dict__.get("uses", ""))
        for method in rule_methods(cls).values():
            for name in fields_read(method):
                if self.needs.get(name, "") not in ("", *uses):
                    raise SpecError("part.needs", part=cls.__qualname__, field=name, word=self.needs[name])
        for word in uses:
            if word not in self.uses:
                key = "part.uses" if self.uses else "part.uses-nothing"
                raise SpecError(key, part=cls.__qualname__, known=self.uses, got=word)


@lru_cache(maxsize=1024)  # reading byte code takes longer than all other checks
def fields_read(method: Callable[..., Any]) -> tuple[str, ...]:
    """The attributes that a method reads of its first argument."""
    names = list(inspect.signature(method).parameters)[1:2]
    found, before = [], None
    for step in dis.get_instructions(method):
        if step.opname == "LOAD_ATTR" and before is not None and before.argval in names:
            found.append(str(step.argval))
        before = step if step.opname.startswith("LOAD_FAST") else None
    return tuple(found)


def memory_of(part: object) -> np.dtype[Any]:
    """The record that a part keeps during a search, `Memory`: of the size of a byte if it keeps nothing."""
    given = getattr(part, "Memory", NOTHING)
    try:
        memory = np.dtype((np.record, np.dtype(given)))
        numba.from_dtype(memory)
    except Exception:  # NumPy knows no such type, or the compiler does not: it lacks arrays of bool_ in a record
        raise SpecError("part.memory", part=type(part).__qualname__, got=given) from None
    return memory


NOTHING = np.dtype([("nothing", np.int8)])


def parts_in(thing: object) -> list[object]:
    """The parts in a struct and the structs within it, or the thing itself if it is a part."""
    if isinstance(thing, Struct):
        return [part for value in vars(thing).values() for part in parts_in(value)]
    return [thing] if "_numba_type_" in getattr(thing, "__dict__", {}) else []
