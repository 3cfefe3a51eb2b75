"""How a stage runs its tasks: on Spark, or in this process.

Stages hand the engine small descriptions of work (which files, which rows), and tasks open the
files themselves: nothing of a corpus passes through the engine. What tasks merge among themselves
travels as a few large blocks of bytes. The result is the same bytes with every engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(ABC):
    """Runs the tasks of a stage.

    Attributes
    ----------
    cores : int
        How many tasks run at once.
    memory_mib : int or None
        The memory that all tasks share; None on a cluster, where executors have their own.
    """

    cores: int
    memory_mib: int | None

    @abstractmethod
    def each(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        what: str,
        light: bool = False,
    ) -> list[Result]:
        """`function` of each item, in the order of the items.

        `what` is shown while it runs; `light` says that a single item is too little for a task.
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

    memory_mib = None

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
