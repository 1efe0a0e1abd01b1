"""How a kernel is compiled together with the functions that it calls.

Numba compiles every function for itself: it optimises it, makes machine code of it and a wrapper for Python, and
does the same again for whatever calls it, with the callee linked in. A search is made of dozens of functions, and
only one of them is called from Python. So a *part* stops at LLVM's code, and the kernel that Python calls is
optimised and made machine code once, with all of its parts: that halves the time of the first search of a game.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from damier.core.cache import KernelCache


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled code calls: linked into what calls it, and optimised there.

    Numba would optimise it and make machine code of it here, too, and again in whatever calls that.
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
    """Whole numbers are handed on as int64, so that a function is compiled once and not again for a constant or a
    shorter type; one that calls itself would otherwise become two that call each other."""

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
    """A compiled function as Python calls it."""

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        super().__init__(function, targetoptions=OPTIONS | options)

    def add_overload(self, compiled: Any) -> None:
        """Also give the parts an environment: without one they can't raise errors that hold numbers."""
        library = compiled.library
        for variable in (library._shared_module or library._final_module).global_variables:
            if variable.name.startswith(ENVIRONMENT) and not variable.is_declaration:
                address = library._codegen._engine.get_global_value_address(variable.name)
                pointer = ctypes.c_void_p.from_address(address)
                pointer.value = pointer.value or id(compiled.environment)
        super().add_overload(compiled)


class Kernel(EntryPoint):
    """One that is kept on disk. In other compiled code its name means its `part`."""

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        super().__init__(function, **options)
        self._cache = KernelCache(function)
        self.part = Part(function, options=options)

    @property
    def _numba_type_(self) -> types.Type:
        return types.Dispatcher(self if self.is_compiling else self.part)
