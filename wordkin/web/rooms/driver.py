"""What goes on in a room without people: the moves of agents, and the reasons for clues."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from wordkin.game.game import CARD, Game, Turn
from wordkin.web.answers import Refused
from wordkin.web.database import DatabaseGone
from wordkin.web.logs import log
from wordkin.web.metrics import Metrics
from wordkin.web.rooms.agents import Agents
from wordkin.web.rooms.seating import SPYMASTER, Place, place_to_move

if TYPE_CHECKING:
    from wordkin.web.rooms.table import Table

RETRY = 1.0
"""Seconds until an agent tries again to store its move."""


class Driver:
    """Moves for the empty seats of a room while somebody looks on.

    Parameters
    ----------
    table : Table
        The room.
    agents : Agents
        The processes that work out moves and reasons.
    metrics : Metrics
        Those of the site.
    pace : float
        The least number of seconds between two moves of agents.
    """

    def __init__(self, table: Table, agents: Agents, metrics: Metrics, pace: float) -> None:
        self._table, self._agents, self._metrics, self._pace = table, agents, metrics, pace
        self._moving: asyncio.Task[None] | None = None
        self._explaining: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Start what is to be done and not being done yet."""
        if self._place_to_move():
            self._moving = _started(self._moving, self._move)
        if next(self._unexplained(), None):
            self._explaining = _started(self._explaining, self._explain)

    def close(self) -> None:
        """Stop at once; the database has all that was accepted."""
        for task in (self._moving, self._explaining):
            if task is not None:
                task.cancel()

    def _place_to_move(self) -> Place | None:
        """The seat of an agent whose turn it is; None if nobody looks on."""
        table = self._table
        place = place_to_move(table.running.game) if table.running else None
        if place is None or table.sitting(place) or not table.is_watched or table.bundle is None:
            return None
        return place

    async def _move(self) -> None:
        """Make the moves of agents until a person is to move."""
        table = self._table
        while place := self._place_to_move():
            try:
                await self._move_once(place)
                self.wake()  # A turn may be over, and have no reasons yet.
            except DatabaseGone:
                if table.trouble is None:
                    log("database gone", logging.ERROR)
                table.set_trouble("database")
                await asyncio.sleep(RETRY)
            except Exception as error:
                if isinstance(error, Refused) and error.key == "table_changed":
                    continue
                # The next visit tries again; nothing of this game is lost.
                log("agent failed", logging.ERROR, kind=type(error).__name__, exc_info=True)
                table.set_trouble("agent")
                return

    async def _move_once(self, place: Place) -> None:
        table = self._table
        running = table.running
        assert running is not None
        game, start = running.game, time.perf_counter()
        if place.role == SPYMASTER:
            view = game.spymaster_view(place.team)
            move = await self._agents.clue(table.language, running.style, view)
        else:
            guesser_view = game.guesser_view(place.team)
            move = await self._agents.pick(table.language, running.style, guesser_view)
        spent = time.perf_counter() - start
        self._metrics.time(f"agent_{place.role}_seconds", spent)
        if spent < self._pace:
            await asyncio.sleep(self._pace - spent)
        await table.play_for(place, running, move)

    def _unexplained(self) -> Iterator[tuple[Turn, list[str]]]:
        """The turns that are over, with the cards that have no reasons yet."""
        if self._table.bundle is None:
            return
        for turn in closed_turns(self._table.game):
            cards = [card for card in turn.guessed if (turn.clue, card) not in self._table.reasons]
            if cards:
                yield turn, cards

    async def _explain(self) -> None:
        """Work out why the clues of closed turns go with the cards that were turned over."""
        table = self._table
        while (unexplained := next(self._unexplained(), None)) and table.last:
            turn, cards = unexplained
            style = table.last.style
            try:
                answers = await self._agents.reasons(table.language, style, turn.clue, cards)
            except Exception as error:
                log("no reasons", logging.ERROR, kind=type(error).__name__, exc_info=True)
                answers = [{} for _ in cards]
            for card, sentences in zip(cards, answers, strict=True):
                table.reasons[turn.clue, card] = sentences
            # An agent that moves now tells everybody; a person may think for a long time.
            is_moving = self._moving is not None and not self._moving.done()
            table.changed("log", quietly=is_moving and self._place_to_move() is not None)


def _started(
    task: asyncio.Task[None] | None, work: Callable[[], Coroutine[Any, Any, None]]
) -> asyncio.Task[None]:
    """The task that does the work: the old one if it still runs, or a new one."""
    return task if task is not None and not task.done() else asyncio.create_task(work())


def closed_turns(game: Game | None) -> list[Turn]:
    """The turns of a game that are over."""
    if game is None:
        return []
    return game.turns[:-1] if game.awaits == CARD else list(game.turns)
