"""Figures of a matrix whose rows come in chunks: how many pairs it has and how close they are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.measures.sparse import Floats, Longs

Doubles = NDArray[np.float64]


class RowStatistics:
    """Figures of each row of a symmetric matrix, over the words that a word is related to.

    A word is not related to itself, nor to words where the matrix has the value `absent`.

    Attributes
    ----------
    related : array of int
        The number of related words.
    sums : array of float
        The sum of their values.
    lowest, highest : array of float
        The lowest and the highest of their values; inf and -inf in a row without any.
    """

    def __init__(self, words: int, absent: float) -> None:
        self.absent = np.float32(absent)
        self.related = np.zeros(words, np.int64)
        self.sums = np.zeros(words, np.float64)
        self.lowest = np.full(words, np.inf, np.float32)
        self.highest = np.full(words, -np.inf, np.float32)

    def add(self, start: int, rows: Floats, words: Longs | None = None) -> None:
        """Take whole rows, of which `start` is the first.

        `words` says whose rows they are, if these are not the rows of all words in their order.
        """
        if words is None:
            words = np.arange(start, start + len(rows))
        related, sums, lowest, highest = _row_statistics(words, rows, self.absent)
        self.take(start, related, sums, lowest, highest)

    def take(self, start: int, related: Longs, sums: Doubles, low: Floats, high: Floats) -> None:
        """Take the figures of rows that another process has looked at."""
        chunk = slice(start, start + len(related))
        self.related[chunk], self.sums[chunk] = related, sums
        self.lowest[chunk], self.highest[chunk] = low, high

    @property
    def pairs(self) -> int:
        """The number of related pairs; ab and ba are one."""
        return int(self.related.sum()) // 2

    @property
    def fill(self) -> float:
        """The value of words that are not related.

        `absent` if that is a number, otherwise the lowest value of all: unrelated words are no
        closer than the most distant related ones.
        """
        if np.isfinite(self.absent):
            return float(self.absent)
        return float(self.lowest.min()) if self.related.any() else 0.0

    def metrics(self, stored: int, cut_at_most: float | None = None) -> dict[str, Any]:
        """The stage's figures when `stored` pairs are on disk and no pair above a value was cut."""
        values = None
        if self.pairs:
            mean = float(self.sums.sum() / 2 / self.pairs)
            values = Spread(float(self.lowest.min()), mean, float(self.highest.max()))
        return matrix_metrics(len(self.related), self.pairs, stored, values, cut_at_most)


class Spread(NamedTuple):
    """The lowest, mean and highest value of the related pairs of a matrix."""

    lowest: float
    mean: float
    highest: float


def matrix_metrics(
    words: int, pairs: int, stored: int, values: Spread | None, cut_at_most: float | None
) -> dict[str, Any]:
    """The figures of a matrix with so many related `pairs`, of which some are `stored`."""
    return {
        "words": words,
        "pairs": stored,
        "density": 2 * stored / max(words * (words - 1), 1),
        "lowest": values.lowest if values else None,
        "mean": values.mean if values else None,
        "highest": values.highest if values else None,
        "pairs_cut": pairs - stored,
        "share_cut": (pairs - stored) / pairs if pairs else 0.0,
        "cut_at_most": cut_at_most,
    }


@numba.njit(parallel=True, cache=True)
def _row_statistics(
    words: Longs, rows: Floats, absent: np.float32
) -> tuple[Longs, Any, Floats, Floats]:
    """The number, sum, lowest and highest of the related values of each row."""
    height, width = rows.shape
    related = np.zeros(height, np.int64)
    sums = np.zeros(height, np.float64)
    lowest = np.full(height, np.inf, np.float32)
    highest = np.full(height, -np.inf, np.float32)
    for row in numba.prange(height):
        n = 0
        total = 0.0
        low, high = np.float32(np.inf), np.float32(-np.inf)
        for word in range(width):
            value = rows[row, word]
            if value != absent and word != words[row]:
                total += value
                low, high = min(low, value), max(high, value)
                n += 1
        related[row], sums[row], lowest[row], highest[row] = n, total, low, high
    return related, sums, lowest, highest
