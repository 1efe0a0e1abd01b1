"""The live connection: one WebSocket a page, for games that go on, analyses, trees and tournaments.

Messages are JSON objects. A page says what to `do`; what the server sends has a `kind`.

    watch {id}                                   state, status, thought: of a game, whenever it changes
    analyse {game, moves, player, through?}      analysis {status}, {result}, {done}; one analysis a page
    stop                                         ends the analysis
    look {path}                                  tree: a node of the analysed tree, with its children
    follow {event}                               event: a tournament, whenever a game ended
    run {name}                                   run: a training run, whenever an iteration ended; "a+b" are two
"""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from damier.core.errors import DamierError
from damier.web.context import Context, Json, visitor_of
from damier.web.engines import Job, SearchError, Visitor
from damier.web.guard import HUMAN, check_seat
from damier.web.runs import read_run
from damier.web.shown import win_chances
from damier.web.tables import Table
from damier.web.turns import Steps, asking
from damier.web.walk import Walk, can_walk

router = APIRouter()

LONGEST_MESSAGE = 100_000
LOOK_SECONDS = 0.5  # between two looks at a tournament or a run
MOST_RUNS = 8  # side by side


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    await socket.accept()
    visitor = visitor_of(socket)
    asking.set(visitor)
    page = _Page(socket, socket.app.state.context, visitor)
    try:
        await page.listen()
    except WebSocketDisconnect:
        pass
    finally:
        page.leave()


