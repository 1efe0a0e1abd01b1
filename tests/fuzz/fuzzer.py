"""What every fuzzer is, and how one runs.

A fuzzer is a context manager: given an empty folder it yields a function that makes one attempt. An attempt draws its
input from the generator it is given, and returns a line that says what went wrong, or None. The generator is
seeded by the seed and the number of the attempt, so a finding can be made again by itself.
"""

import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

Attempt = Callable[[random.Random], str | None]
Fuzzer = Callable[[Path], AbstractContextManager[Attempt]]


@dataclass
class Report:
    """What one fuzzer did: how many attempts it made and, by their number, what went wrong."""

    name: str
    attempts: int = 0
    seconds: float = 0.0
    findings: dict[int, str] = field(default_factory=dict)


def run(
    name: str,
    fuzzer: Fuzzer,
    folder: Path,
    seed: int = 1,
    first: int = 0,
    attempts: int | None = None,
    seconds: float | None = None,
) -> Report:
    """Attempt after attempt, until so many are made or the time is over."""
    report, began = Report(name), time.monotonic()
    with fuzzer(folder) as attempt:
        while (attempts is None or report.attempts < attempts) and (seconds is None or report.seconds < seconds):
            number = first + report.attempts
            finding = attempt(random.Random(f"{seed} {number}"))
            if finding is not None:
                report.findings[number] = finding
            report.attempts += 1
            report.seconds = time.monotonic() - began
    return report
