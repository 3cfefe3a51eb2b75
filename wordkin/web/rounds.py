"""Rounds: the cards that people picked for a clue, in studies and in games.

They are exported in the format of `wordkin.game.rounds`, from which the stage `human` learns.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from wordkin.web.database.models import Round

GAMES = "games"
"""The source of rounds that were not played in a study."""


@dataclass(frozen=True)
class NewRound:
    """A round that was just played.

    Attributes
    ----------
    source : str
        The name of a study, or `games`.
    person : str
        The digest of the person's id, see `wordkin.web.people`.
    language : str
        The language of the words.
    board : str
        What the board is called; see `board_name` for boards without a name.
    words, blue : sequence of str
        The cards that lay face down when the clue was given, and the good ones among them.
    clue : str
        The clue.
    number : int
        How many cards the person was asked for.
    picks : sequence of str
        The cards that the person took, first pick first.
    seconds : float or None
        From seeing the clue to the end, as the server measured it.
    times : sequence of int or None
        Milliseconds from seeing the clue to each pick, as the browser measured them.
    """

    source: str
    person: str
    language: str
    board: str
    words: Sequence[str]
    blue: Sequence[str]
    clue: str
    number: int
    picks: Sequence[str]
    seconds: float | None = None
    times: Sequence[int] | None = None


def board_name(words: Collection[str]) -> str:
    """A name for a board that has none: the same words give the same name."""
    return hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()[:12]


def record_round(session: Session, played: NewRound) -> bool:
    """Store a round of a person who agreed to it.

    In a game, a turn can end before as many cards are turned over as the clue was for, and it can
    go on after that. What a person took is what they chose, so the round then counts for the number
    of cards that were taken. A turn without a card says nothing, and is not stored.

    Returns
    -------
    bool
        False if the person has played the same clue on the same board before, or took no card.
    """
    number = min(played.number or len(played.picks), len(played.picks))
    if not number:
        return False
    before = session.scalar(
        select(Round.id).where(
            Round.source == played.source,
            Round.person == played.person,
            Round.board == played.board,
            Round.clue == played.clue,
            Round.number == number,
        )
    )
    if before is not None:
        return False
    session.add(
        Round(
            source=played.source,
            person=played.person,
            language=played.language,
            board=played.board,
            words=list(played.words),
            blue=list(played.blue),
            clue=played.clue,
            number=number,
            picks=list(played.picks),
            seconds=None if played.seconds is None else round(played.seconds, 3),
            times=None if played.times is None else list(played.times),
        )
    )
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
        extra = {"seconds": row.seconds, "times": row.times}
        items[key]["rounds"].append(
            {
                "session": row.person,
                "picks": row.picks,
                **{name: value for name, value in extra.items() if value is not None},
            }
        )
    return list(items.values())
