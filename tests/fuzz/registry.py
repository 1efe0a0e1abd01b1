"""All fuzzers by name, and how many attempts each makes in the tests."""

from tests.fuzz import http
from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.websocket import fuzz_websocket

FUZZERS: dict[str, tuple[Fuzzer, int]] = {
    "http": (http.requests, 600),
    "websocket": (fuzz_websocket, 60),
}
