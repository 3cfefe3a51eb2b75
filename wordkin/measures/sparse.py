"""A sparse matrix: only some pairs are stored.

The kind `csr` is a compressed sparse matrix with both triangles and an empty diagonal:

    indptr    int64, words + 1    the pairs of word i are those from indptr[i] to indptr[i + 1]
    indices   int32               the other word of each pair, ascending within a word
    values    float               the relatedness of each pair

Pairs that are not stored have the relatedness `fill` of `measure.json` (default 0). A measure that
stores only the nearest pairs may have three more arrays, which approximate all other pairs; see
`LowRank`:

    rest      float32, words x directions
    signs     float32, directions
    bounds    float32, words
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.measures.kind import Kind, MeasureFolder
from wordkin.measures.measure import Among, Measure, Storage
from wordkin.measures.products import Limits, products
from wordkin.vocabulary import Vocabulary


@dataclass(frozen=True)
class LowRank:
    """An approximation of the pairs that a matrix does not store.

    It is the sum over the directions d of signs[d] rest[a, d] rest[b, d]. The result is clipped: it
    is at least `floor`, and at most the lower of the two words' `bounds`, the relatedness of a
    word's last stored pair. A pair above that would have been stored.
    """

    rest: Floats
    signs: Floats
    bounds: Floats
    floor: float

    def rows(self, ids: Ids) -> Floats:
        """Several words against all words."""
        sums = np.asarray((self.rest[ids] * self.signs) @ self.rest.T, dtype=np.float32)
        return self._clip(sums, np.minimum.outer(self.bounds[ids], self.bounds))

    def pairs(self, a: Ids, b: Ids) -> Floats:
        """The pairs of the words a[k] and b[k]."""
        sums = np.einsum("ij,ij->i", self.rest[a] * self.signs, self.rest[b])
        return self._clip(sums, np.minimum(self.bounds[a], self.bounds[b]))

    def _clip(self, sums: Floats, bounds: Floats) -> Floats:
        return np.asarray(np.clip(sums, np.float32(self.floor), bounds, out=sums))


class SparseMeasure(Measure):
    """A measure that stores a sparse matrix.

    Pairs that are not stored have the relatedness `fill`, or the one that `low_rank` approximates.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        values: NDArray[np.floating],
        fill: float = 0.0,
        low_rank: LowRank | None = None,
    ) -> None:
        super().__init__(name, vocabulary)
        self.indptr, self.indices, self.values = indptr, indices, values
        self.fill, self.low_rank = fill, low_rank

    @property
    def storage(self) -> Storage:
        words = len(self.vocabulary)
        return Storage("sparse matrix", len(self.indices) / max(words * (words - 1), 1))

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        if self.low_rank:
            out = self.low_rank.rows(word_ids)
        else:
            out = np.full((len(word_ids), len(self.vocabulary)), self.fill, dtype=np.float32)
        for at, word_id in enumerate(word_ids):
            span = slice(self.indptr[word_id], self.indptr[word_id + 1])
            try:
                out[at, self.indices[span]] = self.values[span]
            except IndexError as error:
                raise self._foreign_ids() from error
        out[np.arange(len(word_ids)), word_ids] = 0.0
        return out

    def among(self, ids: ArrayLike) -> Among:
        word_ids = np.asarray(ids, dtype=np.int64)
        return LowRankAmong(self, word_ids) if self.low_rank else Among(self, word_ids)

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        if self.low_rank:
            out = self.low_rank.pairs(first, second)
        else:
            out = np.full(len(first), self.fill, dtype=np.float32)
        places = self.find(first, second)
        stored = places >= 0
        out[stored] = self.values[places[stored]]
        out[first == second] = 0.0
        return out

    @property
    def complete(self) -> bool:
        return self.low_rank is None

    def find(self, a: Ids, b: Ids) -> Ids:
        """Where the pairs (a[k], b[k]) are stored; -1 for those that are not."""
        return find_places(self.indices, self.indptr[a], self.indptr[a + 1], b)

    def neighbours(self, word: int) -> tuple[Ids, Floats]:
        """The ids of the words that are stored with a word, ascending, and their relatedness."""
        span = slice(self.indptr[word], self.indptr[word + 1])
        ids = np.asarray(self.indices[span], dtype=np.int64)
        if len(ids) and (ids.min() < 0 or ids.max() >= len(self.vocabulary)):
            raise self._foreign_ids()
        return ids, self.values[span]

    def _foreign_ids(self) -> InputError:
        place = self.folder or f"the measure '{self.name}'"
        return InputError(
            f"The indices in {place} name words outside the vocabulary: make or copy it again."
        )


