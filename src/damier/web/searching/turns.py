"""The thread that runs the rules, and its fair queue.

There is one such thread, and all requests of visitors go through it in a fair order, see `visitors`. Work that may take
long is a generator that yields between its steps: it goes back into the queue after each turn, and is cancelled when
its turns take too long in total. Other work is a plain, short function.
"""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from damier.web.searching.pool import RefusedError
from damier.web.searching.visitors import FairOrder, Visitor, asking

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work in steps, and its result."""

TURN_SECONDS = 0.05
MOST_SECONDS = 10.0  # of one piece of work, all its turns together
MOST_BEGUN = 4  # pieces of work of one address


@dataclass(eq=False)
class _Work:
    visitor: Visitor
    begin: Callable[[], Steps[Any]]
    number: int
    done: "asyncio.Future[Any]"
    steps: "Steps[Any] | None" = None
    seconds: float = 0.0


class Turns:
    """One thread and the queue before it."""

    def __init__(self, turn_seconds: float = TURN_SECONDS, most_seconds: float = MOST_SECONDS) -> None:
        self.turn_seconds, self.most_seconds = turn_seconds, most_seconds
        # One thread: rules are plain Python here, and some keep what they computed last.
        self.thread = ThreadPoolExecutor(1, "rules")
        self.waiting: list[_Work] = []
        self.is_busy = False
        self.numbers = itertools.count(1)
        self.order = FairOrder()

    async def compute(self, function: Callable[[], T]) -> T:
        """Run a function in one turn and return its result."""
        return await self.compute_steps(lambda: _single(function))

    async def compute_steps(self, begin: Callable[[], Steps[T]]) -> T:
        """Run work in steps, in as many turns as it needs, and return its result."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.waiting.append(_Work(asking.get(), begin, next(self.numbers), done))
        self._go_on()
        return await done

    def close(self) -> None:
        for work in self.waiting:
            work.done.cancel()
        self.waiting.clear()
        self.thread.shutdown()

    def _go_on(self) -> None:
        self.waiting = [work for work in self.waiting if not work.done.done()]  # without abandoned work
        if self.is_busy or not self.waiting:
            return
        work = min(self._ready(), key=self._rank)
        self.waiting.remove(work)
        self.order.note_turn(work.visitor)
        self.is_busy = True
        turn = asyncio.get_running_loop().run_in_executor(self.thread, self._turn, work)
        turn.add_done_callback(lambda ended: self._ended(work, ended))

    def _ready(self) -> list[_Work]:
        """The work that may have a turn. Started work takes memory, so the amount per address is limited."""
        begun = Counter(work.visitor.address for work in self.waiting if work.steps is not None)
        return [work for work in self.waiting if work.steps is not None or begun[work.visitor.address] < MOST_BEGUN]

    def _rank(self, work: _Work) -> tuple[int, int, int]:
        return (*self.order.rank(work.visitor), work.number)

    def _turn(self, work: _Work) -> tuple[bool, Any]:
        """Run one turn in the thread; return whether the work is done, and its result."""
        began = time.monotonic()
        if work.steps is None:
            work.steps = work.begin()
        turn = 0.0
        try:
            while turn <= self.turn_seconds:
                next(work.steps)
                turn = time.monotonic() - began
        except StopIteration as end:
            return True, end.value
        work.seconds += turn
        if work.seconds > self.most_seconds:
            work.steps.close()
            raise RefusedError("web.too-long", seconds=self.most_seconds)
        return False, None

    def _ended(self, work: _Work, turn: "asyncio.Future[tuple[bool, Any]]") -> None:
        self.is_busy = False
        error = None if turn.cancelled() else turn.exception()  # always retrieved, or asyncio logs it
        if turn.cancelled():
            work.done.cancel()
        elif work.done.done():
            pass
        elif error is not None:
            work.done.set_exception(error)
        else:
            is_done, found = turn.result()
            if is_done:
                work.done.set_result(found)
            else:
                work.number = next(self.numbers)  # a visitor's short work need not wait until their long work is done
                self.waiting.append(work)
        self._go_on()


def _single(function: Callable[[], T]) -> Steps[T]:
    """A function as work of a single step."""
    yield from ()
    return function()
