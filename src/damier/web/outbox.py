"""The messages that wait for a page. Only the newest message of a topic waits, so a page that reads slowly, or not at
all, can't fill the server's memory."""

import asyncio
from typing import Any

Json = dict[str, Any]

MOST_TOPICS = 200  # messages that may wait: nodes of a tree, each with its path
_NAMES = ("kind", "id", "name", "tag", "status", "error")


class Outbox:
    def __init__(self) -> None:
        self.waiting: dict[tuple[Any, ...], Json] = {}
        self.is_filled = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """The page sends requests and does not read the answers."""
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
    """The topic of a message. A newer message replaces one about the same game, analysis or node."""
    return *(message.get(name) for name in _NAMES), *message.get("path", ())
