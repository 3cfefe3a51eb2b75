"""The tables. Nothing here says who somebody is: players are random ids, and names are not stored.

A game is stored as its set-up and its moves. The state of a game is never stored: it is made again
by playing the moves, so what was accepted cannot differ from what is shown.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Float,
    ForeignKey,
    Index,
    MetaData,
    String,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class Moment(TypeDecorator[datetime]):
    """A point in time in UTC; SQLite would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """The present time in UTC."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """The base of all tables."""

    metadata = MetaData(naming_convention=NAMING)


class Key(Base):
    """A secret of this site, such as the one that signs cookies."""

    __tablename__ = "keys"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(String(200))


class Room(Base):
    """A room: people, seats and the settings of the next game. `code` is its address."""

    __tablename__ = "rooms"

    code: Mapped[str] = mapped_column(String(40), primary_key=True)
    created: Mapped[datetime] = mapped_column(Moment, default=now)
    used: Mapped[datetime] = mapped_column(Moment, default=now, index=True)
    language: Mapped[str] = mapped_column(String(20))
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)


class Seat(Base):
    """Who sits where in a room; a seat without a person is played by an agent."""

    __tablename__ = "seats"

    room: Mapped[str] = mapped_column(
        ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True
    )
    player: Mapped[str] = mapped_column(String(40), primary_key=True)
    seat: Mapped[str | None] = mapped_column(String(20))
    joined: Mapped[datetime] = mapped_column(Moment, default=now)


class Game(Base):
    """The set-up of a game: the board, the rules and the agents."""

    __tablename__ = "games"

    code: Mapped[str] = mapped_column(String(40), primary_key=True)
    room: Mapped[str] = mapped_column(ForeignKey("rooms.code", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    language: Mapped[str] = mapped_column(String(20))
    created: Mapped[datetime] = mapped_column(Moment, default=now)
    ended: Mapped[datetime | None] = mapped_column(Moment)
    daily: Mapped[str | None] = mapped_column(String(10))
    setup: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)

    __table_args__ = (Index("ix_games_daily", "daily", "language"),)


class Move(Base):
    """One accepted move. The primary key lets no two moves have the same number."""

    __tablename__ = "moves"

    game: Mapped[str] = mapped_column(
        ForeignKey("games.code", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    made: Mapped[datetime] = mapped_column(Moment, default=now)
    player: Mapped[str | None] = mapped_column(String(40), index=True)
    move: Mapped[dict[str, Any]] = mapped_column(JSON)


class KeySeen(Base):
    """A player who has seen the colours in a game, and may not guess in it any more."""

    __tablename__ = "keys_seen"

    game: Mapped[str] = mapped_column(
        ForeignKey("games.code", ondelete="CASCADE"), primary_key=True
    )
    player: Mapped[str] = mapped_column(String(40), primary_key=True)


class Study(Base):
    """A study: its design as `wordkin.web.study.design` has it. `code` is its address."""

    __tablename__ = "studies"

    code: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(40), unique=True)
    created: Mapped[datetime] = mapped_column(Moment, default=now)
    design: Mapped[dict[str, Any]] = mapped_column(JSON)


class Participant(Base):
    """Somebody who agreed to take part in a study, by the digest of an anonymous id.

    `clues` are the places of their clues in the design, in the order in which they see them;
    `shown` is when they saw the present one.
    """

    __tablename__ = "participants"

    study: Mapped[str] = mapped_column(
        ForeignKey("studies.code", ondelete="CASCADE"), primary_key=True
    )
    person: Mapped[str] = mapped_column(String(40), primary_key=True, index=True)
    joined: Mapped[datetime] = mapped_column(Moment, default=now, index=True)
    clues: Mapped[list[int]] = mapped_column(JSON)
    shown: Mapped[datetime | None] = mapped_column(Moment)
    finished: Mapped[datetime | None] = mapped_column(Moment)
    answers: Mapped[dict[str, Any] | None] = mapped_column(JSON)


class Round(Base):
    """The cards that a person picked for a clue, first pick first.

    `source` is a study's name, or `games`. `words` are the cards that lay face down when the clue
    was given, and `blue` the good ones among them. `seconds` is the time from seeing the clue to
    the end, as the server measured it; `times` are milliseconds from seeing the clue to each pick.
    """

    __tablename__ = "rounds"

    id: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(String(40))
    person: Mapped[str] = mapped_column(String(40), index=True)
    made: Mapped[datetime] = mapped_column(Moment, default=now, index=True)
    language: Mapped[str] = mapped_column(String(20))
    board: Mapped[str] = mapped_column(String(100))
    words: Mapped[list[str]] = mapped_column(JSON)
    blue: Mapped[list[str]] = mapped_column(JSON)
    clue: Mapped[str] = mapped_column(String(100))
    number: Mapped[int]
    picks: Mapped[list[str]] = mapped_column(JSON)
    seconds: Mapped[float | None] = mapped_column(Float)
    times: Mapped[list[int] | None] = mapped_column(JSON)

    __table_args__ = (
        UniqueConstraint("source", "person", "board", "clue", "number", name="uq_rounds_source"),
    )
