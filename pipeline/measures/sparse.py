"""A symmetric sparse matrix as CSR: npmi, and other matrices when only close pairs are stored."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import StreamedArray, map_array
from wordkin.errors import InputError
from wordkin.measures.sparse import KIND as CSR
from wordkin.measures.store import describe

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

ROWS = 1024
"""Rows in one chunk. A constant, because sums over another number would round differently."""

PANEL = 256
"""Columns of a dense panel that a sparse matrix is multiplied with."""

TILE = 1024
"""Columns of the sparse matrix in one tile. The part of a panel that a tile needs has 1 MiB, which
fits a processor's own cache: each of its rows is used many times. This is several times faster than
to multiply with all columns at once, and nearly as fast per number as dense products by BLAS."""

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

    @cached_property
    def borders(self) -> Longs:
        """Where each tile begins in each row, and where the last one ends."""
        return _tile_borders(self.indptr, self.indices, TILE)

    def times(self, columns: Floats) -> Floats:
        """The product with a dense matrix: the same bytes for any number of threads."""
        return self.times_rows(columns, 0, self.words)

    def times_rows(self, columns: Floats, first: int, stop: int) -> Floats:
        """The rows of that product from `first` to before `stop`."""
        out = np.empty((stop - first, columns.shape[1]), np.float32)
        for left in range(0, columns.shape[1], PANEL):
            panel = np.ascontiguousarray(columns[:, left : left + PANEL])
            out[:, left : left + PANEL] = self.times_panel(panel, first, stop=stop)
        return out

    def times_panel(
        self, panel: Floats, first: int = 0, tiles: int | None = None, stop: int | None = None
    ) -> Floats:
        """The products of the rows from `first` to before `stop` with a panel of columns.

        With `tiles`, only so many tiles of the matrix are multiplied. A sum adds up its products
        one by one, in the order of the matrix's columns: it has the same bits as a plain loop.
        """
        tiles = self.borders.shape[1] - 1 if tiles is None else tiles
        stop = self.words if stop is None else stop
        out = np.zeros((stop - first, panel.shape[1]), np.float32)

        def fill(start: int) -> None:
            rows, borders = out[start : start + ROWS], self.borders[first + start :]
            _add_products(borders, self.indices, self.values, panel, tiles, rows)

        with ThreadPoolExecutor(numba.get_num_threads()) as pool:
            list(pool.map(fill, range(0, len(out), ROWS)))
        return out

    def dense(self, start: int, stop: int) -> Floats:
        """The rows from `start` to before `stop` (or the last one) as a dense array."""
        rows = np.zeros((min(stop, self.words) - start, self.words), np.float32)
        _unpack(self.indptr, self.indices, self.values, start, rows)
        return rows


def read_sparse(folder: Path) -> Sparse:
    """Map the sparse measure in `folder` into memory."""
    if describe(folder)["kind"] != CSR.name:
        raise InputError(f"The measure in {folder} is not sparse: make it again.")
    return Sparse(*(map_array(folder / f"{name}.npy") for name in CSR.arrays))


def symmetrize(indptr: Longs, indices: Ints, values: Floats) -> Sparse:
    """The union of a matrix with its transpose; a pair that both have has one value in both."""
    return Sparse(*_union(indptr, indices, values, *_transpose(indptr, indices, values)))


@numba.njit(parallel=True, cache=True)
def _tile_borders(indptr: Longs, indices: Ints, width: int) -> Longs:
    """Where each tile of `width` columns begins in each row, and where the last one ends."""
    words = len(indptr) - 1
    tiles = (words + width - 1) // width
    borders = np.empty((words, tiles + 1), np.int64)
    for word in numba.prange(words):
        first, last = indptr[word], indptr[word + 1]
        for tile in range(tiles):
            borders[word, tile] = first + place_of(tile * width, indices[first:last])
        borders[word, tiles] = last
    return borders


@numba.njit(cache=True)
def place_of(number: int, ascending: Ints) -> int:
    """Where a number is, or would be, in an ascending array.

    `np.searchsorted` does the same, but each kernel with it takes seconds more to compile.
    """
    low, high = 0, len(ascending)
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


@numba.njit(nogil=True, cache=True)
def _add_products(
    borders: Longs, indices: Ints, values: Floats, panel: Floats, tiles: int, out: Floats
) -> None:
    """Add the products of some rows, up to a tile, with a panel of columns.

    Eight products are added in one loop over the columns, so that each sum is fetched and stored
    once for all of them.
    """
    width = panel.shape[1]
    for tile in range(tiles):
        for row in range(len(out)):
            sums = out[row]
            at, last = borders[row, tile], borders[row, tile + 1]
            while at + 8 <= last:
                a, b, c, d = values[at], values[at + 1], values[at + 2], values[at + 3]
                e, f, g, h = values[at + 4], values[at + 5], values[at + 6], values[at + 7]
                row_a, row_b = panel[indices[at]], panel[indices[at + 1]]
                row_c, row_d = panel[indices[at + 2]], panel[indices[at + 3]]
                row_e, row_f = panel[indices[at + 4]], panel[indices[at + 5]]
                row_g, row_h = panel[indices[at + 6]], panel[indices[at + 7]]
                for k in range(width):
                    four = sums[k] + a * row_a[k] + b * row_b[k] + c * row_c[k] + d * row_d[k]
                    sums[k] = four + e * row_e[k] + f * row_f[k] + g * row_g[k] + h * row_h[k]
                at += 8
            while at < last:
                a, row_a = values[at], panel[indices[at]]
                for k in range(width):
                    sums[k] += a * row_a[k]
                at += 1


@numba.njit(nogil=True, cache=True)
def _unpack(indptr: Longs, indices: Ints, values: Floats, start: int, rows: Floats) -> None:
    """Write the stored values of the rows from `start` on into dense rows of zeros."""
    for row in range(len(rows)):
        for at in range(indptr[start + row], indptr[start + row + 1]):
            rows[row, indices[at]] = values[at]


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
