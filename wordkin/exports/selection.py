"""A measure with only some words, for exports of a short list; they may be unknown ones.

Known words keep their values. An unknown word has the weighted mean of the known words that it
stands for, as everywhere (`wordkin.language.resolved`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids
from wordkin.language.resolution import Resolution, WeightedWord
from wordkin.language.resolved import resolved_pairs
from wordkin.measures.measure import Measure
from wordkin.measures.sparse import LowRank, SparseMeasure
from wordkin.measures.vectors import VectorMeasure
from wordkin.vocabulary import Vocabulary
from wordkin.words import normal


class SelectedMeasure(Measure):
    """Some words of another measure, then words that stand for some of its words.

    Parameters
    ----------
    measure : Measure
        The measure with all words.
    vocabulary : Vocabulary
        The selected words.
    ids : array of int
        The ids of the known ones, which come first.
    unknown : sequence of Resolution
        What the other ones stand for.
    """

    def __init__(
        self,
        measure: Measure,
        vocabulary: Vocabulary,
        ids: Ids,
        unknown: Sequence[Resolution] = (),
    ) -> None:
        super().__init__(measure.name, vocabulary)
        self._measure, self._ids, self._unknown = measure, ids, list(unknown)

    @cached_property
    def _unknown_rows(self) -> Floats:
        """The rows of the unknown words: (unknown words, all words)."""
        words = self._measure.vocabulary.words
        known = [
            Resolution(words[i], True, (), (WeightedWord(words[i], 1.0),))
            for i in self._ids.tolist()
        ]
        items = [*known, *self._unknown]
        rows = np.zeros((len(self._unknown), len(items)), dtype=np.float32)
        for at, item in enumerate(self._unknown):
            rows[at] = resolved_pairs(self._measure, item, items)
        rows[np.arange(len(rows)), len(known) + np.arange(len(rows))] = 0.0
        # The mean over the pairs of two unknown words is rounded: keep one of its two values.
        corner = rows[:, len(known) :]
        corner[:] = np.triu(corner) + np.triu(corner, 1).T
        return rows

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids, count = np.asarray(ids, dtype=np.int64), len(self._ids)
        out = np.empty((len(word_ids), len(self.vocabulary)), dtype=np.float32)
        known = word_ids < count
        out[known, :count] = self._measure.rows(self._ids[word_ids[known]])[:, self._ids]
        if self._unknown:
            out[known, count:] = self._unknown_rows[:, word_ids[known]].T
            out[~known] = self._unknown_rows[word_ids[~known] - count]
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        count = len(self._ids)
        low, high = np.minimum(first, second), np.maximum(first, second)
        out = np.empty(len(first), dtype=np.float32)
        known = high < count
        out[known] = self._measure.pairs(self._ids[first[known]], self._ids[second[known]])
        if not known.all():
            out[~known] = self._unknown_rows[high[~known] - count, low[~known]]
        return out

    def unit_vectors(self) -> Floats | None:
        vectors = self._measure.unit_vectors()
        if vectors is None:
            return None
        means = [_mean_vector(vectors, self._measure.vocabulary, item) for item in self._unknown]
        return np.concatenate([vectors[self._ids], *(mean[None] for mean in means)])


def _mean_vector(vectors: Floats, vocabulary: Vocabulary, item: Resolution) -> Floats:
    """The weighted mean of the vectors of the words that an unknown one stands for."""
    ids = vocabulary.ids_of(entry.word for entry in item.words)
    weights = np.array([entry.weight for entry in item.words], dtype=np.float32)
    mean = np.einsum("i,ij->j", weights, vectors[ids])
    return np.asarray(mean / (np.linalg.norm(mean) or 1.0), dtype=np.float32)


def select_words(measure: Measure, items: Iterable[Resolution], language: str) -> Measure:
    """The measure between some words: the known ones in the vocabulary's order, then the others.

    Known vectors stay vectors and a sparse matrix stays sparse: formats treat them differently. A
    phrase is not a word: it selects the known words in it.
    """
    full = measure.vocabulary
    known: set[int] = set()
    unknown: dict[str, Resolution] = {}
    for item in items:
        name = normal(item.word, language)
        if item.known or " " in name:
            known.update(full.ids_of(entry.word for entry in item.words).tolist())
        else:
            unknown.setdefault(name, item)
    chosen = np.array(sorted(known), dtype=np.int64)
    zeros = np.zeros(len(unknown), dtype=np.int64)
    vocabulary = Vocabulary(
        [*(full.words[i] for i in chosen), *unknown],
        np.concatenate([full.counts[chosen], zeros]),
        np.concatenate([full.documents[chosen], zeros]),
    )
    if not unknown and isinstance(measure, VectorMeasure):
        return VectorMeasure(measure.name, vocabulary, np.asarray(measure.vectors[chosen]))
    if not unknown and isinstance(measure, SparseMeasure):
        return _select_sparse(measure, vocabulary, chosen)
    return SelectedMeasure(measure, vocabulary, chosen, list(unknown.values()))


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
