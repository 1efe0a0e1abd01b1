"""Nothing that arrives from outside ends in a traceback, a crash or a hang. `benchmarks/fuzz.py` tries for longer."""

from pathlib import Path

import pytest

from tests.fuzz.fuzzer import run
from tests.fuzz.registry import FUZZERS


@pytest.mark.parametrize("name", FUZZERS)
def test_hostile_input_finds_nothing(name: str, tmp_path: Path) -> None:
    fuzzer, attempts = FUZZERS[name]
    report = run(name, fuzzer, tmp_path, attempts=attempts)
    assert report.findings == {}
    assert report.attempts == attempts
