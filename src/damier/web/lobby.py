"""The games in progress: all rooms, and the resources they share.

A room that was not used for a while is dropped from memory and read from the database when a visitor comes back.
"""

import asyncio
import random
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import takewhile
from typing import Any, NamedTuple, TypeVar

from damier.core.errors import DamierError, MoveError
from damier.core.game import Game
from damier.core.position import Position
from damier.store.database import Store
from damier.store.schema import CasualGame
from damier.web.course import Course, first_holders
from damier.web.kept import LastUsed, game_bytes, line_bytes
from damier.web.permissions import HUMAN, MOST_MOVES, check_seat, playable_game, refuse_cheats
from damier.web.room import ConflictError, GameRoom
from damier.web.searching.pool import BusyError, SearchPool
from damier.web.searching.turns import Steps, Turns
from damier.web.searching.visitors import Visitor
from damier.web.settings import WebSettings
from damier.web.views import replayed

Json = dict[str, Any]
T = TypeVar("T")

MEGABYTE = 1 << 20
KEPT_GAMES, KEPT_LINES, KEPT_ROOMS = 64 * MEGABYTE, 64 * MEGABYTE, 256 * MEGABYTE
KEPT_STATES = 200  # rooms that are shown to somebody
MOST_LINES = 50  # that are compared with a new one
KEPT_ADDRESSES = 10_000
HOUR = 3600.0


class Elsewhere(NamedTuple):
    """A game that was played elsewhere."""

    end: Position  # with its moves
    note: str  # where it is from
    resigned: int | None = None  # the seat


class NotFoundError(DamierError):
    """The requested thing does not exist."""


