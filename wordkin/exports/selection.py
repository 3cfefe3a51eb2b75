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
from wordkin.measures.measure import Measure, Storage
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
        self, measure: Measure, vocabulary: Vocabulary, ids: Ids, unknown: Sequence[Resolution]
    ) -> None:
        super().__init__(measure.name, vocabulary)
        self._measure, self._ids, self._unknown = measure, ids, list(unknown)

    @property
    def storage(self) -> Storage:
        return super().storage if self._unknown else self._measure.storage

    @cached_property
    def _unknown_rows(self) -> Floats:
        """The rows of the unknown words: (unknown words, all words)."""
        measure, count = self._measure, len(self._ids)
        known = [
            Resolution(word, True, (), (WeightedWord(word, 1.0),))
            for word in self.vocabulary.words[:count]
        ]
        items = [*known, *self._unknown]
        rows = np.array([resolved_pairs(measure, item, items) for item in self._unknown])
        rows = rows.astype(np.float32).reshape(len(self._unknown), len(items))
        # The mean over the pairs of two unknown words is rounded: keep one of its two values.
        corner = rows[:, count:]
        corner[:] = np.triu(corner, 1) + np.triu(corner, 1).T
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
        rows = self.rows(a)
        return rows[np.arange(len(rows)), np.asarray(b, dtype=np.int64)]

    def neighbours(self, word: int) -> tuple[Ids, Floats]:
        if self._unknown:
            return super().neighbours(word)
        stored, values = self._measure.neighbours(int(self._ids[word]))
        places = np.searchsorted(self._ids, stored).clip(max=len(self._ids) - 1)
        chosen = self._ids[places] == stored
        return places[chosen], values[chosen]

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

    A phrase is not a word: it selects the known words in it.
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
    return SelectedMeasure(measure, vocabulary, chosen, list(unknown.values()))
