"""What a page is still to be told. Of a topic only the newest message waits: nobody who reads slowly, or not at all,
makes the server keep more than that."""

import asyncio
from typing import Any

Json = dict[str, Any]

MOST_TOPICS = 200  # that may wait: nodes of a tree, each with its path
_NAMES = ("kind", "id", "name", "tag", "status", "error")


class Outbox:
    def __init__(self) -> None:
        self.waiting: dict[tuple[Any, ...], Json] = {}
        self.is_filled = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """The page asks for more than it reads."""
        return len(self.waiting) > MOST_TOPICS

    def put(self, message: Json) -> None:
        topic = _topic(message)
        self.waiting.pop(topic, None)
        self.waiting[topic] = message
        self.is_filled.set()

    async def next(self) -> Json:
        while not self.waiting:
            self.is_filled.clear()
            await self.is_filled.wait()
        return self.waiting.pop(next(iter(self.waiting)))


def _topic(message: Json) -> tuple[Any, ...]:
    """What a newer message replaces: the state of the same game, the progress of the same analysis, the same node."""
    return *(message.get(name) for name in _NAMES), *message.get("path", ())
