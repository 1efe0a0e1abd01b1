"""The hash of a record: the same compiled and plain, and different for different records."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier import kernel
from damier.core.compile import COMPILER_ON
from damier.core.generic import hash_record


@kernel
def compiled_hash(state: Any) -> Any:
    return hash_record(state)


def record(data: bytes) -> Any:
    """A record of these bytes."""
    dtype = np.dtype((np.record, [("player", np.int8), ("rest", np.uint8, (len(data) - 1,))]))
    return np.frombuffer(data, dtype)[0]


@pytest.mark.skipif(not COMPILER_ON, reason="compares compiled with plain hashes")
@pytest.mark.parametrize("size", [2, 7, 8, 9, 16, 23])
@given(data=st.data())
def test_a_record_has_the_same_hash_compiled(size: int, data: st.DataObject) -> None:
    drawn = data.draw(st.binary(min_size=size, max_size=size))
    assert int(compiled_hash(record(drawn))) == hash_record(record(drawn))


@given(st.binary(min_size=2, max_size=20), st.data())
def test_another_bit_gives_another_hash(content: bytes, data: st.DataObject) -> None:
    where = data.draw(st.integers(0, 8 * len(content) - 1))
    changed = int.from_bytes(content, "little") ^ 1 << where
    assert hash_record(record(changed.to_bytes(len(content), "little"))) != hash_record(record(content))


def test_records_of_zeros_hash_differently_by_their_length() -> None:
    assert len({hash_record(record(bytes(size))) for size in range(2, 40)}) == 38
