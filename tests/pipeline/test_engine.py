"""Both engines keep the one contract: the same results in the same order, and plain errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pipeline.engine import DeferredEngine, Engine, InProcessEngine
from wordkin.errors import InputError, UnknownWord


@contextmanager
def three_cores() -> Iterator[Engine]:
    yield InProcessEngine(3)


@pytest.fixture(params=["in process", "deferred", pytest.param("spark", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "spark":
        return request.getfixturevalue("spark")
    return InProcessEngine(3) if request.param == "in process" else DeferredEngine(three_cores)


def square(number: int) -> int:
    return number * number


def digits(number: int) -> Iterator[tuple[int, bytes]]:
    """One block per digit of a number, numbered by the digit."""
    for digit in str(number):
        yield int(digit), str(number).encode()


def sorted_blocks(number: int, blocks: Iterator[bytes]) -> tuple[int, list[bytes]]:
    return number, sorted(blocks)


def refuse(number: int) -> int:
    if number == 7:
        raise InputError(f"The number {number} is damaged:\nleave it out.")
    return number


def look_up(number: int) -> int:
    raise UnknownWord(f"There is no word {number}.")


def fail(number: int) -> int:
    return 1 // (number - 7)


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("count", [0, 1, 100])
def test_results_come_in_the_order_of_the_items(engine: Engine, count: int, light: bool) -> None:
    items = list(range(count))[::-1]
    results = engine.each(square, items, "squares", light=light)
    assert results == [number * number for number in items]


def test_blocks_of_one_number_are_merged_once_and_numbers_come_in_order(engine: Engine) -> None:
    items = [131, 20, 4, 314]
    merged = engine.gather(digits, items, sorted_blocks, 10, "digits")
    assert merged == [
        (0, (0, [b"20"])),
        (1, (1, [b"131", b"131", b"314"])),
        (2, (2, [b"20"])),
        (3, (3, [b"131", b"314"])),
        (4, (4, [b"314", b"4"])),
    ]
    assert engine.gather(digits, [], sorted_blocks, 10, "digits") == []


def test_more_numbers_than_tasks_lose_nothing(engine: Engine) -> None:
    def scatter(item: int) -> Iterator[tuple[int, bytes]]:
        return ((number, bytes([item])) for number in range(500))

    merged = engine.gather(scatter, [1, 2, 3], sorted_blocks, 500, "many")
    assert merged == [(number, (number, [b"\1", b"\2", b"\3"])) for number in range(500)]


def test_the_sentence_of_an_input_error_reaches_the_caller_unchanged(engine: Engine) -> None:
    with pytest.raises(InputError) as refusal:
        engine.each(refuse, range(10), "numbers")
    assert type(refusal.value) is InputError
    assert str(refusal.value) == "The number 7 is damaged:\nleave it out."


def test_code_can_react_to_one_kind_of_mistake_with_every_engine(engine: Engine) -> None:
    with pytest.raises(UnknownWord, match="There is no word 3"):
        engine.each(look_up, [3], "words")


def test_any_other_error_is_not_taken_for_bad_input(engine: Engine) -> None:
    with pytest.raises(Exception, match="division") as failure:
        engine.each(fail, range(10), "numbers")
    assert not isinstance(failure.value, InputError)


def test_in_process_means_in_this_process() -> None:
    assert InProcessEngine().each(lambda _: os.getpid(), [1, 2], "ids") == [os.getpid()] * 2


def test_a_deferred_engine_starts_once_when_there_is_work_and_ends_with_the_block() -> None:
    events = []

    @contextmanager
    def start() -> Iterator[Engine]:
        events.append("start")
        yield InProcessEngine(3)
        events.append("end")

    with DeferredEngine(start) as engine:
        assert engine.each(square, [2, 3], "squares", light=True) == [4, 9]
        assert engine.each(square, [], "squares") == []
        assert engine.gather(digits, [], sorted_blocks, 10, "digits") == []
        assert events == []
        assert engine.cores == 3
        assert engine.each(square, [2], "squares") == [4]
        assert len(engine.gather(digits, [12], sorted_blocks, 10, "digits")) == 2
        assert events == ["start"]
    assert events == ["start", "end"]
