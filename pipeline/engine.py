"""How a stage runs its tasks: on Spark, or in this process.

Stages hand the engine small descriptions of work (which files, which rows), and tasks open the
files themselves: nothing of a corpus passes through the engine. What tasks merge among themselves
travels as a few large blocks of bytes. The result is the same bytes with every engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Self, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


SMALL_TOKENS = 10_000_000
"""Reading fewer tokens than this once takes less time than Spark takes to start."""


class Engine(ABC):
    """Runs the tasks of a stage.

    Attributes
    ----------
    cores : int
        How many tasks run at once.
    """

    cores: int

    @abstractmethod
    def each(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        what: str,
        light: bool = False,
    ) -> list[Result]:
        """`function` of each item, in the order of the items.

        `what` is shown while it runs; `light` says that a single item is too little for a task, and
        all of them are too little to start Spark for.
        """

    @abstractmethod
    def gather(
        self,
        scatter: Callable[[Item], Iterator[tuple[int, bytes]]],
        items: Sequence[Item],
        merge: Callable[[int, Iterator[bytes]], Result],
        blocks: int,
        what: str,
    ) -> list[tuple[int, Result]]:
        """Scatter numbered blocks of bytes, and merge the blocks of each number in one place.

        Numbers run from 0 to before `blocks`; the results come in their order. The order in which
        a merge sees its blocks is not fixed, and no merge may depend on it.
        """


class InProcessEngine(Engine):
    """Runs one task after the other in this process: for small corpora, and without Java."""

    def __init__(self, cores: int = 1) -> None:
        self.cores = cores  # into how many tasks stages cut their work; one runs at a time

    def each(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        what: str,
        light: bool = False,
    ) -> list[Result]:
        return [function(item) for item in items]

    def gather(
        self,
        scatter: Callable[[Item], Iterator[tuple[int, bytes]]],
        items: Sequence[Item],
        merge: Callable[[int, Iterator[bytes]], Result],
        blocks: int,
        what: str,
    ) -> list[tuple[int, Result]]:
        scattered: dict[int, list[bytes]] = {}
        for item in items:
            for number, block in scatter(item):
                scattered.setdefault(number, []).append(block)
        return [(number, merge(number, iter(scattered[number]))) for number in sorted(scattered)]


class DeferredEngine(Engine):
    """Starts another engine when there is work for it: light work is done in this process before.

    Spark takes several seconds to start, and many runs of a stage need no task.
    """

    def __init__(self, start: Callable[[], AbstractContextManager[Engine]]) -> None:
        self._start = start
        self._started: Engine | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._started = None
        self._stack.close()

    @property
    def engine(self) -> Engine:
        """The engine that is deferred, started now if it has not been."""
        if self._started is None:
            self._started = self._stack.enter_context(self._start())
        return self._started

    @property
    def cores(self) -> int:  # type: ignore[override]
        """How many tasks run at once; starts the engine."""
        return self.engine.cores

    def each(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        what: str,
        light: bool = False,
    ) -> list[Result]:
        is_small = not items or (light and self._started is None)
        engine = InProcessEngine() if is_small else self.engine
        return engine.each(function, items, what, light)

    def gather(
        self,
        scatter: Callable[[Item], Iterator[tuple[int, bytes]]],
        items: Sequence[Item],
        merge: Callable[[int, Iterator[bytes]], Result],
        blocks: int,
        what: str,
    ) -> list[tuple[int, Result]]:
        return self.engine.gather(scatter, items, merge, blocks, what) if items else []
