"""A compact measure: a few numbers per word in 8, 6 or 4 bits, and pairs that are known better.

The kind `compact` estimates the relatedness of two words from `directions` numbers per word:

    codes             int8 or uint8, words x bytes    whole numbers, see `wordkin.measures.codes`
    frequent_codes    the same for the first words, with other bits; `codes` then has all others
    scales            float32, words                  the numbers of a word are its whole numbers
                                                      times its scale
    weights           float32, directions             relatedness = sum of weights[d] a[d] b[d]

It may also store the relatedness of some pairs. Each has one of 256 values:

    indptr     integer, words x blocks + 1    the pairs of each word, block after block
    indices    uint16                         the other word of each pair, ascending
    values     uint8                          the number of the pair's value in `levels`
    levels     float32, 256                   ascending
    bounds     float, words                   no pair that is not stored is above them

A block is 65,536 words, so that 16 bits are enough for an id in it: a vocabulary of up to 65,536
words has one block. The estimate of a pair that is not stored is at least `floor` of
`measure.json`, and at most the lower of the two words' bounds.

Where many pairs are stored, they take fewer bits as *corrections*, which are added to estimates:

    tile_*     the pairs and their codes, see `wordkin.measures.tiles`
    levels     float32                the correction that each code stands for, ascending; first
                                      those of pairs of two frequent words, then those of all others
    bounds     float, words           as above; without them, estimates are not cut

Some facts of `measure.json` go with the arrays:

    bits              the bits of numbers in `frequent_codes`, if there are any, and in `codes`;
                      without it they follow from the width of `codes`
    cells             `earlier first`; without it, cells have the place of the later word first
    pair_bits         the bits of the codes of pairs of two frequent words, and of all other pairs;
                      without it, all have the logarithm of the number of levels
    frequent_words    how many words are frequent in this sense
    base              another measure, whose value takes the place of an estimate where it is above
                      0 and at least the lower of the two words' bounds: the relatedness of near
                      words in `graph` is their npmi

A measure without directions estimates 0.
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
from wordkin.measures.codes import FEWEST_BITS, MOST_BITS, Codes, Packed, code_bytes
from wordkin.measures.explanations import near
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.kind import Kind, MeasureFolder
from wordkin.measures.measure import Among, Measure, Storage
from wordkin.measures.products import Limits, products
from wordkin.measures.sparse import find_places, is_ascending
from wordkin.measures.tiles import SIDE, PairBits, TiledPairs, tiles_of
from wordkin.vocabulary import Vocabulary

BLOCK = 1 << 16
"""The number of words whose ids fit into 16 bits."""

LEVELS = 256
"""The number of values that a stored pair can have."""

EARLIER_FIRST = "earlier first"
"""The order of the two words' places in the cells of tiles, a fact of `measure.json`."""


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


