"""How long a search may think, and on how many threads."""

from dataclasses import dataclass

from damier.core.errors import SpecError
from damier.core.numbers import LONGEST, fault_of

MOST_THREADS = 256


def check_threads(threads: int) -> None:
    """Refuse more threads than a machine has any use for: each of them takes memory of its own."""
    if not 1 <= threads <= MOST_THREADS:
        raise SpecError(f"expected from 1 to {MOST_THREADS} threads, got {threads}")


@dataclass(frozen=True)
class Budget:
    """Any of these limits; the search stops at the first that is reached."""

    sims: int | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            fault = fault_of(value)
            if fault is not None:
                raise SpecError(f"{name} {fault}")
            if value is not None and value <= 0:
                raise SpecError(f"expected {name} above 0, got {value}")
        if self.seconds is not None and self.seconds > LONGEST:
            raise SpecError(f"expected at most {LONGEST:.0f} seconds, got {self.seconds:g}")
        if not self.is_limited:
            raise SpecError("expected a limit for the search, sims=1000 or seconds=1 for example, got none")

    @property
    def is_limited(self) -> bool:
        return any(value is not None for value in vars(self).values())
