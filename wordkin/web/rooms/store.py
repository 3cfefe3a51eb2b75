"""The rows of rooms and games. Each function is one transaction's work for `Database.run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from wordkin.game.board import Board
from wordkin.game.game import Game, Move
from wordkin.game.rules import Rules
from wordkin.web.database import models
from wordkin.web.database.models import now
from wordkin.web.rooms.agents import Style
from wordkin.web.rooms.guesses import record_turn
from wordkin.web.rooms.options import GameOptions
from wordkin.web.rooms.seating import PLACES, SPYMASTER, Place

INSERT_MOVE = insert(models.Move.__table__)  # type: ignore[arg-type]


@dataclass(frozen=True)
class StoredGame:
    """A game as it is stored: its address, its number in the room, and its moves played again."""

    code: str
    room: str
    number: int
    game: Game
    style: Style
    daily: str | None


@dataclass(frozen=True)
class StoredRoom:
    """A room as it is stored: its settings, who sits where, and its last game."""

    code: str
    language: str
    options: GameOptions
    seats: dict[str, Place | None]
    last: StoredGame | None
    saw_key: frozenset[str]


def add_room(session: Session, code: str, language: str, options: GameOptions) -> None:
    """Store a new room."""
    session.add(models.Room(code=code, language=language, settings=options.as_dict()))


def set_options(session: Session, room: str, options: GameOptions) -> None:
    """Change what the next games of a room are like."""
    session.execute(
        update(models.Room).where(models.Room.code == room).values(settings=options.as_dict())
    )


def set_seat(
    session: Session, room: str, player: str, place: Place | None, sees_key_of: str | None
) -> None:
    """Store where a player sits; `sees_key_of` is a running game whose colours they now see."""
    session.merge(models.Seat(room=room, player=player, seat=str(place) if place else None))
    if sees_key_of is not None and place is not None and place.role == SPYMASTER:
        session.merge(models.KeySeen(game=sees_key_of, player=player))


def add_game(session: Session, stored: StoredGame, spymasters: Sequence[str]) -> None:
    """Store a game that begins, and who sees its colours."""
    game = stored.game
    session.add(
        models.Game(
            code=stored.code,
            room=stored.room,
            number=stored.number,
            language=game.language,
            daily=stored.daily,
            setup={
                "board": game.board.as_dict(),
                "rules": game.rules.as_dict(),
                "style": stored.style._asdict(),
            },
        )
    )
    session.flush()
    session.add_all(models.KeySeen(game=stored.code, player=player) for player in spymasters)
    _touch(session, stored.room)


def add_move(
    session: Session,
    stored: StoredGame,
    move: Move,
    player: str | None,
    keepers: Mapping[str, str] | None = None,
) -> None:
    """Store an accepted move; the primary key refuses a second move of the same number.

    `stored` has the game after the move. Its last move also stores the result. If the move ends a
    turn, `keepers` has the players whose guesses may be kept, with the digests of their ids.
    """
    game = stored.game
    # A plain statement on the connection: objects and their session take longer than SQLite.
    session.connection().execute(
        INSERT_MOVE,
        {
            "game": stored.code,
            "number": len(game.moves),
            "made": now(),
            "player": player,
            "move": move.as_dict(),
        },
    )
    if keepers:
        session.flush()
        record_turn(session, stored.code, game, keepers)
    if game.end:
        result = {**game.statistics(), "winner": game.winner}
        del result["history"]
        session.execute(
            update(models.Game)
            .where(models.Game.code == stored.code)
            .values(ended=now(), result=result)
        )
        _touch(session, stored.room)


def _touch(session: Session, room: str) -> None:
    session.execute(update(models.Room).where(models.Room.code == room).values(used=now()))


def load_room(session: Session, code: str) -> StoredRoom | None:
    """Read a room and its last game; None if there is no such room."""
    row = session.get(models.Room, code)
    if row is None:
        return None
    seats = session.scalars(
        select(models.Seat).where(models.Seat.room == code).order_by(models.Seat.joined)
    )
    last = session.scalars(
        select(models.Game).where(models.Game.room == code).order_by(models.Game.number.desc())
    ).first()
    saw_key: frozenset[str] = frozenset()
    if last is not None:
        saw_key = frozenset(
            session.scalars(select(models.KeySeen.player).where(models.KeySeen.game == last.code))
        )
    return StoredRoom(
        code,
        row.language,
        GameOptions.from_dict(row.settings),
        {seat.player: PLACES.get(seat.seat or "") for seat in seats},
        _stored_game(session, last) if last is not None else None,
        saw_key,
    )


def load_game(session: Session, code: str) -> StoredGame | None:
    """Read a game and play its moves again; None if there is no such game."""
    row = session.get(models.Game, code)
    return _stored_game(session, row) if row is not None else None


def _stored_game(session: Session, row: models.Game) -> StoredGame:
    moves = session.scalars(
        select(models.Move.move).where(models.Move.game == row.code).order_by(models.Move.number)
    )
    game = Game.from_moves(
        Board.from_dict(row.setup["board"]),
        map(Move.from_dict, moves),
        Rules.from_dict(row.setup["rules"]),
        row.language,
    )
    return StoredGame(row.code, row.room, row.number, game, Style(**row.setup["style"]), row.daily)


def daily_room(session: Session, day: str, language: str, player: str) -> str | None:
    """The room in which a player plays the board of a day; None if they have not begun."""
    return session.scalars(
        select(models.Game.room)
        .join(models.Seat, models.Seat.room == models.Game.room)
        .where(
            models.Game.daily == day,
            models.Game.language == language,
            models.Seat.player == player,
        )
    ).first()


def daily_results(session: Session, day: str, language: str) -> list[dict[str, Any]]:
    """The results of all finished games on the board of a day."""
    results = session.scalars(
        select(models.Game.result).where(
            models.Game.daily == day,
            models.Game.language == language,
            models.Game.ended.is_not(None),
        )
    )
    return [result for result in results if result is not None]


def remove_seat(session: Session, room: str, player: str) -> None:
    """Forget that a player was in a room."""
    session.execute(
        delete(models.Seat).where(models.Seat.room == room, models.Seat.player == player)
    )
