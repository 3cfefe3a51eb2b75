"""A matrix: stored pairs, and vectors whose products estimate all other pairs.

`wordkin.measures.files` describes the arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.measures.files import MeasureFolder
from wordkin.measures.measure import Among, Measure, Storage
from wordkin.vocabulary import Vocabulary

_TILE, _WIDTH = 16, 512
"""The rows of both sides that are multiplied at a time. Libraries of linear algebra may add up in
another order for another shape, so all products have this one: a row of products has the same bits
whatever other rows are asked for with it. Vectors of whole numbers become floats only in pieces of
this size, which fit the processor's cache."""

_PAIRS_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Pairs:
    """The stored pairs as CSR: both triangles, ascending within a word, nothing on the diagonal."""

    indptr: NDArray[np.integer[Any]]
    indices: NDArray[np.integer[Any]]
    values: NDArray[Any]
    levels: Floats | None = None

    def row(self, word: int) -> tuple[Ids, Floats]:
        """The ids of the words that are stored with a word, ascending, and their relatedness."""
        span = slice(int(self.indptr[word]), int(self.indptr[word + 1]))
        return self.indices[span].astype(np.int64), self.values_at(span)

    def values_at(self, places: slice | Ids) -> Floats:
        """The relatedness of the pairs in some places."""
        values = self.values[places]
        return np.asarray(values if self.levels is None else self.levels[values])

    def find(self, a: Ids, b: Ids) -> Ids:
        """Where the pairs (a[k], b[k]) are stored; -1 for those that are not."""
        # One binary search for all k at the same time.
        low, ends = (self.indptr[at].astype(np.int64) for at in (a, a + 1))
        high = ends.copy()
        for _ in range(int((high - low).max(initial=0)).bit_length()):
            searching = low < high
            middle = np.where(searching, (low + high) // 2, 0)
            before = searching & (self.indices[middle] < b)
            low = np.where(before, middle + 1, low)
            high = np.where(searching & ~before, middle, high)
        stored = low < ends
        stored[stored] = self.indices[low[stored]] == b[stored]
        return np.where(stored, low, -1)

    def float_values(self) -> Floats:
        """The relatedness of all stored pairs."""
        return np.asarray(self.values_at(slice(None)), dtype=np.float32)


@dataclass(frozen=True)
class Vectors:
    """One vector per word, whose weighted products estimate the relatedness of two words."""

    numbers: NDArray[Any]
    scales: Floats | None = None
    weights: Floats | None = None
    bounds: Floats | None = None

    def floats(self, ids: Ids | slice) -> Floats:
        """The vectors of some words in floats."""
        numbers = np.asarray(self.numbers[ids], dtype=np.float32)
        return numbers if self.scales is None else numbers * self.scales[ids, None]

    def of(self, ids: Ids) -> Vectors:
        """The vectors of some words, next to each other in memory."""
        scales, bounds = self.scales, self.bounds
        return Vectors(
            np.asarray(self.numbers[ids]),
            None if scales is None else np.asarray(scales[ids]),
            self.weights,
            None if bounds is None else np.asarray(bounds[ids]),
        )

    def rows(self, ids: Ids, others: Vectors | None = None) -> Floats:
        """The estimates for some words with all words, or with `others`."""
        left = self.floats(ids)
        if self.weights is not None:
            left = left * self.weights
        others = others or self
        out = products(left, others.numbers, others.scales)
        if self.bounds is not None and others.bounds is not None:
            np.minimum(out, self.bounds[ids][:, None], out=out)
            np.minimum(out, others.bounds, out=out)
        return out

    def pairs(self, a: Ids, b: Ids) -> Floats:
        """The estimates for the pairs a[k], b[k]."""
        out = np.empty(len(a), dtype=np.float32)
        for start in range(0, len(a), _PAIRS_AT_ONCE):
            at = slice(start, start + _PAIRS_AT_ONCE)
            left = self.floats(a[at])
            if self.weights is not None:
                left = left * self.weights
            out[at] = np.einsum("ij,ij->i", left, self.floats(b[at]))
        if self.bounds is not None:
            np.minimum(out, np.minimum(self.bounds[a], self.bounds[b]), out=out)
        return out


class MatrixMeasure(Measure):
    """A measure that is stored: as pairs, as vectors, or as both.

    Parameters
    ----------
    name : str
        The name of the measure.
    vocabulary : Vocabulary
        Its words.
    pairs : Pairs, optional
        The pairs that are stored.
    vectors : Vectors, optional
        What estimates all other pairs; without vectors their relatedness is 0.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        pairs: Pairs | None = None,
        vectors: Vectors | None = None,
    ) -> None:
        super().__init__(name, vocabulary)
        self.stored, self.vectors = pairs, vectors

    @property
    def storage(self) -> Storage:
        words = len(self.vocabulary)
        dimensions = self.vectors.numbers.shape[1] if self.vectors else 0
        if not self.stored:
            return Storage(f"vectors of {dimensions}")
        form = f"pairs, and vectors of {dimensions}" if dimensions else "pairs"
        return Storage(form, len(self.stored.indices) / max(words * (words - 1), 1))

    @property
    def complete(self) -> bool:
        return self.vectors is None

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        if self.vectors:
            out = self.vectors.rows(word_ids)
        else:
            out = np.zeros((len(word_ids), len(self.vocabulary)), dtype=np.float32)
        if self.stored:
            for row, word in zip(out, word_ids.tolist(), strict=True):
                partners, values = self.stored.row(word)
                try:
                    row[partners] = values
                except IndexError as error:
                    raise self._foreign_ids() from error
        out[np.arange(len(word_ids)), word_ids] = 0.0
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        if self.vectors:
            out = self.vectors.pairs(first, second)
        else:
            out = np.zeros(len(first), dtype=np.float32)
        if self.stored:
            places = self.stored.find(first, second)
            found = np.flatnonzero(places >= 0)
            out[found] = self.stored.values_at(places[found])
        out[first == second] = 0.0
        return out

    def among(self, ids: ArrayLike) -> Among:
        return MatrixAmong(self, np.asarray(ids, dtype=np.int64))

    def neighbours(self, word: int) -> tuple[Ids, Floats]:
        """The ids of the words that are stored with a word, ascending, and their relatedness; all
        related words where no pairs are stored."""
        if not self.stored:
            return super().neighbours(word)
        ids, values = self.stored.row(word)
        if len(ids) and (ids.min() < 0 or ids.max() >= len(self.vocabulary)):
            raise self._foreign_ids()
        return ids, values

    def unit_vectors(self) -> Floats | None:
        if self.stored or not self.vectors or self.vectors.weights is not None:
            return None
        return self.vectors.floats(slice(None))

    def embedding(self) -> Floats | None:
        """Vectors of unit length whose cosines come close to the measure, one row per word.

        Exact where `unit_vectors` is. Dimensions with a negative weight have no place in a cosine.
        """
        if not self.vectors:
            return None
        vectors = self.vectors.floats(slice(None))
        if self.vectors.weights is not None:
            vectors = vectors * np.sqrt(np.maximum(self.vectors.weights, 0.0))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)

    def _foreign_ids(self) -> InputError:
        place = self.folder or f"the measure '{self.name}'"
        return InputError(
            f"The indices in {place} name words outside the vocabulary: make or copy it again."
        )


class MatrixAmong(Among):
    """Some words of a matrix, with their vectors next to each other in memory."""

    measure: MatrixMeasure

    def __init__(self, measure: MatrixMeasure, ids: Ids) -> None:
        super().__init__(measure, ids)
        self._vectors = measure.vectors.of(ids) if measure.vectors else None

    def rows(self, words: ArrayLike) -> Floats:
        word_ids, measure = np.asarray(words, dtype=np.int64), self.measure
        if measure.vectors:
            out = measure.vectors.rows(word_ids, self._vectors)
        else:
            out = np.zeros((len(word_ids), len(self.ids)), dtype=np.float32)
        if measure.stored:
            for row, word in zip(out, word_ids.tolist(), strict=True):
                partners, values = measure.neighbours(word)
                places = self.places[partners]
                chosen = places >= 0
                row[places[chosen]] = values[chosen]
        return self.set_own(out, word_ids)


def products(left: Floats, right: NDArray[Any], scales: Floats | None = None) -> Floats:
    """The inner products of the rows of `left` with those of `right`, times the `scales` of these.

    A row has the same bits whatever other rows of `left` there are.
    """
    count, numbers = left.shape
    tiles = -(-count // _TILE)
    filled = np.zeros((tiles * _TILE, numbers), dtype=np.float32)
    filled[:count] = left
    turned = np.ascontiguousarray(filled.reshape(tiles, _TILE, numbers).transpose(0, 2, 1))
    # Every piece has the same shape, so that the last one is computed like all others.
    width = min(_WIDTH, max(-(-len(right) // _TILE), 1) * _TILE)
    block = np.zeros((width, numbers), dtype=np.float32)
    pieces = np.empty((tiles, width, _TILE), dtype=np.float32)
    out = np.empty((tiles, _TILE, len(right)), dtype=np.float32)
    for start in range(0, len(right), width):
        span = slice(start, min(start + width, len(right)))
        size = span.stop - start
        block[:size] = right[span]
        np.matmul(block, turned, out=pieces)
        factors = np.float32(1) if scales is None else scales[span]
        np.multiply(pieces[:, :size].transpose(0, 2, 1), factors, out=out[:, :, span])
    return out.reshape(tiles * _TILE, len(right))[:count]


def open_matrix(folder: MeasureFolder) -> MatrixMeasure:
    """Open a measure of the kind `matrix`."""
    pairs = open_pairs(folder) if folder.has_array("indptr") else None
    vectors = _open_vectors(folder) if folder.has_array("vectors") else None
    if not pairs and not vectors:
        raise InputError(f"The measure in {folder.path} has no arrays: make or copy it again.")
    return MatrixMeasure(folder.name, folder.vocabulary, pairs, vectors)


def open_pairs(folder: MeasureFolder) -> Pairs:
    # Most ids in `indices` are checked when they are used: looking at all of them takes too long.
    words = len(folder.vocabulary)
    indices = folder.array("indices", (None,), "iu", low=0, high=words - 1)
    indptr = folder.ends("indptr", words, len(indices))
    if folder.has_array("levels"):
        levels = folder.array("levels", (256,))
        pairs = Pairs(indptr, indices, folder.array("values", (len(indices),), "u", 0, 255), levels)
    else:
        pairs = Pairs(indptr, indices, folder.array("values", (len(indices),)))
    if folder.thorough and not is_ascending(indptr, indices):
        raise InputError(
            f"{folder.path / 'indices.npy'} is not sorted within each word: make or copy it again."
        )
    return pairs


def is_ascending(indptr: NDArray[np.integer], indices: NDArray[np.integer]) -> bool:
    """Whether the ids of every row ascend."""
    starts = np.zeros(len(indices) + 1, dtype=bool)
    starts[indptr] = True
    rises = np.asarray(indices[1:]) > np.asarray(indices[:-1])
    return bool((rises | starts[1:-1]).all())


def _open_vectors(folder: MeasureFolder) -> Vectors:
    words = len(folder.vocabulary)
    scales = folder.array("scales", (words,)) if folder.has_array("scales") else None
    numbers = folder.array("vectors", (words, None), "i" if scales is not None else "f")
    dimensions = numbers.shape[1]
    weights = folder.array("weights", (dimensions,)) if folder.has_array("weights") else None
    # A word of which all pairs are stored has no bound.
    bounds = folder.array("bounds", (words,), high=np.inf) if folder.has_array("bounds") else None
    return Vectors(numbers, scales, weights, bounds)
