"""All rooms that are in use. A room is read from the database when somebody comes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from wordkin.bundle import Bundle
from wordkin.web.database import Database
from wordkin.web.metrics import Metrics
from wordkin.web.rooms import store
from wordkin.web.rooms.agents import Agents
from wordkin.web.rooms.options import GameOptions
from wordkin.web.rooms.table import Table
from wordkin.web.visitors import new_code

IDLE = 600.0
"""Seconds after which a room that nobody looks at is forgotten; the database still has it."""


class Hub:
    """The rooms in memory.

    Parameters
    ----------
    bundles, database, agents, metrics
        Those of the site.
    pace : float
        The least number of seconds between two moves of agents.
    """

    def __init__(
        self,
        bundles: Mapping[str, Bundle],
        database: Database,
        agents: Agents,
        metrics: Metrics,
        pace: float,
    ) -> None:
        self._bundles = bundles
        self._database, self._agents, self._metrics = database, agents, metrics
        self._pace = pace
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        metrics.gauge("rooms", lambda: len(self._tables))
        metrics.gauge(
            "watchers", lambda: sum(len(table.watchers) for table in self._tables.values())
        )

    async def create(self, language: str, options: GameOptions) -> Table:
        """Make a new room."""
        code = new_code()
        await self._database.run(lambda session: store.add_room(session, code, language, options))
        stored = store.StoredRoom(code, language, options, {}, None, frozenset())
        self._tables[code] = self._table(stored)
        self._metrics.count("rooms_total")
        self._forget_idle()
        return self._tables[code]

    async def find(self, code: str) -> Table | None:
        """The room at an address; None if there is none."""
        if code in self._tables:
            return self._tables[code]
        # Two visitors who come at the same time must get the same object.
        if code not in self._loading:
            self._loading[code] = asyncio.create_task(self._load(code))
        try:
            return await self._loading[code]
        finally:
            self._loading.pop(code, None)

    async def _load(self, code: str) -> Table | None:
        stored = await self._database.read(lambda session: store.load_room(session, code))
        if stored is None:
            return None
        self._forget_idle()
        return self._tables.setdefault(code, self._table(stored))

    def _table(self, stored: store.StoredRoom) -> Table:
        bundle = self._bundles.get(stored.language)
        return Table(stored, bundle, self._database, self._agents, self._metrics, self._pace)

    def _forget_idle(self) -> None:
        oldest = time.monotonic() - IDLE
        for code, table in list(self._tables.items()):
            if not table.watchers and table.used < oldest:
                del self._tables[code]

    def close(self) -> None:
        """Stop what runs in the rooms."""
        for table in self._tables.values():
            table.driver.close()
