"""Compiling ordinary Python classes, so that compiled code can call their methods.

A game's rules are a class, and so are an evaluation, a selection rule and a playout policy. For Numba an instance is a
struct: each public attribute that is a number or a NumPy array is a member. `self.lines[i]` in a rule is a compiled
load, and large tables stay data instead of constants. Methods are found by the struct's type: a search simply calls
`game.play(state, move)`.

The type's name contains a hash of the rules' code (see `fingerprint`). Searches are compiled and cached per type, so a
changed rule is another type and never meets machine code made from the old one. Options are data: boards of different
size share their machine code if their records have the same layout.

Everything also runs uncompiled: with NUMBA_DISABLE_JIT=1 a kernel is the plain function, and `game.play(...)` is the
plain method.
"""

import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import cgutils, config
from numba.core.datamodel import models
from numba.core.errors import NumbaWarning
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

from damier.core.fingerprint import fingerprint
from damier.core.parts import PART, EntryPoint, Kernel, Part
from damier.core.protocol import FOR_PEOPLE

F = TypeVar("F", bound=Callable[..., Any])

COMPILER_ON = not config.DISABLE_JIT


def ignore_advice() -> None:
    """Ignore Numba's warnings about our kernels: those about a user's method name the kernel that contains it."""
    warnings.filterwarnings("ignore", category=NumbaWarning, module=re.escape(str(Path(__file__).parents[1])))


ignore_advice()
if COMPILER_ON:
    # Numba initializes itself at the first call (0.2 s); do it at import rather than at the first move.
    cpu_target.target_context.refresh()


def kernel(function: F) -> F:
    """Compile a function that works on any game, and cache the machine code on disk.

    Use it for a search or a helper function of a game's rules: anything called as `name(game, state, ...)` or on
    plain numbers and arrays. It releases the GIL while it runs.
    """
    return _compiled(function)


def inlined(function: F) -> F:
    """A kernel that is always inlined into its caller, for the small steps of an inner loop.

    LLVM inlines by size, and a call that passes arrays costs as much as such a step itself.
    """
    return _compiled(function, forceinline=True)


def uncached(function: F) -> F:
    """A kernel that is compiled in every process and not cached: for mutually recursive functions.

    Numba can compile those, but crashes when it loads them from disk. Plain recursion is no problem.
    """
    return cast(F, EntryPoint(function)) if COMPILER_ON else function


def _compiled(function: F, **options: bool) -> F:
    return cast(F, Kernel(function, **options)) if COMPILER_ON else function


def compiled_form(plain: Callable[..., Any]) -> Callable[[F], F]:
    """Give a plain function a different body in compiled code, with machine words instead of Python's integers."""

    def register(form: F) -> F:
        # strict=False: the annotations of the two may differ
        overload(plain, strict=False, jit_options=PART)(lambda *args: form)
        return form

    return register


class StructType(types.Type):  # type: ignore[misc]
    """The type of a Python object in compiled code: a pointer to a struct of numbers and arrays.

    The arrays are borrowed from the object, which outlives the call. Numba counts references to an array
    wherever it is handed on; here nothing is counted, and handing on is passing one pointer.
    """

    def __init__(self, name: str, members: tuple[tuple[str, types.Type], ...]) -> None:
        self.members = members
        listed = ", ".join(f"{member}: {kind}" for member, kind in members)
        super().__init__(name=f"damier.{name}({listed})")

    def member(self, name: str) -> types.Type | None:
        return dict(self.members).get(name)


class ObjectType(StructType):
    """The type of an object with methods, such as a game: a struct of its data, named after its class and a hash of
    its methods."""

    def has(self, method: str) -> bool:
        return method in rule_methods(_class_of[self])

    def num_arguments(self, method: str) -> int:
        """The number of a method's arguments, `self` included."""
        return num_arguments(rule_methods(_class_of[self])[method])

    def uses(self, what: str) -> bool:
        """Whether the class declares that it uses an optional feature: see `declared`."""
        return what in declared(_class_of[self])


# The classes behind the types. Not an attribute of ObjectType: a type is pickled into the disk cache, and
# must be found again there without importing anybody's module.
_class_of: dict[ObjectType, type] = {}


def object_type(thing: object) -> ObjectType:
    """The type under which compiled code knows an object and its methods: the rules of a game, an evaluation, ..."""
    cls = type(thing)
    members = _members(data_of(thing), readonly=True)  # a method that writes into a table does not compile
    # The module's name is part of it because compiled code looks its module up by that name.
    uses = f"+{'+'.join(declared(cls))}" if declared(cls) else ""
    name = f"{cls.__module__}.{cls.__qualname__}#{fingerprint(*rule_methods(cls).values())}{uses}"
    type_ = ObjectType(f"Object[{name}]", members)
    _class_of.setdefault(type_, cls)
    return type_


@lru_cache(maxsize=1024)
def num_arguments(function: Callable[..., Any]) -> int:
    return len(inspect.signature(function).parameters)


def declared(cls: type) -> tuple[str, ...]:
    """The words in a class's `uses`: optional features, which are compiled only for classes that need them."""
    return tuple(getattr(cls, "uses", ()))


class Struct:
    """A bundle of arrays and numbers that kernels can take: its public attributes, assigned in `__init__`.

    A kernel can write into the arrays, not replace them. A bundle may hold another one.
    """

    @cached_property
    def _numba_type_(self) -> StructType:
        data = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        key = type(self), *((name, _likeness(value)) for name, value in data.items())
        if key not in _struct_types:
            _struct_types[key] = StructType(f"Struct[{type(self).__qualname__}]", _members(data))
        return _struct_types[key]


