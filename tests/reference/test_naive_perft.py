"""The counts of the perft files against the naive rules, as far as they are quick."""

import pytest

from tests.perft.data import Case, cases
from tests.perft.recount import is_right


@pytest.mark.parametrize("case", cases(), ids=str)
def test_naive_rules_count_the_same(case: Case) -> None:
    assert is_right(case, limit=3_000)
