"""All fuzzers by name, and how many attempts each makes in the tests."""

from tests.fuzz.commandline import fuzz_command_line
from tests.fuzz.formats import fuzz_formats
from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.gtp import fuzz_gtp

FUZZERS: dict[str, tuple[Fuzzer, int]] = {
    "command line": (fuzz_command_line, 150),
    "file formats": (fuzz_formats, 600),
    "gtp": (fuzz_gtp, 50),
}
