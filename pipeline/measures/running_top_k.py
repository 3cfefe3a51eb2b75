"""The k closest words of each word, while half of a symmetric matrix is being computed.

The pairs (a, b) with a < b come in chunks of rows. Each value is offered to both of its words. A
word keeps a list of its best offers: when the list is full, only the k best stay, and whatever is
not better than the last of them is refused from then on. Frequent words come first and are the
closest of most words, so later offers are mostly refused.

Offers reach a word in the order of the vocabulary and an offer must be better to replace another,
so ties go to the word that comes first, as in `pipeline.measures.top_k`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from pipeline.measures.row_statistics import RowStatistics
from pipeline.measures.sparse import LANES, ROWS, Floats, Ints, Longs
from pipeline.measures.top_k import Closest, PickedWords, copy_closest, select_highest

ROOM = 512
"""Offers that a list has room for beyond the k best."""


class OfferedWords(PickedWords):
    """Picks the k closest words of each word from the upper triangle of a matrix.

    Attributes
    ----------
    statistics : RowStatistics
        Figures of the whole rows. Unrelated words have the value 0 and are never picked.
    """

    def __init__(self, words: int, k: int) -> None:
        super().__init__(words)
        self.k = min(k, words)
        self.statistics = RowStatistics(words, absent=0.0)
        width = min(self.k + ROOM, max(words, 1))
        self._counts = np.zeros(words, np.int64)
        self._indices = np.empty((words, width), np.int32)
        self._values = np.empty((words, width), np.float32)
        self._least = np.zeros(words, np.float32)

    def add(self, start: int, rows: Floats) -> None:
        """Take rows of which `start` is the first; only values above the diagonal are read."""
        figures = self.statistics
        _offer(
            start, rows, self.k, self._counts, self._indices, self._values, self._least,
            figures.related, figures.sums, figures.lowest, figures.highest,
        )  # fmt: skip

    def pick(self) -> None:
        """Pick the closest words, when all rows have been taken."""
        _keep_best(self.k, self._counts, self._indices, self._values, self._least)
        bounds = np.where(self.statistics.related > self.k, self._least, np.float32(np.inf))
        for start in range(0, len(bounds), ROWS):
            chunk = slice(start, start + ROWS)
            arrays = self._counts[chunk], self._indices[chunk], self._values[chunk], bounds[chunk]
            self.take(start, Closest(*arrays))

    def metrics(self, stored: int) -> dict[str, Any]:
        """The stage's figures when `stored` pairs are on disk."""
        cut_at_most = self.cut_at_most() if self.statistics.pairs > stored else None
        return self.statistics.metrics(stored, cut_at_most)


@numba.njit(parallel=True, cache=True)
def _offer(
    start: int, rows: Floats, k: int, counts: Longs, indices: Ints, values: Floats, least: Floats,
    related: Longs, sums: Any, lowest: Floats, highest: Floats,
) -> None:  # fmt: skip
    """Offer the values above the diagonal to the words of their columns, then of their rows."""
    height, words = rows.shape
    side = 64
    for strip in numba.prange((words - start + side - 1) // side):
        first = start + strip * side
        last = min(first + side, words)
        for row in range(height):
            for word in range(max(first, start + row + 1), last):
                value = rows[row, word]
                if value != 0:
                    related[word] += 1
                    sums[word] += value
                    lowest[word] = min(lowest[word], value)
                    highest[word] = max(highest[word], value)
                    if value > least[word]:
                        _append(start + row, value, k, word, counts, indices, values, least)
    for lane in numba.prange(LANES):
        for row in range(lane, height, LANES):
            word = start + row
            for other in range(word + 1, words):
                value = rows[row, other]
                if value != 0:
                    related[word] += 1
                    sums[word] += value
                    lowest[word] = min(lowest[word], value)
                    highest[word] = max(highest[word], value)
                    if value > least[word]:
                        _append(other, value, k, word, counts, indices, values, least)


@numba.njit(cache=True)
def _append(
    other: int, value: np.float32, k: int, word: int,
    counts: Longs, indices: Ints, values: Floats, least: Floats,
) -> None:  # fmt: skip
    """Put an offer at the end of a word's list, which is made shorter if it is full."""
    if counts[word] == indices.shape[1]:
        _shorten(k, word, counts, indices, values, least)
        if value <= least[word]:
            return
    indices[word, counts[word]], values[word, counts[word]] = other, value
    counts[word] += 1


@numba.njit(cache=True)
def _shorten(
    k: int, word: int | np.int64, counts: Longs, indices: Ints, values: Floats, least: Floats
) -> None:
    """Leave the k best offers in a word's list, in their order."""
    n = counts[word]
    offers, offered = indices[word, :n].copy(), values[word, :n].copy()
    least[word] = select_highest(offered.copy(), k)
    counts[word] = copy_closest(offers, offered, k, least[word], indices[word], values[word])


@numba.njit(parallel=True, cache=True)
def _keep_best(k: int, counts: Longs, indices: Ints, values: Floats, least: Floats) -> None:
    """Leave the k best offers in all lists."""
    for at in numba.prange(len(counts)):
        word = np.int64(at)  # as in `_append`: for another type, all would be compiled once more
        if counts[word] > k:
            _shorten(k, word, counts, indices, values, least)
        elif counts[word] == k:
            least[word] = select_highest(values[word, :k].copy(), k)
