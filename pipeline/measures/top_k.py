"""The k closest words of each word, as a symmetric sparse matrix.

A pair stays if either of its words has the other among its k closest. Whole rows come in chunks,
so the full matrix need not be in memory:

    closest = ClosestWords(words, k=1000, absent=0.0)
    for start, rows in chunks:
        closest.add(start, rows)
    matrix = closest.symmetrized()

Ties go to the word that comes first in the vocabulary, so the result depends neither on the chunks
nor on the number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from pipeline.measures.row_statistics import RowStatistics
from pipeline.measures.sparse import ROWS, Floats, Ints, Longs, Sparse, symmetrize
from pipeline.settings import TopK


class Closest(NamedTuple):
    """The k closest words of each of some consecutive words."""

    counts: Longs
    """The number of words that each row has; k if there are enough."""
    indices: Ints
    """The words of each row, ascending, in rows of the largest k."""
    values: Floats
    bounds: Floats
    """The lowest value that each row has; inf if it has all its related words."""


class Picks(NamedTuple):
    """The words that some consecutive rows picked, one row after the other."""

    counts: Longs
    """How many words each row picked."""
    indices: Ints
    values: Floats


class PickedWords:
    """Collects the closest words of all rows.

    Attributes
    ----------
    bounds : array of float
        The lowest value that each row picked; inf if it picked all its related words.
    """

    def __init__(self, words: int) -> None:
        self.bounds = np.full(words, np.inf, np.float32)
        self._picks: list[Picks] = []

    def take(self, start: int, closest: Closest) -> None:
        """Take the closest words of the rows from `start` on; rows come in order."""
        filled = np.arange(closest.indices.shape[1]) < closest.counts[:, None]
        picks = Picks(closest.counts, closest.indices[filled], closest.values[filled])
        self.take_picks(start, picks, closest.bounds)

    def take_picks(self, start: int, picks: Picks, bounds: Floats) -> None:
        """Take what the rows from `start` on have picked; rows come in order."""
        self._picks.append(picks)
        self.bounds[start : start + len(picks.counts)] = bounds

    def joined(self) -> Picks:
        """The picks of all rows so far, which are given up."""
        picks = Picks(*(np.concatenate(arrays) for arrays in zip(*self._picks, strict=True)))
        self._picks.clear()
        return picks

    def symmetrized(self) -> Sparse:
        """All pairs that either word picked, in both rows; the picks themselves are given up."""
        picks = self.joined()
        indptr = np.concatenate([[0], np.cumsum(picks.counts)])
        if np.isinf(self.bounds).all():
            # No row left out a related word, so the picks are symmetric already.
            return Sparse(indptr, picks.indices, picks.values)
        return symmetrize(indptr, picks.indices, picks.values)

    def cut_at_most(self) -> float:
        """A value above which no pair is cut, if any is.

        A pair is cut if each of its words has k closer ones, so it is at most as close as both
        words' bounds: no pair above the second highest bound is cut.
        """
        return float(np.sort(self.bounds[np.isfinite(self.bounds)])[-2])


class ClosestWords(PickedWords):
    """Picks the k closest words of each row; k may differ from row to row.

    Attributes
    ----------
    k : int
        The largest k.
    statistics : RowStatistics
        Figures of the whole rows. Unrelated words (`absent`) are never picked.
    """

    def __init__(self, words: int, k: int | Longs, absent: float) -> None:
        super().__init__(words)
        self._each = np.minimum(np.broadcast_to(np.int64(k), words), words)
        self.k = int(self._each.max(initial=0))
        self.statistics = RowStatistics(words, absent)

    def add(self, start: int, rows: Floats) -> None:
        """Take whole rows, of which `start` is the first; rows come in order."""
        self.statistics.add(start, rows)
        for top in range(0, len(rows), ROWS):
            self._pick(start + top, rows[top : top + ROWS])

    def _pick(self, start: int, rows: Floats) -> None:
        chunk = slice(start, start + len(rows))
        figures = self.statistics
        lowest, highest = figures.lowest[chunk], figures.highest[chunk]
        each = self._each[chunk]
        self.take(start, Closest(*_closest(start, rows, each, figures.absent, lowest, highest)))

    def metrics(self, stored: int) -> dict[str, Any]:
        """The stage's figures when `stored` pairs are on disk."""
        cut_at_most = self.cut_at_most() if self.statistics.pairs > stored else None
        return self.statistics.metrics(stored, cut_at_most)


