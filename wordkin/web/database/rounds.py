"""The rows of rounds: the cards that people picked for a clue, in studies and in games.

They are exported in the format of `wordkin.game.rounds`, from which the stage `human` learns. Here
is also how people delete their own data, and for how long all data is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from wordkin.web.database.models import Game, Move, Participant, Room, Round, now

GAMES = "games"
"""The source of rounds that were not played in a study."""


def board_name(words: Collection[str]) -> str:
    """A name for a board that has none: the same words give the same name."""
    return hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()[:12]


def record_round(session: Session, played: Round) -> bool:
    """Store a round of a person who agreed to it; `number` is what the clue asked for, or 0.

    In a game, a turn can end before as many cards are turned over as the clue was for, and it can
    go on after that. What a person took is what they chose, so the round then counts for the number
    of cards that were taken. A turn without a card says nothing, and is not stored; neither is the
    same clue on the same board a second time: the answer is whether it was stored.
    """
    played.number = min(played.number or len(played.picks), len(played.picks))
    if not played.number:
        return False
    before = select(Round.id).where(
        Round.source == played.source,
        Round.person == played.person,
        Round.board == played.board,
        Round.clue == played.clue,
        Round.number == played.number,
    )
    if session.scalar(before) is not None:
        return False
    session.add(played)
    session.flush()
    return True


def exported_items(session: Session, sources: Collection[str]) -> list[dict[str, Any]]:
    """The rounds of some sources as items of the rounds format, in a fixed order.

    `board` begins with the source, so that boards of two studies are never taken for one. In games,
    the same clue can be given on the same board when other cards are left: that is another item,
    and its board gets a number. A session is the digest of a person's id. `seconds` and `times` are
    extra: readers of the format skip them.
    """
    rows = session.scalars(
        select(Round)
        .where(Round.source.in_(sources))
        .order_by(Round.source, Round.board, Round.clue, Round.number, Round.person, Round.id)
    )
    items: dict[str, dict[str, Any]] = {}
    variants: Counter[tuple[str, str, str, int]] = Counter()
    for row in rows:
        key = json.dumps([row.source, row.language, row.board, row.words, row.clue, row.number])
        if key not in items:
            variant = (row.source, row.board, row.clue, row.number)
            variants[variant] += 1
            suffix = f"#{variants[variant]}" if variants[variant] > 1 else ""
            items[key] = {
                "lang": row.language,
                "board": f"{row.source}/{row.board}{suffix}",
                "words": row.words,
                "blue": row.blue,
                "clue": row.clue,
                "n": row.number,
                "rounds": [],
            }
        played: dict[str, Any] = {"session": row.person, "picks": row.picks}
        if row.seconds is not None:
            played["seconds"] = round(row.seconds, 3)
        if row.times is not None:
            played["times"] = row.times
        items[key]["rounds"].append(played)
    return list(items.values())


def count_rounds(session: Session, source: str, person: str) -> int:
    """How many rounds of a person are stored."""
    return _count(session, Round, (Round.source == source) & (Round.person == person))


class Deleted(NamedTuple):
    """How much was deleted."""

    rounds: int
    participations: int
    rooms: int = 0


def delete_person(session: Session, person: str) -> Deleted:
    """Delete everything that is stored under the digest of an id."""
    return Deleted(
        _delete(session, Round, Round.person == person),
        _delete(session, Participant, Participant.person == person),
    )


def delete_old(session: Session, days: int) -> Deleted:
    """Delete rounds, participations, and rooms with their games, that are older than some days.

    A participation goes with all its rounds when it began that long ago, and a room when nobody
    played in it since.
    """
    limit = now() - timedelta(days=days)
    playing = exists().where(Game.room == Room.code, Move.game == Game.code, Move.made >= limit)
    began = select(Participant.person).where(Participant.joined < limit)
    return Deleted(
        _delete(session, Round, (Round.made < limit) | Round.person.in_(began)),
        _delete(session, Participant, Participant.joined < limit),
        _delete(session, Room, (Room.used < limit) & ~playing),
    )


def _count(session: Session, table: Any, which: Any) -> int:
    return session.scalar(select(func.count()).select_from(table).where(which)) or 0


def _delete(session: Session, table: Any, which: Any) -> int:
    """Delete some rows, and return how many there were."""
    count = _count(session, table, which)
    session.execute(delete(table).where(which).execution_options(synchronize_session=False))
    return count
