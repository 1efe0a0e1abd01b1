"""Tournaments started from the page: one at a time, in a process that writes to the database."""

import asyncio
import contextlib
import json
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from damier.arena.plan import Plan
from damier.arena.result import Tournament
from damier.core.errors import DamierError
from damier.core.messages import Message, say
from damier.store.attendance import is_attended
from damier.store.schema import Event
from damier.web.answers import finite
from damier.web.following import Subject
from damier.web.lobby import Lobby, NotFoundError
from damier.web.permissions import ForbiddenError, check_seat
from damier.web.room import ConflictError
from damier.web.searching.pool import SearchError
from damier.web.views import show_line

Json = dict[str, Any]
T = TypeVar("T")

MOST_GAMES = 10_000
LISTED_GAMES = 200  # the last ones, in a table
KEPT_STANDINGS = 50
START_SECONDS = 60.0


class Contest:
    """A process that plays a tournament."""

    def __init__(self) -> None:
        self.event: int | None = None  # its number, when the process has told it
        self.process: asyncio.subprocess.Process | None = None
        self.is_over = False

    async def start(self, task: Json) -> int:
        """Start the process; return the number of its event."""
        self.process = await _start_process()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(task).encode() + b"\n")
        answer: Json = {}
        with contextlib.suppress(TimeoutError, ValueError):
            answer = json.loads(await asyncio.wait_for(self.process.stdout.readline(), START_SECONDS))
        if "event" not in answer:
            await self.stop()
            told = answer.get("error")
            raise ConflictError(Message.from_json(told) if told else say("event.not-started"))
        self.event = int(answer["event"])
        return self.event

    @property
    def is_playing(self) -> bool:
        """Whether it is running or being started."""
        return not self.is_over and (self.process is None or self.process.returncode is None)

    async def stop(self) -> None:
        self.is_over = True
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()


