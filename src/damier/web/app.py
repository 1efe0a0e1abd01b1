"""The application: the HTTP interface, the live connection and the page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import plotly
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from damier.core.errors import DamierError
from damier.core.html import read
from damier.core.messages import message_of
from damier.core.version import __version__
from damier.games.trees.notation import TreeError
from damier.store.connection import StoreError
from damier.web.answers import Answer, fault_of_field
from damier.web.context import Context, with_cookie
from damier.web.following import Following
from damier.web.headers import CheckedRequests
from damier.web.lobby import Lobby, NotFoundError
from damier.web.permissions import ForbiddenError
from damier.web.rations import Addresses
from damier.web.room import ConflictError
from damier.web.routes import follow, learn, live, play, records
from damier.web.searching.pool import BusyError, RefusedError, SearchError, SearchPool
from damier.web.settings import WebSettings
from damier.web.tournaments import Tournaments

PAGE = Path(__file__).parent / "page"
PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"

STATUS = {
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    RefusedError: 422,
    BusyError: 429,
    SearchError: 503,
    StoreError: 503,
}
LESSON_FILES = {"stepper.js": "text/javascript", "lesson.css": "text/css", "drawing.css": "text/css"}
DESCRIPTION = """Play any game against any player, analyse positions, learn, keep games, follow tournaments and runs.

Moves are written in the game's own notation. Whatever is wrong with a request is answered with a status from 400 to 499
and `{"error": "one sentence"}`; 503 says that the server can't do it now, on a full disk for example.

What happens while a search runs is told over the WebSocket `/api/live`; see docs/web.md.
"""


def create_app(settings: WebSettings | None = None) -> FastAPI:
    """The application; it starts and stops everything it needs."""
    chosen = settings or WebSettings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        searches, lessons = SearchPool(chosen, chosen.processes), SearchPool(chosen, 1, is_plain=True)
        lobby = Lobby(chosen, searches)
        tournaments = Tournaments(lobby)
        app.state.context = Context(chosen, searches, lessons, lobby, tournaments, Following(), Addresses(chosen))
        await searches.start()
        await lessons.start()
        yield
        await tournaments.close()
        await searches.stop()
        await lessons.stop()
        lobby.close()

    app = FastAPI(
        title="damier",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page loads its parts from the network
        redoc_url=None,
        default_response_class=Answer,
    )
    app.add_middleware(CheckedRequests, max_body=chosen.max_body, hosts=chosen.hosts)
    app.add_exception_handler(DamierError, _explain)
    app.add_exception_handler(RequestValidationError, _explain_request)
    app.add_exception_handler(HTTPException, _explain_status)
    for part in (play, learn, records, follow, live):
        app.include_router(part.router)
    _add_page(app)
    return app


def _add_page(app: FastAPI) -> None:
    @app.get("/vendor/plotly.min.js", include_in_schema=False)
    def charts() -> Response:
        return FileResponse(PLOTLY, media_type="text/javascript", headers={"Cache-Control": "max-age=86400"})

    @app.get("/lessons/{name}", include_in_schema=False)
    def lesson_files(name: str) -> Response:
        """The files that `damier trace --html` uses too."""
        if name not in LESSON_FILES:
            raise HTTPException(404)
        return Response(read("damier.lessons", name), media_type=LESSON_FILES[name])

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    def page(request: Request) -> Response:
        answer = FileResponse(PAGE / "index.html")
        with_cookie(request, answer)
        return answer

    @app.get("/docs", include_in_schema=False)
    def docs() -> Response:
        return FileResponse(PAGE / "docs.html")

    app.mount("/", StaticFiles(directory=PAGE, html=True))


async def _explain(_: Request, error: Exception) -> Response:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
    told = {"error": " ".join(message_of(error).text().split())}
    where = {"line": error.line, "column": error.column} if isinstance(error, TreeError) and error.line else {}
    return Answer(told | where, status)


async def _explain_request(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    fault = fault_of_field(first, [part for part in first["loc"] if part != "body"])
    return Answer({"error": fault.text()}, 422)


async def _explain_status(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return Answer({"error": str(error.detail)}, error.status_code, headers=error.headers)
