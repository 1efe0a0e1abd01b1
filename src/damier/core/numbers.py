"""Checks of numbers from outside: they fit into 64 bits, and limits are finite."""

import math
import operator
from typing import Any

from damier.core.errors import SpecError
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


def plain(value: float, digits: int) -> float:
    """A number rounded for people: 0 instead of -0, which is what is left of a tiny negative number."""
    return round(value, digits) + 0.0


def whole_number(what: str, value: Any, least: int = -MOST) -> int:
    """A whole number given in Python, of NumPy too; SpecError for anything else, and for one below `least`."""
    try:
        found = operator.index(value)
    except TypeError:
        raise SpecError("number.whole", what=what, got=repr(value)) from None
    fault = fault_of(found)
    if fault is not None:
        raise SpecError("number.fault", what=what, fault=fault)
    if found < least:
        raise SpecError("number.at-least", what=what, least=least, got=found)
    return found
