"""Checks of numbers from outside: they fit into 64 bits, and limits are finite."""

import math
from typing import Any

from damier.core.messages import Message, say

MOST = 2**63 - 1
SHOWN = 200  # bits; Python itself refuses to write a number of more than some thousand digits
LONGEST = 1e9  # seconds, some thirty years; clocks and locks of the system refuse more


def fault_of(value: Any) -> Message | None:
    """The reason why a number can't be used, in words that follow its name; None for any other value."""
    if isinstance(value, int) and not -MOST <= value <= MOST:
        if value.bit_length() < SHOWN:
            return say("number.too-large", got=value)
        return say("number.far-too-large", bits=value.bit_length())
    if isinstance(value, float) and not math.isfinite(value):
        return say("number.not-finite", got=value)
    return None
