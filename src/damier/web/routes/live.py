"""The live connection: one WebSocket per page, for games, analyses, trees and tournaments.

Messages are JSON objects. A page's message says what to `do`, see `messages`; a message of the server has a `kind`.

    watch       state, status, thought: of a game, whenever it changes
    analyse     analysis {status}, {result}, {done}; one analysis a page
    advise      the same for a game in progress, as the visitor's seat sees it
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
from damier.core.position import Position
from damier.players import player
from damier.search.player import Sight
from damier.web.context import Context, Json, visitor_of
from damier.web.following import Subject
from damier.web.outbox import Outbox
from damier.web.permissions import HUMAN, check_seat
from damier.web.rations import Address, for_page
from damier.web.room import GameRoom, Watching
from damier.web.routes.messages import (
    Advise,
    Analyse,
    Follow,
    FollowRuns,
    Message,
    ShowNode,
    Stop,
    Unfollow,
    Unwatch,
    Watch,
    read_message,
)
from damier.web.runs import read_run, stamp_of
from damier.web.searching.classical import TracedTree, can_trace
from damier.web.searching.pool import Job, SearchError
from damier.web.searching.turns import Steps
from damier.web.searching.visitors import Visitor, asking
from damier.web.views import win_chances

router = APIRouter()

TOO_MANY = 4429  # close code for a connection that sends too much
CLOSE_SECONDS = 5.0  # seconds to tell a page that does not read


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
    """A connected page."""

    def __init__(self, socket: WebSocket, here: Context, visitor: Visitor, address: Address) -> None:
        self.socket, self.here, self.visitor, self.address = socket, here, visitor, address
        self.ration = for_page()
        self.out = Outbox()
        self.tell = self.out.put  # one bound method, because watchers are compared by identity
        self.room: GameRoom | None = None
        self.followed: list[Subject] = []
        self.job: Job | None = None
        self.line: tuple[str, list[int]] = ("", [])  # the game and the moves that are analysed
        self.traced: TracedTree | None = None  # the tree of a classical search
        self.is_secret = False  # whether the tree would show hidden cards
        self.sender = asyncio.create_task(self._send())
        self.analysing: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Handle the page's messages until it disconnects or sends too many."""
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
            case Advise():
                await self._advise(message)
            case Stop():
                self._stop()
            case ShowNode():
                await self._show_node(message.path)
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
        if self.room is not None and self.room.key == message.id:
            return  # it already receives every change
        self._unwatch()
        room = await self.here.lobby.room(message.id, self.visitor)
        self.room = room
        watching = room.watchers[self.tell] = Watching(self.visitor.token)
        state = await room.showing.state(self.visitor.token)
        watching.version = max(watching.version, state["version"])
        self.tell({"kind": "state", "id": room.key, "state": state})
        room.drive()

    def _unwatch(self) -> None:
        if self.room is not None:
            self.room.watchers.pop(self.tell, None)
        self.room = None

    # -- analysis ------------------------------------------------------------------------------------------

    async def _analyse(self, asked: Analyse) -> None:
        self._end_analysis()
        lobby = self.here.lobby

        def prepare() -> Steps[Json]:
            position = (yield from lobby.line(asked.game, asked.moves))[-1]
            task = self._task(position, asked.player)
            number = None if asked.through is None else position.parse(asked.through)
            self.traced = TracedTree(task["player"], position) if number is None and can_trace(task["player"]) else None
            self.is_secret = False
            return task | {"through": number}

        self._search(await lobby.compute_steps(prepare), asked.tag)

    async def _advise(self, asked: Advise) -> None:
        self._end_analysis()
        lobby = self.here.lobby
        room = await lobby.room(asked.id, self.visitor)
        course = room.course
        viewer = course.viewer(self.visitor.token)
        if course.is_secret and viewer != course.position.player:
            raise DamierError("analysis.hidden-turn")

        def prepare() -> Json:
            task = self._task(course.position, asked.player)
            if course.is_secret and player(task["player"]).sight is Sight.ALL:
                raise DamierError("analysis.hidden-cheat", player=asked.player)
            self.traced, self.is_secret = None, course.is_secret
            return task

        self._search(await lobby.compute(prepare), asked.tag)

    def _task(self, position: Position, spec: str) -> Json:
        """The task to analyse a position. The process has all of it, and a player there sees the part of its seat."""
        if position.is_over or position.is_chance:
            raise DamierError("analysis.nothing")
        if spec.partition(":")[0] == HUMAN:
            raise DamierError("analysis.person")
        settings = self.here.settings
        self.line = position.game.name, list(position.history)
        facts = {"game": self.line[0], "moves": self.line[1], "player": check_seat(spec, settings, position), "seed": 1}
        return facts | {"do": "analyse", "seconds": settings.max_seconds}

    def _search(self, task: Json, tag: Any) -> None:
        self.job = self.here.searches.submit(task, self.visitor, lambda kind, told: self._heard(kind, told, tag))
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
            self.here.searches.cancel(self.job)

    def _stop(self) -> None:
        if self.job is not None:
            self.here.searches.cancel(self.job)

    async def _show_node(self, path: list[str]) -> None:
        if self.is_secret:
            raise DamierError("analysis.hidden-tree")
        if self.traced is not None:
            await self.traced.begin(self.here.lessons, self.visitor)
            self.tell(await self.here.lobby.compute(lambda: self._traced_node(path)) | {"kind": "tree"})
            return
        if self.job is None:
            raise DamierError("analysis.no-tree")
        question = {"do": "node", "game": self.line[0], "moves": self.line[1], "path": path}
        answer = await self.here.searches.ask(self.job, question)
        self.tell({key: value for key, value in answer.items() if key != "id"} | {"kind": "tree"})

    def _traced_node(self, path: list[str]) -> Json:
        if self.traced is None:
            raise DamierError("analysis.gone")
        return self.traced.node(path)

    # -- tournaments and training --------------------------------------------------------------------------

    def _follow(self, *subjects: Subject) -> None:
        """Follow these subjects and no others."""
        if list(subjects) == self.followed:
            return
        for subject in self.followed:
            self.here.following.unfollow(subject, self.tell)
        self.followed = list(subjects)
        for subject in subjects:
            self.here.following.follow(subject, self.tell)

    def _run(self, name: str) -> Subject:
        root, compute = self.here.settings.runs, self.here.lobby.compute
        return Subject(
            "run", name, lambda: compute(lambda: stamp_of(root, name)), lambda: compute(lambda: read_run(root, name))
        )


async def _close(socket: WebSocket, why: Said) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(socket.close(TOO_MANY, why.text()), CLOSE_SECONDS)


def _with_chances(result: Json) -> Json:
    return result | {"chances": win_chances(result.get("values"))}
