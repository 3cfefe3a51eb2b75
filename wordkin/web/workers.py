"""Processes that work for the event loop, one job each at a time.

The loop itself writes jobs and reads answers, over a pipe per process. The pools of the standard
library do so in threads of their own, which take turns with the loop: under load, a job was handed
over more slowly than it was done.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from wordkin.web.logs import log

Answer = TypeVar("Answer")

ATTEMPTS = 2
"""How often a job is begun if the process that does it dies."""
PATIENCE = 5.0
"""Seconds for which a process may finish its job when all are stopped."""


class WorkerDied(Exception):
    """A job that no process finished."""


@dataclass
class Job:
    """A function to call in a process, and whoever waits for the answer."""

    work: Callable[..., Any]
    arguments: tuple[object, ...]
    answer: asyncio.Future[Any]
    attempts: int = 0


class Workers:
    """Some processes. They are started on first use, and again when they die.

    Parameters
    ----------
    count : int
        The number of processes.
    prepare : callable
        What each process calls first; it can be pickled.
    arguments
        What `prepare` is called with.
    """

    def __init__(self, count: int, prepare: Callable[..., None], *arguments: object) -> None:
        self._prepare = prepare, arguments
        self._workers = [Worker(self) for _ in range(count)]
        self._waiting: deque[Job] = deque()

    async def run(self, work: Callable[..., Answer], *arguments: object) -> Answer:
        """Call a function of a module in a process, and return or raise what it does."""
        job = Job(work, arguments, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self.assign()
        answer: Answer = await job.answer
        return answer

    def on_all(self, work: Callable[..., object], *arguments: object) -> None:
        """Let every process that does nothing call a function; nobody waits for the answer."""
        loop = asyncio.get_running_loop()
        for worker in self._workers:
            if worker.is_idle:
                job = Job(work, arguments, loop.create_future())
                # If it failed, so will the jobs that somebody waits for.
                job.answer.add_done_callback(
                    lambda answer: answer.cancelled() or answer.exception()
                )
                worker.begin(job)

    def assign(self) -> None:
        """Give jobs that wait to processes that do nothing."""
        for worker in self._workers:
            while self._waiting and worker.is_idle:
                job = self._waiting.popleft()
                if not job.answer.done():  # Whoever waited may have gone.
                    worker.begin(job)

    def again(self, job: Job) -> None:
        """Let another process do a job whose process died."""
        if job.answer.done():
            return
        if job.attempts < ATTEMPTS:
            self._waiting.appendleft(job)
        else:
            job.answer.set_exception(WorkerDied(job.work.__name__))

    def start(self) -> tuple[SpawnProcess, Connection]:
        """Start a process."""
        # Spawned processes inherit no thread, lock or connection of this one.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, *self._prepare), daemon=True)
        process.start()
        theirs.close()
        return process, ours

    @property
    def pids(self) -> list[int]:
        """The processes that run."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    def close(self) -> None:
        """Let the processes finish what they do, and stop them."""
        for worker in self._workers:
            worker.hang_up()
        for worker in self._workers:
            worker.stop()


class Worker:
    """One process, and the job that it does."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._running: tuple[SpawnProcess, Connection] | None = None
        self._job: Job | None = None

    @property
    def is_idle(self) -> bool:
        """Whether it has nothing to do."""
        if self._job is not None and self._job.answer.get_loop().is_closed():
            # Nobody listens any more, and its answer must not be taken for that to another job.
            self.hang_up()
            self.stop(patience=0.0)
        return self._job is None

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        return self._running[0].pid if self._running else None

    def begin(self, job: Job) -> None:
        """Do a job, in a new process if there is none."""
        job.attempts += 1
        if self._running is not None and not self._running[0].is_alive():
            self.hang_up()
            self.stop()
            log("worker restarted", logging.ERROR)
        if self._running is None:
            self._running = self._workers.start()
        self._job, connection = job, self._running[1]
        job.answer.get_loop().add_reader(connection.fileno(), self._receive)
        # This waits for nobody: the process does nothing else, so the pipe is empty.
        with suppress(OSError):  # It died just now: the reader finds out.
            connection.send((job.work, job.arguments))

    def _receive(self) -> None:
        """Take the answer to the job."""
        assert self._running is not None and self._job is not None
        job, connection = self._job, self._running[1]
        job.answer.get_loop().remove_reader(connection.fileno())
        try:
            succeeded, answer = connection.recv()
        except (EOFError, OSError):
            log("worker died", logging.ERROR)
            self.hang_up()
            self.stop(patience=0.0)
            self._workers.again(job)
            self._workers.assign()
            return
        except Exception as error:
            succeeded, answer = False, error
        self._job = None
        if not job.answer.done():  # Whoever waited may have gone.
            (job.answer.set_result if succeeded else job.answer.set_exception)(answer)
        self._workers.assign()

    def hang_up(self) -> None:
        """Let the process end when it has finished its job."""
        if self._running is None:
            return
        connection = self._running[1]
        if self._job is not None and not self._job.answer.get_loop().is_closed():
            self._job.answer.get_loop().remove_reader(connection.fileno())
        connection.close()

    def stop(self, patience: float = PATIENCE) -> None:
        """Wait so many seconds for the end of a process that was hung up on, then kill it."""
        if self._running is not None:
            process = self._running[0]
            process.join(patience)
            if process.exitcode is None:
                process.kill()
                process.join()
        self._running = self._job = None


def _work(
    connection: Connection, prepare: Callable[..., None], arguments: tuple[object, ...]
) -> None:
    """What a process does: jobs, until nobody is there to give any."""
    prepare(*arguments)
    with suppress(EOFError, OSError):
        while True:
            work, given = connection.recv()
            try:
                answer = True, work(*given)
            except Exception as error:
                error.add_note(f"In a worker:\n{traceback.format_exc()}")
                answer = False, error
            connection.send(answer)
