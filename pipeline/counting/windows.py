"""The compiled kernels that find the words of a text and count the pairs in its windows."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.counting.prefetching import prefetch

OUTSIDE, STOP = -1, -2
"""Codes of tokens without an id: a word outside the vocabulary, and a stop word that is dropped."""

AHEAD = 4
"""The kernel prefetches the cells of the word that comes this many words later."""

# Plain tuples instead of named ones: numba's cached kernels would remember a class by its name.
WordPositions = tuple[NDArray[np.int32], NDArray[np.int64]]
"""The vocabulary's words in a text, in order: the id of each word, and its position.

The distance of two words in a window is the difference of their positions. One more position, which
no window reaches, follows that of the last word.
"""

OverflowBuffer = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Sums that did not fit their cell of the triangle: the cell and the sum."""

SparseBuffer = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]
"""Pairs with a word outside the triangle: the first word, the second word, and the weight."""


@numba.njit(cache=True, boundscheck=False)
def find_words(codes: NDArray[np.int32], bounds: NDArray[np.int64], window: int) -> WordPositions:
    """The positions of the vocabulary's words in documents (or lines) that start at `bounds`.

    Stop words take no position; words outside the vocabulary take one. The positions of two
    documents are so far apart that no window reaches from one into the other.
    """
    ids = np.empty(len(codes), np.int32)
    positions = np.empty(len(codes) + 1, np.int64)
    words = 0
    position = 0
    for document in range(len(bounds) - 1):
        for token in range(bounds[document], bounds[document + 1]):
            code = codes[token]
            ids[words] = code
            positions[words] = position
            words += code >= 0
            position += code != STOP
        position += window
    positions[words] = position + window
    return ids[:words], positions[: words + 1]


@numba.njit(cache=True, boundscheck=False)
def count_windows(
    word_positions: WordPositions,
    start: int,
    weights: NDArray[np.uint64],
    cells: NDArray[Any],
    dense: int,
    overflow: OverflowBuffer,
    sparse: SparseBuffer,
) -> tuple[int, int, int]:
    """Add the windows of the words from `start` on, until a buffer might run out of room.

    Returns the word to go on with, and the number of entries in the two buffers. A word does not
    pair with itself. Cells are numbered as in `pipeline.counting.bands`, in a triangle over the
    first `dense` words.

    A pair's cell is seldom in a cache, and waiting for it takes most of the time. So the kernel
    prefetches the cells of a word a little ahead, which makes it two to three times as fast.
    """
    ids, positions = word_positions
    overflow_cells, overflow_sums = overflow
    sparse_first, sparse_second, sparse_weights = sparse
    window = len(weights) - 1
    limit = np.uint64(np.iinfo(cells.dtype).max)
    overflowed = 0
    gathered = 0
    for i in range(start, len(ids)):
        if overflowed + window > len(overflow_cells) or gathered + window > len(sparse_first):
            return i, overflowed, gathered
        ahead = i + AHEAD
        if ahead < len(ids):
            word = np.int64(ids[ahead])
            reach = positions[ahead] + window
            j = ahead + 1
            while positions[j] <= reach:
                other = np.int64(ids[j])
                low, high = min(word, other), max(word, other)
                if high < dense:
                    prefetch(cells, (high * (high - 1) >> 1) + low)
                j += 1
        word = np.int64(ids[i])
        reach = positions[i] + window
        j = i
        while positions[j + 1] <= reach:
            j += 1
            other = np.int64(ids[j])
            low, high = min(word, other), max(word, other)
            if low == high:
                continue
            weight = weights[positions[j] - positions[i]]
            if high < dense:
                cell = (high * (high - 1) >> 1) + low
                value = np.uint64(cells[cell]) + weight
                if value > limit:
                    overflow_cells[overflowed] = cell
                    overflow_sums[overflowed] = value
                    overflowed += 1
                    value = np.uint64(0)
                cells[cell] = value
            else:
                sparse_first[gathered] = low
                sparse_second[gathered] = high
                sparse_weights[gathered] = weight
                gathered += 1
    return len(ids), overflowed, gathered
