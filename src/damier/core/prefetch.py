"""Asking for memory before it is needed.

A table of many megabytes does not fit into the processor's inner caches, and reading it takes as long as a hundred
instructions. Prefetched early, the word is there when the work in between is done.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic, overload
from numba.np.arrayobj import make_array

from damier.core.parts import PART

_BYTES, _INT = ir.IntType(8).as_pointer(), ir.IntType(32)
_TO_READ, _INTO_ALL_CACHES, _DATA = _INT(0), _INT(3), _INT(1)  # the arguments of LLVM's instruction


def prefetch(array: Any, index: Any) -> None:
    """Bring an element of an array into the caches without waiting. Uncompiled, it does nothing."""


@overload(prefetch, strict=False, jit_options=PART)
def _prefetch(array: Any, index: Any) -> Callable[..., None]:
    def compiled(array, index):
        _ask_for(array, index)

    return compiled


@intrinsic
def _ask_for(context: Any, array: Any, index: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = make_array(signature.args[0])(context, builder, args[0]).data
        address = builder.bitcast(builder.gep(data, [args[1]]), _BYTES)
        form = ir.FunctionType(ir.VoidType(), [_BYTES, _INT, _INT, _INT])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", [_BYTES], form)
        builder.call(instruction, [address, _TO_READ, _INTO_ALL_CACHES, _DATA])
        return context.get_dummy_value()

    return types.void(array, types.int64), lower
