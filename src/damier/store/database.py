"""The database of games, SQLite by default: one row for each game, written as the game ends."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any, Protocol

from sqlalchemy import String, cast, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from damier.core.messages import Message
from damier.store.connection import Connection
from damier.store.damage import DamagedError, are_numbers, are_whole
from damier.store.record import GameRecord
from damier.store.schema import CasualGame, Event, PlayedGame


class Planned(Protocol):
    """The plan of games that an event is opened for, see `damier.arena.plan`."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that identify a plan, ready for JSON."""

    @property
    def code(self) -> str:
        """A hash of the code that plays it: games of other code are other games."""


class Store(Connection):
    """A database of games."""

    def open_event(self, plan: Planned, extra: dict[str, Any] | None = None, fresh: bool = False) -> int:
        """Open the last event with these settings if it is unfinished and not `fresh`, or else a new one."""
        unfinished = None if fresh else self.unfinished_event(plan, extra)
        if unfinished is not None:
            return unfinished
        settings, digest = _identity(plan, extra)
        with self._session() as session:
            opened = Event(settings=settings, digest=digest, code=plan.code, began=datetime.now(UTC))
            session.add(opened)
            session.commit()
            return opened.id

    def unfinished_event(self, plan: Planned, extra: dict[str, Any] | None = None) -> int | None:
        """The last event with these settings, rules and searches, if it is unfinished."""
        _, digest = _identity(plan, extra)
        with self._session() as session:
            same = select(Event).filter_by(digest=digest, code=plan.code).order_by(Event.id.desc())
            last = session.scalars(same).first()
            return None if last is None or last.is_finished else last.id

    def save(self, event_id: int, record: GameRecord) -> GameRecord:
        """Save a game and return the one that counts: that of another process, if it saved the same game first."""
        row = PlayedGame(event_id=event_id, ended=datetime.now(UTC), **_fields(record))
        with self._session() as session:
            session.add(row)
            try:
                session.commit()
            except IntegrityError:
                session.rollback()
                first = select(PlayedGame).filter_by(event_id=event_id, number=record.number)
                return _record(session.scalars(first).one())
            return record

    def finish(self, event_id: int) -> None:
        with self._session() as session:
            session.get_one(Event, event_id).is_finished = True
            session.commit()

    def records(self, event_id: int) -> list[GameRecord]:
        """The games of an event, by number."""
        rows = select(PlayedGame).filter_by(event_id=event_id).order_by(PlayedGame.number)
        with self._session() as session:
            return [_record(row) for row in session.scalars(rows)]

    def record(self, event_id: int, number: int) -> GameRecord | None:
        """One game of an event."""
        with self._session() as session:
            row = session.scalars(select(PlayedGame).filter_by(event_id=event_id, number=number)).first()
            return None if row is None else _record(row)

    def num_records(self, event_id: int) -> int:
        """The number of games of an event, without reading them."""
        with self._session() as session:
            return session.scalar(select(func.count()).where(PlayedGame.event_id == event_id)) or 0

    def records_of(self, game: str, limit: int) -> list[GameRecord]:
        """The last games of a game, by its text name, from any event."""
        rows = select(PlayedGame, Event).join(Event, PlayedGame.event_id == Event.id).order_by(PlayedGame.id.desc())
        found: list[GameRecord] = []
        with self._session() as session:
            for row, played_in in session.execute(rows):
                is_of_it = not played_in.is_damaged and played_in.settings["game"] == game
                if is_of_it and len(found) < limit:
                    found.append(_record(row))
        return found

    # -- events, for those who look on ---------------------------------------------------------------------

    def events(self, limit: int = 100) -> list[Event]:
        """The last events, the newest first."""
        with self._session() as session:
            rows = list(session.scalars(select(Event).order_by(Event.id.desc()).limit(limit)))
            session.expunge_all()
            return rows

    def event(self, event_id: int) -> Event | None:
        with self._session() as session:
            row = session.get(Event, event_id)
            session.expunge_all()
        if row is not None and row.is_damaged:
            raise DamagedError("store.damaged-event", event=event_id)
        return row

    # -- casual games --------------------------------------------------------------------------------------

    def begin_casual(self, **fields: Any) -> CasualGame:
        return self.begin_casuals([fields])[0]

    def begin_casuals(self, games: list[dict[str, Any]]) -> list[CasualGame]:
        """Begin all of these games, or none."""
        now = datetime.now(UTC)
        with self._session() as session:
            rows = [CasualGame(began=now, changed=now, **fields) for fields in games]
            session.add_all(rows)
            session.commit()
            for row in rows:
                session.refresh(row)
            session.expunge_all()
            return rows

    def keep_casual(self, key: str, **fields: Any) -> None:
        """Save the changes of a game."""
        with self._session() as session:
            changed = fields | {"changed": datetime.now(UTC)}
            session.execute(update(CasualGame).where(CasualGame.key == key).values(**changed))
            session.commit()

    def casual(self, **where: Any) -> CasualGame | None:
        """The game with this `key`, or this `id`."""
        with self._session() as session:
            row = session.scalars(select(CasualGame).filter_by(**where)).first()
            session.expunge_all()
        if row is not None and row.is_damaged:
            raise DamagedError("store.damaged-game", number=row.id)
        return row

    def casual_games(
        self, text: str = "", owner: str | None = None, limit: int = 50, offset: int = 0
    ) -> tuple[list[CasualGame], int]:
        """The games whose game, seats or note contain the text, last changed first, and their total number."""
        found = select(CasualGame)
        if text:
            parts = (CasualGame.game, cast(CasualGame.seats, String), CasualGame.note)
            found = found.where(or_(*(part.contains(text, autoescape=True) for part in parts)))
        if owner is not None:
            found = found.where(CasualGame.owner == owner)
        with self._session() as session:
            count = session.scalar(select(func.count()).select_from(found.subquery())) or 0
            page = found.order_by(CasualGame.changed.desc(), CasualGame.id.desc()).limit(limit).offset(offset)
            rows = list(session.scalars(page))
            session.expunge_all()
            return rows, count


def _identity(plan: Planned, extra: dict[str, Any] | None) -> tuple[dict[str, Any], str]:
    """The settings of an event, and their digest."""
    settings = plan.settings | (extra or {})
    return settings, hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


_FIELDS = ("number", "seating", "opening", "moves", "returns", "seed", "seconds", "forfeit")


def _fields(record: GameRecord) -> dict[str, Any]:
    return {name: _plain(getattr(record, name)) for name in _FIELDS}


def _record(row: PlayedGame) -> GameRecord:
    is_whole = are_whole(row.seating) and are_whole(row.moves)
    if not (is_whole and are_numbers(row.returns) and are_numbers(row.seconds)):
        raise DamagedError("store.damaged-game-of-event", number=row.number, event=row.event_id)
    fields = {name: _frozen(getattr(row, name)) for name in _FIELDS}
    return GameRecord(**fields | {"forfeit": None if row.forfeit is None else _message(row.forfeit)})


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return json.dumps(value.to_json()) if isinstance(value, Message) else value
    return list(value) if isinstance(value, tuple) else value


def _message(stored: str) -> Message:
    """The message in a column: its sentence, key and facts as JSON, or in older databases the English sentence."""
    try:
        return Message.from_json(json.loads(stored))
    except (ValueError, KeyError, TypeError, AttributeError):
        return Message(stored)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
