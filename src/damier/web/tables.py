"""The games being played: a table has a game, its seats and those who watch.

Whatever happens at a table is written to the database at once, so that a restart of the server changes nothing. A table
that nobody has used for a while is forgotten here and read again when somebody comes back.
"""

import asyncio
import random
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from typing import Any, TypeVar

from damier.arena.store import CasualGame, Store
from damier.core.errors import DamierError, MoveError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.rng import new_rng
from damier.web.engines import BusyError, Engines, Job, SearchError, Visitor
from damier.web.guard import HUMAN, check_game, check_seat
from damier.web.settings import WebSettings
from damier.web.shown import positions_of, show_position, win_chances

Json = dict[str, Any]
Watcher = Callable[[Json], None]
T = TypeVar("T")

KEPT_TABLES = 2000
KEPT_LINES = 50
KEPT_ADDRESSES = 10_000
HOUR = 3600.0
MOST_MOVES = 5000  # of a game that is given with its moves


class NotFoundError(DamierError):
    """There is no such thing."""


class ConflictError(DamierError):
    """What was asked for can't be done now."""


class Table:
    """One game. All its methods run in the server's event loop, but for those that compute with the rules."""

    def __init__(self, room: "Room", row: CasualGame, game: Game, positions: list[Position]) -> None:
        self.room, self.game, self.positions = room, game, positions
        self.key, self.number, self.owner = row.key, row.id, row.owner
        self.seats, self.thoughts = list(row.seats), list(row.thoughts)
        self.resigned, self.seed, self.note = row.resigned, row.seed, row.note
        self.visitor = Visitor(token=row.owner)
        self.watchers: set[Watcher] = set()
        self.status = ""  # what the search for the player to move is doing
        self.error = ""
        self.delay, self.is_paused = 0.0, False
        self.job: Job | None = None
        self.driver: asyncio.Task[None] | None = None
        self.shown: Json | None = None
        self.version = time.time_ns() // 1000  # of the state: a page may hear of two in the wrong order

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.position.is_over

    @property
    def returns(self) -> list[float] | None:
        """Who resigns has lost, and the others share what is won."""
        if self.resigned is None:
            return None if self.position.returns is None else list(self.position.returns)
        seats = self.game.num_players
        if seats == 1:
            return [-1.0]
        lost = -1 / (seats - 1)
        others = seats - 1
        return [lost if seat == self.resigned else -lost / others for seat in range(seats)]

    @property
    def has_human(self) -> bool:
        return HUMAN in self.seats

    async def state(self) -> Json:
        while (shown := self.shown) is None:
            version = self.version
            found = await self.room.compute(self._show)
            if version == self.version:
                self.shown = found
        return shown | self._circumstances()

    def _show(self) -> Json:
        return show_position(list(self.positions))

    def _circumstances(self) -> Json:
        return {
            "id": self.key,
            "version": self.version,
            "number": self.number,
            "seats": self.seats,
            "is_over": self.is_over,
            "returns": self.returns,
            "resigned": self.resigned,
            "chances": [win_chances(values) for values in self.thoughts],
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
            raise ConflictError(f"it is not your turn: {self._who()} is to move")
        position = self.position
        following = await self.room.compute(lambda: position.play(notation))
        if position is not self.position:
            raise ConflictError("the game went on meanwhile; look again")
        self._add(following, None)
        await self._changed()

    async def undo(self) -> None:
        """Back to the last position in which a person was to move."""
        for ply in reversed(range(len(self.positions) - (self.resigned is None))):
            earlier = self.positions[ply]
            if not earlier.is_chance and not earlier.is_over and self.seats[earlier.player] == HUMAN:
                await self.back(ply)
                return
        raise ConflictError("there is nothing to take back")

    async def back(self, ply: int) -> None:
        if not 0 <= ply < len(self.positions):
            raise ConflictError(f"expected a ply from 0 to {len(self.positions) - 1}, got {ply}")
        self._interrupt()
        del self.positions[ply + 1 :]
        del self.thoughts[ply:]
        self.resigned = None
        self.is_paused = self.is_paused or not self.has_human
        await self._changed()

    async def resign(self, seat: int | None) -> None:
        self._require_going_on()
        if seat is None:
            humans = [number for number, spec in enumerate(self.seats) if spec == HUMAN]
            if not humans:
                raise ConflictError("nobody here can resign: all seats are players of the server")
            seat = self.position.player if self.position.player in humans else humans[0]
        if not 0 <= seat < len(self.seats) or self.seats[seat] != HUMAN:
            raise ConflictError(f"expected the seat of a person, got {seat}")
        self._interrupt()
        self.resigned = seat
        await self._changed()

    async def swap(self) -> None:
        """Everybody moves on by one seat."""
        if len(self.seats) < 2:
            raise ConflictError(f"{self.game.name} has one seat: there is nobody to change places with")
        self._interrupt()
        self.seats = self.seats[-1:] + self.seats[:-1]
        await self._changed()

    async def pace(self, delay: float | None, is_paused: bool | None) -> None:
        self.delay = self.delay if delay is None else delay
        self.is_paused = self.is_paused if is_paused is None else is_paused
        if self.is_paused:
            self._interrupt()
        await self._tell()
        self.drive()

    def _require_going_on(self) -> None:
        if self.is_over:
            raise ConflictError("the game is over; take a move back or begin a new one")

    def _who(self) -> str:
        return "chance" if self.position.is_chance else self.seats[self.position.player]

    # -- what the server does ------------------------------------------------------------------------------

    def drive(self) -> None:
        """Let the players of the server move, as long as it is their turn."""
        if self.driver is None or self.driver.done():
            self.driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        while self._is_servers_turn():
            began = time.monotonic()
            position = self.position
            try:
                following, values = await self._think(position)
            except asyncio.CancelledError:
                return
            except DamierError as error:
                self.error, self.status = str(error), ""
                self.is_paused = True
                await self._tell()
                return
            if position is not self.position:
                return
            rest = 0.0 if self.has_human else self.delay - (time.monotonic() - began)
            if rest > 0:
                await asyncio.sleep(rest)
            self._add(following, values)
            await self._changed(drives=False)

    def _is_servers_turn(self) -> bool:
        if self.is_over or self.is_paused or not (self.has_human or self.watchers):
            return False
        return self.position.is_chance or self.seats[self.position.player] != HUMAN

    async def _think(self, position: Position) -> tuple[Position, list[float] | None]:
        """The position after the move of a player, or of chance, and what the player thought of it."""
        seed = self.seed + len(self.positions)
        if position.is_chance:
            return await self.room.compute(lambda: position.play(position.random_move(new_rng(seed)))), None
        seat, settings = self.seats[position.player], self.room.settings
        spec = await self.room.compute(lambda: check_seat(seat, settings, position))
        task = {"do": "move", "key": self.key, "game": self.game.name, "moves": list(position.history)}
        self.job = self.room.engines.submit(task | {"player": spec, "seed": seed}, self.visitor, self._heard, self.key)
        try:
            answer = await self.job.done
        finally:
            self.job = None
            self.status = ""
        for watcher in list(self.watchers):
            watcher({"kind": "thought", "id": self.key, "ply": len(position.history), "result": answer["result"]})
        following = await self.room.compute(lambda: position.play(answer["move"]))
        return following, answer["result"]["values"]

    def _heard(self, kind: str, _: Json) -> None:
        self.status = kind
        for watcher in list(self.watchers):
            watcher({"kind": "status", "id": self.key, "status": kind})

    def _interrupt(self) -> None:
        """What a search finds from here on is about a game that is no more."""
        if self.driver is not None:
            self.driver.cancel()
            self.driver = None
        if self.job is not None:
            self.room.engines.cancel(self.job)
            self.job = None
        self.status = self.error = ""

    def _add(self, following: Position, values: list[float] | None) -> None:
        self.thoughts += [None] * (len(self.positions) - 1 - len(self.thoughts)) + [values]
        self.positions.append(following)
        self.error = ""

    async def _changed(self, drives: bool = True) -> None:
        self.version += 1
        self.shown = None
        await self.room.keep(self)
        await self._tell()
        if drives:
            self.drive()

    async def _tell(self) -> None:
        self.version += 1
        if self.watchers:
            state = await self.state()
            for watcher in list(self.watchers):
                watcher({"kind": "state", "id": self.key, "state": state})

    def fields(self) -> Json:
        """What the database keeps."""
        return {
            "seats": self.seats,
            "moves": list(self.position.history),
            "thoughts": self.thoughts,
            "returns": self.returns,
            "resigned": self.resigned,
        }


class Room:
    """All tables, the database and the thread in which rules are computed."""

    def __init__(self, settings: WebSettings, engines: Engines) -> None:
        self.settings, self.engines = settings, engines
        self.store = Store(settings.database)
        self.tables: OrderedDict[str, Table] = OrderedDict()
        # One thread: rules are plain Python here, and some keep what they computed last.
        self.thread = ThreadPoolExecutor(1, "rules")
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.lines: OrderedDict[tuple[str, tuple[str, ...]], list[Position]] = OrderedDict()
        self.opening = asyncio.Lock()
        self.begun: OrderedDict[str, deque[float]] = OrderedDict()  # by address: when its last games began

    async def compute(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, function)

    def game(self, spec: str) -> Game:
        """A game that a visitor asks for; in the thread of the rules."""
        if spec not in self.games:
            self.games[spec] = check_game(spec, self.settings)
            if len(self.games) > 200:
                self.games.popitem(last=False)
        self.games.move_to_end(spec)
        return self.games[spec]

    def line(self, spec: str, moves: list[str]) -> list[Position]:
        """The positions along these moves, in the game's notation. What was shown lately is not played again."""
        if len(moves) > MOST_MOVES:
            raise MoveError(f"expected at most {MOST_MOVES} moves, got {len(moves)}")
        game = self.game(spec)
        known = max(self.lines, key=lambda line: _common(line, spec, moves), default=None)
        length = 0 if known is None else _common(known, spec, moves)
        line = [game.start()] if known is None or not length else self.lines[known][:length]
        for notation in moves[len(line) - 1 :]:
            line.append(line[-1].play(notation))
        self.lines[spec, tuple(moves)] = line
        if len(self.lines) > KEPT_LINES:
            self.lines.popitem(last=False)
        return line

    async def begin(self, spec: str, seats: list[str], moves: list[str], visitor: Visitor, note: str = "") -> Table:
        def make() -> tuple[Position, dict[str, str]]:
            position = self.line(spec, moves)[-1]
            if len(seats) != position.game.num_players:
                raise ConflictError(f"{spec} has {position.game.num_players} seats, got {len(seats)} players")
            return position, {seat: check_seat(seat, self.settings, position) for seat in seats}

        position, checked = await self.compute(make)
        self._count(visitor.address)
        key = secrets.token_urlsafe(16)
        seed = random.getrandbits(31)
        history = list(position.history)
        fields: Json = {"key": key, "owner": visitor.token, "game": position.game.name, "seats": seats, "seed": seed}
        returns = None if position.returns is None else list(position.returns)
        row = await self.compute(lambda: self.store.begin_casual(**fields, moves=history, returns=returns, note=note))
        table = await self._seat(row)
        table.visitor = visitor
        for seat in checked.values():  # compiled, while the person looks at the board
            if seat != HUMAN and not table.is_over:
                task = {"do": "prepare", "game": position.game.name, "player": seat}
                self.engines.submit(task, visitor, table._heard, key, is_urgent=False)
        table.drive()
        return table

    def _count(self, address: str) -> None:
        """One more game of this address, unless it has begun enough of them; browsers can be had by the dozen."""
        times, now = self.begun.setdefault(address, deque()), time.monotonic()
        self.begun.move_to_end(address)
        if len(self.begun) > KEPT_ADDRESSES:
            self.begun.popitem(last=False)
        while times and times[0] < now - HOUR:
            times.popleft()
        if len(times) >= self.settings.max_games:
            raise BusyError(f"you began {len(times)} games within an hour; play some of them, and come back later")
        times.append(now)

    async def table(self, key: str) -> Table:
        """The table with this key, from memory or from the database."""
        if key in self.tables:
            self.tables.move_to_end(key)
            return self.tables[key]
        async with self.opening:
            if key in self.tables:
                return self.tables[key]
            row = await self.compute(lambda: self.store.casual(key=key))
            if row is None:
                raise NotFoundError("there is no game with this key; it may be mistyped")
            table = await self._seat(row)
        table.drive()
        return table

    async def _seat(self, row: CasualGame) -> Table:
        replayed = await self.compute(lambda: positions_of(self.game(row.game), row.moves))
        table = Table(self, row, replayed[0].game, replayed)
        self.tables[row.key] = table
        for key in [key for key, old in self.tables.items() if not old.watchers and old.job is None]:
            if len(self.tables) <= KEPT_TABLES:
                break
            del self.tables[key]
        return table

    async def keep(self, table: Table) -> None:
        fields = table.fields()
        await self.compute(lambda: self.store.keep_casual(table.key, **fields))

    def close(self) -> None:
        for table in self.tables.values():
            table._interrupt()
        self.thread.shutdown()
        self.store.close()


def _common(line: tuple[str, tuple[str, ...]], spec: str, moves: list[str]) -> int:
    """How many positions a line has in common with these moves."""
    if line[0] != spec:
        return 0
    pairs = zip(line[1], moves, strict=False)
    return 1 + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


__all__ = ["ConflictError", "NotFoundError", "Room", "SearchError", "Table"]
