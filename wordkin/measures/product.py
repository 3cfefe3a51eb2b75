"""A product of a matrix with itself: the sum over all two-step paths between two words.

S has, in the row of each word, its closest words in another matrix. The relatedness of two words is
that of their rows in S·Sᵀ: the sum over the words that are among the closest of both. Rows follow
from S at once, so S·Sᵀ is not stored. A measure of the kind `product` has one array, and either the
pairs of a matrix or the name of another measure that has them (`of` in `measure.json`):

    least                      float32, words   the relatedness of each word's last closest word
    indptr, indices, values    the pairs in which one word is among the closest of the other

A pair ab is in the row of a in S if its relatedness is not below `least` of a.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.measures.explanations.middles import Between, between
from wordkin.measures.files import MeasureFolder
from wordkin.measures.matrix import MatrixMeasure, Pairs, open_pairs
from wordkin.measures.measure import Measure, Storage
from wordkin.vocabulary import Vocabulary

_PAIRS_AT_ONCE = 4096


class ProductMeasure(Measure):
    """The product of the rows of a matrix, each cut to its closest words.

    Parameters
    ----------
    name : str
        The name of the measure.
    vocabulary : Vocabulary
        Its words.
    stored : Pairs
        The pairs of the matrix.
    least : array of float32
        The relatedness of the last word in the row of each word.
    """

    def __init__(self, name: str, vocabulary: Vocabulary, stored: Pairs, least: Floats) -> None:
        super().__init__(name, vocabulary)
        self.stored, self.least = stored, least

    @property
    def storage(self) -> Storage:
        return Storage("product of pairs")

    def closest_of(self, word: int) -> tuple[Ids, Floats]:
        """The row of a word in S: ids, ascending, and values."""
        ids, values = self.stored.row(word)
        kept = values >= self.least[word]
        return ids[kept], values[kept]

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        out = np.empty((len(word_ids), len(self.vocabulary)), dtype=np.float32)
        for row, word in zip(out, word_ids.tolist(), strict=True):
            row[:] = self._row(word)
            row[word] = 0.0
        return out

    def _row(self, word: int) -> Floats:
        middles, weights = self.closest_of(word)
        starts = self.stored.indptr[middles].astype(np.int64)
        lengths = self.stored.indptr[middles + 1].astype(np.int64) - starts
        offsets = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) + np.repeat(starts - offsets, lengths)
        ends, values = np.asarray(self.stored.indices[places]), self.stored.values_at(places)
        products = np.repeat(weights, lengths) * values
        products[values < self.least[ends]] = 0.0
        # In the order of the middle words: a sum has the same bits from either end of its pair.
        return np.bincount(ends, products, len(self.vocabulary)).astype(np.float32)

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        out = np.empty(len(first), dtype=np.float32)
        for start in range(0, len(first), _PAIRS_AT_ONCE):
            at = slice(start, start + _PAIRS_AT_ONCE)
            out[at] = self._pairs(first[at], second[at])
        out[first == second] = 0.0
        return out

    def _pairs(self, a: Ids, b: Ids) -> Floats:
        from scipy.sparse import csr_array  # takes a while, and rows do without it

        words, numbers = np.unique(np.concatenate([a, b]), return_inverse=True)
        rows = [self.closest_of(word) for word in words.tolist()]
        ids = np.concatenate([np.empty(0, np.int64), *(row[0] for row in rows)])
        values = np.concatenate([np.empty(0), *(row[1] for row in rows)])
        indptr = np.cumsum([0, *(len(row[0]) for row in rows)])
        closest: Any = csr_array((values, ids, indptr), (len(words), len(self.vocabulary)))
        left, right = closest[numbers[: len(a)]], closest[numbers[len(a) :]]
        return np.asarray(left.multiply(right).sum(axis=1))

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Between:
        return between(self, a, b, self.closest_of(a), self.closest_of(b))


def open_product(folder: MeasureFolder) -> ProductMeasure:
    """Open a measure of the kind `product`, and the measure that it is made of."""
    least = folder.array("least", (len(folder.vocabulary),), low=-np.inf)
    if folder.has_array("indptr"):
        return ProductMeasure(folder.name, folder.vocabulary, open_pairs(folder), least)
    of = folder.facts.get("of")
    part = folder.open_part(of) if isinstance(of, str) else None
    if not isinstance(part, MatrixMeasure) or part.stored is None:
        raise InputError(f"{folder.path / 'measure.json'} names no matrix of pairs: make it again.")
    return ProductMeasure(folder.name, folder.vocabulary, part.stored, least)
