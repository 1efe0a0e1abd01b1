"""Visitors, and the fair order in which searches and the thread of the rules serve them."""

import itertools
from collections import OrderedDict
from contextvars import ContextVar
from dataclasses import dataclass

KEPT_VISITORS = 10_000  # addresses and visitors to remember; the number of claimed visitors is unbounded


@dataclass(frozen=True)
class Visitor:
    """A visitor: an address, and a browser there."""

    address: str = ""
    token: str = ""


NOBODY = Visitor()

asking: ContextVar[Visitor] = ContextVar("asking", default=NOBODY)
"""The visitor that the current task works for; tasks started by it inherit it."""


class FairOrder:
    """A fair order: the next turn goes to the visitor who had one longest ago, first among addresses and then among the
    visitors at one address. Many browsers at one address get no more turns than a single one elsewhere."""

    def __init__(self) -> None:
        self.turns = itertools.count(1)
        self.last_turn: OrderedDict[str | Visitor, int] = OrderedDict()

    def rank(self, visitor: Visitor) -> tuple[int, int]:
        """The priority of a visitor; smaller is sooner."""
        return self.last_turn.get(visitor.address, 0), self.last_turn.get(visitor, 0)

    def note_turn(self, visitor: Visitor) -> None:
        now = next(self.turns)
        for who in (visitor.address, visitor):
            self.last_turn[who] = now
            self.last_turn.move_to_end(who)
        while len(self.last_turn) > KEPT_VISITORS:
            self.last_turn.popitem(last=False)
