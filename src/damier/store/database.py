"""Where the games are kept: a database, SQLite by default, one row a game, written as the game ends."""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import platformdirs
from sqlalchemy import (
    JSON,
    URL,
    DateTime,
    ForeignKey,
    String,
    UniqueConstraint,
    cast,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import ArgumentError, IntegrityError, OperationalError, ProgrammingError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.schema import CreateIndex, CreateTable

from damier.core.errors import DamierError
from damier.core.secrets import without_passwords
from damier.store.damage import DamagedError, are_numbers, are_settings, are_texts, are_whole, read_json
from damier.store.record import GameRecord


class _Base(DeclarativeBase):
    pass


class Event(_Base):
    """A match or a tournament."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    digest: Mapped[str] = mapped_column(index=True)  # of the settings
    code: Mapped[str]  # the rules and the searches that played it
    began: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    is_finished: Mapped[bool] = mapped_column(default=False)

    @property
    def is_damaged(self) -> bool:
        return not are_settings(self.settings)


class PlayedGame(_Base):
    """A game; see `GameRecord`, whose fields these are."""

    __tablename__ = "games"
    __table_args__ = (UniqueConstraint("event_id", "number"),)  # nothing is counted twice

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    number: Mapped[int]
    seating: Mapped[list[int]] = mapped_column(JSON)
    opening: Mapped[int]
    moves: Mapped[list[int]] = mapped_column(JSON)
    returns: Mapped[list[float]] = mapped_column(JSON)
    seed: Mapped[int]
    seconds: Mapped[list[float]] = mapped_column(JSON)
    forfeit: Mapped[str | None]
    ended: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class CasualGame(_Base):
    """A game that people play, or played, outside of any event; it may be unfinished."""

    __tablename__ = "casual_games"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)  # whoever knows it may play on
    owner: Mapped[str] = mapped_column(index=True)  # the visitor who began it
    game: Mapped[str] = mapped_column(index=True)  # its text name, options included
    seats: Mapped[list[str]] = mapped_column(JSON)
    moves: Mapped[list[int]] = mapped_column(JSON, default=list)
    thoughts: Mapped[list[Any]] = mapped_column(JSON, default=list)  # by ply: values by player, or nothing
    returns: Mapped[list[float] | None] = mapped_column(JSON, default=None)
    resigned: Mapped[int | None] = mapped_column(default=None)  # the seat
    note: Mapped[str] = mapped_column(default="")  # where it is from
    seed: Mapped[int] = mapped_column(default=0)
    began: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    changed: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)

    @property
    def is_damaged(self) -> bool:
        are_values = isinstance(self.thoughts, list) and all(
            each is None or are_numbers(each) for each in self.thoughts
        )
        is_paid = self.returns is None or are_numbers(self.returns)
        return not (are_texts(self.seats) and are_whole(self.moves) and are_values and is_paid)


class Planned(Protocol):
    """What an event is opened for: a plan of games, see `damier.arena.plan`."""

    @property
    def settings(self) -> dict[str, Any]:
        """What makes two plans the same, fit for JSON."""

    @property
    def code(self) -> str:
        """A hash of the code that plays it: games of other code are other games."""


class StoreError(DamierError):
    """The database can't be opened, or can't be used now: its disk may be full."""


def default_url() -> str:
    """`$DAMIER_DATABASE`, or a file in the user's data directory."""
    url = os.environ.get("DAMIER_DATABASE")
    if url:
        return url
    folder = Path(platformdirs.user_data_dir("damier"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DamierError("store.no-place", why=error) from None
    return f"sqlite:///{folder / 'damier.sqlite3'}"


class Store:
    """A database of games."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or default_url()
        if "://" not in self.url:
            self.url = f"sqlite:///{self.url}"  # a file
        with self._explained("opened"):
            self.engine = create_engine(_parsed(self.url), json_deserializer=read_json)
            if self.engine.dialect.name == "sqlite":
                event.listen(self.engine, "connect", _prepare_sqlite)
            self._create_tables()

    def _create_tables(self) -> None:
        """Unless they are there, which may become true at any moment: another process may do the same."""
        with self.engine.begin() as connection:
            for table in _Base.metadata.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
                for index in table.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))
        self._add_forfeit()

    def _add_forfeit(self) -> None:
        """To a database that is older than the column."""
        if all(column["name"] != "forfeit" for column in inspect(self.engine).get_columns(PlayedGame.__tablename__)):
            # Another process may have done the same in between; that it is there is all that counts.
            with contextlib.suppress(OperationalError, ProgrammingError), self.engine.begin() as connection:
                connection.execute(text(f"ALTER TABLE {PlayedGame.__tablename__} ADD COLUMN forfeit VARCHAR"))

    def open_event(self, plan: Planned, extra: dict[str, Any] | None = None, fresh: bool = False) -> int:
        """The last event with these settings if it is unfinished, or else a new one; that in any case if `fresh`."""
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
        """Keep a game, and give the one that counts: that of another process, if it was quicker to save the same."""
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
        """How many games of an event there are, without reading them."""
        with self._session() as session:
            return session.scalar(select(func.count()).where(PlayedGame.event_id == event_id)) or 0

    def records_of(self, game: str, limit: int) -> list[GameRecord]:
        """The last games of a game, by its text name, of whatever event."""
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
        """The last ones first."""
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
        """All of them, or none."""
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
        """What changed in a game."""
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
        """Those whose game, seats or note contain the text, the last changed first; and how many there are in all."""
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

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with self._explained("used"), Session(self.engine) as session:
            yield session

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, ImportError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            key = {"opened": "store.not-opened", "used": "store.not-used"}[done]
            url, why = without_passwords(str(self.url)), without_passwords(reason)
            raise StoreError(key, url=url, why=why) from None
        except (ValueError, OverflowError) as error:  # a date that is none, a number or a text that SQL does not have
            raise DamagedError("store.damaged-row", why=error) from None


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # whose message may quote a part of the password
        raise ArgumentError("it is no URL of a database") from None


def _identity(plan: Planned, extra: dict[str, Any] | None) -> tuple[dict[str, Any], str]:
    """The settings of an event, and their digest."""
    settings = plan.settings | (extra or {})
    return settings, hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """A log beside the file: readers don't wait for the writer, and a killed process leaves it whole."""
    connection.execute("PRAGMA busy_timeout=30000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


_FIELDS = ("number", "seating", "opening", "moves", "returns", "seed", "seconds", "forfeit")


def _fields(record: GameRecord) -> dict[str, Any]:
    return {name: _plain(getattr(record, name)) for name in _FIELDS}


def _record(row: PlayedGame) -> GameRecord:
    is_whole = are_whole(row.seating) and are_whole(row.moves)
    if not (is_whole and are_numbers(row.returns) and are_numbers(row.seconds)):
        raise DamagedError("store.damaged-game-of-event", number=row.number, event=row.event_id)
    return GameRecord(**{name: _frozen(getattr(row, name)) for name in _FIELDS})


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
