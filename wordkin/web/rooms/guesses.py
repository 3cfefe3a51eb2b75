"""Guesses in games as rounds, where the player agreed."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from wordkin.game.game import GIVE, TURN_OVER, Game
from wordkin.web.database.models import Move
from wordkin.web.rounds import GAMES, NewRound, board_name, record_round


def record_turn(session: Session, code: str, game: Game, keepers: Mapping[str, str]) -> bool:
    """Store the guesses of the turn that has just ended as a round.

    Parameters
    ----------
    session : Session
        The transaction that stored the last move of the turn.
    code : str
        The code of the game.
    game : Game
        The game after that move.
    keepers : mapping of str to str
        The players who agreed, and the digests of their ids.

    Returns
    -------
    bool
        Whether a round was stored: only if one person turned over all cards of the turn, and
        agreed. The choice of a team that talks with each other is not the choice of a person.
    """
    turn = game.turns[-1]
    if not turn.guessed or not keepers:
        return False
    # The moves of a turn: its clue, its cards, and perhaps a stop.
    rows = session.scalars(
        select(Move)
        .where(Move.game == code)
        .order_by(Move.number.desc())
        .limit(len(turn.guessed) + 2)
    ).all()
    clue = next(row for row in rows if row.move["kind"] == GIVE)
    picks = [row for row in rows if row.move["kind"] == TURN_OVER and row.number > clue.number]
    players = {row.player for row in picks}
    player = players.pop() if len(players) == 1 else None
    if player is None or player not in keepers:
        return False
    before = set(game.revealed[: -len(turn.guessed)])
    board = game.board if turn.team == 0 else game.board.for_opponent()
    words = [word for word in board.words if word not in before]
    times = [round(1000 * (row.made - clue.made).total_seconds()) for row in reversed(picks)]
    return record_round(
        session,
        NewRound(
            source=GAMES,
            person=keepers[player],
            language=game.language,
            board=board_name(board.words),
            words=words,
            blue=[word for word in board.ours if word not in before],
            clue=turn.clue,
            number=turn.number or 0,
            picks=turn.guessed,
            seconds=times[-1] / 1000,
            times=times,
        ),
    )
