"""The context that every route needs, and the visitor of a request."""

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Response
from fastapi.requests import HTTPConnection

from damier.web.following import Following
from damier.web.hosts import network_of
from damier.web.rations import Addresses
from damier.web.searching.pool import SearchPool
from damier.web.searching.visitors import Visitor, asking
from damier.web.settings import WebSettings

if TYPE_CHECKING:
    from damier.web.lobby import Lobby
    from damier.web.tournaments import Tournaments

Json = dict[str, Any]

COOKIE = "damier"
LONGEST_TOKEN = 64
YEAR = 365 * 24 * 3600


@dataclass(frozen=True)
class Context:
    settings: WebSettings
    searches: SearchPool
    lessons: SearchPool
    lobby: "Lobby"
    tournaments: "Tournaments"
    following: Following
    addresses: Addresses


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Identify a visitor: a browser by a random cookie, a program without one by its address."""
    address = network_of(connection.client.host) if connection.client else ""
    return Visitor(address, connection.cookies.get(COOKIE, "")[:LONGEST_TOKEN])


def with_cookie(connection: HTTPConnection, response: Response) -> Visitor:
    """The visitor of a request, whose browser gets its cookie with the answer if it has none.

    The page itself brings the cookie: all that it then asks for, over several connections at once, comes from one
    visitor."""
    visitor = visitor_of(connection)
    if not visitor.token:
        visitor = Visitor(visitor.address, secrets.token_urlsafe(16))
        response.set_cookie(COOKIE, visitor.token, max_age=YEAR, httponly=True, samesite="strict")
    return visitor


async def _context(connection: HTTPConnection) -> Context:
    """The context. Asynchronous, because it marks the request's task as working for its visitor."""
    asking.set(visitor_of(connection))
    found: Context = connection.app.state.context
    return found


Here = Annotated[Context, Depends(_context)]
Who = Annotated[Visitor, Depends(with_cookie)]
