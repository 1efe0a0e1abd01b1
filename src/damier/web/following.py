"""Following something that grows: a tournament or a training run.

One task per subject checks it, reads it when it has changed, and sends it to all pages that follow it. The task ends
when the last page leaves.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from damier.core.errors import DamierError
from damier.core.messages import say

Json = dict[str, Any]
Watcher = Callable[[Json], None]

POLL_SECONDS = 0.5  # between two readings of a stamp
REST = 4  # pause in multiples of the last reading's duration: slow subjects are read less often


@dataclass(frozen=True)
class Subject:
    """Something to follow. Its `stamp` is cheap to get and changes when there is something new to `read`."""

    kind: str  # "event" or "run"
    name: str | int
    stamp: Callable[[], Awaitable[Hashable]] = field(compare=False)
    read: Callable[[], Awaitable[Json]] = field(compare=False)


@dataclass
class _Crowd:
    """The watchers of one subject."""

    watchers: set[Watcher]
    task: "asyncio.Task[None]"
    last: Json | None = None


class Following:
    def __init__(self) -> None:
        self.crowds: dict[Subject, _Crowd] = {}

    def follow(self, subject: Subject, watcher: Watcher) -> None:
        """Send the watcher the current state, and every change."""
        crowd = self.crowds.get(subject)
        if crowd is None:
            crowd = self.crowds[subject] = _Crowd(set(), asyncio.create_task(self._observe(subject)))
        crowd.watchers.add(watcher)
        if crowd.last is not None:
            watcher(crowd.last)

    def unfollow(self, subject: Subject, watcher: Watcher) -> None:
        crowd = self.crowds.get(subject)
        if crowd is not None:
            crowd.watchers.discard(watcher)
            if not crowd.watchers:
                crowd.task.cancel()
                del self.crowds[subject]

    async def _observe(self, subject: Subject) -> None:
        try:
            await self._keep_telling(subject)
        except DamierError as error:
            self._give_up(subject, error.message)
        except Exception:
            logging.getLogger(__name__).exception("following %s %s", subject.kind, subject.name)
            self._give_up(subject, say("web.cannot-follow", name=subject.name))

    async def _keep_telling(self, subject: Subject) -> None:
        seen: Hashable = None
        while True:
            began = time.monotonic()
            stamp = await subject.stamp()
            if stamp != seen:
                found = await subject.read()
                seen = stamp
                self._tell(subject, {"kind": subject.kind, "name": subject.name, subject.kind: found})
            await asyncio.sleep(max(POLL_SECONDS, REST * (time.monotonic() - began)))

    def _give_up(self, subject: Subject, why: str) -> None:
        self._tell(subject, {"kind": "error", "error": why})
        del self.crowds[subject]

    def _tell(self, subject: Subject, message: Json) -> None:
        crowd = self.crowds[subject]
        crowd.last = message
        for watcher in list(crowd.watchers):
            watcher(message)
