"""The rows of rooms and games. Each function is one transaction's work for `Database.run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from wordkin.game.board import Board
from wordkin.game.game import GIVE, TURN_OVER, Game, Move
from wordkin.game.rules import Rules
from wordkin.web.database import models
from wordkin.web.database.models import now
from wordkin.web.database.rounds import GAMES, board_name, record_round
from wordkin.web.rooms.options import PLACES, GameOptions, Place, Style


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
    """A room as it is stored: its options, who sits where, and its last game."""

    code: str
    language: str
    options: GameOptions
    seats: dict[str, Place | None]
    last: StoredGame | None
    saw_key: frozenset[str]


def add_room(session: Session, stored: StoredRoom) -> None:
    """Store a new room."""
    settings = stored.options.as_dict()
    session.add(models.Room(code=stored.code, language=stored.language, settings=settings))


def set_options(session: Session, room: str, options: GameOptions) -> None:
    """Change what the next games of a room are like."""
    session.get_one(models.Room, room).settings = options.as_dict()


def set_seat(
    session: Session, room: str, player: str, place: Place | None, sees_key_of: str | None
) -> None:
    """Store where a player sits; `sees_key_of` is a running game whose colours they now see."""
    session.merge(models.Seat(room=room, player=player, seat=str(place) if place else None))
    if sees_key_of is not None:
        session.merge(models.KeySeen(game=sees_key_of, player=player))


def add_game(session: Session, stored: StoredGame, spymasters: Sequence[str]) -> None:
    """Store a game that begins, and who sees its colours."""
    game = stored.game
    setup = {
        "board": game.board.as_dict(),
        "rules": game.rules.as_dict(),
        "style": stored.style._asdict(),
    }
    session.add(
        models.Game(
            code=stored.code,
            room=stored.room,
            number=stored.number,
            language=game.language,
            daily=stored.daily,
            setup=setup,
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
    keepers: Mapping[str, str],
) -> None:
    """Store an accepted move; the primary key refuses a second move of the same number.

    `stored` has the game after the move. Its last move also stores the result. If the move ends a
    turn, `keepers` has the players whose guesses may be kept, with the digests of their ids.
    """
    game, number = stored.game, len(stored.game.moves)
    values = {"game": stored.code, "number": number, "player": player, "move": move.as_dict()}
    session.execute(insert(models.Move), values)
    if keepers:
        _record_turn(session, stored.code, game, keepers)
    if game.end:
        result = {**game.statistics(), "winner": game.winner}
        del result["history"]
        row = session.get_one(models.Game, stored.code)
        row.ended, row.result = now(), result
        _touch(session, stored.room)


def _record_turn(session: Session, code: str, game: Game, keepers: Mapping[str, str]) -> None:
    """Store the guesses of the turn that has just ended as a round.

    Only if one person turned over all cards of the turn, and agreed: the choice of a team that
    talks with each other is not the choice of a person.
    """
    turn = game.turns[-1]
    # The moves of a turn: its clue, its cards, and perhaps a stop.
    rows = session.scalars(
        select(models.Move)
        .where(models.Move.game == code)
        .order_by(models.Move.number.desc())
        .limit(len(turn.guessed) + 2)
    ).all()
    clue = next(row for row in rows if row.move["kind"] == GIVE)
    picks = [row for row in rows if row.move["kind"] == TURN_OVER and row.number > clue.number]
    players = {row.player for row in picks}
    player = players.pop() if len(players) == 1 else None
    if player is None or player not in keepers:
        return
    before = set(game.revealed[: -len(turn.guessed)])
    board = game.board if turn.team == 0 else game.board.for_opponent()
    times = [round(1000 * (row.made - clue.made).total_seconds()) for row in reversed(picks)]
    played = models.Round(
        source=GAMES,
        person=keepers[player],
        language=game.language,
        board=board_name(board.words),
        words=[word for word in board.words if word not in before],
        blue=[word for word in board.ours if word not in before],
        clue=turn.clue,
        number=turn.number or 0,
        picks=turn.guessed,
        seconds=times[-1] / 1000,
        times=times,
    )
    record_round(session, played)


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
        seen = select(models.KeySeen.player).where(models.KeySeen.game == last.code)
        saw_key = frozenset(session.scalars(seen))
    return StoredRoom(
        code,
        row.language,
        GameOptions.from_dict(row.settings),
        {seat.player: PLACES.get(seat.seat or "") for seat in seats},
        _stored_game(session, last) if last else None,
        saw_key,
    )


def load_game(session: Session, code: str) -> StoredGame | None:
    """Read a game and play its moves again; None if there is no such game."""
    row = session.get(models.Game, code)
    return _stored_game(session, row) if row else None


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
