"""All fuzzers by name, and how many attempts each makes in the tests."""

from tests.fuzz import damage, http, kills, two_at_once
from tests.fuzz.commandline import fuzz_command_line
from tests.fuzz.formats import fuzz_formats
from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.gtp import fuzz_gtp
from tests.fuzz.websocket import fuzz_websocket

FUZZERS: dict[str, tuple[Fuzzer, int]] = {
    "command line": (fuzz_command_line, 80),
    "gtp": (fuzz_gtp, 50),
    "http": (http.requests, 600),
    "websocket": (fuzz_websocket, 60),
    "file formats": (fuzz_formats, 600),
    "damaged files": (damage.fuzz, 20),
    "kills": (kills.fuzz, 1),  # of a compilation; all else that writes for long has a test of its own that kills it
    "two at once": (two_at_once.fuzz, 2),
}
