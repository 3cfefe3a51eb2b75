"""Limits for hostile input: an answer or one sentence, in little time and little memory."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wordkin.errors import InputError

SECONDS = 20
"""Longer than any answer takes on a busy machine; a hang takes forever."""

MOST_MEMORY = 1 << 30


class TooSlow(AssertionError):
    """What was asked did not end in time."""


@contextmanager
def in_time(seconds: float = SECONDS) -> Iterator[None]:
    """Fail a block that does not end in time."""

    def stop(*_: object) -> None:
        raise TooSlow(f"no end within {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def in_little_memory() -> Iterator[None]:
    """Fail a block that takes more than a gigabyte more than the process had before."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < MOST_MEMORY, f"{grown / 1e9:.1f} GB"


def refusal(ask: Callable[[], object], seconds: float = SECONDS) -> str | None:
    """The one sentence with which something is refused; None if there is an answer."""
    try:
        with in_time(seconds):
            ask()
    except InputError as error:
        sentence = str(error)
        assert sentence and len(sentence) < 20_000
        return sentence
    return None
