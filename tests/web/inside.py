"""The web application in the process of the test, which can look into it."""

import json
import socket
import threading
import time
from types import TracebackType
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from damier.web.app import create_app
from damier.web.context import Context
from damier.web.settings import WebSettings

Json = dict[str, Any]


class Inside:
    def __init__(self, settings: WebSettings) -> None:
        self.app = create_app(settings)
        config = uvicorn.Config(
            self.app, log_level="warning", ws="websockets-sansio", proxy_headers=False, timeout_graceful_shutdown=1
        )
        self.server = uvicorn.Server(config)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listening]})
        self.port: int = self.listening.getsockname()[1]
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60)

    def __enter__(self) -> "Inside":
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.005)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.client.close()
        self.server.should_exit = True
        self.thread.join()
        self.listening.close()

    @property
    def context(self) -> Context:
        found: Context = self.app.state.context
        return found

    def connect(self, **headers: str) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/api/live", additional_headers=headers)

    def begin(self) -> str:
        """A game between people; its key."""
        answer = self.client.post("/api/games", json={"game": "tictactoe", "seats": ["human", "human"]})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


def hear(socket: ClientConnection) -> Json:
    """The next message."""
    message: Json = json.loads(socket.recv(timeout=60))
    return message
