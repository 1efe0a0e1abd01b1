"""Numbers from outside: compiled code counts in 64 bits, and a limit that is infinite, or no number, limits nothing."""

import math
from typing import Any

MOST = 2**63 - 1
LONGEST = 1e9  # seconds, some thirty years; clocks and locks of the system refuse more


def fault_of(value: Any) -> str | None:
    """What keeps a number from being used, in words that follow its name; None for any other value."""
    if isinstance(value, int) and not -MOST <= value <= MOST:
        return f"must fit into 64 bits, got a whole number of {value.bit_length()} bits"
    if isinstance(value, float) and not math.isfinite(value):
        return f"must be a finite number, got {value}"
    return None
