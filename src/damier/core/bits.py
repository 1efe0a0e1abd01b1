"""Bitboards: a set of squares in one 64-bit word.

Rules keep a bitboard in a `np.uint64` field. Each function here is plain Python for the uncompiled rules
and one machine instruction in compiled ones.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from damier.core.compile import compiled_form

Bits = Any  # a np.uint64; in compiled code a machine word


def bit(square: int) -> Bits:
    """The set of one square."""
    return np.uint64(1 << int(square))


def popcount(bits: Bits) -> int:
    """The number of squares in the set."""
    return int(bits).bit_count()


def lowest(bits: Bits) -> int:
    """The lowest square of the set, 64 if it is empty."""
    return (int(bits) & -int(bits)).bit_length() - 1 if bits else 64


def drop_lowest(bits: Bits) -> Bits:
    """The set without its lowest square; use it to visit the squares one by one."""
    return np.uint64(int(bits) & (int(bits) - 1)) if bits else np.uint64(0)


@intrinsic
def _count_ones(context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), lower


@intrinsic
def _count_trailing_zeros(context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), lower


@compiled_form(bit)
def _bit(square: int) -> Bits:
    return np.uint64(1) << np.uint64(square)


@compiled_form(popcount)
def _popcount(bits: Bits) -> int:
    return _count_ones(np.uint64(bits))


@compiled_form(lowest)
def _lowest(bits: Bits) -> int:
    return _count_trailing_zeros(np.uint64(bits))


@compiled_form(drop_lowest)
def _drop_lowest(bits: Bits) -> Bits:
    return np.uint64(bits) & (np.uint64(bits) - np.uint64(1))
