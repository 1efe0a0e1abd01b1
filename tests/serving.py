"""The web application as people run it: `damier serve`, a process of its own."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

START_SECONDS = 300


class Server:
    def __init__(self, folder: Path, *options: str) -> None:
        self.database = folder / "games.sqlite3"
        patience = ("--prepare-seconds", str(START_SECONDS))  # other tests compile at the same time
        self.options = ["--database", str(self.database), "--runs", str(folder / "runs"), *patience, *options]
        self.process: subprocess.Popen[bytes] | None = None
        self.address = ""
        self.log = folder / "server.log"

    def start(self, port: int = 0) -> "Server":
        command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--port", str(port), *self.options]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, stderr=log)
        found = until(lambda: re.search(r"http://\S+", self.log.read_text()), START_SECONDS)
        self.address = found[0].rstrip("/")
        self._wait()
        return self

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                httpx.get(f"{self.address}/icon.svg", timeout=START_SECONDS)
                return
            except httpx.HTTPError:
                assert time.monotonic() < deadline
                time.sleep(0.1)

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=300)

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(300)


@contextmanager
def stopping(server: Server) -> Iterator[None]:
    """Stop a server at the end, also when a test fails: a process that is left over fails a later test."""
    try:
        yield
    finally:
        server.stop()


def until(is_so: Callable[[], Any], seconds: float = 300) -> Any:
    """Wait for something; compiling takes its time."""
    deadline = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
    return found
