"""The database: connections, transactions in threads, and migrations.

Work with the database is a function of a session; `Database.run` calls it in a thread, in one
transaction, and returns only after the transaction is on disk. A database that does not answer
raises `DatabaseGone`: the caller tells the player, and changes nothing in memory.
"""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import URL, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from wordkin.errors import InputError

Answer = TypeVar("Answer")

MIGRATIONS = Path(__file__).parent / "migrations"
PATIENCE = 2.0
"""Seconds to wait for a lock or a connection before the database counts as gone."""


class DatabaseGone(OSError):
    """The database does not answer: nothing of the transaction was stored.

    On a command line it ends as other errors of the system do; see `wordkin.program`.
    """

    advice = "check its address, that it runs, and that its disk can be written"

    def __init__(self, reason: str, url: URL) -> None:
        super().__init__(errno.EIO, reason, url.render_as_string(hide_password=True))


class Database:
    """A database by its URL, which `wordkin.web.settings.database_url` makes.

    As many transactions as `threads` may run at the same time.
    """

    def __init__(self, url: str, threads: int = 4) -> None:
        self.engine = _engine(url, threads)
        # SQLite has one writer at a time: more threads would only wait for its lock.
        writers = 1 if self.engine.dialect.name == "sqlite" else threads
        self._writers = ThreadPoolExecutor(writers, thread_name_prefix="database")
        self._readers = ThreadPoolExecutor(threads, thread_name_prefix="database-read")

    def upgrade(self) -> None:
        """Bring the tables up to date; make them in an empty database."""
        url = self.engine.url
        if self.engine.dialect.name == "sqlite" and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        shown = url.render_as_string(hide_password=True)
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        try:
            with self.engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except (OperationalError, InterfaceError) as error:
            raise DatabaseGone(_first_line(error), url) from None
        except DatabaseError as error:
            raise InputError(
                f"{shown} is no database that the site can use ({_first_line(error)}): name "
                "another one, or restore a copy."
            ) from None
        except CommandError:
            raise InputError(
                f"The tables of {shown} are of another version of Wordkin: install the newest one."
            ) from None

    def transact(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in one transaction, in this thread."""
        try:
            with Session(self.engine, expire_on_commit=False) as session, session.begin():
                return work(session)
        except (DBAPIError, PoolTimeout) as error:
            unreachable = isinstance(error, OperationalError | InterfaceError | PoolTimeout)
            if not unreachable and not getattr(error, "connection_invalidated", False):
                raise
            # Connections of the pool may be dead as well: the next transaction opens a new one.
            self.engine.dispose()
            raise DatabaseGone(_first_line(error), self.engine.url) from error

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` that may write, in a thread; see `transact`."""
        return await self._in_thread(self._writers, work)

    async def read(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` that only reads, in a thread; it does not wait for writers."""
        return await self._in_thread(self._readers, work)

    async def _in_thread(self, threads: Executor, work: Callable[[Session], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(threads, self.transact, work)

    async def answers(self) -> bool:
        """Whether the database answers now."""
        try:
            await self.read(lambda session: session.execute(text("SELECT 1")))
        except DatabaseGone:
            return False
        return True

    def close(self) -> None:
        """Wait for running transactions, and close all connections."""
        self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


def _engine(url: str, threads: int) -> Engine:
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(
            url,
            pool_size=2 * threads,
            pool_timeout=PATIENCE,
            pool_pre_ping=True,
            connect_args={"connect_timeout": max(2, round(PATIENCE))},
        )
    engine = create_engine(url, connect_args={"timeout": PATIENCE, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, record: Any) -> None:
        # Readers do not wait for the writer, and a commit is on disk before it is answered.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    return engine


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
