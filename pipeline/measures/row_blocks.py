"""Matrices of large vocabularies by blocks of rows, each block a task of an engine.

Tasks map npmi from its files into memory, compute a block of rows with one thread, and write what
they found to a file. A block has the same bits as the same rows of the whole matrix, so the result
is the same bytes as in one process. The folder of the matrices has to be on this machine or on a
file system that all nodes share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.engine import Engine
from pipeline.measures.sparse import ROWS, Floats, Sparse, read_sparse
from pipeline.measures.top_k import ClosestWords, PickedWords, Picks
from pipeline.settings import IN_PROCESS
from pipeline.stage import Job
from wordkin.arrays import map_array
from wordkin.files import new_file, scratch_folder

Made = TypeVar("Made")


class Blocks(NamedTuple):
    """Where the blocks of a matrix are computed, and where tasks leave them."""

    engine: Engine
    npmi: Path
    folder: Path

    def share(self, name: str, array: NDArray[Any]) -> Path:
        """Save an array for tasks, which map it into memory."""
        path = self.folder / f"{name}.npy"
        with new_file(path) as temporary, temporary.open("wb") as file:
            np.save(file, array)
        return path

    def run(self, kernel: Callable[[Sparse, int, int], Made], words: int, what: str) -> list[Path]:
        """Let tasks save the arrays that `kernel` makes of each block; the files, in order."""
        tasks = [
            BlockTask(self.npmi, start, min(start + ROWS, words), self.folder / f"{start}.npz")
            for start in range(0, words, ROWS)
        ]

        def work(task: BlockTask) -> None:
            with _one_thread(), new_file(task.file, by_task=True) as temporary:
                made = kernel(_opened(task.npmi), task.start, task.stop)
                with temporary.open("wb") as file:
                    np.savez(file, *made)  # type: ignore[misc]

        self.engine.each(work, tasks, what)
        return [task.file for task in tasks]


class BlockTask(NamedTuple):
    """The rows of one task, and the file that it writes."""

    npmi: Path
    start: int
    stop: int
    file: Path


@contextmanager
def blocks_of(job: Job) -> Iterator[Blocks | None]:
    """How the job's matrix is computed by blocks; None if one process does it.

    It is done by blocks for more words than `spark.matrix_words`. Without Spark one process does it
    with all cores, and also without a shared file system, since nobody else can map npmi.
    """
    spark = job.settings.spark.with_environment()
    npmi = job.layout.measure("npmi")
    words = read_sparse(npmi).words
    if words <= spark.matrix_words or spark.master == IN_PROCESS or job.layout.storage:
        yield None
        return
    with (
        job.engine() as engine,
        scratch_folder(job.layout.matrices / f"{job.stage}.blocks") as folder,
    ):
        yield Blocks(engine, npmi.resolve(), folder.resolve())


@lru_cache(maxsize=1)
def _opened(npmi: Path) -> Sparse:
    """The matrix of a task; the tasks of one process share it, and what is derived from it."""
    return read_sparse(npmi)


@contextmanager
def _one_thread() -> Iterator[None]:
    """One thread per task: tasks run side by side already."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(before)


# ── products ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class SharedSparse(Sparse):
    """A sparse matrix whose products with dense columns are computed by blocks of rows."""

    blocks: Blocks = field(kw_only=True)

    def times(self, columns: Floats) -> Floats:
        """The product with a dense matrix, the same bytes as `Sparse.times`."""
        path = self.blocks.share("columns", columns)

        def product(npmi: Sparse, start: int, stop: int) -> Sequence[Floats]:
            return [npmi.times_rows(map_array(path), start, stop)]

        files = self.blocks.run(product, self.words, "products")
        out = np.empty_like(columns)
        for number, file_path in enumerate(files):
            start = number * ROWS
            with np.load(file_path) as arrays:
                out[start : start + ROWS] = arrays["arr_0"]
        return out


def shared(npmi: Sparse, blocks: Blocks | None) -> Sparse:
    """The matrix, with products by blocks if there are any."""
    if blocks is None:
        return npmi
    return SharedSparse(npmi.indptr, npmi.indices, npmi.values, blocks=blocks)


# ── closest words ────────────────────────────────────────────────────────────────────────────


def picks_of(picked: PickedWords, start: int, stop: int) -> Sequence[np.ndarray]:
    """What a task saves of the words that it has picked for its rows."""
    picks = picked.joined()
    return [picks.counts, picks.indices, picks.values, picked.bounds[start:stop]]


def statistics_of(closest: ClosestWords, start: int, stop: int) -> Sequence[np.ndarray]:
    """What a task saves of the figures of its rows."""
    figures = closest.statistics
    arrays = (figures.related, figures.sums, figures.lowest, figures.highest)
    return [array[start:stop] for array in arrays]


def gather(files: Sequence[Path], picked: PickedWords) -> None:
    """Take what tasks have picked, and their figures if they have saved any."""
    for number, path in enumerate(files):
        start = number * ROWS
        with np.load(path) as saved:
            counts, indices, values, bounds, *figures = (saved[name] for name in saved.files)
        picked.take_picks(start, Picks(counts, indices, values), bounds)
        if isinstance(picked, ClosestWords) and figures:
            picked.statistics.take(start, *figures)
