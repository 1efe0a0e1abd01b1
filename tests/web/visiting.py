"""The web application in this process, which starts no others: nothing is searched, and nothing needs a port."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from unittest.mock import patch

import httpx

from damier.web.app import create_app
from damier.web.lobby import Lobby
from damier.web.searching.pool import SearchProcess
from damier.web.settings import WebSettings


class Guest:
    """A visitor of the application, and the lobby that it looks after."""

    def __init__(self, client: httpx.AsyncClient, lobby: Lobby) -> None:
        self.client, self.lobby = client, lobby

    async def get(self, path: str) -> httpx.Response:
        return await self.client.get(path)

    async def post(self, path: str, **body: object) -> httpx.Response:
        content = json.dumps(body).encode()  # in ASCII: half a character too
        return await self.client.post(path, content=content, headers={"Content-Type": "application/json"})


@asynccontextmanager
async def visiting(folder: Path) -> AsyncIterator[Guest]:
    app = create_app(WebSettings(processes=0, database=str(folder / "games.sqlite3"), runs=folder / "runs"))
    transport = httpx.ASGITransport(app)  # what the application raises is raised here
    with _no_processes():
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            yield Guest(client, app.state.context.lobby)


@contextmanager
def _no_processes() -> Iterator[None]:
    async def start(_: SearchProcess) -> None:
        return None

    with patch.object(SearchProcess, "start", start):
        yield
