"""Numbers in few bits: the arrays of a compact measure (`wordkin.measures.compact`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.relatedness.factors import Factors
from pipeline.relatedness.sparse import Floats, Sparse
from wordkin.measures.compact import BLOCK, LEVELS, MIDDLES

Arrays = dict[str, NDArray[Any]]
Doubles = NDArray[np.float64]

REACH = 2.8
"""The largest number that 4 bits can hold, in root mean squares of a word's numbers. Larger ones
are clipped: so few bits are better spent on the common sizes."""

SAMPLE = 1 << 16
"""How many values are looked at first to see whether there are more than there are levels."""

BINS = 512
"""The number of equal steps in which the values of pairs are counted to choose the levels."""

LLOYD_STEPS = 40
"""How often few levels are moved to the means of the values that are nearest to them."""

SPARE_LEVELS = 0.1
"""The share of the levels at equal distances, so that no value is far from one."""


def encode_numbers(factors: Factors, bits: int) -> Arrays:
    """The arrays `codes`, `scales` and `weights`.

    Each direction is scaled to the same mean square, so that none of them drowns in the steps of
    a stronger one. The scale of a word keeps the length of its numbers.
    """
    numbers, signs = factors
    sizes = np.sqrt(np.square(numbers, dtype=np.float64).mean(axis=0))
    sizes[sizes == 0] = 1.0
    top = 2 ** (bits - 1) - 1
    even = numbers / sizes
    reach = np.abs(even).max(axis=1, initial=0.0)
    if bits < 6:
        reach = np.minimum(reach, REACH * np.sqrt(np.square(even).mean(axis=1)))
    steps = np.where(reach > 0, reach, 1.0) / top
    codes = np.clip(np.rint(even / steps[:, None]), -top, top)
    lengths = np.sqrt(np.square(numbers, dtype=np.float64).sum(axis=1))
    code_lengths = np.sqrt(np.square(codes * sizes).sum(axis=1))
    scales = np.divide(lengths, code_lengths, out=np.zeros_like(lengths), where=code_lengths > 0)
    codes = codes.astype(np.int8)
    return {
        "codes": codes if bits == 8 else _PACK[bits](codes),
        "scales": scales.astype(np.float32),
        "weights": (signs * sizes**2).astype(np.float32),
    }


def pack_nibbles(codes: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two numbers from -8 to 7 per byte, the first in the lower half; an odd last one is alone."""
    shifted = _shifted(codes, 4, 2)
    return np.asarray(shifted[:, 0::2] | (shifted[:, 1::2] << 4))


def pack_sextets(codes: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Four numbers from -32 to 31 in three bytes, the first in the lowest bits."""
    first, second, third, fourth = (_shifted(codes, 6, 4)[:, at::4] for at in range(4))
    packed = np.stack(
        [first | second << 6, second >> 2 | third << 4, third >> 4 | fourth << 2], axis=2
    )
    return packed.reshape(len(codes), 3 * first.shape[1])


def _shifted(codes: NDArray[np.int8], bits: int, together: int) -> NDArray[np.uint8]:
    """The codes without negative ones, and so many more that they fill whole groups."""
    shifted = (codes + MIDDLES[bits]).astype(np.uint8)
    return np.pad(shifted, ((0, 0), (0, -shifted.shape[1] % together)))


_PACK = {6: pack_sextets, 4: pack_nibbles}


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


def nearest_levels(values: Floats, levels: Floats) -> NDArray[np.uint8]:
    """The number of the level that is nearest to each value."""
    middles = (levels[1:].astype(np.float64) + levels[:-1]) / 2
    return np.searchsorted(middles, values).astype(np.uint8)


def choose_levels(values: Floats, number: int = LEVELS) -> Floats:
    """The values that stand for all values, ascending.

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
    counts, edges = np.histogram(values, BINS)
    densities = np.cbrt(counts)
    densities += SPARE_LEVELS * densities.mean()
    shares = np.concatenate([[0.0], np.cumsum(densities)])
    borders = np.interp(np.linspace(0, shares[-1], number + 1), shares, edges)
    levels = (borders[1:] + borders[:-1]) / 2
    if number < LEVELS:
        levels = _moved(levels, counts, (edges[1:] + edges[:-1]) / 2)
    return np.asarray(levels, dtype=np.float32)


def _moved(levels: Doubles, counts: NDArray[np.int64], middles: Doubles) -> Doubles:
    """The levels after some of Lloyd's steps, on values that are counted in bins."""
    sums = np.concatenate([[0.0], np.cumsum(counts * middles)])
    numbers = np.concatenate([[0], np.cumsum(counts)])
    for _ in range(LLOYD_STEPS):
        inner = np.searchsorted(middles, (levels[1:] + levels[:-1]) / 2)
        borders = np.concatenate([[0], inner, [len(counts)]])
        count = np.diff(numbers[borders])
        levels = np.where(count > 0, np.diff(sums[borders]) / np.maximum(count, 1), levels)
    return levels
