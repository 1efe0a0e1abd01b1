"""Tournaments that were started from the page: each is a process of its own, which writes into the database."""

import asyncio
import math
import os
import subprocess
import sys
import time
from typing import Any

from damier.arena.plan import Plan
from damier.arena.result import Tournament
from damier.arena.store import Event, settings_of
from damier.core.errors import DamierError
from damier.web.guard import check_seat
from damier.web.shown import show_line
from damier.web.tables import ConflictError, NotFoundError, Room

Json = dict[str, Any]

MOST_RUNNING = 1
MOST_GAMES = 10_000
START_SECONDS = 60.0


class Tournaments:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.processes: dict[int, subprocess.Popen[bytes]] = {}  # by event

    async def start(self, game: str, players: list[str], games: int, openings: int) -> int:
        """Start one; the number of its event."""
        plan = await self.room.compute(lambda: self._plan(game, players, games, openings))
        if sum(process.poll() is None for process in self.processes.values()) >= MOST_RUNNING:
            raise ConflictError("a tournament is being played already; wait for its end or stop it")
        before = max((event.id for event in await self.room.compute(self.room.store.events)), default=0)
        url = self.room.store.url
        command = [sys.executable, "-m", "damier", "tournament", plan.game.name, *plan.players]
        command += ["--games", str(games), "--openings", str(openings), "--database", url, "--workers", "1", "--fresh"]
        environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        process = subprocess.Popen(
            ["nice", *command] if os.name == "posix" else command,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        event = await self._opened(process, before, settings_of(plan))
        self.processes[event] = process
        return event

    def _plan(self, game: str, players: list[str], games: int, openings: int) -> Plan:
        start = self.room.game(game).start()
        checked = tuple(check_seat(spec, self.room.settings, start) for spec in players)
        plan = Plan(start.game, checked, games, openings=openings)
        if plan.num_games > MOST_GAMES:
            raise DamierError(f"expected at most {MOST_GAMES} games, got {plan.num_games}; have fewer players or games")
        return plan

    async def _opened(self, process: "subprocess.Popen[bytes]", before: int, settings: Json) -> int:
        """The event that the process opens in the database."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            for event in await self.room.compute(self.room.store.events):
                if event.id > before and settings.items() <= event.settings.items():
                    return event.id
            await asyncio.sleep(0.1)
        process.kill()
        raise DamierError("the tournament did not start; the server's log tells why")

    def stop(self, event: int) -> None:
        process = self.processes.get(event)
        if process is None or process.poll() is not None:
            raise ConflictError("this tournament is not being played here")
        process.terminate()
        process.wait()

    def stop_all(self) -> None:
        for event, process in self.processes.items():
            if process.poll() is None:
                self.stop(event)

    def is_running(self, event: int) -> bool:
        process = self.processes.get(event)
        return process is not None and process.poll() is None

    # -- for those who look on -----------------------------------------------------------------------------

    def summary(self, event: Event) -> Json:
        return {
            "id": event.id,
            "settings": None if event.is_damaged else event.settings,
            "is_damaged": event.is_damaged,
            "began": event.began.isoformat(),
            "is_finished": event.is_finished,
            "is_running": self.is_running(event.id),
        }

    def table(self, number: int) -> Json:
        """Cross-table, ratings and the games so far."""
        event, result = self._result(number)
        games = [
            {
                "number": record.number,
                "seats": [result.players[player] for player in record.seating],
                "plies": len(record.moves),
                "returns": record.returns,
            }
            for record in result.records
        ]
        document: Json = _finite(result.as_json())
        return self.summary(event) | {"result": document, "games": games}

    def game(self, number: int, game: int) -> Json:
        event, result = self._result(number)
        record = next((record for record in result.records if record.number == game), None)
        if record is None:
            raise NotFoundError(f"event {number} has no game {game}")
        seats = [result.players[player] for player in record.seating]
        line = show_line(record.positions(result.plan.game))
        return {"game": event.settings["game"], "seats": seats, "line": line, "returns": record.returns}

    def _result(self, number: int) -> tuple[Event, Tournament]:
        event = self.room.store.event(number)
        if event is None:
            raise NotFoundError(f"there is no tournament number {number}")
        told = event.settings
        openings = told["openings"] if isinstance(told["openings"], int) else tuple(told["openings"])
        plan = Plan(self.room.game(told["game"]), tuple(told["players"]), told["games"], told["seed"], openings)
        return event, Tournament(plan, tuple(self.room.store.records(number)))


def _finite(value: Any) -> Any:
    """JSON has no infinity."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
