"""Processes that work for the event loop: every job is answered once, whoever dies or leaves."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from wordkin.web.workers import WorkerDied, Workers

_PREPARED: list[str] = []


def prepare(*names: str) -> None:
    _PREPARED.extend(names)


def prepared() -> list[str]:
    return _PREPARED


def double(number: int) -> int:
    time.sleep(number % 3 / 1000)
    return 2 * number


def divide(number: int) -> float:
    return 1 / number


class Strange(Exception):
    """An error that can be sent and not be read."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)


def be_strange() -> None:
    raise Strange("one", "two")


def die_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers(2, prepare, "some", "names")
    yield workers
    pids = workers.pids
    workers.close()
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_every_job_gets_its_own_answer(workers: Workers) -> None:
    async def ask() -> list[int]:
        return await asyncio.gather(*(workers.run(double, number) for number in range(50)))

    assert asyncio.run(ask()) == [2 * number for number in range(50)]
    assert len(workers.pids) == 2


def test_each_process_is_prepared_before_its_first_job(workers: Workers) -> None:
    assert asyncio.run(workers.run(prepared)) == ["some", "names"]


def test_an_error_is_raised_where_the_answer_is_awaited(workers: Workers) -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        asyncio.run(workers.run(divide, 0))
    assert "return 1 / number" in "".join(raised.value.__notes__)
    # One that cannot be read here is an error too, and the process goes on.
    with pytest.raises(TypeError):
        asyncio.run(workers.run(be_strange))
    assert asyncio.run(workers.run(divide, 2)) == 0.5


def test_processes_that_were_killed_while_they_did_nothing_are_replaced(workers: Workers) -> None:
    asyncio.run(workers.run(double, 1))
    killed = workers.pids
    for pid in killed:
        os.kill(pid, signal.SIGKILL)

    async def ask() -> list[int]:
        return await asyncio.gather(*(workers.run(double, number) for number in range(4)))

    assert asyncio.run(ask()) == [0, 2, 4, 6]
    assert not set(killed) & set(workers.pids)


def test_a_job_whose_process_dies_is_done_by_another(workers: Workers, tmp_path: Path) -> None:
    assert asyncio.run(workers.run(die_once, str(tmp_path / "mark"))) == "alive"


def test_a_job_that_kills_its_processes_is_given_up(workers: Workers) -> None:
    async def ask() -> list[object]:
        asked = workers.run(die), workers.run(double, 3)
        return await asyncio.gather(*asked, return_exceptions=True)

    failed, answer = asyncio.run(ask())
    assert isinstance(failed, WorkerDied)
    assert answer == 6


def test_nobody_gets_the_answer_to_a_question_that_was_withdrawn(workers: Workers) -> None:
    async def ask() -> list[int]:
        withdrawn = [asyncio.create_task(workers.run(double, number)) for number in range(9)]
        await asyncio.sleep(0)
        for task in withdrawn:
            task.cancel()
        return [await workers.run(double, number) for number in (100, 200)]

    assert asyncio.run(ask()) == [200, 400]


def test_nobody_gets_the_answer_to_a_question_of_a_loop_that_ended(workers: Workers) -> None:
    async def leave() -> None:
        for number in (1, 2):
            asyncio.create_task(workers.run(double, number))  # noqa: RUF006
        await asyncio.sleep(0)

    asyncio.run(leave())
    assert asyncio.run(workers.run(double, 100)) == 200
