"""A symmetric sparse matrix as CSR: npmi, and other matrices when only close pairs are stored."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from wordkin.arrays import StreamedArray, map_array
from wordkin.errors import InputError
from wordkin.measures import describe
from wordkin.measures.sparse import KIND as CSR

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

ROWS = 1024
"""Rows in one chunk. A constant, because sums over another number would round differently."""

DENSE = 0.1
"""Where a larger share of a tile of ROWS x ROWS is stored, BLAS multiplies it faster than a loop
over its stored values (measured with 360 columns)."""

LANES = 64
"""Threads divide the rows among them in 64 lanes of every 64th row. Frequent words come first and
have the longest rows, so the first half of the rows is far more than half of the work."""


class RowChunk(NamedTuple):
    """Consecutive whole rows of a matrix."""

    start: int
    """The number of the first row."""
    rows: Floats


@dataclass(frozen=True)
class Sparse:
    """A symmetric matrix as CSR: both triangles, columns ascending, nothing on the diagonal."""

    indptr: Longs
    indices: Ints
    values: Floats

    @property
    def words(self) -> int:
        return len(self.indptr) - 1

    @property
    def pairs(self) -> int:
        """The number of stored pairs; ab and ba are one."""
        return len(self.indices) // 2

    def arrays(self) -> dict[str, NDArray[Any] | StreamedArray]:
        """The arrays under the names that they have on disk."""
        return {"indptr": self.indptr, "indices": self.indices, "values": self.values}

    def times(self, columns: Floats) -> Floats:
        """The product with a dense matrix: the same bytes for any number of threads.

        Frequent words come first and have most of each other as neighbours. So each strip of rows
        is multiplied in dense tiles up to the first tile that is nearly empty, and along its stored
        values from there on. One thread makes a strip.
        """
        out = np.zeros_like(columns)
        shares = count_in_tiles(self.indptr, self.indices, ROWS)

        def fill(start: int) -> None:
            strip = slice(start, min(start + ROWS, self.words))
            dense = shares[strip].sum(axis=0) >= DENSE * ROWS * (strip.stop - strip.start)
            end = int(np.argmin(np.append(dense, False))) * ROWS
            for left in range(0, end, ROWS):
                tile = slice(left, min(left + ROWS, self.words))
                out[strip] += self.tile(strip, tile) @ columns[tile]
            _add_products(self.indptr, self.indices, self.values, columns, start, end, out[strip])

        with (
            _libraries().limit(limits=1, user_api="blas"),
            ThreadPoolExecutor(numba.get_num_threads()) as pool,
        ):
            list(pool.map(fill, range(0, self.words, ROWS)))
        return out

    def dense(self, start: int, stop: int) -> Floats:
        """The rows from `start` to before `stop` (or the last one) as a dense array."""
        rows = np.zeros((min(stop, self.words) - start, self.words), np.float32)
        _unpack(self.indptr, self.indices, self.values, start, rows)
        return rows

    def tile(self, rows: slice, columns: slice) -> Floats:
        """The values of some rows and columns as a dense array."""
        values = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
        _unpack_tile(
            self.indptr, self.indices, self.values, rows.start, columns.start, columns.stop, values
        )
        return values


def read_sparse(folder: Path) -> Sparse:
    """Map the sparse measure in `folder` into memory."""
    if describe(folder)["kind"] != CSR.name:
        raise InputError(f"The measure in {folder} is not sparse: make it again.")
    return Sparse(*(map_array(folder / f"{name}.npy") for name in CSR.arrays))


def symmetrize(indptr: Longs, indices: Ints, values: Floats) -> Sparse:
    """The union of a matrix with its transpose; a pair that both have has one value in both."""
    return Sparse(*_union(indptr, indices, values, *_transpose(indptr, indices, values)))


@cache
def _libraries() -> ThreadpoolController:
    """The libraries that start threads; to look for them takes longer than a small product."""
    return ThreadpoolController()


@numba.njit(nogil=True, cache=True)
def _add_products(
    indptr: Longs, indices: Ints, values: Floats, columns: Floats, start: int, begin: int,
    out: Floats,
) -> None:  # fmt: skip
    """Add the products of the rows from `start` on with dense columns, from word `begin` on."""
    for row in range(len(out)):
        first, last = indptr[start + row], indptr[start + row + 1]
        sums = out[row]
        for at in range(first + np.searchsorted(indices[first:last], begin), last):
            weight, other = values[at], columns[indices[at]]
            for column in range(len(sums)):
                sums[column] += weight * other[column]


@numba.njit(parallel=True, cache=True)
def count_in_tiles(indptr: Longs, indices: Ints, width: int) -> Longs:
    """The number of neighbours that each word has in each tile of `width` words."""
    words = len(indptr) - 1
    counts = np.zeros((words, (words + width - 1) // width), np.int64)
    for word in numba.prange(words):
        for at in range(indptr[word], indptr[word + 1]):
            counts[word, indices[at] // width] += 1
    return counts


@numba.njit(nogil=True, cache=True)
def _unpack(indptr: Longs, indices: Ints, values: Floats, start: int, rows: Floats) -> None:
    """Write the stored values of the rows from `start` on into dense rows of zeros."""
    for row in range(len(rows)):
        for at in range(indptr[start + row], indptr[start + row + 1]):
            rows[row, indices[at]] = values[at]


@numba.njit(nogil=True, cache=True)
def _unpack_tile(
    indptr: Longs, indices: Ints, values: Floats, top: int, left: int, right: int, tile: Floats
) -> None:
    """Copy the values of some rows, in the columns from `left` to before `right`."""
    for row in range(len(tile)):
        first, last = indptr[top + row], indptr[top + row + 1]
        for at in range(first + np.searchsorted(indices[first:last], left), last):
            if indices[at] >= right:
                break
            tile[row, indices[at] - left] = values[at]


@numba.njit(cache=True)
def _transpose(indptr: Longs, indices: Ints, values: Floats) -> tuple[Longs, Ints, Floats]:
    """The transpose of a CSR matrix, columns ascending."""
    starts = np.zeros(len(indptr), np.int64)
    for at in range(len(indices)):
        starts[indices[at] + 1] += 1
    starts = np.cumsum(starts)
    transposed = np.empty(len(indices), np.int32)
    transposed_values = np.empty(len(indices), np.float32)
    place = starts[:-1].copy()
    for row in range(len(indptr) - 1):
        for at in range(indptr[row], indptr[row + 1]):
            to = place[indices[at]]
            transposed[to], transposed_values[to] = row, values[at]
            place[indices[at]] += 1
    return starts, transposed, transposed_values


@numba.njit(parallel=True, cache=True)
def _union(
    a_indptr: Longs, a: Ints, a_values: Floats, b_indptr: Longs, b: Ints, b_values: Floats
) -> tuple[Longs, Ints, Floats]:
    """All entries that either matrix has; the first one's value where both have one."""
    words = len(a_indptr) - 1
    lengths = np.zeros(words + 1, np.int64)
    for row in numba.prange(words):
        in_a = slice(a_indptr[row], a_indptr[row + 1])
        in_b = slice(b_indptr[row], b_indptr[row + 1])
        lengths[row + 1] = _merged_length(a[in_a], b[in_b])
    starts = np.cumsum(lengths)
    merged = np.empty(starts[-1], np.int32)
    values = np.empty(starts[-1], np.float32)
    for row in numba.prange(words):
        in_a = slice(a_indptr[row], a_indptr[row + 1])
        in_b = slice(b_indptr[row], b_indptr[row + 1])
        to = slice(starts[row], starts[row + 1])
        _merge(a[in_a], a_values[in_a], b[in_b], b_values[in_b], merged[to], values[to])
    return starts, merged, values


@numba.njit(cache=True)
def _merged_length(a: Ints, b: Ints) -> int:
    """The number of different numbers in two ascending arrays."""
    i = j = shared = 0
    while i < len(a) and j < len(b):
        x, y = a[i], b[j]
        shared += x == y
        i += x <= y
        j += x >= y
    return len(a) + len(b) - shared


@numba.njit(cache=True)
def _merge(
    a: Ints, a_values: Floats, b: Ints, b_values: Floats, merged: Ints, values: Floats
) -> None:
    """Merge two ascending rows into one."""
    i = j = 0
    for place in range(len(merged)):
        if j == len(b) or (i < len(a) and a[i] <= b[j]):
            merged[place], values[place] = a[i], a_values[i]
            j += j < len(b) and a[i] == b[j]
            i += 1
        else:
            merged[place], values[place] = b[j], b_values[j]
            j += 1
