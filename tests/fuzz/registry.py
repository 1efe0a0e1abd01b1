"""All fuzzers by name, and how many attempts each makes in the tests."""

from tests.fuzz import damage, http, kills, two_at_once
from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.websocket import fuzz_websocket

FUZZERS: dict[str, tuple[Fuzzer, int]] = {
    "http": (http.requests, 600),
    "websocket": (fuzz_websocket, 60),
    "damage": (damage.fuzz, 30),
    "kills": (kills.fuzz, 2),
    "two_at_once": (two_at_once.fuzz, 2),
}
