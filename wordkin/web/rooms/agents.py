"""Agents for empty seats: processes that open the bundles and work out moves.

The arrays of bundles are mapped, so all processes share one copy in memory. The web process only
waits: its event loop never computes a clue.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from wordkin.bundle import Bundle, load
from wordkin.errors import NoClue, UnknownWord
from wordkin.game.game import GIVE, GIVE_UP, STOP, TURN_OVER, Move
from wordkin.game.guesser import Guesser, Habits
from wordkin.game.scoring import Options
from wordkin.game.spymaster import Spymaster
from wordkin.game.views import GuesserView, SpymasterView
from wordkin.game.worth import RISKS
from wordkin.texts import LANGUAGES
from wordkin.web.workers import Workers

Reasons = dict[str, str]
"""Why two words go together, by the language of the sentence."""

SCORING = "worth"
"""How agents choose clues: the scoring function that knows about risk."""

NICENESS = 5
"""How much lower the agents' priority is than that of the process that answers people."""

_PATHS: dict[str, str] = {}


class Style(NamedTuple):
    """How agents play: by which measure (None: the bundle's default), and with which risk."""

    measure: str | None = None
    risk: str = "balanced"


STYLE = Style()
"""How agents play unless people choose otherwise."""


class Agents:
    """The processes that play for empty seats.

    Parameters
    ----------
    bundles : dict of str to str
        The folder of the bundle of each language.
    workers : int
        The number of processes.

    Attributes
    ----------
    workers : Workers
        The processes.
    """

    def __init__(self, bundles: dict[str, str], workers: int) -> None:
        self.workers = Workers(workers, _prepare, bundles)
        self._reasoning = asyncio.Semaphore(1)

    def warm_up(self) -> None:
        """Start the processes and let each open the bundles, before the first game."""
        self.workers.on_all(_warm_up)

    async def clue(self, language: str, style: Style, view: SpymasterView) -> Move:
        """The move of an agent that gives a clue."""
        return await self.workers.run(_clue, language, style, view)

    async def pick(self, language: str, style: Style, view: GuesserView) -> Move:
        """The move of an agent that turns over a card or stops."""
        return await self.workers.run(_pick, language, style, view)

    async def reasons(
        self, language: str, style: Style, clue: str, cards: Sequence[str]
    ) -> list[Reasons]:
        """Why a clue goes with each of some cards; empty where there is no reason.

        Players wait for clues, not for reasons: only one process at a time works on reasons.
        """
        answers = []
        for card in cards:
            async with self._reasoning:
                answers.append(await self.workers.run(_reason, language, style, clue, card))
        return answers

    def close(self) -> None:
        """Let the processes finish what they do, and stop them."""
        self.workers.close()


# What runs in the processes.


def _prepare(paths: dict[str, str]) -> None:
    _PATHS.update(paths)
    # People wait for the answer to a move less gladly than for an agent that thinks.
    os.nice(NICENESS)
    # Each process is one core's work: threads of all of them would wait for one another.
    threadpool_limits(1, user_api="blas")
    # Ctrl-C goes to all processes of a terminal; the web process ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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
