"""A game room: a game, its seats and its watchers.

Every change is written to the database before it takes effect. A restart of the server changes nothing, and on a full
disk nothing happens.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.core.messages import say, spoken
from damier.core.position import Position
from damier.core.rng import new_rng
from damier.store.schema import CasualGame
from damier.web.kept import line_bytes
from damier.web.permissions import HUMAN, check_seat
from damier.web.searching.pool import Job
from damier.web.searching.visitors import Visitor
from damier.web.views import show_position, win_chances

if TYPE_CHECKING:
    from damier.web.lobby import Lobby

Json = dict[str, Any]
Watcher = Callable[[Json], None]
Values = list[float] | None  # a player's evaluation of a position, by player number


class ConflictError(DamierError):
    """The request can't be carried out now."""


@dataclass(frozen=True, eq=False)
class Course:
    """The moves so far and the players. It is replaced as a whole."""

    positions: tuple[Position, ...]
    seats: tuple[str, ...]
    thoughts: tuple[Values, ...] = ()  # by ply
    resigned: int | None = None  # the seat

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.position.is_over

    @property
    def returns(self) -> list[float] | None:
        """The payoffs; a player who resigned loses, and the others share the win."""
        if self.resigned is None:
            return None if self.position.returns is None else list(self.position.returns)
        seats = len(self.seats)
        if seats == 1:
            return [-1.0]
        lost = -1 / (seats - 1)
        others = seats - 1
        return [lost if seat == self.resigned else -lost / others for seat in range(seats)]

    def after(self, following: Position, values: Values) -> "Course":
        missing = (None,) * (len(self.positions) - 1 - len(self.thoughts))
        return replace(self, positions=(*self.positions, following), thoughts=(*self.thoughts, *missing, values))

    def before(self, ply: int) -> "Course":
        """The course up to a ply, without a resignation."""
        return replace(self, positions=self.positions[: ply + 1], thoughts=self.thoughts[:ply], resigned=None)

    def fields(self) -> Json:
        """The record for the database."""
        return {
            "seats": list(self.seats),
            "moves": list(self.position.history),
            "thoughts": list(self.thoughts),
            "returns": self.returns,
            "resigned": self.resigned,
        }


class GameRoom:
    """One game. All methods run in the server's event loop, except those that compute with the rules."""

    def __init__(self, lobby: "Lobby", row: CasualGame, positions: list[Position]) -> None:
        self.lobby, self.game = lobby, positions[0].game
        self.key, self.number, self.owner = row.key, row.id, row.owner
        self.course = Course(tuple(positions), tuple(row.seats), tuple(row.thoughts), row.resigned)
        self.seed, self.note = row.seed, row.note
        self.visitor = Visitor(token=row.owner)
        self.watchers: set[Watcher] = set()
        self.status = ""  # what the search for the player to move is doing
        self.error: str = ""
        self.delay, self.is_paused = 0.0, False
        self.job: Job | None = None
        self.driver: asyncio.Task[None] | None = None
        self.changing = asyncio.Lock()  # from what is to change until it is in the database
        self.version = time.time_ns() // 1000  # version of the state: a page may receive two in the wrong order

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

    async def state(self) -> Json:
        """The state in the visitor's language."""
        return dict(spoken(await self._state()))

    async def _state(self) -> Json:
        """The state with untranslated messages; each watcher gets them in their own language."""
        while True:
            course = self.course
            known = self.lobby.states.get(self.key)
            if known is None or known[0] is not course:
                found = await self.lobby.compute(partial(show_position, course.positions))
                known = self.lobby.states.put(self.key, (course, found))
            if course is self.course:
                return known[1] | self._circumstances()

    def _circumstances(self) -> Json:
        return {
            "id": self.key,
            "version": self.version,
            "number": self.number,
            "seats": self.seats,
            "is_over": self.is_over,
            "returns": self.course.returns,
            "resigned": self.course.resigned,
            "chances": [win_chances(values) for values in self.course.thoughts],
            "status": self.status,
            "error": self.error,
            "delay": self.delay,
            "is_paused": self.is_paused,
            "note": self.note,
        }

    # -- what people do ------------------------------------------------------------------------------------

    async def play(self, notation: str) -> None:
        self._require_going_on()
        if self.position.is_chance or self.seats[self.position.player] != HUMAN:
            raise ConflictError("play.not-your-turn", who=self._who())
        position = self.position
        following = await self.lobby.compute(lambda: position.play(notation))
        await self._change(partial(self._after, position, following, None))
        await self._go_on()

    async def undo(self) -> None:
        """Go back to the last position in which a visitor was to move."""
        positions = self.course.positions
        for ply in reversed(range(len(positions) - (self.course.resigned is None))):
            earlier = positions[ply]
            if not earlier.is_chance and not earlier.is_over and self.seats[earlier.player] == HUMAN:
                await self.back(ply)
                return
        raise ConflictError("play.nothing-to-undo")

    async def back(self, ply: int) -> None:
        def taken_back() -> Course:
            plies = len(self.course.positions) - 1
            if not 0 <= ply <= plies:
                raise ConflictError("number.between", what="ply", least=0, most=plies, got=ply)
            return self.course.before(ply)

        await self._change(taken_back)
        self.is_paused = self.is_paused or not self.has_human
        await self._go_on()

    async def resign(self, seat: int | None) -> None:
        def resigned() -> Course:
            self._require_going_on()
            return replace(self.course, resigned=self._who_resigns(seat))

        await self._change(resigned)
        await self._go_on()

    def _who_resigns(self, seat: int | None) -> int:
        if seat is None:
            humans = [number for number, spec in enumerate(self.seats) if spec == HUMAN]
            if not humans:
                raise ConflictError("play.nobody-resigns")
            seat = self.position.player if self.position.player in humans else humans[0]
        if not 0 <= seat < len(self.seats) or self.seats[seat] != HUMAN:
            raise ConflictError("play.no-person", seat=seat)
        return seat

    async def swap(self) -> None:
        """Move every player on by one seat."""
        if len(self.seats) < 2:
            raise ConflictError("play.one-seat", game=self.game.name)
        await self._change(lambda: replace(self.course, seats=self.seats[-1:] + self.seats[:-1]))
        await self._go_on()

    async def pace(self, delay: float | None, is_paused: bool | None) -> None:
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
        for watcher in list(self.watchers):
            watcher({"kind": "thought", "id": self.key, "ply": len(position.history), "result": answer["result"]})
        following = await self.lobby.compute(lambda: position.play(answer["move"]))
        return following, answer["result"]["values"]

    def heard(self, kind: str, _: Json) -> None:
        self.status = kind
        for watcher in list(self.watchers):
            watcher({"kind": "status", "id": self.key, "status": kind})

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
        self.version += 1
        if self.watchers:
            state = await self._state()
            for watcher in list(self.watchers):
                watcher({"kind": "state", "id": self.key, "state": state})
