"""A compact measure: a few numbers per word in 8 or 4 bits, and the nearest words of each word.

The kind `compact` estimates the relatedness of two words from `directions` numbers per word:

    codes      int8, words x directions; or uint8, words x half the directions, which holds two
               numbers of 4 bits per byte, the lower half first, each plus 8
    scales     float32, words         the numbers of a word are its codes times its scale
    weights    float32, directions    relatedness = sum over d of weights[d] a[d] b[d]

It may also store the pairs of near words. Each has one of 256 values:

    indptr     integer, words x blocks + 1    the pairs of each word, block after block
    indices    uint16                         the other word of each pair, ascending
    values     uint8                          the number of the pair's value in `levels`
    levels     float32, 256                   ascending
    bounds     float, words                   no pair that is not stored is above them

A block is 65,536 words, so that 16 bits are enough for an id in it: a vocabulary of up to 65,536
words has one block. The estimate of a pair that is not stored is at least `floor` of
`measure.json`, and at most the lower of the two words' bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.arrays import LARGEST, Floats, Ids, largest
from wordkin.errors import InputError
from wordkin.measures.cached import CachedAmong
from wordkin.measures.explanations import near
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.kind import Kind, MeasureFolder
from wordkin.measures.measure import Among, Measure, Storage
from wordkin.measures.products import Limits, products
from wordkin.measures.sparse import find_places, is_ascending
from wordkin.vocabulary import Vocabulary

BLOCK = 1 << 16
"""The number of words whose ids fit into 16 bits."""

LEVELS = 256
"""The number of values that a stored pair can have."""

MIDDLE = 8
"""What is added to a number of 4 bits, so that it is not negative."""


@dataclass(frozen=True)
class Codes:
    """Numbers of words in 8 or 4 bits, and what they weigh."""

    codes: NDArray[np.integer[Any]]
    scales: Floats
    weights: Floats

    @property
    def bits(self) -> int:
        """The number of bits per number."""
        return 8 if self.codes.dtype == np.int8 else 4

    def whole_numbers(self, words: Any = slice(None)) -> NDArray[np.integer[Any]]:
        """The numbers of some words before they are scaled, one row per word."""
        codes = self.codes[words]
        if self.bits == 8:
            return codes
        pairs = np.empty((*codes.shape, 2), dtype=np.int8)
        pairs[..., 0], pairs[..., 1] = codes & 15, codes >> 4
        whole = pairs.reshape(len(codes), pairs.shape[1] * 2)[:, : len(self.weights)]
        return np.asarray(whole - np.int8(MIDDLE))

    def numbers(self, words: Any = slice(None)) -> Floats:
        """The numbers of some words, one row per word."""
        out = self.whole_numbers(words).astype(np.float32)
        out *= self.scales[words, None]
        return out


@dataclass(frozen=True)
class StoredPairs:
    """The pairs of near words, and a bound for all other pairs."""

    indptr: NDArray[np.integer[Any]]
    indices: NDArray[np.uint16]
    values: NDArray[np.uint8]
    levels: Floats
    bounds: Floats

    @property
    def blocks(self) -> int:
        """The number of blocks of 65,536 words."""
        return -(-len(self.bounds) // BLOCK)

    def partners(self, word: int) -> tuple[Ids, Floats]:
        """The ids of the words that are stored with a word, ascending, and their relatedness."""
        first = word * self.blocks
        ends = self.indptr[first : first + self.blocks + 1].astype(np.int64)
        ids = self.indices[ends[0] : ends[-1]].astype(np.int64)
        if self.blocks > 1:
            ids += np.repeat(np.arange(self.blocks) * BLOCK, np.diff(ends))
        return ids, self.levels[self.values[ends[0] : ends[-1]]]

    def find(self, a: Ids, b: Ids) -> Ids:
        """Where the pairs (a[k], b[k]) are stored; -1 for those that are not."""
        block = a * self.blocks + b // BLOCK
        starts, ends = (self.indptr[at].astype(np.int64) for at in (block, block + 1))
        return find_places(self.indices, starts, ends, b % BLOCK)


ROWS_KEPT = 32
"""How many whole rows a measure keeps: with 50,000 words they take 6 MB."""


class CompactMeasure(Measure):
    """A measure that estimates most pairs from a few numbers per word.

    Attributes
    ----------
    codes : Codes
        The numbers of the words.
    pairs_stored : StoredPairs or None
        The pairs of near words; without them all pairs are estimated.
    floor : float or None
        No estimate is below it.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        codes: Codes,
        pairs_stored: StoredPairs | None = None,
        floor: float | None = None,
    ) -> None:
        super().__init__(name, vocabulary)
        self.codes, self.pairs_stored, self.floor = codes, pairs_stored, floor

    @property
    def storage(self) -> Storage:
        form = f"compact, {len(self.codes.weights)} numbers of {self.codes.bits} bits"
        if self.pairs_stored is None:
            return Storage(form)
        words = len(self.vocabulary)
        share = len(self.pairs_stored.indices) / max(words * (words - 1), 1)
        return Storage(form, share or None)

    @property
    def complete(self) -> bool:
        return self.pairs_stored is None

    @cached_property
    def _every_word(self) -> Among:
        """All words, prepared when the first row is asked for.

        The newest rows are kept: the reasons for a word's neighbours ask for its row each time.
        """
        return CachedAmong(CompactAmong(self, np.arange(len(self.vocabulary))), ROWS_KEPT)

    def unit_vectors(self) -> Floats | None:
        if self.pairs_stored is not None or (self.codes.weights < 0).any():
            return None
        vectors = self.codes.numbers() * np.sqrt(self.codes.weights)
        lengths = np.linalg.norm(vectors, axis=1)
        # The numbers of a light measure may have any length: they are no vectors of cosines.
        return vectors if np.allclose(lengths[lengths > 0], 1, atol=1e-3) else None

    def rows(self, ids: ArrayLike) -> Floats:
        return self._every_word.rows(ids)

    def among(self, ids: ArrayLike) -> CompactAmong:
        return CompactAmong(self, np.asarray(ids, dtype=np.int64))

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        left, right = self.codes.numbers(first), self.codes.numbers(second)
        out = np.einsum("ij,ij->i", left * self.codes.weights, right)
        if self.pairs_stored:
            bounds = self.pairs_stored.bounds
            np.minimum(out, np.minimum(bounds[first], bounds[second]), out=out)
            if self.floor is not None:
                np.maximum(out, np.float32(self.floor), out=out)
            places = self.pairs_stored.find(first, second)
            stored = places >= 0
            out[stored] = self.pairs_stored.levels[self.pairs_stored.values[places[stored]]]
        out[first == second] = 0.0
        return np.asarray(out, dtype=np.float32)

    def neighbours(self, word: int) -> tuple[Ids, Floats]:
        """The ids of the words that are stored with a word, ascending, and their relatedness."""
        if self.pairs_stored is None:
            return super().neighbours(word)
        ids, values = self.pairs_stored.partners(word)
        if len(ids) and ids.max() >= len(self.vocabulary):
            place = self.folder or f"the measure '{self.name}'"
            raise InputError(
                f"The indices in {place} name words outside the vocabulary: make or copy it again."
            )
        return ids, values

    def closest(self, word: int, k: int) -> tuple[Ids, Floats]:
        if self.pairs_stored is not None and k > 0:
            ids, values = self.neighbours(word)
            places = largest(values, k)
            # No pair that is not stored is above the bound, or the floor that estimates end at.
            bound = max(float(self.pairs_stored.bounds[word]), self.floor or 0.0)
            if len(places) == k and values[places[-1]] > bound:
                return ids[places], values[places]
        return super().closest(word, k)

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Explanation:
        npmi = measures.get("npmi")
        if npmi is None or "total" not in npmi.facts:
            # A light bundle has no counts that could explain this measure by its name.
            return near.explain(self, a, b, measures)
        return super().reasons(a, b, measures)