class LowRankAmong(Among):
    """Some words of a matrix that approximates the pairs it does not store."""

    measure: SparseMeasure

    def __init__(self, measure: SparseMeasure, ids: Ids) -> None:
        super().__init__(measure, ids)
        assert measure.low_rank is not None
        self._low_rank = measure.low_rank
        self._rest = np.asarray(self._low_rank.rest[ids])
        self._bounds = np.asarray(self._low_rank.bounds[ids])

    def rows(self, words: ArrayLike) -> Floats:
        word_ids, low_rank = np.asarray(words, dtype=np.int64), self._low_rank
        weighted = low_rank.rest[word_ids] * low_rank.signs
        limits = Limits(low_rank.bounds[word_ids], self._bounds, low_rank.floor)
        out = products(weighted, self._rest, limits)
        return self.set_own(self.set_stored(out, word_ids, self.measure.neighbours), word_ids)


def find_places(
    indices: NDArray[np.integer[Any]], starts: Ids, ends: Ids, wanted: Ids
) -> NDArray[np.int64]:
    """The place of wanted[k] among the ascending indices from starts[k] to before ends[k].

    It is -1 where they do not have it.
    """
    # One binary search for all k at the same time.
    low, high = starts.copy(), ends.copy()
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        searching = low < high
        middle = np.where(searching, (low + high) // 2, 0)
        before = searching & (indices[middle] < wanted)
        low = np.where(before, middle + 1, low)
        high = np.where(searching & ~before, middle, high)
    stored = low < ends
    stored[stored] = indices[low[stored]] == wanted[stored]
    return np.where(stored, low, -1)


def open_sparse(folder: MeasureFolder) -> SparseMeasure:
    """Open a measure of the kind `csr`."""
    # Most ids in `indices` are checked when they are used: looking at all of them takes too long.
    words = len(folder.vocabulary)
    indptr = folder.array("indptr", (words + 1,), "i", low=0, high=words**2)
    indices = folder.array("indices", (None,), "iu", low=0, high=words - 1)
    values = folder.array("values", (None,))
    whole = len(indices) == len(values) == indptr[-1]
    if not whole or indptr[0] != 0 or (np.diff(indptr) < 0).any():
        raise InputError(
            f"The arrays in {folder.path} do not fit together: make or copy them again."
        )
    if folder.thorough and not is_ascending(indptr, indices):
        raise InputError(
            f"{folder.path / 'indices.npy'} is not sorted within each word: make or copy it again."
        )
    low_rank = _open_low_rank(folder) if folder.has_array("rest") else None
    return SparseMeasure(
        folder.name, folder.vocabulary, indptr, indices, values, folder.fill, low_rank
    )


def is_ascending(indptr: NDArray[np.integer], indices: NDArray[np.integer]) -> bool:
    """Whether the ids of every row ascend."""
    starts = np.zeros(len(indices) + 1, dtype=bool)
    starts[indptr] = True
    rises = np.asarray(indices[1:]) > np.asarray(indices[:-1])
    return bool((rises | starts[1:-1]).all())


def _open_low_rank(folder: MeasureFolder) -> LowRank:
    words = len(folder.vocabulary)
    signs = folder.array("signs", (None,))
    rest = folder.array("rest", (words, len(signs)))
    bounds = folder.array("bounds", (words,), high=np.inf)  # a word that lost no pair has no bound
    return LowRank(rest, signs, bounds, folder.fill)


KIND = Kind(
    "csr",
    ("indptr", "indices", "values"),
    open_sparse,
    count_words=lambda arrays: len(arrays["indptr"]) - 1,
)
