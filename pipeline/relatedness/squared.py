"""npmi -> squared: S.S with a zero diagonal, the sum over all two-step paths between two words.

There are two ways to compute it. Each gives the same bytes for any number of threads and any
memory limit:

* `_follow_pairs` follows the stored pairs: one step for each pair of neighbours of each word.
* `_multiply_tiles` multiplies dense tiles with BLAS: words^3 steps, each far cheaper. It is faster
  when more than about a tenth of the matrix is stored. A threaded BLAS adds up in an order that
  depends on the number of threads, so each tile is one single-threaded product, always of the same
  two panels, and the threads divide the tiles among them.

If the whole matrix fits the memory limit, only half of it is computed.

If only the closest words of each word are stored, half of the matrix is always computed, a strip of
rows at a time (`upper_rows`), and both ways are mixed: tiles for frequent words, which have most of
each other as neighbours, pairs for the rest. The projection that stands for the other pairs follows
from npmi by two products.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.relatedness.low_rank import Projection
from pipeline.relatedness.matrix_files import describe_matrix, write_matrix, write_sparse
from pipeline.relatedness.running_top_k import OfferedWords
from pipeline.relatedness.sparse import (
    LANES,
    Floats,
    Ints,
    Longs,
    RowChunk,
    Sparse,
    count_in_tiles,
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
    npmi, folder = read_sparse(layout.measure("npmi")), layout.measure("squared")
    if settings.store == "sparse" and settings.top != "all":
        return _write_closest(folder, npmi, settings.top)
    chunks = tqdm(square(npmi, settings.memory_mib), "squared", leave=False, disable=None)
    return write_matrix(folder, "squared", npmi, chunks, settings, absent=0.0)


def _write_closest(folder: Path, npmi: Sparse, top: int) -> Metrics:
    """Write the closest words of each word, and an approximation of all other pairs."""
    offered = OfferedWords(npmi.words, top)
    strips = range(0, npmi.words, TILE)
    chunks = tqdm(upper_rows(npmi), "squared", len(strips), leave=False, disable=None)
    for start, rows in chunks:
        offered.add(start, rows)
    offered.pick()
    stored = offered.symmetrized()
    metrics = offered.metrics(stored.pairs)
    cut = Projection.of_square(npmi) if metrics["pairs_cut"] else None
    write_sparse(folder, "squared", stored, cut, offered.bounds, {"top": top, "fill": 0.0})
    return metrics


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


def upper_rows(matrix: Sparse) -> Iterator[RowChunk]:
    """The values of S.S above its diagonal, in strips of rows; what else is in them is undefined.

    The strips share their memory: each is valid until the next one is asked for.
    """
    words = matrix.words
    neighbours = count_in_tiles(matrix.indptr, matrix.indices, TILE)
    strip = np.empty((min(TILE, words), words), np.float32)
    for start in range(0, words, TILE):
        rows = strip[: words - start]
        rows[:, start:] = 0.0
        begins = _tiles_end(neighbours, start // TILE)
        _add_tiles(matrix, start, rows, begins)
        arrays = matrix.indptr, matrix.indices, matrix.values
        _follow_pairs_from(*arrays, start, rows, begins, TILE)
        yield RowChunk(start, rows)


def _tiles_end(neighbours: Longs, strip: int) -> Longs:
    """Up to which column tiles are multiplied, for each tile of middle words.

    Tiles come first because the first words are the most frequent ones. `neighbours` has the number
    of neighbours that each word has in each tile.
    """
    tiles, words = neighbours.shape[1], len(neighbours)
    ends = np.full(tiles, strip * TILE)
    for middle in range(tiles):
        rows = neighbours[middle * TILE : (middle + 1) * TILE]
        steps = rows[:, strip] @ rows[:, strip:]
        # Whether each tile from the diagonal on takes longer along its pairs.
        dense = STEP * steps >= TILE**3
        columns = int(np.argmin(np.append(dense, False))) * TILE
        ends[middle] = min(strip * TILE + columns, words)
    return ends


def _add_tiles(matrix: Sparse, start: int, rows: Floats, ends: Longs) -> None:
    """Add the products of dense tiles to the columns before the `ends` of each middle tile."""
    left_panel = matrix.dense(start, start + len(rows)) if (ends > start).any() else rows

    def fill(column: int) -> None:
        columns = slice(column, min(column + TILE, matrix.words))
        for tile, end in enumerate(ends):
            if column < end:
                middle = slice(tile * TILE, min((tile + 1) * TILE, matrix.words))
                right = matrix.tile(middle, columns)
                rows[:, columns] += left_panel[:, middle] @ right

    with (
        threadpool_limits(1, user_api="blas"),
        ThreadPoolExecutor(numba.get_num_threads()) as pool,
    ):
        list(pool.map(fill, range(start, int(ends.max(initial=start)), TILE)))


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
def _follow_pairs_from(
    indptr: Longs, indices: Ints, values: Floats, start: int, rows: Floats, begins: Longs, tile: int
) -> None:
    """Add up the two-step paths from each word to later ones.

    Middle words in a tile lead only to words from its number in `begins` on.
    """
    for lane in numba.prange(LANES):
        for row in range(lane, len(rows), LANES):
            sums = rows[row]
            for at in range(indptr[start + row], indptr[start + row + 1]):
                middle = indices[at]
                first, last = indptr[middle], indptr[middle + 1]
                begin = max(begins[middle // tile], start + row + 1)
                first += np.searchsorted(indices[first:last], begin)
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
