"""Limits on the live messages of a page and of an address."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from damier.web.settings import WebSettings

KEPT_ADDRESSES = 10_000


class Ration:
    """A token bucket: a burst, and a rate per second in the long run."""

    def __init__(self, at_once: int, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.at_once, self.a_second, self.clock = at_once, a_second, clock
        self.left, self.counted = float(at_once), clock()

    def take(self) -> float:
        """Take one token; return the seconds to wait until it would have been available."""
        now = self.clock()
        self.left = min(self.at_once, self.left + (now - self.counted) * self.a_second) - 1
        self.counted = now
        return max(0.0, -self.left / self.a_second)


def for_page() -> Ration:
    """Messages of one page. The tree of an analysis asks for each of its open nodes twice per second."""
    return Ration(400, 50)


def for_address() -> Ration:
    """Messages of all pages at one address: enough for a class of thirty, each with an open search tree."""
    return Ration(2000, 400)


@dataclass
class Address:
    """The shared limits of the pages at one address."""

    connections: int = 0
    messages: Ration = field(default_factory=for_address)


class Addresses:
    """The addresses with live connections and the recent ones, because reconnecting must not reset a limit."""

    def __init__(self, settings: WebSettings) -> None:
        self.most = settings.max_connections
        self.known: OrderedDict[str, Address] = OrderedDict()

    @contextmanager
    def connected(self, name: str) -> Iterator[Address | None]:
        """Count one more connection of this address while it lasts; None if there are too many."""
        address = self.known.setdefault(name, Address())
        self.known.move_to_end(name)
        if address.connections >= self.most:
            yield None
            return
        address.connections += 1
        try:
            yield address
        finally:
            address.connections -= 1
            self._forget()

    def _forget(self) -> None:
        for name in [name for name, address in self.known.items() if not address.connections]:
            if len(self.known) <= KEPT_ADDRESSES:
                return
            del self.known[name]
