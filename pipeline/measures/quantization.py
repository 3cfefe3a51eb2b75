"""Numbers in few bits: the arrays of a compact measure (`wordkin.measures.compact`)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.measures.factors import Factors
from pipeline.measures.sparse import Floats, Sparse
from pipeline.measures.tiling import PairList
from wordkin.measures.codes import Codes, Packed, pack
from wordkin.measures.compact import BLOCK, LEVELS
from wordkin.measures.learned import KNOT_LEVELS
from wordkin.measures.tiles import PairBits

Arrays = dict[str, NDArray[Any]]
Doubles = NDArray[np.float64]

REACH = {2: 1.2, 3: 2.0, 4: 2.8, 5: 3.4}
"""The largest number that so few bits can hold, in root mean squares of a word's numbers. Larger
ones are clipped: few bits are better spent on the common sizes."""

SAMPLE = 1 << 16
"""How many values are looked at first to see whether there are more than there are levels."""

BINS = 512
"""The number of equal steps in which the values of pairs are counted to choose the levels."""

LLOYD_STEPS = 40
"""How often few levels are moved to the means of the values that are nearest to them."""

ROUNDING = 1e-9
"""A level with a smaller share of all weights has none: this is a rounding error."""

SPARE_LEVELS = 0.1
"""The share of the levels at equal distances, so that no value is far from one."""


class Precision(NamedTuple):
    """How many bits numbers or values have: those of frequent words, and all others.

    The frequent words are the first `words` of the vocabulary. A pair is one of frequent words if
    both of its words are.
    """

    words: int
    frequent: int
    others: int

    @property
    def pair_bits(self) -> PairBits:
        """The bits of codes of pairs."""
        return PairBits(self.others, self.frequent, self.words)


def encode_numbers(factors: Factors, precision: Precision) -> Codes:
    """The numbers of all words in few bits.

    Each direction is scaled to the same mean square, so that none of them drowns in the steps of
    a stronger one. The scale of a word keeps the length of its numbers.
    """
    numbers, signs = factors
    sizes = np.sqrt(np.square(numbers, dtype=np.float64).mean(axis=0))
    sizes[sizes == 0] = 1.0
    frequent, others = (
        _rounded(numbers[rows], sizes, bits)
        for rows, bits in (
            (slice(0, precision.words), precision.frequent),
            (slice(precision.words, None), precision.others),
        )
    )
    return Codes(
        Packed(pack(others.codes, precision.others), precision.others),
        np.concatenate([frequent.scales, others.scales]),
        (signs * sizes**2).astype(np.float32),
        Packed(pack(frequent.codes, precision.frequent), precision.frequent)
        if precision.words
        else None,
    )


class _Rounded(NamedTuple):
    """Whole numbers, and what those of each word are multiplied by."""

    codes: NDArray[np.int8]
    scales: Floats


def _rounded(numbers: Floats, sizes: Doubles, bits: int) -> _Rounded:
    """The numbers of some words in steps of their own, in directions of these sizes."""
    top = 2 ** (bits - 1) - 1
    even = numbers / sizes
    reach = np.abs(even).max(axis=1, initial=0.0)
    if bits in REACH:
        reach = np.minimum(reach, REACH[bits] * np.sqrt(np.square(even).mean(axis=1)))
    steps = np.where(reach > 0, reach, 1.0) / top
    codes = np.clip(np.rint(even / steps[:, None]), -top, top)
    lengths = np.sqrt(np.square(numbers, dtype=np.float64).sum(axis=1))
    code_lengths = np.sqrt(np.square(codes * sizes).sum(axis=1))
    scales = np.divide(lengths, code_lengths, out=np.zeros_like(lengths), where=code_lengths > 0)
    return _Rounded(codes.astype(np.int8), scales.astype(np.float32))


def encode_pairs(stored: Sparse, bounds: NDArray[np.floating]) -> Arrays:
    """The arrays `indptr`, `indices`, `values`, `levels` and `bounds`."""
    blocks = -(-stored.words // BLOCK)
    rows = np.repeat(np.arange(stored.words), np.diff(stored.indptr))
    counts = np.bincount(rows * blocks + stored.indices // BLOCK, minlength=stored.words * blocks)
    levels = choose_levels(stored.values)
    return {
        "indptr": np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
        "indices": (stored.indices % BLOCK).astype(np.uint16),
        "values": nearest_levels(stored.values, levels),
        "levels": levels,
        "bounds": bounds,
    }


def encode_knots(knots: Floats) -> Arrays:
    """The arrays `knots` and `knot_levels` of a learned measure: (words, parts, ranks)."""
    levels = [choose_levels(np.ravel(part), KNOT_LEVELS) for part in np.moveaxis(knots, 1, 0)]
    codes = [nearest_levels(knots[:, part], levels[part]) for part in range(len(levels))]
    return {"knots": np.stack(codes, axis=1), "knot_levels": np.stack(levels)}


class Levels(NamedTuple):
    """What the values of pairs are rounded to: pairs of two frequent words, and all others."""

    words: int
    """How many words are frequent."""
    frequent: Floats
    others: Floats

    @classmethod
    def of(cls, pairs: PairList, precision: Precision) -> Levels:
        """The levels that fit the values of some pairs, large ones above all.

        People ask for words that are closely related, and most pairs are not.
        """
        is_frequent = pairs.later < precision.words
        values = pairs.values[is_frequent], pairs.values[~is_frequent]
        frequent = choose_levels(values[0], 1 << precision.frequent, np.abs(values[0]))
        others = choose_levels(values[1], 1 << precision.others, np.abs(values[1]))
        return cls(precision.words, frequent, others)

    @property
    def all(self) -> Floats:
        """All levels: first those of pairs of frequent words."""
        return np.concatenate([self.frequent, self.others])

    def codes(self, pairs: PairList) -> NDArray[np.uint16]:
        """The place of the level of each pair among all levels."""
        is_frequent = pairs.later < self.words
        codes = np.empty(len(pairs.values), np.uint16)
        codes[is_frequent] = nearest_levels(pairs.values[is_frequent], self.frequent)
        codes[~is_frequent] = nearest_levels(pairs.values[~is_frequent], self.others)
        codes[~is_frequent] += np.uint16(len(self.frequent))
        return codes


def nearest_levels(values: Floats, levels: Floats) -> NDArray[np.uint8]:
    """The number of the level that is nearest to each value."""
    middles = (levels[1:].astype(np.float64) + levels[:-1]) / 2
    return np.searchsorted(middles, values).astype(np.uint8)


def choose_levels(values: Floats, number: int = LEVELS, weights: Floats | None = None) -> Floats:
    """The values that stand for all values, ascending; `weights` say how much each one counts.

    All of them if they are so few. Otherwise the density of the levels is about the cube root of
    the density of the values, which makes the mean square error least if there are many levels.
    Few levels are then moved to the means of the values that are nearest to them (Lloyd).
    """
    distinct = np.unique(values[:: max(len(values) // SAMPLE, 1)])
    if len(distinct) <= number:
        distinct = np.unique(values)
    if len(distinct) <= number:
        last = distinct[-1:] if len(distinct) else np.zeros(1, np.float32)
        return np.concatenate([distinct, np.repeat(last, number - len(distinct))]).astype(
            np.float32
        )
    counts, edges = np.histogram(values, BINS, weights=weights)
    densities = np.cbrt(counts)
    densities += SPARE_LEVELS * densities.mean()
    shares = np.concatenate([[0.0], np.cumsum(densities)])
    borders = np.interp(np.linspace(0, shares[-1], number + 1), shares, edges)
    levels = (borders[1:] + borders[:-1]) / 2
    if number < LEVELS:
        levels = _moved(levels, counts, (edges[1:] + edges[:-1]) / 2)
    return np.asarray(levels, dtype=np.float32)


def _moved(levels: Doubles, counts: NDArray[Any], middles: Doubles) -> Doubles:
    """The levels after some of Lloyd's steps, on values that are counted in bins."""
    sums = np.concatenate([[0.0], np.cumsum(counts * middles)])
    numbers = np.concatenate([[0], np.cumsum(counts)])
    negligible = ROUNDING * numbers[-1]
    for _ in range(LLOYD_STEPS):
        inner = np.searchsorted(middles, (levels[1:] + levels[:-1]) / 2)
        borders = np.concatenate([[0], inner, [len(counts)]])
        count = np.diff(numbers[borders])
        is_used = count > negligible
        means = np.diff(sums[borders]) / np.where(is_used, count, 1)
        levels = np.where(is_used, means, levels)
    return levels