def closest_pairs(matrix: Sparse, top: TopK) -> tuple[Sparse, dict[str, Any]]:
    """What the setting `top` keeps of a sparse matrix without negative values, and figures."""
    chunks = range(0, matrix.words, ROWS)
    if top == "all":
        statistics = RowStatistics(matrix.words, absent=0.0)
        for start in chunks:
            statistics.add(start, matrix.dense(start, start + ROWS))
        return matrix, statistics.metrics(matrix.pairs)
    closest = ClosestWords(matrix.words, top, absent=0.0)
    for start in chunks:
        closest.add(start, matrix.dense(start, start + ROWS))
    stored = closest.symmetrized()
    return stored, closest.metrics(stored.pairs)


@numba.njit(parallel=True, cache=True)
def _closest(
    start: int, rows: Floats, each: Longs, absent: np.float32, lowest: Floats, highest: Floats
) -> tuple[Longs, Ints, Floats, Floats]:
    """The picks of each row (their number, words and values) and its bound.

    `each` has the k of each row; the picks are in rows of the largest k.
    """
    height, words = rows.shape
    widest = each.max()
    counts = np.zeros(height, np.int64)
    indices = np.empty((height, widest), np.int32)
    values = np.empty((height, widest), np.float32)
    bounds = np.full(height, np.inf, np.float32)
    for row in numba.prange(height):
        k = each[row]
        related = np.empty(words, np.int32)
        closeness = np.empty(words, np.float32)
        n = 0
        for word in range(words):
            value = rows[row, word]
            if value != absent and word != start + row:
                related[n], closeness[n] = word, value
                n += 1
        if n <= k:
            indices[row, :n], values[row, :n] = related[:n], closeness[:n]
            counts[row] = n
        else:
            bounds[row] = _kth_highest(closeness[:n], k, lowest[row], highest[row])
            counts[row] = copy_closest(
                related[:n], closeness[:n], k, bounds[row], indices[row], values[row]
            )
    return counts, indices, values, bounds


@numba.njit(cache=True)
def _kth_highest(values: Floats, k: int, low: np.float32, high: np.float32) -> np.float32:
    """The k-th highest of values from `low` to `high`; a histogram leaves only a few."""
    bins = 1024
    # Values that hardly differ all go into one bin.
    scale = np.float32(bins - 1) / (high - low) if high - low > 1e-30 else np.float32(0)
    counts = np.zeros(bins, np.int64)
    for value in values:
        counts[int((value - low) * scale)] += 1
    left, bin_ = k, bins - 1
    while counts[bin_] < left:
        left -= counts[bin_]
        bin_ -= 1
    in_bin = np.empty(counts[bin_], np.float32)
    place = 0
    for value in values:
        if int((value - low) * scale) == bin_:
            in_bin[place] = value
            place += 1
    return select_highest(in_bin, left)


@numba.njit(cache=True)
def select_highest(values: Floats, k: int) -> np.float32:
    """The k-th highest of some values, which lose their order: Hoare's selection.

    `np.partition` does the same, but compiling it takes 9 s of processor time.
    """
    place = len(values) - k
    first, last = 0, len(values) - 1
    while first < last:
        pivot = values[(first + last) // 2]
        low, high = first, last
        while low <= high:
            while values[low] < pivot:
                low += 1
            while values[high] > pivot:
                high -= 1
            if low <= high:
                values[low], values[high] = values[high], values[low]
                low += 1
                high -= 1
        if place <= high:
            last = high
        elif place >= low:
            first = low
        else:
            break
    return values[place]


@numba.njit(cache=True)
def copy_closest(
    related: Ints, closeness: Floats, k: int, bound: np.float32, indices: Ints, values: Floats
) -> int:
    """Copy, in their order, the values above the bound and the first ones equal to it, k in all."""
    equals = k
    for at in range(len(related)):
        equals -= closeness[at] > bound
    place = 0
    for at in range(len(related)):
        equal = closeness[at] == bound
        if closeness[at] > bound or (equal and equals > 0):
            equals -= equal
            indices[place], values[place] = related[at], closeness[at]
            place += 1
    return place