@dataclass(frozen=True)
class Corrections:
    """What is added to the estimates of some pairs, and bounds for all estimates.

    Attributes
    ----------
    tiles : TiledPairs
        The pairs, and the number of each one's level.
    levels : array of float32
        The corrections.
    bounds : array of float32 or None
        No estimate of a word is above its bound.
    base : Measure or None
        Its values, where they reach the lower bound of two words, take the place of estimates.
    """

    tiles: TiledPairs
    levels: Floats
    bounds: Floats | None = None
    base: Measure | None = None

    def pairs(self, estimates: Floats, a: Ids, b: Ids) -> Floats:
        """The relatedness of the pairs a[k], b[k], of which the estimates are known."""
        if self.bounds is not None and self.base:
            self._take(estimates, self.base.pairs(a, b), np.minimum(self.bounds[a], self.bounds[b]))
        codes = self.tiles.find(a, b)
        at = np.flatnonzero(codes >= 0)
        estimates[at] += self.levels[codes[at]]
        return estimates

    def rows(self, estimates: Floats, words: Ids, among: Among, base: Among | None) -> Floats:
        """The relatedness of words to chosen ones, of which the estimates are known."""
        if base and self.bounds is not None:
            bounds, chosen = self.bounds[words], self.bounds[among.ids]
            for row, values, bound in zip(estimates, base.rows(words), bounds, strict=True):
                self._take(row, values, np.minimum(chosen, bound))
        for row, (partners, codes) in zip(estimates, self.tiles.rows(words), strict=True):
            places = among.places[partners]
            at = np.flatnonzero(places >= 0)
            row[places[at]] += self.levels[codes[at]]
        return estimates

    @staticmethod
    def _take(estimates: Floats, values: Floats, bounds: Floats) -> None:
        taken = (values > 0) & (values >= bounds)
        estimates[taken] = values[taken]

    def partners(self, word: int) -> Ids:
        """The ids of the words that are stored with a word, here or in the base, ascending."""
        ids = [self.tiles.row(word).partners.astype(np.int64)]
        if self.base and self.bounds is not None:
            others, values = self.base.neighbours(word)
            ids.append(others[values >= np.minimum(self.bounds[word], self.bounds[others])])
        return np.unique(np.concatenate(ids))


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
    corrections : Corrections or None
        What is added to the estimates of some pairs; a measure has these or `pairs_stored`.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        codes: Codes,
        pairs_stored: StoredPairs | None = None,
        floor: float | None = None,
        corrections: Corrections | None = None,
    ) -> None:
        super().__init__(name, vocabulary)
        self.codes, self.pairs_stored, self.floor = codes, pairs_stored, floor
        self.corrections = corrections

    @property
    def estimate_bounds(self) -> Floats | None:
        """What the estimates of each word are cut at."""
        if self.corrections:
            return self.corrections.bounds
        return self.pairs_stored.bounds if self.pairs_stored else None

    @property
    def storage(self) -> Storage:
        directions, words = len(self.codes.weights), len(self.vocabulary)
        bits = " and ".join(map(str, self.codes.bits))
        form = f"compact, {directions} numbers of {bits} bits" if directions else "compact"
        stored = 2 * self.corrections.tiles.pairs if self.corrections else 0
        if self.pairs_stored:
            stored = len(self.pairs_stored.indices)
        return Storage(form, stored / max(words * (words - 1), 1) or None)

    @property
    def complete(self) -> bool:
        return self.pairs_stored is None and self.corrections is None

    @cached_property
    def _every_word(self) -> Among:
        """All words, prepared when the first row is asked for.

        The newest rows are kept: the reasons for a word's neighbours ask for its row each time.
        """
        return CachedAmong(CompactAmong(self, np.arange(len(self.vocabulary))), ROWS_KEPT)

    def unit_vectors(self) -> Floats | None:
        if not self.complete or (self.codes.weights < 0).any():
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
        bounds = self.estimate_bounds
        if bounds is not None:
            np.minimum(out, np.minimum(bounds[first], bounds[second]), out=out)
            if self.floor is not None:
                np.maximum(out, np.float32(self.floor), out=out)
        if self.corrections:
            out = self.corrections.pairs(out, first, second)
        if self.pairs_stored:
            places = self.pairs_stored.find(first, second)
            stored = places >= 0
            out[stored] = self.pairs_stored.levels[self.pairs_stored.values[places[stored]]]
        out[first == second] = 0.0
        return np.asarray(out, dtype=np.float32)

    def neighbours(self, word: int) -> tuple[Ids, Floats]:
        """The ids of the words that are stored with a word, ascending, and their relatedness."""
        if self.corrections:
            ids = self.corrections.partners(word)
            return ids, self.pairs(np.full(len(ids), word), ids)
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
        if self.pairs_stored is not None and self.corrections is None and k > 0:
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
        bounds = measure.estimate_bounds
        self._bounds = None if bounds is None else bounds[ids]
        base = measure.corrections.base if measure.corrections else None
        self._base = base.among(ids) if base else None

    def rows(self, words: ArrayLike) -> Floats:
        word_ids, measure = np.asarray(words, dtype=np.int64), self.measure
        weighted = measure.codes.numbers(word_ids) * measure.codes.weights
        limits, bounds = None, measure.estimate_bounds
        if bounds is not None and self._bounds is not None:
            limits = Limits(bounds[word_ids], self._bounds, measure.floor)
        out = products(weighted, self._codes, limits, self._scales)
        if measure.corrections:
            out = measure.corrections.rows(out, word_ids, self, self._base)
        elif measure.pairs_stored:
            out = self.set_stored(out, word_ids, measure.neighbours)
        return self.set_own(out, word_ids)