class CompactAmong(Among):
    """Some words of a compact measure: their codes are next to each other in memory."""

    measure: CompactMeasure

    def __init__(self, measure: CompactMeasure, ids: Ids) -> None:
        super().__init__(measure, ids)
        # All words in their order need no copy of the codes.
        is_all = np.array_equal(ids, np.arange(len(measure.vocabulary)))
        self._codes = measure.codes.whole_numbers(slice(None) if is_all else ids)
        self._scales = measure.codes.scales[ids]
        self._bounds = measure.pairs_stored.bounds[ids] if measure.pairs_stored else None

    def rows(self, words: ArrayLike) -> Floats:
        word_ids, measure = np.asarray(words, dtype=np.int64), self.measure
        weighted = measure.codes.numbers(word_ids) * measure.codes.weights
        if measure.pairs_stored is None or self._bounds is None:
            out = products(weighted, self._codes, scales=self._scales)
            return self.set_own(out, word_ids)
        limits = Limits(measure.pairs_stored.bounds[word_ids], self._bounds, measure.floor)
        out = products(weighted, self._codes, limits, self._scales)
        return self.set_own(self.set_stored(out, word_ids, measure.neighbours), word_ids)


def open_compact(folder: MeasureFolder) -> CompactMeasure:
    """Open a measure of the kind `compact`."""
    words = len(folder.vocabulary)
    weights = folder.array("weights", (None,))
    scales = folder.array("scales", (words,))
    codes = folder.array("codes", (words, None), "iu")
    widths = {np.dtype(np.int8): len(weights), np.dtype(np.uint8): -(-len(weights) // 2)}
    if widths.get(codes.dtype) != codes.shape[1]:
        raise _damaged(folder)
    stored = _open_pairs(folder) if folder.has_array("indptr") else None
    floor = folder.facts.get("floor")
    if floor is not None and not (isinstance(floor, int | float) and abs(floor) <= LARGEST):
        raise InputError(f"{folder.path / 'measure.json'} has no valid 'floor': make it again.")
    numbers = Codes(np.asarray(codes), np.asarray(scales), np.asarray(weights))
    return CompactMeasure(folder.name, folder.vocabulary, numbers, stored, floor)


def _open_pairs(folder: MeasureFolder) -> StoredPairs:
    # Most ids in `indices` are checked when they are used: looking at all of them takes too long.
    words = len(folder.vocabulary)
    # As plain arrays: every access to numpy's class of mapped files takes longer.
    indptr = np.asarray(
        folder.array("indptr", (words * -(-words // BLOCK) + 1,), "iu", 0, words**2)
    )
    indices = np.asarray(folder.array("indices", (None,), "u", high=min(words, BLOCK) - 1))
    values = np.asarray(folder.array("values", (None,), "u"))
    levels = np.asarray(folder.array("levels", (LEVELS,)), dtype=np.float32)
    # A word whose pairs are all stored has no bound.
    bounds = np.asarray(folder.array("bounds", (words,), high=np.inf), dtype=np.float32)
    steps = np.diff(indptr.astype(np.int64))
    whole = len(indices) == len(values) == indptr[-1] and indptr[0] == 0 and (steps >= 0).all()
    if not whole or (indices.dtype, values.dtype) != (np.uint16, np.uint8):
        raise _damaged(folder)
    if folder.thorough and not is_ascending(indptr, indices):
        raise InputError(
            f"{folder.path / 'indices.npy'} is not sorted within each word: make or copy it again."
        )
    return StoredPairs(indptr, indices, values, levels, bounds)


def _damaged(folder: MeasureFolder) -> InputError:
    return InputError(f"The arrays in {folder.path} do not fit together: make or copy them again.")


KIND = Kind(
    "compact",
    ("codes", "scales", "weights"),
    open_compact,
    count_words=lambda arrays: len(arrays["scales"]),
)
