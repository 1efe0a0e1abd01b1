"""The limits of a search: time, simulations, threads and memory."""

import os
from dataclasses import dataclass

from damier.core.errors import SpecError
from damier.core.numbers import LONGEST, fault_of, whole_number

MOST_THREADS = 256


def check_threads(threads: int) -> None:
    """Refuse an absurd number of threads, because each takes memory."""
    if not 1 <= threads <= MOST_THREADS:
        raise SpecError("number.between", what="threads", least=1, most=MOST_THREADS, got=threads)


UNKNOWN_MEGABYTES = 1 << 20  # where the system does not say how much memory it has


@dataclass(frozen=True)
class Budget:
    """The limits of a search; it stops at the first one reached."""

    sims: int | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            fault = fault_of(value)
            if fault is not None:
                raise SpecError("number.fault", what=name, fault=fault)
            if value is not None and value <= 0:
                raise SpecError("number.above", what=name, least=0, got=value)
        if self.seconds is not None and self.seconds > LONGEST:
            raise SpecError("budget.seconds", most=LONGEST, got=self.seconds)
        if not self.is_limited:
            raise SpecError("budget.no-limit")

    @property
    def is_limited(self) -> bool:
        return any(value is not None for value in vars(self).values())


def check_memory(megabytes: int) -> int:
    """Check a search's memory: at least one megabyte, and no more than this computer has."""
    megabytes = whole_number("memory", megabytes)
    most = _megabytes_here()
    if not 1 <= megabytes <= most:
        raise SpecError("budget.memory", most=most, got=megabytes)
    return megabytes


def _megabytes_here() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (AttributeError, ValueError, OSError):  # a system that does not say
        return UNKNOWN_MEGABYTES
