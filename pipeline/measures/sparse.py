"""A symmetric sparse matrix as CSR: npmi, and other matrices when only close pairs are stored."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wordkin.arrays import map_array
from wordkin.errors import InputError
from wordkin.measures.files import describe

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

ROWS = 1024
"""Rows that are worked on at once."""

PANEL = 256
"""Columns of a dense panel that a sparse matrix is multiplied with."""

TILE = 1024
"""Columns of the sparse matrix in one tile. The part of a panel that a tile needs has 1 MiB, which
fits a processor's own cache: each of its rows is used many times. This is several times faster than
to multiply with all columns at once, and nearly as fast per number as dense products by BLAS."""

LANES = 64
"""Threads divide the rows among them in 64 lanes of every 64th row. Frequent words come first and
have the longest rows, so the first half of the rows is far more than half of the work."""


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

    @property
    def arrays(self) -> tuple[Longs, Ints, Floats]:
        """The arrays as `wordkin.measures.files.write_matrix` takes them."""
        return self.indptr, self.indices, self.values

    @property
    def rows(self) -> Ints:
        """The row of each stored value."""
        return np.repeat(np.arange(self.words, dtype=np.int32), np.diff(self.indptr))

    def keep(self, kept: NDArray[np.bool_]) -> Sparse:
        """The matrix with some of its stored values."""
        starts = np.concatenate([[0], np.cumsum(kept)])[self.indptr]
        return Sparse(starts, self.indices[kept], self.values[kept])

    @cached_property
    def borders(self) -> Longs:
        """Where each tile begins in each row, and where the last one ends."""
        return _tile_borders(self.indptr, self.indices, TILE)

    def times(self, columns: Floats) -> Floats:
        """The product with a dense matrix: the same bytes for any number of threads.

        A sum adds up its products one by one, in the order of the matrix's columns.
        """
        out = np.zeros((self.words, columns.shape[1]), np.float32)
        for left in range(0, columns.shape[1], PANEL):
            panel = np.ascontiguousarray(columns[:, left : left + PANEL])
            sums = np.zeros(panel.shape, np.float32)

            def fill(start: int, panel: Floats = panel, sums: Floats = sums) -> None:
                borders = self.borders[start : start + ROWS]
                rows = sums[start : start + ROWS]
                _add_products(borders, self.indices, self.values, panel, rows)

            with ThreadPoolExecutor(numba.get_num_threads()) as pool:
                list(pool.map(fill, range(0, self.words, ROWS)))
            out[:, left : left + PANEL] = sums
        return out


def read_sparse(folder: Path) -> Sparse:
    """Read the pairs of the measure in `folder`, which must be stored exactly."""
    arrays = describe(folder)["arrays"]
    if "indptr" not in arrays or "levels" in arrays:
        raise InputError(f"The measure in {folder} has no exact pairs: make it again.")
    indptr, indices, values = (map_array(folder / f"{name}.npy") for name in PAIR_ARRAYS)
    # Of the same types whatever is on disk, so that kernels are compiled once.
    return Sparse(indptr.astype(np.int64), indices.astype(np.int32), values.astype(np.float32))


PAIR_ARRAYS = ("indptr", "indices", "values")


def symmetrize(indptr: Longs, indices: Ints, values: Floats) -> Sparse:
    """The union of a matrix with its transpose; a pair that both have has one value in both."""
    words = len(indptr) - 1
    # Numbers of the values rather than values, which may be 0: SciPy drops zeros.
    numbers = np.arange(1, len(values) + 1)
    one_way: Any = csr_array((numbers, indices, indptr), shape=(words, words))
    both = one_way.maximum(one_way.T.tocsr())
    both.sort_indices()
    return Sparse(
        both.indptr.astype(np.int64), both.indices.astype(np.int32), values[both.data - 1]
    )


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
    borders: Longs, indices: Ints, values: Floats, panel: Floats, out: Floats
) -> None:
    """Add the products of some rows with a panel of columns.

    Eight products are added in one loop over the columns, so that each sum is fetched and stored
    once for all of them.
    """
    width = panel.shape[1]
    for tile in range(borders.shape[1] - 1):
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