class Tournaments:
    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.contest: Contest | None = None  # the last one that was started here
        # Ratings of thousands of games take a second, so they are computed in a thread of their own.
        self.thread = ThreadPoolExecutor(1, "ratings")
        self.ratings: OrderedDict[int, tuple[int, Json]] = OrderedDict()  # by event: of how many games

    async def start(self, game: str, players: list[str], games: int, openings: int) -> int:
        """Start a tournament; return the number of its event."""
        return await self._play(lambda: self._plan(game, players, games, openings))

    async def resume(self, number: int) -> int:
        """Resume an interrupted tournament."""
        event = await self._compute(lambda: self._event(number))
        if event.is_finished:
            raise ConflictError("event.finished")
        if self.is_played(event):
            raise ConflictError("event.being-played")
        return await self._play(lambda: self._plan_again(event.settings), number)

    async def _play(self, make: Callable[[], Plan], event: int | None = None) -> int:
        plan = await self.lobby.compute(make)
        await self._end_finished()
        if self.contest is not None and self.contest.is_playing:
            raise ConflictError("event.another")
        contest = self.contest = Contest()  # take the place before any await
        try:
            return await contest.start(plan.settings | {"database": self.lobby.store.url, "event": event})
        except BaseException:
            await contest.stop()
            raise

    async def _end_finished(self) -> None:
        """End a process that has played its last game and is about to exit."""
        contest = self.contest
        if contest is not None and contest.is_playing and contest.event is not None:
            number = contest.event
            if (await self._compute(lambda: self._event(number))).is_finished:
                await contest.stop()

    def _plan(self, game: str, players: list[str], games: int, openings: int) -> Plan:
        start = self.lobby.game(game).start()
        checked = tuple(check_seat(spec, self.lobby.settings, start) for spec in players)
        plan = Plan(start.game, checked, games, openings=openings)
        if plan.num_games > MOST_GAMES:
            raise DamierError("event.too-many-games", most=MOST_GAMES, got=plan.num_games)
        return plan

    def _plan_again(self, told: Json) -> Plan:
        """The plan of an event, if it could have been started from the page."""
        if isinstance(told["openings"], int):
            plan = self._plan(told["game"], told["players"], told["games"], told["openings"])
            if plan.settings == told:
                return plan
        raise ForbiddenError("event.by-command")

    def _is_ours(self, event: Event) -> bool:
        try:
            self._plan_again(event.settings)
        except DamierError:
            return False
        return True

    async def stop(self, event: int) -> None:
        if not self.is_running(event):
            raise ConflictError("event.not-here")
        await self._end_contest()

    async def close(self) -> None:
        """Stop the tournament with the server; finished games stay stored."""
        await self._end_contest()
        self.thread.shutdown(cancel_futures=True)

    async def _end_contest(self) -> None:
        if self.contest is not None:
            await self.contest.stop()

    def is_running(self, event: int) -> bool:
        """Whether this server plays it."""
        return self.contest is not None and self.contest.event == event and self.contest.is_playing

    def is_played(self, event: Event) -> bool:
        """Whether any process on this computer plays it."""
        return not event.is_finished and (self.is_running(event.id) or is_attended(self.lobby.store.url, event.id))

    # -- for those who follow -----------------------------------------------------------------------------

    async def _compute(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, function)

    def subject(self, number: int) -> Subject:
        """An event as a subject to follow."""
        return Subject(
            "event", number, lambda: self._compute(lambda: self._stamp(number)), lambda: self.standings(number)
        )

    async def summaries(self) -> list[Json]:
        """The last events, newest first."""
        return await self._compute(lambda: [self._summary(event) for event in self.lobby.store.events()])

    async def standings(self, number: int) -> Json:
        """The crosstable, the ratings and the last games so far."""
        event, known = await self._compute(lambda: (self._event(number), self._known(number)))
        if known is None:
            plan = await self.lobby.compute(lambda: self._plan_of(event))
            known = await self._compute(lambda: self._known(number) or self._rated(number, plan))
        summary = self._summary(event)
        is_left = not event.is_finished and not summary["is_played"]
        return summary | known | {"can_resume": is_left and await self.lobby.compute(lambda: self._is_ours(event))}

    async def game(self, number: int, game: int) -> Json:
        event, record = await self._compute(lambda: (self._event(number), self.lobby.store.record(number, game)))
        if record is None:
            raise NotFoundError("event.no-game", event=number, game=game)

        def show() -> Json:
            line = show_line(record.positions(self._plan_of(event).game))
            seats = [event.settings["players"][player] for player in record.seating]
            return {"game": event.settings["game"], "seats": seats, "line": line, "returns": record.returns}

        return await self.lobby.compute(show)

    def _event(self, number: int) -> Event:
        event = self.lobby.store.event(number)
        if event is None:
            raise NotFoundError("event.unknown", event=number)
        return event

    def _summary(self, event: Event) -> Json:
        return {
            "id": event.id,
            "settings": None if event.is_damaged else event.settings,
            "is_damaged": event.is_damaged,
            "began": event.began.isoformat(),
            "is_finished": event.is_finished,
            "is_running": self.is_running(event.id),
            "is_played": self.is_played(event),
        }

    def _stamp(self, number: int) -> Hashable:
        """A stamp that changes when there is something new."""
        event = self._event(number)
        return self.lobby.store.num_records(number), event.is_finished, self.is_running(number), self.is_played(event)

    def _plan_of(self, event: Event) -> Plan:
        told = event.settings
        openings = told["openings"] if isinstance(told["openings"], int) else tuple(told["openings"])
        return Plan(self.lobby.game(told["game"]), tuple(told["players"]), told["games"], told["seed"], openings)

    def _known(self, number: int) -> Json | None:
        """The ratings of an event, computed again only after another game has ended."""
        count, document = self.ratings.get(number, (-1, None))
        return document if self.lobby.store.num_records(number) == count else None

    def _rated(self, number: int, plan: Plan) -> Json:
        result = Tournament(plan, tuple(self.lobby.store.records(number)))
        games = [
            {
                "number": record.number,
                "seats": [result.players[player] for player in record.seating],
                "plies": len(record.moves),
                "returns": record.returns,
            }
            for record in result.records[-LISTED_GAMES:]
        ]
        document = {"result": finite(result.as_json()), "games": games}
        self.ratings[number] = result.games, document
        if len(self.ratings) > KEPT_STANDINGS:
            self.ratings.popitem(last=False)
        return document


async def _start_process() -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "damier.web.contest",
            stdin=asyncio.subprocess.PIPE,  # when it closes, the process ends, even if this server is killed
            stdout=asyncio.subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"},
            start_new_session=True,
        )
    except OSError as error:
        raise SearchError("event.refused", why=error.strerror or error) from None