_struct_types: dict[Any, StructType] = {}  # a struct is made for every position, and Numba is slow to type one


def _likeness(value: Any) -> Any:
    """A key that is equal when Numba gives two values the same type."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.num
    return type(value) if isinstance(value, bool | float) else numba.typeof(value)


def _members(data: Mapping[str, Any], readonly: bool = False) -> tuple[tuple[str, types.Type], ...]:
    members = []
    for name, value in sorted(data.items()):
        kind = numba.typeof(value)
        members.append((name, kind.copy(readonly=readonly) if isinstance(kind, types.Array) else kind))
    return tuple(members)


def rule_methods(cls: type) -> dict[str, Callable[..., Any]]:
    """The methods that compiled code may call: all except `__special__` ones and those for presentation."""
    return {
        name: value
        for name, value in _attributes(cls).items()
        if isinstance(value, FunctionType) and not name.startswith("__") and name not in FOR_PEOPLE
    }


def data_of(rules: object) -> dict[str, Any]:
    """The attributes that compiled rules can read: public numbers and NumPy arrays of numbers."""
    attributes = _attributes(type(rules)) | vars(rules)
    return {name: value for name, value in attributes.items() if not name.startswith("_") and is_readable(value)}


def _attributes(cls: type) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        attributes.update(vars(base))
    return attributes


def is_readable(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biuf"
    return isinstance(value, bool | int | float | np.number | np.bool_)


class _ContentType(types.Type):  # type: ignore[misc]
    """The data that a StructType points to."""

    def __init__(self, struct: StructType) -> None:
        self.struct = struct
        super().__init__(name=f"content of {struct}")


@register_model(_ContentType)
class _ContentModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: _ContentType) -> None:
        super().__init__(manager, type_, list(type_.struct.members))


@register_model(StructType)
@register_model(ObjectType)
class _StructModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: StructType) -> None:
        content = manager.lookup(_ContentType(type_)).get_data_type()
        super().__init__(manager, type_, content.as_pointer())


@unbox(StructType)
@unbox(ObjectType)
def _unbox_struct(type_: StructType, object_: Any, c: Any) -> NativeValue:
    """Lay the object's numbers and arrays out in the caller's frame."""
    content = c.context.data_model_manager.lookup(_ContentType(type_)).get_data_type()
    pointer = cgutils.alloca_once(c.builder, content)
    is_error = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    borrowed = []
    for index, (name, member) in enumerate(type_.members):
        value = c.pyapi.object_getattr_string(object_, name)
        native = c.unbox(member, value)
        c.pyapi.decref(value)  # the object itself keeps the value alive
        data = c.context.data_model_manager[member].as_data(c.builder, native.value)
        c.builder.store(data, cgutils.gep_inbounds(c.builder, pointer, 0, index))
        borrowed.append((member, native))
        c.builder.store(c.builder.or_(c.builder.load(is_error), native.is_error), is_error)

    def cleanup() -> None:
        for member, native in borrowed:
            c.context.nrt.decref(c.builder, member, native.value)
            if native.cleanup is not None:
                native.cleanup()

    return NativeValue(pointer, is_error=c.builder.load(is_error), cleanup=cleanup)


@infer_getattr
class _StructAttributes(AttributeTemplate):  # type: ignore[misc]
    """`struct.name` in compiled code: a member, or a method bound to its object."""

    key = StructType

    def generic_resolve(self, type_: StructType, name: str) -> types.Type | None:
        member = type_.member(name)
        if member is not None or not isinstance(type_, ObjectType):
            return member
        rule = _compiled_rule(type_, name)
        return None if rule is None else BoundRule(type_, name, rule)


@cache
def _compiled_rule(type_: ObjectType, name: str) -> Any:
    # Inlined, so that rules can be cut into small methods at no cost: LLVM by itself stops too early, and random
    # games of mnk and draughts would be a fifth slower.
    method = rule_methods(_class_of[type_]).get(name)
    return None if method is None else Part(method, options={"forceinline": True})


class BoundRule(types.BoundFunction):  # type: ignore[misc]
    """The type of `game.play`: it has the signature and the machine code of a method."""

    def __init__(self, type_: ObjectType, name: str, rule: Any) -> None:
        callee = types.Dispatcher(rule)

        class Template(AbstractTemplate):  # type: ignore[misc]
            key = (type_, name)

            def generic(self, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
                return callee.get_call_type(self.context, (type_, *args), kws).as_method()

        self.rule = rule
        super().__init__(Template, type_)

    def get_impl_key(self, signature: Any) -> Any:
        return self.rule.get_overload(signature.args)


@register_model(BoundRule)
class _BoundRuleModel(models.PrimitiveModel):  # type: ignore[misc]
    """A bound rule is represented by the object it is bound to."""

    def __init__(self, manager: Any, type_: BoundRule) -> None:
        super().__init__(manager, type_, manager.lookup(type_.this).get_value_type())


@lower_getattr_generic(StructType)
def _lower_member(context: Any, builder: Any, type_: StructType, pointer: Any, name: str) -> Any:
    index = [member for member, _ in type_.members].index(name)
    member = type_.members[index][1]
    data = builder.load(cgutils.gep_inbounds(builder, pointer, 0, index))
    # Nothing changes during the call: loads may move freely across the rules' writes.
    data.set_metadata("invariant.load", builder.module.add_metadata([]))
    value = context.data_model_manager[member].from_data(builder, data)
    if not isinstance(member, types.Array):
        return value
    array = make_array(member)(context, builder, value=value)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)  # nothing to count
    return array._getvalue()