def open_compact(folder: MeasureFolder) -> CompactMeasure:
    """Open a measure of the kind `compact`."""
    stored = _open_pairs(folder) if folder.has_array("indptr") else None
    corrections = _open_corrections(folder) if folder.has_array("tile_counts") else None
    if stored and corrections:
        raise _damaged(folder)
    floor = folder.facts.get("floor")
    if floor is not None and not (isinstance(floor, int | float) and abs(floor) <= LARGEST):
        raise InputError(f"{folder.path / 'measure.json'} has no valid 'floor': make it again.")
    return CompactMeasure(
        folder.name, folder.vocabulary, _open_codes(folder), stored, floor, corrections
    )


def _open_codes(folder: MeasureFolder) -> Codes:
    words = len(folder.vocabulary)
    weights = np.asarray(folder.array("weights", (None,)))
    scales = np.asarray(folder.array("scales", (words,)))
    names = ["codes"]
    if folder.has_array("frequent_codes"):
        names.insert(0, "frequent_codes")
    rows = [np.asarray(folder.array(name, (None, None), "iu")) for name in names]
    bits = folder.facts.get("bits", [_bits_of(rows[-1], len(weights))])
    if (
        not isinstance(bits, list)
        or len(bits) != len(rows)
        or sum(map(len, rows)) != words
        or not all(_has_bits(*part, len(weights)) for part in zip(rows, bits, strict=True))
    ):
        raise _damaged(folder)
    *first, others = map(Packed, rows, bits)
    return Codes(others, scales, weights, *first)


def _has_bits(rows: NDArray[Any], bits: Any, directions: int) -> bool:
    """Whether rows are as wide as numbers of so many bits are."""
    if not isinstance(bits, int) or not FEWEST_BITS <= bits <= MOST_BITS:
        return False
    dtype = np.int8 if bits == MOST_BITS else np.uint8
    return rows.dtype == dtype and rows.shape[1] == code_bytes(directions, bits)


def _bits_of(rows: NDArray[Any], directions: int) -> int | None:
    """The bits per number in bundles that do not say them; None if no number fits."""
    return next((bits for bits in (8, 4, 6) if _has_bits(rows, bits, directions)), None)


def _open_corrections(folder: MeasureFolder) -> Corrections:
    words = len(folder.vocabulary)
    levels = np.asarray(folder.array("levels", (None,)), dtype=np.float32)
    counts = folder.array("tile_counts", (tiles_of(words),), "u")
    highs, lows, codes = (
        np.asarray(folder.array(f"tile_{name}", (None,), "u"))
        for name in ("highs", "lows", "codes")
    )
    types = [array.dtype for array in (counts, highs, lows, codes)]
    bits = _pair_bits(folder, len(levels))
    if bits is None or types != [np.uint16, *[np.uint8] * 3]:
        raise _damaged(folder)
    tiles = TiledPairs(
        words,
        bits,
        np.asarray(counts),
        highs,
        lows,
        codes,
        str(folder.path),
        later_first=folder.facts.get("cells") != EARLIER_FIRST,
    )
    if not tiles.fits():
        raise _damaged(folder)
    if folder.thorough:
        tiles.check()
    bounds, base = None, folder.facts.get("base")
    if folder.has_array("bounds"):
        # A word whose pairs are all stored has no bound.
        bounds = np.asarray(folder.array("bounds", (words,), high=np.inf), dtype=np.float32)
    if base is not None and not isinstance(base, str):
        raise InputError(f"{folder.path / 'measure.json'} has no valid 'base': make it again.")
    return Corrections(tiles, levels, bounds, None if base is None else folder.open_part(base))


def _pair_bits(folder: MeasureFolder, levels: int) -> PairBits | None:
    """The bits of codes of pairs; None if they do not fit to the number of levels."""
    bits = folder.facts.get("pair_bits")
    if bits is None:
        each = levels.bit_length() - 1
        return PairBits(each) if 1 <= each <= 8 and levels == 1 << each else None
    frequent_words = folder.facts.get("frequent_words")
    if (
        not isinstance(bits, list)
        or len(bits) != 2
        or not all(isinstance(number, int) and 1 <= number <= 8 for number in bits)
        or not isinstance(frequent_words, int)
        or frequent_words < 0
        or frequent_words % SIDE
        or levels != sum(1 << number for number in bits)
    ):
        return None
    return PairBits(bits[1], bits[0], frequent_words)


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
