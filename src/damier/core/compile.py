"""How an ordinary Python class becomes something that compiled code can call.

A game's rules are a class. In Numba's eyes an instance of it is a struct: each public attribute that is a
number or a NumPy array is a member, so that `self.lines[i]` in a rule is a compiled load, and large tables
stay data instead of constants. The methods are found by the struct's type, so that a search just says
`game.play(state, move)`.

The type's name holds a hash of the rules' code (see `fingerprint`). Searches are compiled per type, on disk
too, so a changed rule is another type and never meets machine code made from the old one. Two boards of
different size have the same type and share their machine code.

Everything here also runs uncompiled: with NUMBA_DISABLE_JIT=1 a kernel is the plain function it was
written as, and `game.play(...)` is the plain method.
"""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import cgutils, config
from numba.core.datamodel import models
from numba.core.extending import (
    NativeValue,
    overload,
    register_model,
    unbox,
)
from numba.core.imputils import lower_getattr_generic
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.np.arrayobj import make_array

from damier.core.cache import KernelCache
from damier.core.fingerprint import fingerprint
from damier.core.protocol import FOR_PEOPLE

F = TypeVar("F", bound=Callable[..., Any])

COMPILER_ON = not config.DISABLE_JIT

_OPTIONS = {"nogil": True, "error_model": "numpy"}

if COMPILER_ON:
    # Numba sets itself up at the first call (0.2 s). Better while importing than at somebody's first move.
    cpu_target.target_context.refresh()


def kernel(function: F) -> F:
    """Compile a function that works on any game, and keep the machine code on disk.

    A search, or a helper of a game's rules: anything that is called as `name(game, state, ...)` or on plain
    numbers and arrays. It releases the GIL while it runs.
    """
    if not COMPILER_ON:
        return function
    dispatcher = numba.njit(**_OPTIONS)(function)
    dispatcher._cache = KernelCache(function)
    return cast(F, dispatcher)


def compiled_form(plain: Callable[..., Any]) -> Callable[[F], F]:
    """Give a plain function another body in compiled code: machine words instead of Python's integers."""

    def register(form: F) -> F:
        # strict=False: the annotations of the two may differ
        overload(plain, strict=False, jit_options={"error_model": "numpy"})(lambda *args: form)
        return form

    return register


class GameType(types.Type):  # type: ignore[misc]
    """The type of a game in compiled code: a class's name, the hash of its rules, and its members."""

    def __init__(self, name: str, members: tuple[tuple[str, types.Type], ...]) -> None:
        self.members = members
        listed = ", ".join(f"{member}: {kind}" for member, kind in members)
        super().__init__(name=f"damier.Game[{name}]({listed})")

    def member(self, name: str) -> types.Type | None:
        return dict(self.members).get(name)

    def has(self, rule: str) -> bool:
        return rule in rule_methods(_rules_of[self])


# The classes behind the types. Not an attribute of GameType: a type is pickled into the disk cache, and
# must be found again there without importing anybody's module.
_rules_of: dict[GameType, type] = {}


def game_type(rules: object) -> GameType:
    """The type under which compiled code knows this instance, made at the first call."""
    cls = type(rules)
    members = tuple(sorted((name, _type_of(value)) for name, value in data_of(rules).items()))
    type_ = GameType(f"{cls.__qualname__}#{fingerprint(*rule_methods(cls).values())}", members)
    _rules_of.setdefault(type_, cls)
    return type_


def rule_methods(cls: type) -> dict[str, Callable[..., Any]]:
    """The methods that compiled code may call: all but `__special__` ones and those meant for people."""
    return {
        name: value
        for name, value in _attributes(cls).items()
        if isinstance(value, FunctionType) and not name.startswith("__") and name not in FOR_PEOPLE
    }


def data_of(rules: object) -> dict[str, Any]:
    """The attributes that compiled rules can read: public numbers and NumPy arrays of numbers."""
    attributes = _attributes(type(rules)) | vars(rules)
    return {
        name: value
        for name, value in attributes.items()
        if not name.startswith("_") and is_readable(value)
    }


def _attributes(cls: type) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        attributes.update(vars(base))
    return attributes


def is_readable(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biuf"
    return isinstance(value, bool | int | float | np.number | np.bool_)


def _type_of(value: Any) -> types.Type:
    type_ = numba.typeof(value)
    if isinstance(type_, types.Array):
        return type_.copy(readonly=True)  # a rule that writes into a table does not compile
    return type_


@register_model(GameType)
class _GameModel(models.StructModel):  # type: ignore[misc]
    """A struct that is passed by value.

    Its arrays are borrowed from the Python object, which outlives the call, so that no reference is counted
    while the rules run.
    """

    def __init__(self, manager: Any, type_: GameType) -> None:
        super().__init__(manager, type_, list(type_.members))

    def contains_nrt_meminfo(self) -> bool:
        return False

    def traverse(self, builder: Any) -> list[Any]:
        return []


@unbox(GameType)
def _unbox_game(type_: GameType, game: Any, c: Any) -> NativeValue:
    struct = cgutils.create_struct_proxy(type_)(c.context, c.builder)
    is_error = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    borrowed = []
    for name, member in type_.members:
        value = c.pyapi.object_getattr_string(game, name)
        native = c.unbox(member, value)
        c.pyapi.decref(value)  # the game itself keeps the value alive
        setattr(struct, name, native.value)
        borrowed.append((member, native.value))
        failed = c.builder.or_(c.builder.load(is_error), native.is_error)
        c.builder.store(failed, is_error)

    def cleanup() -> None:
        for member, value in borrowed:
            c.context.nrt.decref(c.builder, member, value)

    return NativeValue(struct._getvalue(), is_error=c.builder.load(is_error), cleanup=cleanup)


@infer_getattr
class _GameAttributes(AttributeTemplate):  # type: ignore[misc]
    """`game.name` in compiled code: a member of the struct, or a rule bound to the game."""

    key = GameType

    def generic_resolve(self, type_: GameType, name: str) -> types.Type | None:
        member = type_.member(name)
        if member is not None:
            return member
        rule = _compiled_rule(type_, name)
        return None if rule is None else BoundRule(type_, name, rule)


@cache
def _compiled_rule(type_: GameType, name: str) -> Any:
    method = rule_methods(_rules_of[type_]).get(name)
    return None if method is None else numba.njit(**_OPTIONS)(method)


class BoundRule(types.BoundFunction):  # type: ignore[misc]
    """The type of `game.play`: knows the signature and the machine code behind a method."""

    def __init__(self, type_: GameType, name: str, rule: Any) -> None:
        callee = types.Dispatcher(rule)

        class Template(AbstractTemplate):  # type: ignore[misc]
            key = (type_, name)

            def generic(self, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
                return callee.get_call_type(self.context, (type_, *args), kws).as_method()

        self.rule = rule
        super().__init__(Template, type_)

    def get_impl_key(self, signature: Any) -> Any:
        return self.rule.get_overload(signature.args)


register_model(BoundRule)(models.OpaqueModel)


@lower_getattr_generic(GameType)
def _lower_member(context: Any, builder: Any, type_: GameType, value: Any, name: str) -> Any:
    struct = cgutils.create_struct_proxy(type_)(context, builder, value=value)
    member, loaded = type_.member(name), getattr(struct, name)
    if not isinstance(member, types.Array):
        return loaded
    array = make_array(member)(context, builder, value=loaded)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)  # borrowed, see _GameModel
    return array._getvalue()
