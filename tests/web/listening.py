"""A browser that remembers everything a server sends to it, over HTTP and over its live connection."""

import contextlib
import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.serving import until

Json = dict[str, Any]


class Browser:
    def __init__(self, address: str) -> None:
        self.client = httpx.Client(base_url=address, timeout=300)
        self.answers: list[str] = []  # over HTTP
        self.messages: list[Json] = []  # over the live connection
        self.get("/api/records")  # the server gives it its cookie
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        url = address.replace("http", "ws", 1) + "/api/live"
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(connect(url, additional_headers={"Cookie": cookie}, open_timeout=300))
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def close(self) -> None:
        self.stack.close()
        self.thread.join()
        self.client.close()

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            for message in self.socket:
                self.messages.append(json.loads(message))

    def get(self, path: str) -> httpx.Response:
        return self._remember(self.client.get(path))

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self._remember(self.client.post(path, json=body))

    def _remember(self, answer: httpx.Response) -> httpx.Response:
        self.answers.append(answer.text)
        return answer

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def wait_for(self, kind: str, count: int = 1) -> Json:
        """The last message of a kind, when there are so many of them."""
        until(lambda: len(self.of_kind(kind)) >= count)
        return self.of_kind(kind)[-1]

    def of_kind(self, kind: str) -> list[Json]:
        return [message for message in self.messages if message["kind"] == kind]

    def live_before_the_end(self) -> list[Json]:
        """The messages before the one that opens the cards."""
        ends = (n for n, message in enumerate(self.messages) if message.get("state", {}).get("is_over"))
        return self.messages[: next(ends, len(self.messages))]


def words(document: Any) -> Iterator[str]:
    """All words in the texts of a document, also in the names of its fields; the keys of games are random."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from words(name)
            if name not in ("id", "key"):
                yield from words(value)
    elif isinstance(document, list):
        for value in document:
            yield from words(value)
    elif isinstance(document, str):
        yield from re.findall(r"\w+", document)


def everything(browser: Browser) -> list[Json]:
    return [*map(json.loads, browser.answers), *browser.live_before_the_end()]


def leaks(browser: Browser, secrets: set[str]) -> list[Json]:
    """What a browser was sent that contains one of the secrets."""
    return [document for document in everything(browser) if secrets & set(words(document))]
