"""All fuzzers by name, and how many attempts each makes in the tests."""

from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.websocket import fuzz_websocket

FUZZERS: dict[str, tuple[Fuzzer, int]] = {
    "websocket": (fuzz_websocket, 60),
}
