"""Security headers for every answer, and a limit to the size of requests."""

import json
import math
from typing import Any
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException

from damier.core.messages import ENGLISH, LANGUAGES, Message, say, speaking
from damier.web.hosts import Hosts

Scope = dict[str, Any]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:;"
    " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class CheckedRequests:
    """Middleware around the whole application."""

    def __init__(self, app: Any, max_body: int, hosts: Hosts) -> None:
        self.app, self.max_body, self.hosts = app, max_body, hosts
        self.too_large = say("web.large-body", most=max_body)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        with speaking(_language(scope)):
            await self._guard(scope, receive, send)

    async def _guard(self, scope: Scope, receive: Any, send: Any) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}
        is_for_us = self.hosts.accept(headers.get(b"host", ""))
        if scope["type"] == "websocket" and not (is_for_us and _is_from_here(headers)):
            await receive()
            await send({"type": "websocket.close", "code": 4403})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not is_for_us:
            await _refuse(send, 403, say("web.other-host", hosts=self.hosts))
            return
        if not _is_from_here(headers) and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            await _refuse(send, 403, say("web.other-site"))
            return
        if _length(headers) > self.max_body:
            await _refuse(send, 413, self.too_large)
            return
        await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Any, send: Any) -> None:
        size = 0

        async def counted() -> Any:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.max_body:
                raise HTTPException(413, self.too_large.text())
            return message

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                extra = HEADERS | ({} if b"cache-control" in given else {"cache-control": "no-cache"})
                message["headers"] = [*message["headers"], *_encoded(extra)]
            await send(message)

        await self.app(scope, counted, with_headers)


def _language(scope: Scope) -> str:
    """The language that a page asks for: `?lang=fr` of its live connection, or the header of a request."""
    headers = dict(scope.get("headers", ()))
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [])
    listed = headers.get(b"accept-language", b"").decode("latin-1").split(",")
    tags = (tag.strip()[:2].lower() for tag in [*asked, *listed])
    return next((tag for tag in tags if tag in LANGUAGES), ENGLISH)


def _is_from_here(headers: dict[bytes, str]) -> bool:
    """Whether the request comes from one of our pages, or from a program that is not a browser."""
    origin = headers.get(b"origin")
    return origin is None or origin.partition("://")[2] == headers.get(b"host")


def _length(headers: dict[bytes, str]) -> float:
    """The announced size of the body; infinite if it is not a number."""
    length = headers.get(b"content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else math.inf


async def _refuse(send: Any, status: int, why: Message) -> None:
    headers = _encoded({"content-type": "application/json", **HEADERS})
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": why.text()}).encode()})


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]
