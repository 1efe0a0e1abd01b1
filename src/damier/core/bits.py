"""Bitboards: a set of squares in one 64-bit word.

Rules keep a bitboard in a `np.uint64` field. Each function here is plain Python for the uncompiled rules
and one or two machine instructions in compiled ones.
"""

from typing import Any

import llvmlite.binding
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


def nth_lowest(bits: Bits, number: int) -> int:
    """The square of the set with that number, counted from 0 at the lowest; 64 if the set is too small."""
    for _ in range(number):
        bits = drop_lowest(bits)
    return lowest(bits)


# Early AMD processors have the instruction, but it takes longer there than a loop.
HAS_DEPOSIT = llvmlite.binding.get_host_cpu_features().get("bmi2", False) and (
    llvmlite.binding.get_host_cpu_name() not in ("bdver4", "znver1", "znver2")
)


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


@intrinsic
def _deposit(context: Any, bits: Any, mask: Any) -> Any:
    """Spread the lowest bits over the squares of the mask, in order."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        instruction = ir.FunctionType(word, [word, word])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=instruction), args)

    return types.uint64(types.uint64, types.uint64), lower


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


if HAS_DEPOSIT:

    @compiled_form(nth_lowest)
    def _nth_lowest(bits: Bits, number: int) -> int:
        return _count_trailing_zeros(_deposit(np.uint64(1) << np.uint64(number), np.uint64(bits)))

else:

    @compiled_form(nth_lowest)
    def _nth_lowest(bits: Bits, number: int) -> int:
        bits = np.uint64(bits)
        for _ in range(number):
            bits &= bits - np.uint64(1)
        return _count_trailing_zeros(bits)
