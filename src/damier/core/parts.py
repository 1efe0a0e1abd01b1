"""How a kernel is compiled together with the functions that it calls.

Numba compiles every function separately: it optimises it, makes machine code and a Python wrapper, and then does the
same again for every caller with the callee linked in. A search consists of dozens of functions, of which Python calls
only one. So a *part* stops at LLVM's code, and the kernel that Python calls is optimised and turned into machine code
once, with all its parts. This halves the time of the first search of a game.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import TargetConfig

from damier.core.cache import KernelCache

_all_values = TargetConfig.values


def _are_equal(flags: TargetConfig, others: object) -> Any:
    if not isinstance(others, TargetConfig):
        return NotImplemented
    return flags._values == others._values or _all_values(flags) == _all_values(others)


# While Numba infers types it looks up flags of the compiler tens of thousands of times, and each time makes a table of
# all options to hash and compare them, which is a tenth of the time of a first search. Nearly all are the same; Numba's
# own hash, of the options' names, is the same for all flags too.
TargetConfig.__hash__ = lambda flags: hash(type(flags))
TargetConfig.__eq__ = _are_equal


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled code calls: it is linked into its caller and optimised there.

    Numba would also optimise it and make machine code here, and again in every caller.
    """

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> "PartLibrary":
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """See `EntryPoint.add_overload`."""


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler for a function that only compiled code calls."""

    def __init__(self, typing: Any, target: Any, library: Any, *args: Any) -> None:
        super().__init__(typing, target, library or PartLibrary(target.codegen(), "part"), *args)


ENVIRONMENT = "_ZN08NumbaEnv"  # how the name of a function's environment begins
OPTIONS: Any = {"nopython": True, "nogil": True, "error_model": "numpy"}
_UNWRAPPED: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
PART: Any = {"error_model": "numpy", "pipeline_class": PartCompiler, **_UNWRAPPED}  # of an overload


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """Pass whole numbers as int64: a function is then compiled once, not again for a constant or a shorter type; a
    recursive one would otherwise become two that call each other."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(*_widened(args, kws))

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        return super().fold_argument_types(*_widened(args, kws))  # how Numba recognises that a function calls itself


class Part(Dispatcher):
    """A function that only compiled code calls. Numba restores one from disk with all three arguments."""

    def __init__(self, function: Callable[..., Any], local: Any = None, options: Any = None) -> None:
        super().__init__(function, local, OPTIONS | _UNWRAPPED | (options or {}), PartCompiler)


def _widened(args: Any, kws: Any) -> Any:
    return tuple(map(_whole, args)), {name: _whole(type_) for name, type_ in kws.items()}


def _whole(type_: types.Type) -> types.Type:
    plain = types.unliteral(type_) if isinstance(type_, types.IntegerLiteral) else type_
    is_short = isinstance(plain, types.Integer) and plain.signed and plain.bitwidth < 64
    return types.int64 if is_short else plain


class EntryPoint(Dispatcher):
    """A compiled function that Python calls."""

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        super().__init__(function, targetoptions=OPTIONS | options)

    def add_overload(self, compiled: Any) -> None:
        """Give the parts an environment too, because without one they can't raise errors with numbers in them."""
        library = compiled.library
        for variable in (library._shared_module or library._final_module).global_variables:
            if variable.name.startswith(ENVIRONMENT) and not variable.is_declaration:
                address = library._codegen._engine.get_global_value_address(variable.name)
                pointer = ctypes.c_void_p.from_address(address)
                pointer.value = pointer.value or id(compiled.environment)
        super().add_overload(compiled)


class Kernel(EntryPoint):
    """An entry point that is cached on disk. In other compiled code its name means its `part`."""

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        super().__init__(function, **options)
        self._cache = KernelCache(function)
        self.part = Part(function, options=options)

    @property
    def _numba_type_(self) -> types.Type:
        return types.Dispatcher(self if self.is_compiling else self.part)
