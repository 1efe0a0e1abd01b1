"""Opening the database with its tables, sessions, and one-line errors."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import URL, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, OperationalError, ProgrammingError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.schema import CreateIndex, CreateTable

from damier.core.errors import DamierError
from damier.core.secrets import without_passwords
from damier.store.damage import DamagedError, read_json
from damier.store.schema import Base, CasualGame, PlayedGame


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


class Connection:
    """An open database with all its tables."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or default_url()
        if "://" not in self.url:
            self.url = f"sqlite:///{self.url}"  # a file
        with self._explained("store.not-opened"):
            self.engine = create_engine(_parsed(self.url), json_deserializer=read_json)
            if self.engine.dialect.name == "sqlite":
                event.listen(self.engine, "connect", _prepare_sqlite)
            self._create_tables()

    def _create_tables(self) -> None:
        """Create the missing tables. Another process may do the same at any moment."""
        with self.engine.begin() as connection:
            for table in Base.metadata.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
                for index in table.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))
        self._add_column(PlayedGame, "forfeit")
        self._add_column(CasualGame, "holders")

    def _add_column(self, table: type[Base], name: str) -> None:
        """Add a column to a database that is older than it."""
        if any(column["name"] == name for column in inspect(self.engine).get_columns(table.__tablename__)):
            return
        kind = table.__table__.columns[name].type.compile(self.engine.dialect)
        # Another process may have added it in between; only its existence matters.
        with contextlib.suppress(OperationalError, ProgrammingError), self.engine.begin() as connection:
            connection.execute(text(f"ALTER TABLE {table.__tablename__} ADD COLUMN {name} {kind}"))

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with self._explained("store.not-used"), Session(self.engine) as session:
            yield session

    @contextmanager
    def _explained(self, key: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, ImportError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            # Cleaned together: the reason may quote the end of a password, which is recognised only after the URL.
            url, _, why = without_passwords(f"{self.url}\n{reason}").partition("\n")
            raise StoreError(key, url=url, why=why) from None
        except (ValueError, OverflowError) as error:  # an invalid date, or a number or a text that SQL can't store
            raise DamagedError("store.damaged-row", why=error) from None


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # its message may quote a part of the password
        raise ArgumentError("it is no URL of a database") from None


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Use a write-ahead log: readers don't wait for the writer, and a killed process leaves the file whole."""
    connection.execute("PRAGMA busy_timeout=30000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
