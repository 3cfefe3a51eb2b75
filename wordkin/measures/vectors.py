"""Vectors: the relatedness of two words is the cosine of their vectors.

The kind `vectors` has one array, `vectors` (words x dimensions), with rows of unit length.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids
from wordkin.measures.kind import Kind, MeasureFolder
from wordkin.measures.measure import Among, Measure, Storage
from wordkin.measures.products import products
from wordkin.vocabulary import Vocabulary


class VectorMeasure(Measure):
    """The cosine of unit vectors."""

    def __init__(self, name: str, vocabulary: Vocabulary, vectors: Floats) -> None:
        super().__init__(name, vocabulary)
        self.vectors = vectors

    @property
    def storage(self) -> Storage:
        return Storage(f"vectors of {self.vectors.shape[1]}")

    def unit_vectors(self) -> Floats:
        return self.vectors

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        out = np.asarray(self.vectors[word_ids] @ self.vectors.T, dtype=np.float32)
        out[np.arange(len(word_ids)), word_ids] = 0.0
        return out

    def among(self, ids: ArrayLike) -> VectorAmong:
        return VectorAmong(self, np.asarray(ids, dtype=np.int64))

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        out = np.einsum("ij,ij->i", self.vectors[first], self.vectors[second])
        out[first == second] = 0.0
        return np.asarray(out, dtype=np.float32)


class VectorAmong(Among):
    """Some words with vectors, which are next to each other in memory."""

    measure: VectorMeasure

    def __init__(self, measure: VectorMeasure, ids: Ids) -> None:
        super().__init__(measure, ids)
        self.vectors = np.asarray(measure.vectors[ids])

    def rows(self, words: ArrayLike) -> Floats:
        word_ids = np.asarray(words, dtype=np.int64)
        return self.set_own(products(self.measure.vectors[word_ids], self.vectors), word_ids)


def open_vectors(folder: MeasureFolder) -> VectorMeasure:
    """Open a measure of the kind `vectors`."""
    vectors = folder.array("vectors", (len(folder.vocabulary), None), low=-1.01, high=1.01)
    return VectorMeasure(folder.name, folder.vocabulary, vectors)


KIND = Kind(
    "vectors", ("vectors",), open_vectors, count_words=lambda arrays: len(arrays["vectors"])
)