class Lobby:
    """All rooms, the database and the thread in which rules are computed."""

    def __init__(self, settings: WebSettings, searches: SearchPool) -> None:
        self.settings, self.searches = settings, searches
        self.store = Store(settings.database)
        self.turns = Turns()
        self.rooms: LastUsed[str, GameRoom] = LastUsed(KEPT_ROOMS, GameRoom.bytes, lambda room: room.is_needed)
        self.states: LastUsed[tuple[str, int], tuple[Course, Json]] = LastUsed(KEPT_STATES, lambda _: 1)
        self.games: LastUsed[str, Game] = LastUsed(KEPT_GAMES, game_bytes)
        self.lines: LastUsed[tuple[str, tuple[str, ...]], list[Position]] = LastUsed(
            KEPT_LINES, lambda line: max(line_bytes(line), KEPT_LINES // MOST_LINES)
        )
        self.opening = asyncio.Lock()
        self.begun: OrderedDict[str, deque[float]] = OrderedDict()  # by address: when its last games began

    async def compute(self, function: Callable[[], T]) -> T:
        """The result of a function that runs in the thread of the rules."""
        return await self.turns.compute(function)

    async def compute_steps(self, begin: Callable[[], Steps[T]]) -> T:
        """The result of work in steps in that thread; use it for work that may take long."""
        return await self.turns.compute_steps(begin)

    def game(self, spec: str) -> Game:
        """The game that a visitor asks for. Call it in the thread of the rules."""
        return self.games.get(spec) or self.games.put(spec, playable_game(spec, self.settings))

    def line(self, spec: str, moves: list[str]) -> Steps[list[Position]]:
        """The positions along these moves in the game's notation. Recently shown positions are not played again."""
        check_length(moves)
        game = self.game(spec)
        known = max(self.lines, key=lambda line: _common(line, spec, moves), default=None)
        length = 0 if known is None else _common(known, spec, moves)
        kept = None if known is None else self.lines.get(known)
        line = kept[:length] if kept and length else [game.start()]
        line = yield from replayed(line, moves[len(line) - 1 :])
        return self.lines.put((spec, tuple(moves)), line)

    async def begin(self, spec: str, seats: list[str], moves: list[str], visitor: Visitor) -> GameRoom:
        def make() -> Steps[tuple[Position, dict[str, str]]]:
            line = yield from self.line(spec, moves)
            position = line[-1]
            if moves and position.game.is_hidden and HUMAN in seats:
                raise ConflictError("play.hidden-start", game=spec)
            if len(seats) != position.game.num_players:
                raise ConflictError("play.seats", game=spec, seats=position.game.num_players, got=len(seats))
            checked = {seat: check_seat(seat, self.settings, position) for seat in seats}
            if HUMAN in seats:
                refuse_cheats(checked.values(), position.game)
            return position, checked

        position, checked = await self.compute_steps(make)
        row = (await self._write([new_row(position, seats, visitor)], visitor))[0]
        room = await self._furnish(row)
        room.visitor = visitor
        if not room.is_over:
            room.prepare(spec for spec in checked.values() if spec != HUMAN)
        room.drive()
        return room

    async def record(self, played: list[Elsewhere], visitor: Visitor) -> list[int]:
        """Store games that were played elsewhere; return their numbers."""
        rows = [
            new_row(each.end, [HUMAN] * each.end.game.num_players, visitor, each.note, each.resigned) for each in played
        ]
        return [row.id for row in await self._write(rows, visitor)]

    async def _write(self, rows: list[Json], visitor: Visitor) -> list[CasualGame]:
        self._count(visitor.address, len(rows))
        return await self.compute(lambda: self.store.begin_casuals(rows))

    def _count(self, address: str, games: int) -> None:
        """Count new games of this address, or refuse them. A browser can't be limited: visitors can open others."""
        times, now = self.begun.setdefault(address, deque()), time.monotonic()
        self.begun.move_to_end(address)
        if len(self.begun) > KEPT_ADDRESSES:
            self.begun.popitem(last=False)
        while times and times[0] < now - HOUR:
            times.popleft()
        if len(times) + games > self.settings.max_games:
            raise BusyError("web.many-begun", count=len(times))
        times.extend([now] * games)

    async def room(self, key: str, visitor: Visitor) -> GameRoom:
        """The room with this key, from memory or from the database. It searches on behalf of the last visitor."""
        known = self.rooms.get(key)
        room = known or await self._open(key)
        room.visitor = visitor
        if known is None:
            room.drive()
        return room

    async def _open(self, key: str) -> GameRoom:
        async with self.opening:
            found = self.rooms.get(key)
            if found is not None:
                return found
            row = await self.compute(lambda: self.store.casual(key=key))
            if row is None:
                raise NotFoundError("web.no-game")
            return await self._furnish(row)

    def replay(self, row: CasualGame) -> Steps[list[Position]]:
        """The positions of a game of the database."""
        return replayed([self.game(row.game).start()], row.moves)

    def is_secret(self, row: CasualGame) -> bool:
        """Whether people still play a game of hidden information. One that can't be opened may be such a game."""
        if row.is_damaged or row.returns is not None or HUMAN not in row.seats:
            return False
        try:
            return self.game(row.game).is_hidden
        except DamierError:
            return True

    async def _furnish(self, row: CasualGame) -> GameRoom:
        return self.rooms.put(row.key, GameRoom(self, row, await self.compute_steps(lambda: self.replay(row))))

    async def keep(self, room: GameRoom, course: Course) -> None:
        await self.compute(lambda: self.store.keep_casual(room.key, **course.fields()))

    def close(self) -> None:
        for room in self.rooms.values():
            room.interrupt()
        self.turns.close()
        self.store.close()


def new_row(
    position: Position, seats: list[str], visitor: Visitor, note: str = "", resigned: int | None = None
) -> Json:
    """The database record of a game that starts here, or was played elsewhere."""
    return {
        "key": secrets.token_urlsafe(16),
        "owner": visitor.token,
        "game": position.game.name,
        "seats": seats,
        "holders": first_holders(position, seats, visitor.token),
        "seed": random.getrandbits(31),
        "moves": list(position.history),
        "returns": Course((position,), tuple(seats), resigned=resigned).returns,
        "resigned": resigned,
        "note": note,
    }


def check_length(moves: list[str]) -> None:
    if len(moves) > MOST_MOVES:
        raise MoveError("web.many-moves", most=MOST_MOVES, got=len(moves))


def _common(line: tuple[str, tuple[str, ...]], spec: str, moves: list[str]) -> int:
    """The number of positions that a line shares with these moves."""
    if line[0] != spec:
        return 0
    pairs = zip(line[1], moves, strict=False)
    return 1 + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
