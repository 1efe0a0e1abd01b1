"""The counts of the perft files against the naive rules, as far as they are quick."""

import pytest

from tests.compiler import without_compiler
from tests.perft.data import Case, cases
from tests.perft.recount import is_right


@without_compiler  # only files and naive rules are compared
@pytest.mark.parametrize("case", cases(), ids=str)
def test_naive_rules_count_the_same(case: Case) -> None:
    assert is_right(case, limit=3_000)
