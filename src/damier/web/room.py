"""A game room: a game, its seats and its watchers.

Every change is written to the database before it takes effect. A restart of the server changes nothing, and on a full
disk nothing happens.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.core.messages import say, spoken
from damier.core.position import Position
from damier.core.rng import new_rng
from damier.store.schema import CasualGame
from damier.web.course import Course, Values
from damier.web.kept import line_bytes
from damier.web.permissions import HUMAN, check_seat
from damier.web.searching.pool import BusyError, Job
from damier.web.searching.visitors import Visitor
from damier.web.showing import Showing

if TYPE_CHECKING:
    from damier.web.lobby import Lobby

Json = dict[str, Any]
Watcher = Callable[[Json], None]


class ConflictError(DamierError):
    """The request can't be carried out now."""


@dataclass
class Watching:
    """A connection that follows a game."""

    token: str  # whose browser it is
    version: int = 0  # of the state that was sent last


class GameRoom:
    """One game. All methods run in the server's event loop, except those that compute with the rules."""

    def __init__(self, lobby: "Lobby", row: CasualGame, positions: list[Position]) -> None:
        self.lobby, self.game = lobby, positions[0].game
        self.key, self.number, self.owner = row.key, row.id, row.owner
        holders = tuple(row.holders or [""] * len(row.seats))
        self.course = Course(tuple(positions), tuple(row.seats), tuple(row.thoughts), row.resigned, holders)
        self.seed, self.note = row.seed, row.note
        self.visitor = Visitor(token=row.owner)
        self.watchers: dict[Watcher, Watching] = {}
        self.status = ""  # what the search for the player to move is doing
        self.error: str = ""
        self.trouble: str = ""  # why a player could not be prepared
        self.delay, self.is_paused = 0.0, False
        self.job: Job | None = None
        self.driver: asyncio.Task[None] | None = None
        self.changing = asyncio.Lock()  # from what is to change until it is in the database
        self.showing = Showing(self)

    @property
    def position(self) -> Position:
        return self.course.position

    @property
    def seats(self) -> tuple[str, ...]:
        return self.course.seats

    @property
    def is_over(self) -> bool:
        return self.course.is_over

    @property
    def has_human(self) -> bool:
        return HUMAN in self.seats

    @property
    def is_needed(self) -> bool:
        """Whether the room must stay in memory."""
        return bool(self.watchers) or self.job is not None or self.changing.locked()

    def bytes(self) -> int:
        return line_bytes(self.course.positions)

    async def state(self, token: str) -> Json:
        """The state that a visitor may see, in the visitor's language."""
        return dict(spoken(await self.showing.state(token)))

    # -- what people do ------------------------------------------------------------------------------------

    async def play(self, notation: str, token: str) -> None:
        self._require_going_on()
        position = self.position
        if position.is_chance or self.seats[position.player] != HUMAN or not self._may_act(position.player, token):
            raise ConflictError("play.not-your-turn", who=self._who())

        def play() -> Position:
            """Read the move with the player's eyes: an error quotes what they see."""
            return position.play(position.seen_by(position.player).parse(notation))

        following = await self.lobby.compute(play)
        await self._change(partial(self._after, position, following, None))
        await self._go_on()

    def _may_act(self, seat: int, token: str) -> bool:
        """Whether a visitor may act for a person in this seat: anyone who has the key may, unless cards are hidden."""
        return not self.course.has_secrets or seat in self.course.held(token)

    async def sit(self, seat: int, token: str) -> None:
        """Take a free seat in a game of hidden information."""

        def taken() -> Course:
            self._require_going_on()
            if not self.course.is_secret or seat not in self.course.free:
                raise ConflictError("play.not-free", seat=seat + 1)
            return self.course.taken(seat, token)

        await self._change(taken)
        await self._go_on()

    def _require_open(self) -> None:
        if self.course.has_secrets:
            raise ConflictError("play.hidden-fixed", game=self.game.name)

    async def undo(self) -> None:
        """Go back to the last position in which a visitor was to move."""
        self._require_open()
        positions = self.course.positions
        for ply in reversed(range(len(positions) - (self.course.resigned is None))):
            earlier = positions[ply]
            if not earlier.is_chance and not earlier.is_over and self.seats[earlier.player] == HUMAN:
                await self.back(ply)
                return
        raise ConflictError("play.nothing-to-undo")

    async def back(self, ply: int) -> None:
        self._require_open()

        def taken_back() -> Course:
            plies = len(self.course.positions) - 1
            if not 0 <= ply <= plies:
                raise ConflictError("number.between", what="ply", least=0, most=plies, got=ply)
            return self.course.before(ply)

        await self._change(taken_back)
        self.is_paused = self.is_paused or not self.has_human
        await self._go_on()

    async def resign(self, seat: int | None, token: str) -> None:
        def resigned() -> Course:
            self._require_going_on()
            return replace(self.course, resigned=self._who_resigns(seat, token))

        await self._change(resigned)
        await self._go_on()

    def _who_resigns(self, seat: int | None, token: str) -> int:
        own = [each for each, spec in enumerate(self.seats) if spec == HUMAN and self._may_act(each, token)]
        if seat is None:
            if not own:
                raise ConflictError("play.nobody-resigns")
            seat = self.position.player if self.position.player in own else own[0]
        if seat not in own:
            raise ConflictError("play.no-person", seat=seat)
        return seat

    async def swap(self) -> None:
        """Move every player on by one seat."""
        self._require_open()
        if len(self.seats) < 2:
            raise ConflictError("play.one-seat", game=self.game.name)
        await self._change(lambda: replace(self.course, seats=self.seats[-1:] + self.seats[:-1]))
        await self._go_on()

    async def pace(self, delay: float | None, is_paused: bool | None, token: str) -> None:
        if self.course.is_secret and not self.course.held(token):
            raise ConflictError("play.no-pace")
        async with self.changing:  # a move that is being written is made
            self.delay = self.delay if delay is None else delay
            self.is_paused = self.is_paused if is_paused is None else is_paused
            if self.is_paused:
                self.interrupt()
            elif is_paused is not None:
                self.error = ""  # another try
        await self._go_on()

    def _require_going_on(self) -> None:
        if self.is_over:
            raise ConflictError("play.over")

    def _who(self) -> str:
        return say("lesson.chance") if self.position.is_chance else self.seats[self.position.player]

    # -- what the server does ------------------------------------------------------------------------------

    def drive(self) -> None:
        """Let the server's players move while it is their turn."""
        if self.driver is None or self.driver.done():
            self.driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        while self._is_servers_turn():
            began = time.monotonic()
            position = self.position
            try:
                following, values = await self._think(position)
                if position is not self.position:
                    return
                rest = 0.0 if self.has_human else self.delay - (time.monotonic() - began)
                if rest > 0:
                    await asyncio.sleep(rest)
                await self._change(partial(self._after, position, following, values), is_driver=True)
                await self._tell()
            except asyncio.CancelledError:
                return
            except ConflictError:  # a visitor was faster
                return
            except DamierError as error:
                self.error, self.status = error.message, ""
                self.is_paused = True
                await self._tell()
                return

    def _is_servers_turn(self) -> bool:
        if self.is_over or self.is_paused or not (self.has_human or self.watchers):
            return False
        return self.position.is_chance or self.seats[self.position.player] != HUMAN

    async def _think(self, position: Position) -> tuple[Position, Values]:
        """The position after the move of a player or of chance, and the player's evaluation."""
        seed = self.seed + len(self.course.positions)
        if self.course.has_secrets:
            seed = secrets.randbits(62)  # nobody may compute a deal from the cards they have
        if position.is_chance:
            return await self.lobby.compute(lambda: position.play(position.random_move(new_rng(seed)))), None
        seat, settings = self.seats[position.player], self.lobby.settings
        spec = await self.lobby.compute(lambda: check_seat(seat, settings, position))
        task = {"do": "move", "key": self.key, "game": self.game.name, "moves": list(position.history)}
        self.job = self.lobby.searches.submit(task | {"player": spec, "seed": seed}, self.visitor, self.heard, self.key)
        try:
            answer = await self.job.done
        finally:
            self.job = None
            self.status = ""
        if not self.course.is_secret:
            self._tell_all({"kind": "thought", "ply": len(position.history), "result": answer["result"]})
        following = await self.lobby.compute(lambda: position.play(answer["move"]))
        return following, answer["result"]["values"]

    def prepare(self, specs: Iterable[str]) -> None:
        """Let these players be compiled while the visitor looks at the board."""
        for spec in specs:
            task = {"do": "prepare", "game": self.game.name, "player": spec}
            with suppress(BusyError):  # then it compiles at its first move
                job = self.lobby.searches.submit(task, self.visitor, self.heard, self.key, is_urgent=False)
                job.done.add_done_callback(self._prepared)

    def _prepared(self, done: "asyncio.Future[Json]") -> None:
        error = None if done.cancelled() else done.exception()
        if isinstance(error, DamierError):
            self.trouble = error.message
        if self.job is None:
            self.status = ""

    def heard(self, kind: str, _: Json) -> None:
        is_new = kind == "preparing" or (kind, self.status) == ("searching", "preparing")
        if self.course.is_secret and not is_new:
            return  # how often a player searches is not for others to know
        self.status = kind
        self._tell_all({"kind": "status", "status": kind})

    def _tell_all(self, message: Json) -> None:
        for watcher in list(self.watchers):
            watcher(message | {"id": self.key})

    def interrupt(self) -> None:
        """Cancel the search: the position it was for no longer counts."""
        if self.driver is not None:
            self.driver.cancel()
            self.driver = None
        if self.job is not None:
            self.lobby.searches.cancel(self.job)
            self.job = None
        self.status = self.error = ""

    def _after(self, position: Position, following: Position, values: Values) -> Course:
        if position is not self.position or self.course.resigned is not None:
            raise ConflictError("play.went-on")
        return self.course.after(following, values)

    async def _change(self, make: Callable[[], Course], is_driver: bool = False) -> None:
        """Write a new course to the database, then make it the current one."""
        async with self.changing:
            course = make()
            await self.lobby.keep(self, course)
            if not is_driver:
                self.interrupt()
            self.course, self.error = course, ""
            self.lobby.rooms.put(self.key, self)  # its size has changed

    async def _go_on(self) -> None:
        await self._tell()
        self.drive()

    async def _tell(self) -> None:
        self.showing.note_change()
        for watcher, watching in list(self.watchers.items()):
            state = await self.showing.state(watching.token)
            if state["version"] > watching.version:
                watching.version = state["version"]
                watcher({"kind": "state", "id": self.key, "state": state})
