"""All fuzzers by name, and how many attempts each makes in the tests."""

from tests.fuzz import http
from tests.fuzz.fuzzer import Fuzzer

FUZZERS: dict[str, tuple[Fuzzer, int]] = {
    "http": (http.requests, 600),
}
