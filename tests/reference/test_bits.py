"""Bitboards: the same sets compiled and plain, and both the sets one expects."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from damier import bit, drop_lowest, kernel, lowest, nth_lowest, popcount
from damier.core.compile import COMPILER_ON

boards = st.sets(st.integers(0, 63))


@kernel
def compiled_bit(square: int) -> Any:
    return bit(square)


@kernel
def compiled_popcount(bits: Any) -> Any:
    return popcount(bits)


@kernel
def compiled_lowest(bits: Any) -> Any:
    return lowest(bits)


@kernel
def compiled_drop_lowest(bits: Any) -> Any:
    return drop_lowest(bits)


def board(squares: set[int]) -> np.uint64:
    return np.uint64(sum(2**square for square in squares))


when_compiling = pytest.mark.skipif(not COMPILER_ON, reason="the compiler is off")
forms = pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=when_compiling)])


@forms
@pytest.mark.parametrize("square", [0, 1, 31, 32, 62, 63])
def test_bit_is_the_set_of_one_square(square: int, compiled: bool) -> None:
    assert (compiled_bit if compiled else bit)(square) == board({square})


@forms
@given(squares=boards)
@example(squares=set())
@example(squares=set(range(64)))
def test_popcount_counts_the_squares(squares: set[int], compiled: bool) -> None:
    assert (compiled_popcount if compiled else popcount)(board(squares)) == len(squares)


@forms
@given(squares=boards)
@example(squares=set())
@example(squares={63})
def test_lowest_is_the_first_square(squares: set[int], compiled: bool) -> None:
    assert (compiled_lowest if compiled else lowest)(board(squares)) == min(squares, default=64)


@forms
@given(squares=boards)
@example(squares=set())
@example(squares={63})
def test_drop_lowest_leaves_the_others(squares: set[int], compiled: bool) -> None:
    rest = squares - {min(squares, default=64)}
    assert (compiled_drop_lowest if compiled else drop_lowest)(board(squares)) == board(rest)


@kernel
def compiled_nth_lowest(bits: Any, number: int) -> Any:
    return nth_lowest(bits, number)


@forms
@given(squares=boards, number=st.integers(0, 63))
@example(squares=set(range(64)), number=63)
@example(squares={63}, number=0)
@example(squares=set(), number=0)
def test_nth_lowest_counts_from_the_first_square(squares: set[int], number: int, compiled: bool) -> None:
    listed = [*sorted(squares), *[64] * 64]
    assert (compiled_nth_lowest if compiled else nth_lowest)(board(squares), number) == listed[number]
