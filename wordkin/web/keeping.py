"""How long data is kept, and how people delete their own."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from wordkin.web.database import Database, DatabaseGone
from wordkin.web.database.models import Game, Move, Participant, Room, Round, now
from wordkin.web.logs import log

DAY = 24 * 3600.0


class Deleted(NamedTuple):
    """How much was deleted."""

    rounds: int
    participations: int
    rooms: int = 0


def delete_person(session: Session, person: str) -> Deleted:
    """Delete everything that is stored under the digest of an id."""
    counts = []
    for table in (Round, Participant):
        mine = table.person == person
        counts.append(session.scalar(select(func.count()).select_from(table).where(mine)) or 0)
        session.execute(delete(table).where(mine))
    return Deleted(*counts)


def delete_old(session: Session, days: int) -> Deleted:
    """Delete rounds, participations, and rooms with their games, that are older than some days.

    A participation goes with all its rounds when it began that long ago, and a room when nobody
    played in it since.
    """
    limit = now() - timedelta(days=days)
    playing = exists().where(Game.room == Room.code, Move.game == Game.code, Move.made >= limit)
    began = select(Participant.person).where(Participant.joined < limit)
    counts = []
    for table, is_old in (
        (Round, (Round.made < limit) | Round.person.in_(began)),
        (Participant, Participant.joined < limit),
        (Room, (Room.used < limit) & ~playing),
    ):
        counts.append(session.scalar(select(func.count()).select_from(table).where(is_old)) or 0)
        session.execute(delete(table).where(is_old).execution_options(synchronize_session=False))
    return Deleted(*counts)


async def keep_clean(database: Database, days: int, pause: float = DAY) -> None:
    """Delete what is too old now and once a day."""
    while True:
        try:
            deleted = await database.run(lambda session: delete_old(session, days))
            log("deleted what was too old", **deleted._asdict())
        except DatabaseGone:
            log("database gone", logging.ERROR)
        await asyncio.sleep(pause)
