"""Who asks, and whose turn it is: the same order for the searches and for the thread of the rules."""

import itertools
from collections import OrderedDict
from contextvars import ContextVar
from dataclasses import dataclass

KEPT_VISITORS = 10_000  # addresses and visitors that are remembered; anybody can invent more


@dataclass(frozen=True)
class Visitor:
    """Who asks: an address, and a browser there."""

    address: str = ""
    token: str = ""


NOBODY = Visitor()

asking: ContextVar[Visitor] = ContextVar("asking", default=NOBODY)
"""For whom the server is at work: tasks that are started for a visitor inherit it."""


class FairOrder:
    """The next turn is that of whoever had one longest ago, first among addresses and then among the visitors from one
    address. Many browsers at one address get no more than a single one elsewhere."""

    def __init__(self) -> None:
        self.turns = itertools.count(1)
        self.last_turn: OrderedDict[str | Visitor, int] = OrderedDict()

    def rank(self, visitor: Visitor) -> tuple[int, int]:
        """The smaller, the sooner."""
        return self.last_turn.get(visitor.address, 0), self.last_turn.get(visitor, 0)

    def note_turn(self, visitor: Visitor) -> None:
        now = next(self.turns)
        for who in (visitor.address, visitor):
            self.last_turn[who] = now
            self.last_turn.move_to_end(who)
        while len(self.last_turn) > KEPT_VISITORS:
            self.last_turn.popitem(last=False)
