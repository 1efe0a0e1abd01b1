"""Bring your own: your own classes as parts of a search.

A *kind* of part, an evaluation for example, is declared once: the compiled methods that its classes have, the names of
those that come with damier, and what its laws are called. A part is given as a name, as `file.py:Class`, as a class or
as an instance; all of them become an object that kernels can call, by the same mechanism as a game.
"""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from damier.core.compile import COMPILER_ON, Struct, data_of, num_arguments, object_type
from damier.core.errors import SpecError
from damier.core.loading import is_file_name, load_class
from damier.core.spec import build, format_spec, split_spec, unknown

EVALUATE = ("evaluate(self, game, state, out)",)
MOVE = ("move(self, game, state, rng)", "move(self, game, state, buffers, rng)")
SCORE = ("score(self, child, node)",)
IS_REFERENCE = ("is_reference(self, visits)",)


class NodeStatistics(NamedTuple):
    """What a selection rule knows of the node whose children it compares."""

    visits: int
    sqrt_log: float  # the square root of the logarithm of the visits


class ChildStatistics(NamedTuple):
    """What a selection rule knows of a child. Payoffs are those of the player who chooses."""

    visits: int
    total: float  # the sum of the payoffs, each in [-1, 1]
    mean: float  # the mean payoff, brought to [0, 1]; infinite before the first visit
    spread: float  # 1 / sqrt(visits); 0 before the first visit
    prior: float  # 1 / the number of children, or the probability that a policy gives the move
    weight: float  # how promising the game finds the move, with uses = ("weight",)
    squares: float  # the sum of the payoffs squared, brought to [0, 1], with uses = ("squares",)
    amaf_visits: int  # the games below in which the move was made at any time, with uses = ("amaf",)
    amaf_total: float  # the sum of their payoffs


EXAMPLE_NODE = NodeStatistics(4, 1.0)
EXAMPLE_CHILD = ChildStatistics(np.int32(1), 1.0, 1.0, 1.0, np.float32(0.5), 1.0, 1.0, np.int32(1), 1.0)  # type: ignore[arg-type]


def arguments_of(method: str) -> list[list[str]]:
    """The names of the arguments that a part's method has in the protocol; several lists where it has several forms."""
    listed = (*EVALUATE, *MOVE, *SCORE, *IS_REFERENCE)
    return [re.findall(r"\w+", each)[1:] for each in listed if each.startswith(f"{method}(")]


@dataclass(frozen=True)
class PartKind:
    """A kind of part that a search has a place for."""

    name: str  # as people call it: "evaluation"
    signatures: tuple[str, ...]  # the methods that its classes must have; those of one name are alternatives
    registry: Mapping[str, str]  # the parts that come with damier: their names and where they are
    optional: tuple[str, ...] = ()  # the compiled methods that its classes may have
    uses: tuple[str, ...] = ()  # the words that `uses` may hold
    facts: Mapping[str, bool] = field(default_factory=dict)  # what its classes may state, and what holds otherwise

    def make(self, given: object) -> Any:
        """The part that is meant by a text, a class or an instance, checked and ready for kernels."""
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
        """What a part states, or the default."""
        return bool(getattr(part, name, self.facts[name]))

    def check_game(self, part: Any, game: object) -> None:
        """SpecError where a part says, in a plain method `check(self, game)`, that it is not for this game."""
        if self.has(part, "check"):
            part.check(game)

    def fits(self, cls: type) -> bool:
        """Whether a class has the methods of this kind."""
        return all(callable(getattr(cls, name, None)) for name in self.methods)

    @property
    def methods(self) -> dict[str, list[str]]:
        """By name, the signatures that a method may have."""
        listed: dict[str, list[str]] = {}
        for signature in self.signatures:
            listed.setdefault(signature.partition("(")[0], []).append(signature)
        return listed

    def check(self, cls: type) -> None:
        """SpecError where a class lacks a method, or has it with other arguments, or uses what nobody has."""
        for name, signatures in self.methods.items():
            if not callable(getattr(cls, name, None)):
                raise SpecError(f"{cls.__qualname__} is no {self.name}: it lacks the method {' or '.join(signatures)}")
        for signature in (*self.signatures, *self.optional):
            name = signature.partition("(")[0]
            method = getattr(cls, name, None)
            allowed = self.methods.get(name, [signature])
            if method is not None and num_arguments(method) not in {each.count(",") + 1 for each in allowed}:
                got = f"{name}{inspect.signature(method)}"
                raise SpecError(f"{cls.__qualname__}: expected the method {' or '.join(allowed)}, got {got}")
        for word in getattr(cls, "uses", ()):
            if word not in self.uses:
                known = ", ".join(self.uses) or "nothing"
                raise SpecError(f"{cls.__qualname__}: expected `uses` to hold words of {known}, got '{word}'")


def text_of(part: object) -> str:
    """A part as a text name, as far as it has one."""
    if isinstance(part, str):
        return part
    cls = part if isinstance(part, type) else type(part)
    options = (
        {} if isinstance(part, type) else {name: value for name, value in data_of(part).items() if name in vars(part)}
    )
    plain = {name: value for name, value in options.items() if not isinstance(value, np.ndarray)}
    return format_spec(cls.__qualname__, plain)


def parts_in(thing: object) -> list[object]:
    """The part that this is, or those that a struct holds, also in the structs that it holds."""
    if isinstance(thing, Struct):
        return [part for value in vars(thing).values() for part in parts_in(value)]
    return [thing] if "_numba_type_" in getattr(thing, "__dict__", {}) else []
