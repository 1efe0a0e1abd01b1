"""Declarations in the protocol: a decorator on a method, a `Fact` on an attribute.

The protocol is an ordinary class for the type checker. `declared` reads it as a table, one `Capability` per name; the
checks, the kernels and the documentation are made from this table.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Kind(Enum):
    """The callers of a capability."""

    REQUIRED = "a rule that every game has; compiled"
    COMPILED = "a rule that a game may have; compiled"
    FOR_PEOPLE = "plain Python, never compiled, which may use anything"
    FACT = "an attribute, on the class or set in `__init__`"


@dataclass(frozen=True)
class Capability:
    """One thing that a game has or may have."""

    name: str
    kind: Kind
    signature: str
    """Its declaration in a game: `play(self, state, move)`, or the name and type of a fact."""
    says: str
    """Its meaning, in a few sentences."""
    law: str = ""
    """The law that `damier check` verifies. Empty if another capability's law covers it."""
    default: str = ""
    """The behaviour without it. Empty if every game must have it."""
    unlocks: str = ""
    """What a game gains by it."""
    parameters: dict[str, Any] = field(default_factory=dict)
    """The arguments of a method after `self`, with their annotations."""
    returned: Any = None
    """The annotation of what a method returns."""
    value: Any = None
    """The default of a fact; a function is called with the game."""
    takes_observer: bool = False
    """Whether a method takes the observer as one more argument in a game with hidden information."""

    @property
    def is_required(self) -> bool:
        return not self.default

    @property
    def is_compiled(self) -> bool:
        return self.kind in (Kind.REQUIRED, Kind.COMPILED)


@dataclass(frozen=True)
class Fact:
    """The declaration of an attribute: `least_payoff: Annotated[float, Fact("...", default="-1")]`."""

    says: str
    law: str = ""
    default: str = ""
    unlocks: str = ""
    value: Any = None
    type: str = ""
    """Its type for readers, if the annotation is hard to read."""


def required(law: str) -> Callable[[F], F]:
    """A compiled rule that every game has."""
    return _marked(Kind.REQUIRED, {"law": law})


def compiled(*, default: str, unlocks: str, law: str = "") -> Callable[[F], F]:
    """A compiled rule that a game may have."""
    return _marked(Kind.COMPILED, {"law": law, "default": default, "unlocks": unlocks})


def for_people(*, default: str, unlocks: str, law: str = "", takes_observer: bool = False) -> Callable[[F], F]:
    """Plain Python that a game may have."""
    facts = {"law": law, "default": default, "unlocks": unlocks, "takes_observer": takes_observer}
    return _marked(Kind.FOR_PEOPLE, facts)


def _marked(kind: Kind, facts: dict[str, Any]) -> Callable[[F], F]:
    def mark(method: F) -> F:
        method.__dict__["capability"] = kind, facts
        return method

    return mark


def declared(*protocols: type) -> dict[str, Capability]:
    """The table of these protocols' own declarations; for each, first the facts, then the methods."""
    table = {}
    for part in protocols:
        for name, annotation in vars(part).get("__annotations__", {}).items():
            table[name] = _fact(name, annotation)
        for name, method in vars(part).items():
            if isinstance(method, FunctionType) and "capability" in vars(method):
                table[name] = _method(name, method)
    return table


def _fact(name: str, annotation: Any) -> Capability:
    [note] = annotation.__metadata__
    kind = note.type or inspect.formatannotation(annotation.__origin__)
    facts = {"says": note.says, "law": note.law, "default": note.default, "unlocks": note.unlocks, "value": note.value}
    return Capability(name, Kind.FACT, f"{name}: {kind}", **facts)


def _method(name: str, method: FunctionType) -> Capability:
    kind, facts = vars(method)["capability"]
    signature = inspect.signature(method)
    parameters = {each.name: each.annotation for each in list(signature.parameters.values())[1:]}
    written = f"{name}({', '.join(signature.parameters)})"
    says = inspect.getdoc(method) or ""
    return Capability(
        name,
        kind,
        written,
        " ".join(says.split()),
        parameters=parameters,
        returned=signature.return_annotation,
        **facts,
    )
