"""The database: connections, transactions in threads, and migrations.

Work with the database is a function of a session; `Database.run` calls it in a thread, in one
transaction, and returns only after the transaction is on disk. With SQLite, work that waits at the
same time goes to disk together. A database that does not answer raises `DatabaseGone`: the caller
tells the player, and changes nothing in memory.
"""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from wordkin.errors import InputError

Answer = TypeVar("Answer")

MIGRATIONS = Path(__file__).parent / "migrations"
PATIENCE = 2.0
"""Seconds to wait for a lock or a connection before the database counts as gone."""
MOST_TOGETHER = 100
"""The most functions whose changes go to disk together."""


class DatabaseGone(OSError):
    """The database does not answer: nothing of the transaction was stored.

    On a command line it ends as other errors of the system do; see `wordkin.program`.
    """

    advice = "check its address, that it runs, and that its disk can be written"

    def __init__(self, reason: str, url: URL) -> None:
        super().__init__(errno.EIO, reason, url.render_as_string(hide_password=True))


class Database:
    """A database by its URL.

    Parameters
    ----------
    url : str
        An SQLite or PostgreSQL URL; see `wordkin.web.settings.database_url`.
    threads : int
        Transactions that may run at the same time.
    """

    def __init__(self, url: str, threads: int = 4) -> None:
        self.url = url
        self.engine = _engine(url, threads)
        # SQLite has one writer at a time: more threads would only wait for its lock.
        self._together = self.engine.dialect.name == "sqlite"
        writers = 1 if self._together else threads
        self._waiting: deque[tuple[Callable[[Session], Any], Future[Any]]] = deque()
        self._writers = ThreadPoolExecutor(writers, thread_name_prefix="database")
        self._readers = ThreadPoolExecutor(threads, thread_name_prefix="database-read")

    def upgrade(self) -> None:
        """Bring the tables up to date; make them in an empty database."""
        if self.engine.dialect.name == "sqlite" and self.engine.url.database:
            Path(self.engine.url.database).parent.mkdir(parents=True, exist_ok=True)
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        try:
            with self.engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except (OperationalError, InterfaceError) as error:
            raise self._gone(error) from None
        except DatabaseError as error:
            shown = self.engine.url.render_as_string(hide_password=True)
            raise InputError(
                f"{shown} is no database that the site can use ({_first_line(error)}): name "
                "another one, or restore a copy."
            ) from None
        except CommandError:
            shown = self.engine.url.render_as_string(hide_password=True)
            raise InputError(
                f"The tables of {shown} are of another version of Wordkin: install the newest one."
            ) from None

    def transact(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in one transaction, in this thread.

        Raises
        ------
        DatabaseGone
            If the database does not answer.
        """
        with (
            self._failures(),
            Session(self.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            return work(session)

    def transact_together(self, works: Sequence[Callable[[Session], Any]]) -> list[Any]:
        """Run all of `works` in one transaction of SQLite, in this thread.

        What one of them changes is undone if it fails, whatever the others do: then everything is
        undone, and each is called once more, behind a savepoint of its own. Hardly any work fails,
        and savepoints would cost more than the work itself.

        Returns
        -------
        list
            What each returned or raised.

        Raises
        ------
        DatabaseGone
            If the database does not answer: then nothing was stored.
        """
        with self._failures():
            try:
                with self._transaction() as connection, _session(connection) as session:
                    return [_done(work, session) for work in works]
            except (OperationalError, InterfaceError, PoolTimeout):
                raise
            except Exception as error:
                if len(works) == 1:
                    return [error]
            with self._transaction() as connection:
                return [_tried(work, connection) for work in works]

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A connection to SQLite that writes; it commits unless there was an error."""
        with self.engine.begin() as connection:
            # SQLite's driver would begin later, and take the first savepoint for the transaction.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise `DatabaseGone` for what the drivers raise when the database does not answer."""
        try:
            yield
        except (OperationalError, InterfaceError, PoolTimeout) as error:
            # Connections of the pool may be dead as well: the next transaction opens a new one.
            self.engine.dispose()
            raise self._gone(error) from error
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            self.engine.dispose()
            raise self._gone(error) from error

    def _gone(self, error: Exception) -> DatabaseGone:
        return DatabaseGone(_first_line(error), self.engine.url)

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` that may write, in a thread; see `transact`."""
        if not self._together:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._writers, self.transact, work)
        future: Future[Answer] = Future()
        self._waiting.append((work, future))
        if len(self._waiting) == 1:  # Otherwise the writer is about to come.
            self._writers.submit(self._write_waiting)
        return await asyncio.wrap_future(future)

    def _write_waiting(self) -> None:
        """Store everything that waits."""
        while self._waiting:
            self._write_together()

    def _write_together(self) -> None:
        """Store what waits by now, with one commit: a disk takes longer for each than for all."""
        taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_TOGETHER))]
        taken = [(work, future) for work, future in taken if future.set_running_or_notify_cancel()]
        if not taken:
            return
        try:
            outcomes = self.transact_together([work for work, _ in taken])
        except Exception as error:
            outcomes = [error] * len(taken)
        for (_, future), outcome in zip(taken, outcomes, strict=True):
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    async def read(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` that only reads, in a thread; it does not wait for writers."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self.transact, work)

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


def _session(connection: Connection) -> Session:
    """A session in the transaction of a connection, which the session does not end."""
    return Session(connection, expire_on_commit=False, join_transaction_mode="rollback_only")


def _done(work: Callable[[Session], Answer], session: Session) -> Answer:
    """Do some work; what comes next finds nothing of it in the session."""
    answer = work(session)
    session.flush()
    session.expunge_all()
    return answer


def _tried(work: Callable[[Session], Answer], connection: Connection) -> Answer | Exception:
    """Do some work behind a savepoint, and return what it returned or raised."""
    try:
        with connection.begin_nested(), _session(connection) as session:
            return _done(work, session)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        return error


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
        cursor = connection.cursor()
        # Readers do not wait for the writer, and a commit is on disk before it is answered.
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    return engine


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
