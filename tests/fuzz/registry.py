"""All fuzzers by name, and how many attempts each makes in the tests."""

from tests.fuzz import damage, kills, two_at_once
from tests.fuzz.fuzzer import Fuzzer

FUZZERS: dict[str, tuple[Fuzzer, int]] = {
    "damage": (damage.fuzz, 30),
    "kills": (kills.fuzz, 2),
    "two_at_once": (two_at_once.fuzz, 2),
}
