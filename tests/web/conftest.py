from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from damier.web.searching.pool import SearchProcess
from damier.web.settings import WebSettings
from tests.serving import Server
from tests.web.inside import Inside


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("web")).start()
    yield started
    started.stop()


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as made:
        yield made


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    """The application in this process, without any process that searches."""

    async def nothing(_: SearchProcess) -> None:
        pass

    monkeypatch.setattr(SearchProcess, "start", nothing)
    settings = WebSettings(processes=0, max_connections=3, database=str(tmp_path / "games.db"), runs=tmp_path / "runs")
    with Inside(settings) as made:
        yield made
