"""Numbers from outside: compiled code counts in 64 bits, and a limit that is infinite, or no number, limits nothing."""

import math
from typing import Any

MOST = 2**63 - 1
SHOWN = 200  # bits; Python itself refuses to write a number of more than some thousand digits
LONGEST = 1e9  # seconds, some thirty years; clocks and locks of the system refuse more


def fault_of(value: Any) -> str | None:
    """What keeps a number from being used, in words that follow its name; None for any other value."""
    if isinstance(value, int) and not -MOST <= value <= MOST:
        shown = str(value) if value.bit_length() < SHOWN else f"one of {value.bit_length()} bits"
        return f"must be a number between -2^63 and 2^63, got {shown}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"must be a finite number, got {value}"
    return None
