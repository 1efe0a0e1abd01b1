"""How long a search may think, and how much memory it may take."""

import os
from dataclasses import dataclass

from damier.core.errors import SpecError

UNKNOWN_MEGABYTES = 1 << 20  # where the system does not say how much memory it has


@dataclass(frozen=True)
class Budget:
    """Any of these limits; the search stops at the first that is reached."""

    sims: int | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value <= 0:
                raise SpecError(f"expected {name} above 0, got {value}")
        if not self.is_limited:
            raise SpecError("expected a limit for the search, sims=1000 or seconds=1 for example, got none")

    @property
    def is_limited(self) -> bool:
        return any(value is not None for value in vars(self).values())


def check_memory(megabytes: int) -> int:
    """The memory that a search may take: at least one megabyte, and no more than this computer has."""
    most = _megabytes_here()
    if not 1 <= megabytes <= most:
        raise SpecError(f"expected memory from 1 to {most} megabytes, which this computer has, got {megabytes}")
    return megabytes


def _megabytes_here() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (AttributeError, ValueError, OSError):  # a system that does not say
        return UNKNOWN_MEGABYTES
