"""npmi -> squared: S.S with a zero diagonal, the sum over all two-step paths between two words.

Exact, in one of two ways that give the same rows whatever the threads and the memory allowed:

* `_walk` goes along the stored pairs. It costs one step for each pair of neighbours of each word.
* `_tiles` multiplies dense tiles with BLAS. It costs words^3, each step far cheaper, and wins on
  matrices that are filled by more than about a tenth. A threaded BLAS adds up in an order that
  depends on the threads, so each tile is one single-threaded product, always of the same two
  panels, and the threads share out the tiles.

While the whole matrix fits the memory that is allowed, only half of it is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.relatedness.sparse import LANES, Floats, Ints, Longs, Sparse, read_sparse
from pipeline.relatedness.top_k import Block, describe_matrix, write_kept
from pipeline.settings import Squared
from pipeline.stage import Job, Metrics

# Rows and columns of a tile. A constant: another size would round differently.
TILE = 1024
# Multiplications that BLAS makes in the time of one step along stored pairs (measured).
STEP = 60


def run(job: Job) -> Metrics:
    """Make the measure `squared` of a language from its `npmi`."""
    return make_squared(job.layout, job.settings.squared)


def make_squared(layout: Layout, settings: Squared) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = read_sparse(layout.measure("npmi"))
    blocks = tqdm(square(npmi, settings.memory_mib), "squared", leave=False, disable=None)
    return write_kept(layout.measure("squared"), "squared", npmi, blocks, settings, absent=0.0)


def square(matrix: Sparse, memory_mib: int) -> Iterator[Block]:
    """The rows of S.S with a zero diagonal, in blocks of at most `memory_mib`."""
    words = matrix.words
    height = int(memory_mib * 2**20 / (4 * max(words, 1)))
    height = words if height >= words else max(height // TILE, 1) * TILE
    along_pairs = STEP * int((np.diff(matrix.indptr) ** 2).sum()) < words**3
    rows = np.zeros((height, words), np.float32)
    for start in range(0, words, max(height, 1)):
        block = rows[: words - start]
        if along_pairs:
            block[:] = 0.0
            _walk(matrix.indptr, matrix.indices, matrix.values, start, block)
            if len(block) == words:
                _mirror(block)
        else:
            _tiles(matrix, start, block)
        np.fill_diagonal(block[:, start:], 0.0)
        yield start, block


def _tiles(matrix: Sparse, start: int, rows: Floats) -> None:
    """Fill the rows of the square from `start` on with products of dense panels."""
    stop = start + len(rows)

    def fill(a: int, b: int, panel: Floats) -> None:
        other = panel if a == b else matrix.dense(b, b + TILE)
        # The panel that comes first stands on the left, so that (a, b) and (b, a) are one product.
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
            done = range(start, a, TILE)
            todo = [b for b in range(0, matrix.words, TILE) if b not in done]
            list(pool.map(fill, [a] * len(todo), todo, [panel] * len(todo)))


@numba.njit(parallel=True, cache=True)
def _walk(indptr: Longs, indices: Ints, values: Floats, start: int, rows: Floats) -> None:
    """Add up all two-step paths from each word; above the diagonal only when all rows are here.

    A sum runs over the middle words in their order from either end, so both ends agree to the bit.
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
    """Copy what is above the diagonal below it, a cache-sized tile at a time."""
    side = 64
    for block in numba.prange((len(matrix) + side - 1) // side):
        top = block * side
        for left in range(0, top + side, side):
            for row in range(top, min(top + side, len(matrix))):
                for column in range(left, min(left + side, row)):
                    matrix[row, column] = matrix[column, row]


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return describe_matrix(metrics)