class _Page:
    """A page that is connected."""

    def __init__(self, socket: WebSocket, here: Context, visitor: Visitor) -> None:
        self.socket, self.here, self.visitor = socket, here, visitor
        self.out: asyncio.Queue[Json] = asyncio.Queue()
        self.table: Table | None = None
        self.job: Job | None = None
        self.line: tuple[str, list[int]] = ("", [])  # the game and the moves that are analysed
        self.walk: Walk | None = None  # the tree of a classical search
        self.sender = asyncio.create_task(self._send())
        self.analysing: asyncio.Task[None] | None = None
        self.looking: list[asyncio.Task[None]] = []

    async def listen(self) -> None:
        known: dict[str, Callable[[Json], Awaitable[None]]] = {
            "watch": self._watch,
            "analyse": self._analyse,
            "stop": self._stop,
            "look": self._look,
            "follow": self._follow,
            "run": self._run,
        }
        while True:
            text = await self.socket.receive_text()
            try:
                if len(text) > LONGEST_MESSAGE:
                    raise DamierError(f"expected a message of at most {LONGEST_MESSAGE} characters, got {len(text)}")
                message = _read(text)
                if message.get("do") not in known:
                    raise DamierError(f"expected to do one of {', '.join(known)}, got {str(message.get('do'))[:40]!r}")
                await known[message["do"]](message)
            except DamierError as error:
                self.tell({"kind": "error", "error": " ".join(str(error).split())})

    def tell(self, message: Json) -> None:
        self.out.put_nowait(message)

    def leave(self) -> None:
        if self.table is not None:
            self.table.watchers.discard(self.tell)
        self._end_analysis()
        for task in (self.sender, *self.looking):
            task.cancel()

    async def _send(self) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            while True:
                await self.socket.send_text(json.dumps(await self.out.get()))

    # -- games ---------------------------------------------------------------------------------------------

    async def _watch(self, message: Json) -> None:
        if self.table is not None:
            self.table.watchers.discard(self.tell)
        self.table = None
        key = _text(message, "id", 64)
        if not key:
            return
        table = await self.here.room.table(key)
        self.table = table
        table.watchers.add(self.tell)
        self.tell({"kind": "state", "id": table.key, "state": await table.state()})
        table.drive()

    # -- analysis ------------------------------------------------------------------------------------------

    async def _analyse(self, message: Json) -> None:
        self._end_analysis()
        room = self.here.room
        moves = message.get("moves", [])
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise DamierError("expected moves as a list of texts")
        game, spec = _text(message, "game", 400), _text(message, "player", 400)
        through = _text(message, "through", 200) or None

        def prepare() -> Steps[Json]:
            position = (yield from room.line(game, moves))[-1]
            if position.is_over or position.is_chance:
                raise DamierError("there is nothing to analyse here: nobody is to move")
            if spec.partition(":")[0] == HUMAN:
                raise DamierError("a person can't analyse; choose another player")
            number = None if through is None else position.parse(through)
            self.line = position.game.name, list(position.history)
            player = check_seat(spec, room.settings, position)
            self.walk = Walk(player, position) if through is None and can_walk(player) else None
            task = {"game": self.line[0], "moves": self.line[1], "player": player, "through": number, "seed": 1}
            return task | {"do": "analyse", "seconds": room.settings.max_seconds}

        task = await room.compute_steps(prepare)
        tag = message.get("tag")
        self.job = self.here.engines.submit(task, self.visitor, lambda kind, told: self._heard(kind, told, tag))
        self.analysing = asyncio.create_task(self._finish(self.job, tag))

    def _heard(self, kind: str, told: Json, tag: Any) -> None:
        message: Json = {"kind": "analysis", "status": kind, "tag": tag}
        if kind == "progress":
            message |= {"result": _with_chances(told["result"])}
        self.tell(message)

    async def _finish(self, job: Job, tag: Any) -> None:
        try:
            answer = await job.done
        except (SearchError, asyncio.CancelledError) as error:
            if isinstance(error, SearchError):
                self.tell({"kind": "analysis", "status": "failed", "tag": tag, "error": str(error)})
            return
        result = answer.get("result")
        message: Json = {"kind": "analysis", "status": "done", "tag": tag}
        self.tell(message | ({"result": _with_chances(result)} if result else {}))

    def _end_analysis(self) -> None:
        if self.analysing is not None:
            self.analysing.cancel()
        if self.job is not None:
            self.here.engines.cancel(self.job)

    async def _stop(self, _: Json) -> None:
        if self.job is not None:
            self.here.engines.cancel(self.job)

    async def _look(self, message: Json) -> None:
        path = message.get("path", [])
        if not isinstance(path, list) or len(path) > 500 or not all(isinstance(move, str) for move in path):
            raise DamierError("expected a path as a list of moves")
        if self.walk is not None:
            await self.walk.begin(self.here.lessons, self.visitor)
            self.tell(await self.here.room.compute(lambda: self._walked(path)) | {"kind": "tree"})
            return
        if self.job is None:
            raise DamierError("there is no tree to look into; start an analysis first")
        question = {"do": "look", "game": self.line[0], "moves": self.line[1], "path": path}
        answer = await self.here.engines.ask(self.job, question)
        self.tell({key: value for key, value in answer.items() if key != "id"} | {"kind": "tree"})

    def _walked(self, path: list[str]) -> Json:
        if self.walk is None:
            raise DamierError("this tree is gone; start the analysis again")
        return self.walk.look(path)

    # -- tournaments and training --------------------------------------------------------------------------

    async def _follow(self, message: Json) -> None:
        number = message.get("event")
        if not isinstance(number, int):
            raise DamierError("expected the number of an event")
        tournaments = self.here.tournaments
        self._keep_looking("event", lambda: tournaments.table(number))

    async def _run(self, message: Json) -> None:
        names = _text(message, "name", 400).split("+")[:MOST_RUNS]
        self._keep_looking("run", *(partial(read_run, self.here.settings.runs, name) for name in names))

    def _keep_looking(self, kind: str, *reads: Callable[[], Json]) -> None:
        for task in self.looking:
            task.cancel()
        self.looking = [asyncio.create_task(self._keep_telling(kind, read)) for read in reads]

    async def _keep_telling(self, kind: str, read: Callable[[], Json]) -> None:
        last = None
        while True:
            try:
                found = await self.here.room.compute(read)
            except DamierError as error:
                self.tell({"kind": "error", "error": str(error)})
                return
            if found != last:
                self.tell({"kind": kind, kind: found})
                last = found
            await asyncio.sleep(LOOK_SECONDS)


def _with_chances(result: Json) -> Json:
    return result | {"chances": win_chances(result.get("values"))}


def _read(text: str) -> Json:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise DamierError("expected a JSON object")
    return message


def _text(message: Json, name: str, longest: int) -> str:
    value = message.get(name) or ""
    if not isinstance(value, str) or len(value) > longest:
        raise DamierError(f"expected {name} as a text of at most {longest} characters")
    return value
