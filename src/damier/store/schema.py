"""The tables of the database: events, the games played in them, and games outside any event."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, ForeignKey, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from damier.store.damage import are_numbers, are_settings, are_texts, are_whole


class Base(DeclarativeBase):
    """The base of the tables: one description of the whole database."""


class Event(Base):
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


class PlayedGame(Base):
    """A game; its fields are those of `GameRecord`."""

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
    forfeit: Mapped[str | None]  # a message as JSON, see `Message.to_json`
    ended: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class CasualGame(Base):
    """A game of people outside any event; it may be unfinished."""

    __tablename__ = "casual_games"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)  # anyone who knows it may play
    owner: Mapped[str] = mapped_column(index=True)  # the visitor who started it
    game: Mapped[str] = mapped_column(index=True)  # its text name, options included
    seats: Mapped[list[str]] = mapped_column(JSON)
    # In a game of hidden information: the visitor in each seat, or nobody yet.
    holders: Mapped[list[str] | None] = mapped_column(JSON, default=None)
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
        is_held = self.holders is None or are_texts(self.holders)
        return not (are_texts(self.seats) and are_whole(self.moves) and are_values and is_paid and is_held)
