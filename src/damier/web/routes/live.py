"""The live connection: one WebSocket a page, for games that go on, analyses, trees and tournaments.

Messages are JSON objects. A page says what to `do`, see `messages`; what the server sends has a `kind`.

    watch       state, status, thought: of a game, whenever it changes
    analyse     analysis {status}, {result}, {done}; one analysis a page
    stop        the last analysis
    look        tree: a node of the analysed tree, with its children
    follow      event: a tournament, whenever a game ended
    run         run: a training run, whenever an iteration ended
    unwatch, unfollow
"""

import asyncio
import contextlib
import json
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from damier.core.errors import DamierError
from damier.core.messages import Message as Said
from damier.core.messages import say, spoken
from damier.web.context import Context, Json, visitor_of
from damier.web.following import Subject
from damier.web.guard import HUMAN, check_seat
from damier.web.outbox import Outbox
from damier.web.rations import Address, for_page
from damier.web.routes.messages import (
    Analyse,
    Follow,
    FollowRuns,
    Look,
    Message,
    Stop,
    Unfollow,
    Unwatch,
    Watch,
    read_message,
)
from damier.web.runs import read_run, stamp_of
from damier.web.searching.classical import Walk, can_walk
from damier.web.searching.pool import Job, SearchError, Visitor
from damier.web.searching.turns import Steps, asking
from damier.web.shown import win_chances
from damier.web.tables import Table

router = APIRouter()

TOO_MANY = 4429  # the code with which a connection is closed that asks for too much
CLOSE_SECONDS = 5.0  # for a page that does not read to hear of it


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    here: Context = socket.app.state.context
    visitor = visitor_of(socket)
    asking.set(visitor)
    with contextlib.suppress(WebSocketDisconnect), here.addresses.connected(visitor.address) as address:
        await socket.accept()
        if address is None:
            await _close(socket, say("web.many-pages"))
            return
        page = _Page(socket, here, visitor, address)
        try:
            await page.listen()
        finally:
            page.leave()


class _Page:
    """A page that is connected."""

    def __init__(self, socket: WebSocket, here: Context, visitor: Visitor, address: Address) -> None:
        self.socket, self.here, self.visitor, self.address = socket, here, visitor, address
        self.ration = for_page()
        self.out = Outbox()
        self.tell = self.out.put  # one object: watchers are known by it
        self.table: Table | None = None
        self.followed: list[Subject] = []
        self.job: Job | None = None
        self.line: tuple[str, list[int]] = ("", [])  # the game and the moves that are analysed
        self.walk: Walk | None = None  # the tree of a classical search
        self.sender = asyncio.create_task(self._send())
        self.analysing: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Do what the page says, until it is gone or asks for too much."""
        while (received := await self.socket.receive())["type"] == "websocket.receive":
            if self.ration.take() or self.out.is_full:
                await _close(self.socket, say("web.many-messages"))
                return
            await asyncio.sleep(self.address.messages.take())
            try:
                await self._do(read_message(received.get("text")))
            except DamierError as error:
                self.tell({"kind": "error", "error": error.message})

    async def _do(self, message: Message) -> None:
        match message:
            case Watch():
                await self._watch(message)
            case Unwatch():
                self._unwatch()
            case Analyse():
                await self._analyse(message)
            case Stop():
                self._stop()
            case Look():
                await self._look(message.path)
            case Follow():
                self._follow(self.here.tournaments.subject(message.event))
            case FollowRuns():
                self._follow(*map(self._run, message.names))
            case Unfollow():
                self._follow()

    def leave(self) -> None:
        self._unwatch()
        self._follow()
        self._end_analysis()
        self.sender.cancel()

    async def _send(self) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            while True:
                await self.socket.send_text(json.dumps(spoken(await self.out.next())))

    # -- games ---------------------------------------------------------------------------------------------

    async def _watch(self, message: Watch) -> None:
        if self.table is not None and self.table.key == message.id:
            return  # it is told of every change already
        self._unwatch()
        table = await self.here.room.table(message.id, self.visitor)
        self.table = table
        table.watchers.add(self.tell)
        self.tell({"kind": "state", "id": table.key, "state": await table.state()})
        table.drive()

    def _unwatch(self) -> None:
        if self.table is not None:
            self.table.watchers.discard(self.tell)
        self.table = None

    # -- analysis ------------------------------------------------------------------------------------------

    async def _analyse(self, asked: Analyse) -> None:
        self._end_analysis()
        room = self.here.room

        def prepare() -> Steps[Json]:
            position = (yield from room.line(asked.game, asked.moves))[-1]
            if position.is_over or position.is_chance:
                raise DamierError("analysis.nothing")
            if asked.player.partition(":")[0] == HUMAN:
                raise DamierError("analysis.person")
            number = None if asked.through is None else position.parse(asked.through)
            self.line = position.game.name, list(position.history)
            player = check_seat(asked.player, room.settings, position)
            self.walk = Walk(player, position) if number is None and can_walk(player) else None
            task = {"game": self.line[0], "moves": self.line[1], "player": player, "through": number, "seed": 1}
            return task | {"do": "analyse", "seconds": room.settings.max_seconds}

        task, tag = await room.compute_steps(prepare), asked.tag
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
                self.tell({"kind": "analysis", "status": "failed", "tag": tag, "error": error.message})
            return
        result = answer.get("result")
        message: Json = {"kind": "analysis", "status": "done", "tag": tag}
        self.tell(message | ({"result": _with_chances(result)} if result else {}))

    def _end_analysis(self) -> None:
        if self.analysing is not None:
            self.analysing.cancel()
        if self.job is not None:
            self.here.engines.cancel(self.job)

    def _stop(self) -> None:
        if self.job is not None:
            self.here.engines.cancel(self.job)

    async def _look(self, path: list[str]) -> None:
        if self.walk is not None:
            await self.walk.begin(self.here.lessons, self.visitor)
            self.tell(await self.here.room.compute(lambda: self._walked(path)) | {"kind": "tree"})
            return
        if self.job is None:
            raise DamierError("analysis.no-tree")
        question = {"do": "look", "game": self.line[0], "moves": self.line[1], "path": path}
        answer = await self.here.engines.ask(self.job, question)
        self.tell({key: value for key, value in answer.items() if key != "id"} | {"kind": "tree"})

    def _walked(self, path: list[str]) -> Json:
        if self.walk is None:
            raise DamierError("analysis.gone")
        return self.walk.look(path)

    # -- tournaments and training --------------------------------------------------------------------------

    def _follow(self, *subjects: Subject) -> None:
        """These, and no others any longer."""
        if list(subjects) == self.followed:
            return
        for subject in self.followed:
            self.here.following.unfollow(subject, self.tell)
        self.followed = list(subjects)
        for subject in subjects:
            self.here.following.follow(subject, self.tell)

    def _run(self, name: str) -> Subject:
        root, compute = self.here.settings.runs, self.here.room.compute
        return Subject(
            "run", name, lambda: compute(lambda: stamp_of(root, name)), lambda: compute(lambda: read_run(root, name))
        )


async def _close(socket: WebSocket, why: Said) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(socket.close(TOO_MANY, why.text()), CLOSE_SECONDS)


def _with_chances(result: Json) -> Json:
    return result | {"chances": win_chances(result.get("values"))}
