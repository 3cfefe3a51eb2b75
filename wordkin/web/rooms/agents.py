"""Agents for empty seats: processes that work out moves, and what a room asks of them.

The arrays of bundles are mapped, so all processes share one copy in memory. The web process only
waits: its event loop never computes a clue.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, TypeVar

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from wordkin.bundle import Bundle, load
from wordkin.errors import NoClue, UnknownWord
from wordkin.game.game import CARD, GIVE, GIVE_UP, STOP, TURN_OVER, Game, Move, Turn
from wordkin.game.guesser import Guesser, Habits
from wordkin.game.scoring import Options
from wordkin.game.spymaster import Spymaster
from wordkin.game.views import GuesserView, SpymasterView
from wordkin.game.worth import RISKS
from wordkin.texts import LANGUAGES
from wordkin.web.database import DatabaseGone
from wordkin.web.monitoring import log
from wordkin.web.rooms.options import SPYMASTER, STYLE, Place, RoomChanged, Style

if TYPE_CHECKING:
    from wordkin.web.rooms.table import Table

Answer = TypeVar("Answer")
Reasons = dict[str, str]
"""Why two words go together, by the language of the sentence."""

SCORING = "worth"
"""How agents choose clues: the scoring function that knows about risk."""

NICENESS = 5
"""How much lower the agents' priority is than that of the process that answers people."""

RETRY = 1.0
"""Seconds until an agent tries again to store its move."""


class Agents:
    """The processes that play for empty seats, with the folder of each language's bundle."""

    def __init__(self, bundles: dict[str, str], workers: int) -> None:
        self._bundles, self._workers = bundles, workers
        self._pool = self._new_pool()
        self._reasoning = asyncio.Semaphore(1)

    def _new_pool(self) -> ProcessPoolExecutor:
        # Spawned processes inherit no thread, lock or connection of this one.
        spawned = get_context("spawn")
        return ProcessPoolExecutor(self._workers, spawned, _prepare, (self._bundles,))

    async def run(self, work: Callable[..., Answer], *arguments: object) -> Answer:
        """Call a function in a process; if a process dies, once more in new ones."""
        loop, pool = asyncio.get_running_loop(), self._pool
        try:
            return await loop.run_in_executor(pool, work, *arguments)
        except BrokenProcessPool:
            log("agents died", logging.ERROR)
            if self._pool is pool:  # the first of several who notice
                self._pool = self._new_pool()
            return await loop.run_in_executor(self._pool, work, *arguments)

    def warm_up(self) -> None:
        """Start the processes and let each open the bundles, before the first game."""
        for _ in range(self._workers):
            self._pool.submit(_warm_up)

    async def clue(self, language: str, style: Style, view: SpymasterView) -> Move:
        """The move of an agent that gives a clue."""
        return await self.run(_clue, language, style, view)

    async def pick(self, language: str, style: Style, view: GuesserView) -> Move:
        """The move of an agent that turns over a card or stops."""
        return await self.run(_pick, language, style, view)

    async def reasons(
        self, language: str, style: Style, clue: str, cards: Sequence[str]
    ) -> list[Reasons]:
        """Why a clue goes with each of some cards; empty where there is no reason.

        Players wait for clues, not for reasons: only one process at a time works on reasons.
        """
        answers = []
        for card in cards:
            async with self._reasoning:
                answers.append(await self.run(_reason, language, style, clue, card))
        return answers

    def close(self) -> None:
        """Let the processes finish what they do, and stop them."""
        self._pool.shutdown(cancel_futures=True)


# What runs in the processes.

_PATHS: dict[str, str] = {}


def _prepare(paths: dict[str, str]) -> None:
    _PATHS.update(paths)
    # People wait for the answer to a move less gladly than for an agent that thinks.
    os.nice(NICENESS)
    # Each process is one core's work: threads of all of them would wait for one another.
    threadpool_limits(1, user_api="blas")
    # Ctrl-C goes to all processes of a terminal; the web process ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Do not outlive a web process that was killed."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@cache
def _bundle(language: str) -> Bundle:
    return load(_PATHS[language])


