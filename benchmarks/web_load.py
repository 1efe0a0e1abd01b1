"""Many people at once: 100 games of Connect 4 against searches of 50 ms, and how the server feels meanwhile.

    python benchmarks/web_load.py [--games 100] [--moves 6]

Each game is a visitor with a browser of their own, who answers every move at once. Beside them one more visitor asks
for a page ten times a second: that is how responsive the server stays. At the end every game is compared with what its
visitor played.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.serving import Server

PLAYER = "uct:seconds=0.05"


class Visitor:
    def __init__(self, address: str, number: int) -> None:
        self.client = httpx.AsyncClient(base_url=address, timeout=300)
        self.rng = random.Random(number)
        self.played: list[str] = []
        self.waits: list[float] = []

    async def play(self, moves: int) -> None:
        body = {"game": "connect4", "seats": ["human", PLAYER]}
        state = await self._asked(self.client.post("/api/games", json=body))
        url = f"{self.client.base_url}".rstrip("/").replace("http", "ws", 1) + "/api/live"
        async with connect(url, open_timeout=60) as socket:
            await socket.send(json.dumps({"do": "watch", "id": state["id"]}))
            while len(self.waits) < moves and not state["is_over"]:
                move = self.rng.choice(state["moves"])["notation"]
                began = time.perf_counter()
                self.played.append(move)
                state = await self._asked(self.client.post(f"/api/games/{state['id']}/moves", json={"move": move}))
                while not state["is_over"] and len(state["line"]) < 2 * len(self.played):
                    message = json.loads(await socket.recv())
                    state = message["state"] if message["kind"] == "state" else state
                self.waits.append(time.perf_counter() - began)
        state = await self._asked(self.client.get(f"/api/games/{state['id']}"))
        own = [each["notation"] for each in state["line"][::2]]
        assert own == self.played, "a game was lost"
        await self.client.aclose()

    async def _asked(self, request: Any) -> Any:
        answer = await request
        answer.raise_for_status()
        return answer.json()


async def look_on(address: str, took: list[float]) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=300) as client:
        while True:
            began = time.perf_counter()
            (await client.get("/")).raise_for_status()
            took.append(time.perf_counter() - began)
            await asyncio.sleep(0.1)


async def measure(address: str, games: int, moves: int) -> None:
    await Visitor(address, 0).play(1)  # compiled before, as on a warm machine
    took: list[float] = []
    looking = asyncio.create_task(look_on(address, took))
    visitors = [Visitor(address, number) for number in range(games)]
    began = time.perf_counter()
    await asyncio.gather(*(visitor.play(moves) for visitor in visitors))
    seconds = time.perf_counter() - began
    looking.cancel()
    waits = [wait for visitor in visitors for wait in visitor.waits]
    print(
        f"{games} games at once, {len(waits)} searches of 50 ms in {seconds:.1f} s: {len(waits) / seconds:.1f} a second"
    )
    print(f"no error, no lost game; a reply took {_spread(waits)}")
    print(f"meanwhile a page took {_spread(took)}")


def _spread(values: list[float]) -> str:
    ordered = sorted(values)
    most, last = ordered[int(0.95 * len(ordered))], ordered[-1]
    return f"{statistics.median(ordered):.3f} s, 95 % within {most:.3f} s, at most {last:.3f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--moves", type=int, default=6)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder)).start()
        try:
            asyncio.run(measure(server.address, options.games, options.moves))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
