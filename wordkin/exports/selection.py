"""A measure with only some of its words, for exports of a short list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids
from wordkin.measures import LowRank, Measure, SparseMeasure, VectorMeasure
from wordkin.vocabulary import Vocabulary


class SelectedMeasure(Measure):
    """Some words of another measure; their relatedness stays the same."""

    def __init__(self, measure: Measure, vocabulary: Vocabulary, ids: Ids) -> None:
        super().__init__(measure.name, vocabulary)
        self._measure, self._ids = measure, ids

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        return self._measure.rows(self._ids[word_ids])[:, self._ids]

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        return self._measure.pairs(self._ids[first], self._ids[second])


def select_words(measure: Measure, ids: Sequence[int]) -> Measure:
    """The measure between the words with these ids, which must be ascending.

    Vectors stay vectors and a sparse matrix stays sparse: formats treat them differently.
    """
    chosen = np.asarray(ids, dtype=np.int64)
    full = measure.vocabulary
    words = [full.words[i] for i in chosen]
    vocabulary = Vocabulary(words, full.counts[chosen], full.documents[chosen])
    if isinstance(measure, VectorMeasure):
        return VectorMeasure(measure.name, vocabulary, np.asarray(measure.vectors[chosen]))
    if isinstance(measure, SparseMeasure):
        return _select_sparse(measure, vocabulary, chosen)
    return SelectedMeasure(measure, vocabulary, chosen)


def _select_sparse(measure: SparseMeasure, vocabulary: Vocabulary, chosen: Ids) -> SparseMeasure:
    new_ids = np.full(len(measure.vocabulary), -1, dtype=np.int32)
    new_ids[chosen] = np.arange(len(chosen))
    indices, values = [], []
    for word in chosen.tolist():
        neighbours, relatedness = measure.neighbours(word)
        columns = new_ids[neighbours]
        indices.append(columns[columns >= 0])
        values.append(relatedness[columns >= 0])
    low_rank = measure.low_rank and LowRank(
        np.asarray(measure.low_rank.rest[chosen]),
        measure.low_rank.signs,
        np.asarray(measure.low_rank.bounds[chosen]),
        measure.low_rank.floor,
    )
    return SparseMeasure(
        measure.name,
        vocabulary,
        np.cumsum([0, *map(len, indices)], dtype=np.int64),
        np.concatenate(indices),
        np.concatenate(values),
        measure.fill,
        low_rank,
    )
