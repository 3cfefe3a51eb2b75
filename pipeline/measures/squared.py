"""npmi -> squared: S.S with a zero diagonal, the sum over all two-step paths between two words.

There are two ways to add up the paths from a strip of words to all others:

* Panels: the rows of the strip become dense columns, and the sparse matrix is multiplied with them.
  Every stored pair of a middle word and an end takes a step for each word of the strip, related to
  the middle word or not, but such steps are cheap.
* Pairs: from each word, follow the pairs to its neighbours, and from each of these to theirs. No
  step is in vain, but each costs as much as dozens of the others.

Frequent words come first and are the neighbours of most words. So panels are used up to some tile
of middle words, and pairs from there on. Either way, a sum runs over the middle words in their
order, so it has the same bits whichever way is taken, from either end of the pair, and for any
number of threads and any memory limit.

If the whole matrix fits the memory limit, or if only the closest words of each word are stored,
only half of the matrix is computed. In the second case the projection that stands for all other
pairs follows from npmi by two products.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.measures.low_rank import Projection
from pipeline.measures.matrix_files import describe_matrix, write_matrix, write_sparse
from pipeline.measures.row_blocks import (
    Blocks,
    blocks_of,
    gather,
    picks_of,
    shared,
    statistics_of,
)
from pipeline.measures.running_top_k import OfferedWords
from pipeline.measures.sparse import (
    LANES,
    PANEL,
    ROWS,
    TILE,
    Floats,
    Ints,
    Longs,
    RowChunk,
    Sparse,
    place_of,
    read_sparse,
)
from pipeline.measures.top_k import ClosestWords
from pipeline.memory import Sizes
from pipeline.settings import Settings, Squared
from pipeline.stage import Job, Metrics, Stage

STEP = 20
"""Steps in a panel that take as long as one step along stored pairs (measured)."""


def run(job: Job) -> Metrics:
    """Make the measure `squared` of a language from its `npmi`."""
    with blocks_of(job) as blocks:
        return make_squared(job.layout, job.settings.squared, blocks)


def make_squared(layout: Layout, settings: Squared, blocks: Blocks | None = None) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi, folder = read_sparse(layout.measure("npmi")), layout.measure("squared")
    if settings.store == "sparse" and settings.top != "all":
        return _write_closest(folder, npmi, settings.top, blocks)
    chunks = tqdm(square(npmi, settings.memory_mib), "squared", leave=False, disable=None)
    return write_matrix(folder, "squared", npmi, chunks, settings, absent=0.0)


def _write_closest(folder: Path, npmi: Sparse, top: int, blocks: Blocks | None) -> Metrics:
    """Write the closest words of each word, and an approximation of all other pairs."""
    closest = _closest_by_blocks(npmi, top, blocks) if blocks else _closest(npmi, top)
    stored = closest.symmetrized()
    metrics = closest.metrics(stored.pairs)
    cut = Projection.of_square(shared(npmi, blocks)) if metrics["pairs_cut"] else None
    write_sparse(folder, "squared", stored, cut, closest.bounds, {"top": top, "fill": 0.0})
    return metrics


def _closest(npmi: Sparse, top: int) -> OfferedWords:
    """The closest words of each word, from half of the matrix."""
    offered = OfferedWords(npmi.words, top)
    strips = range(0, npmi.words, ROWS)
    chunks = tqdm(upper_rows(npmi), "squared", len(strips), leave=False, disable=None)
    for start, rows in chunks:
        offered.add(start, rows)
    offered.pick()
    return offered


def _closest_by_blocks(npmi: Sparse, top: int, blocks: Blocks) -> ClosestWords:
    """The same from whole rows: each value is computed twice, but blocks need no other blocks."""

    def kernel(npmi: Sparse, start: int, stop: int) -> list[np.ndarray]:
        rows = np.empty((stop - start, npmi.words), np.float32)
        _fill(npmi, start, rows, first=0)
        np.fill_diagonal(rows[:, start:], 0.0)
        closest = ClosestWords(npmi.words, top, absent=0.0)
        closest.add(start, rows)
        return [*picks_of(closest, start, stop), *statistics_of(closest, start, stop)]

    closest = ClosestWords(npmi.words, top, absent=0.0)
    gather(blocks.run(kernel, npmi.words, "squared"), closest)
    return closest


def square(matrix: Sparse, memory_mib: int) -> Iterator[RowChunk]:
    """The rows of S.S with a zero diagonal, in chunks of at most `memory_mib`.

    The chunks share their memory: each is valid until the next one is asked for.
    """
    words = matrix.words
    height = min(max(int(memory_mib * 2**20 / (4 * max(words, 1))), 1), words)
    rows = np.empty((height, words), np.float32)
    for start in range(0, words, max(height, 1)):
        chunk = rows[: words - start]
        is_whole = len(chunk) == words
        for top in range(0, len(chunk), ROWS):
            strip = chunk[top : top + ROWS]
            _fill(matrix, start + top, strip, first=start + top if is_whole else 0)
        if is_whole:
            _mirror(chunk)
        np.fill_diagonal(chunk[:, start:], 0.0)
        yield RowChunk(start, chunk)


def upper_rows(matrix: Sparse) -> Iterator[RowChunk]:
    """The values of S.S above its diagonal, in strips of rows; what else is in them is undefined.

    The strips share their memory: each is valid until the next one is asked for.
    """
    words = matrix.words
    strip = np.empty((min(ROWS, words), words), np.float32)
    for start in range(0, words, ROWS):
        rows = strip[: words - start]
        _fill(matrix, start, rows, first=start)
        yield RowChunk(start, rows)


def _fill(matrix: Sparse, start: int, rows: Floats, first: int) -> None:
    """Fill a strip of rows, from the column `first` on."""
    tiles = _panel_tiles(matrix, start, len(rows), first)
    for top in range(0, len(rows), PANEL):
        panel = np.zeros((matrix.words, min(PANEL, len(rows) - top)), np.float32)
        _unpack_columns(matrix.indptr, matrix.indices, matrix.values, start + top, panel)
        products = matrix.times_panel(panel, first, tiles)
        _transpose_into(rows[top : top + PANEL, first:], products)
    arrays = matrix.indptr, matrix.indices, matrix.values
    _follow_pairs(*arrays, matrix.borders[start:, tiles], start, rows, first)


def _panel_tiles(matrix: Sparse, start: int, height: int, first: int) -> int:
    """How many tiles of middle words are cheaper in panels than along their pairs."""
    arrays = matrix.indptr, matrix.indices
    in_strip = _neighbours_in(*arrays, start, start + height)
    beyond = _neighbours_in(*arrays, first, matrix.words)
    # By how much pairs are dearer than panels, for each middle word.
    excess = STEP * in_strip * beyond - height * beyond
    by_tile = np.add.reduceat(excess, np.arange(0, matrix.words, TILE))
    return int(np.argmax(np.concatenate([[0], np.cumsum(by_tile)])))


@numba.njit(parallel=True, cache=True)
def _neighbours_in(indptr: Longs, indices: Ints, first: int, end: int) -> Longs:
    """How many neighbours each word has from word `first` to before `end`."""
    counts = np.empty(len(indptr) - 1, np.int64)
    for word in numba.prange(len(counts)):
        neighbours = indices[indptr[word] : indptr[word + 1]]
        counts[word] = place_of(end, neighbours) - place_of(first, neighbours)
    return counts


@numba.njit(cache=True)
def _unpack_columns(
    indptr: Longs, indices: Ints, values: Floats, start: int, panel: Floats
) -> None:
    """Write the rows from `start` on into the columns of a panel of zeros."""
    for column in range(panel.shape[1]):
        for at in range(indptr[start + column], indptr[start + column + 1]):
            panel[indices[at], column] = values[at]


@numba.njit(parallel=True, cache=True)
def _transpose_into(rows: Floats, columns: Floats) -> None:
    """Copy columns to rows, in tiles that fit a cache."""
    side = 64
    for strip in numba.prange((len(columns) + side - 1) // side):
        for top in range(0, len(rows), side):
            for row in range(top, min(top + side, len(rows))):
                for column in range(strip * side, min((strip + 1) * side, len(columns))):
                    rows[row, column] = columns[column, row]


@numba.njit(parallel=True, cache=True)
def _follow_pairs(
    indptr: Longs, indices: Ints, values: Floats, begins: Longs, start: int, rows: Floats,
    first: int,
) -> None:  # fmt: skip
    """Add up the two-step paths from each word of a strip to the words from `first` on.

    `begins` says where the pairs of each word with its middle words begin.
    """
    for lane in numba.prange(LANES):
        for row in range(lane, len(rows), LANES):
            sums = rows[row]
            for at in range(begins[row], indptr[start + row + 1]):
                middle, weight = indices[at], values[at]
                begin, end = indptr[middle], indptr[middle + 1]
                if first:
                    begin += place_of(first, indices[begin:end])
                for step in range(begin, end):
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


def memory(sizes: Sizes, settings: Settings) -> float:
    """The matrix with the rows that are worked on, and what is kept of them."""
    squared = settings.squared
    rows = min(4.0 * sizes.words**2, squared.memory_mib * 2.0**20)
    whole = rows if squared.top == "all" else 4 * sizes.chunk
    is_sparse = squared.store == "sparse"
    return 2 * sizes.npmi + whole + (sizes.closest(squared.top) if is_sparse else 0)


STAGE = Stage(
    "squared",
    run,
    describe,
    reads=("npmi",),
    writes=("squared",),
    section=Squared,
    memory=memory,
    advice="set squared.top to a lower number",
    makes_measure=True,
)