@cache
def _spymaster(language: str, style: Style) -> Spymaster:
    options = Options(risk=RISKS[style.risk])
    return Spymaster(_bundle(language), style.measure, SCORING, options)


@cache
def _guesser(language: str, style: Style) -> Guesser:
    return Guesser(_bundle(language), style.measure, habits=Habits(risk=RISKS[style.risk]))


def _warm_up() -> None:
    for language in _PATHS:
        _spymaster(language, STYLE)
        _guesser(language, STYLE)


def _clue(language: str, style: Style, view: SpymasterView) -> Move:
    try:
        clue = _spymaster(language, style).give(view)
    except NoClue:
        return Move(GIVE_UP, team=view.team)
    return Move(GIVE, clue.word, clue.number, tuple(card.word for card in clue.targets))


def _pick(language: str, style: Style, view: GuesserView) -> Move:
    card = _guesser(language, style).pick(view)
    return Move(STOP) if card is None else Move(TURN_OVER, card)


def _reason(language: str, style: Style, clue: str, card: str) -> Reasons:
    try:
        reason = _spymaster(language, style).reason(clue, card)
    except UnknownWord:
        return {}
    return {code: reason.sentence(code) for code in LANGUAGES}


# What a room asks of them.


class Driver:
    """Moves for the empty seats of a room while somebody looks on, and explains closed turns."""

    def __init__(self, table: Table) -> None:
        self._table, self._site = table, table.site
        self._moving: asyncio.Task[None] | None = None
        self._explaining: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Start what is to be done and not being done yet."""
        if self._place_to_move() and (self._moving is None or self._moving.done()):
            self._moving = asyncio.create_task(self._move())
        if next(self._unexplained(), None) and (
            self._explaining is None or self._explaining.done()
        ):
            self._explaining = asyncio.create_task(self._explain())

    def close(self) -> None:
        """Stop at once; the database has all that was accepted."""
        for task in (self._moving, self._explaining):
            if task is not None:
                task.cancel()

    def _place_to_move(self) -> Place | None:
        """The seat of an agent whose turn it is; None if nobody looks on."""
        table, place = self._table, self._table.to_move
        if place is None or table.sitting(place) or not table.is_watched or table.bundle is None:
            return None
        return place

    async def _move(self) -> None:
        """Make the moves of agents until a person is to move."""
        while place := self._place_to_move():
            try:
                await self._move_once(place)
                self.wake()  # A turn may be over, and have no reasons yet.
            except RoomChanged:
                continue
            except DatabaseGone:
                self._table.set_trouble("database")
                await asyncio.sleep(RETRY)
            except Exception as error:
                # The next visit tries again; nothing of this game is lost.
                log("agent failed", logging.ERROR, kind=type(error).__name__, exc_info=True)
                self._table.set_trouble("agent")
                return

    async def _move_once(self, place: Place) -> None:
        table, running, start = self._table, self._table.running, time.perf_counter()
        assert running is not None
        game, language, style = running.game, table.language, running.style
        if place.role == SPYMASTER:
            move = await self._site.agents.clue(language, style, game.spymaster_view(place.team))
        else:
            move = await self._site.agents.pick(language, style, game.guesser_view(place.team))
        spent = time.perf_counter() - start
        self._site.metrics.time(f"agent_{place.role}_seconds", spent)
        # People shall be able to follow.
        await asyncio.sleep(max(0.0, self._site.settings.pace - spent))
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
                answers = await self._site.agents.reasons(table.language, style, turn.clue, cards)
            except Exception as error:
                log("no reasons", logging.ERROR, kind=type(error).__name__, exc_info=True)
                answers = [{} for _ in cards]
            for card, sentences in zip(cards, answers, strict=True):
                table.reasons[turn.clue, card] = sentences
            # An agent that is to move tells everybody soon; a person may think for a long time.
            if self._place_to_move() is None:
                table.changed("log")


def closed_turns(game: Game | None) -> list[Turn]:
    """The turns of a game that are over."""
    if game is None:
        return []
    return game.turns[:-1] if game.awaits == CARD else list(game.turns)
