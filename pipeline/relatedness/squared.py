"""npmi -> squared: S.S with a zero diagonal, the sum over all two-step paths between two words.

There are two ways to compute it. Each gives the same bytes for any number of threads and any
memory limit:

* `_follow_pairs` follows the stored pairs: one step for each pair of neighbours of each word.
* `_multiply_tiles` multiplies dense tiles with BLAS: words^3 steps, each far cheaper. It is faster
  when more than about a tenth of the matrix is stored. A threaded BLAS adds up in an order that
  depends on the number of threads, so each tile is one single-threaded product, always of the same
  two panels, and the threads divide the tiles among them.

If the whole matrix fits the memory limit, only half of it is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.relatedness.matrix_files import describe_matrix, write_matrix
from pipeline.relatedness.sparse import (
    LANES,
    Floats,
    Ints,
    Longs,
    RowChunk,
    Sparse,
    read_sparse,
)
from pipeline.settings import Squared
from pipeline.stage import Job, Metrics

TILE = 1024
"""Rows and columns of a tile. A constant, because another size would round differently."""

STEP = 60
"""Multiplications that BLAS makes in the time of one step along stored pairs (measured)."""


def run(job: Job) -> Metrics:
    """Make the measure `squared` of a language from its `npmi`."""
    return make_squared(job.layout, job.settings.squared)


def make_squared(layout: Layout, settings: Squared) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = read_sparse(layout.measure("npmi"))
    chunks = tqdm(square(npmi, settings.memory_mib), "squared", leave=False, disable=None)
    return write_matrix(layout.measure("squared"), "squared", npmi, chunks, settings, absent=0.0)


def square(matrix: Sparse, memory_mib: int) -> Iterator[RowChunk]:
    """The rows of S.S with a zero diagonal, in chunks of at most `memory_mib`.

    The chunks share their memory: each is valid until the next one is asked for.
    """
    words = matrix.words
    height = int(memory_mib * 2**20 / (4 * max(words, 1)))
    height = words if height >= words else max(height // TILE, 1) * TILE
    along_pairs = STEP * int((np.diff(matrix.indptr) ** 2).sum()) < words**3
    rows = np.zeros((height, words), np.float32)
    for start in range(0, words, max(height, 1)):
        chunk = rows[: words - start]
        if along_pairs:
            chunk[:] = 0.0
            _follow_pairs(matrix.indptr, matrix.indices, matrix.values, start, chunk)
            if len(chunk) == words:
                _mirror(chunk)
        else:
            _multiply_tiles(matrix, start, chunk)
        np.fill_diagonal(chunk[:, start:], 0.0)
        yield RowChunk(start, chunk)


def _multiply_tiles(matrix: Sparse, start: int, rows: Floats) -> None:
    """Fill the rows of the square from `start` on with products of dense panels."""
    stop = start + len(rows)

    def fill(a: int, b: int, panel: Floats) -> None:
        other = panel if a == b else matrix.dense(b, b + TILE)
        # The earlier panel is always on the left, so (a, b) and (b, a) are the same product.
        tile = panel @ other.T if a <= b else (other @ panel.T).T
        rows[a - start : a - start + TILE, b : b + TILE] = tile
        if start <= b < stop and a < b:
            rows[b - start : b - start + TILE, a : a + TILE] = tile.T

    with (
        threadpool_limits(1, user_api="blas"),
        ThreadPoolExecutor(numba.get_num_threads()) as pool,
    ):
        for a in range(start, stop, TILE):
            panel = matrix.dense(a, a + TILE)
            mirrored = range(start, a, TILE)  # filled together with earlier rows
            todo = [b for b in range(0, matrix.words, TILE) if b not in mirrored]
            list(pool.map(fill, [a] * len(todo), todo, [panel] * len(todo)))


@numba.njit(parallel=True, cache=True)
def _follow_pairs(indptr: Longs, indices: Ints, values: Floats, start: int, rows: Floats) -> None:
    """Add up all two-step paths from each word.

    If the chunk is the whole matrix, only values above the diagonal are computed. A sum runs over
    the middle words in the same order from either end, so the matrix is exactly symmetric.
    """
    whole = len(rows) == len(indptr) - 1
    for lane in numba.prange(LANES):
        for row in range(lane, len(rows), LANES):
            sums = rows[row]
            for at in range(indptr[start + row], indptr[start + row + 1]):
                first, last = indptr[indices[at]], indptr[indices[at] + 1]
                if whole:
                    first += np.searchsorted(indices[first:last], row + 1)
                weight = values[at]
                for step in range(first, last):
                    sums[indices[step]] += weight * values[step]


@numba.njit(parallel=True, cache=True)
def _mirror(matrix: Floats) -> None:
    """Copy the upper triangle to the lower one, in tiles that fit a cache."""
    side = 64
    for strip in numba.prange((len(matrix) + side - 1) // side):
        top = strip * side
        for left in range(0, top + side, side):
            for row in range(top, min(top + side, len(matrix))):
                for column in range(left, min(left + side, row)):
                    matrix[row, column] = matrix[column, row]


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return f"npmi of {metrics['words']:,} words in, {describe_matrix(metrics)}"
