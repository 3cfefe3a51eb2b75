"""Numbers in few bits: the arrays of a compact measure (`wordkin.measures.compact`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.relatedness.factors import Factors
from pipeline.relatedness.sparse import Floats, Sparse
from wordkin.measures.compact import BLOCK, LEVELS, MIDDLE

Arrays = dict[str, NDArray[Any]]

REACH = 2.8
"""The largest number that 4 bits can hold, in root mean squares of a word's numbers. Larger ones
are clipped: so few bits are better spent on the common sizes."""

BINS = 512
"""The number of equal steps in which the values of pairs are counted to choose the levels."""

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
    if bits < 8:
        reach = np.minimum(reach, REACH * np.sqrt(np.square(even).mean(axis=1)))
    steps = np.where(reach > 0, reach, 1.0) / top
    codes = np.clip(np.rint(even / steps[:, None]), -top, top)
    lengths = np.sqrt(np.square(numbers, dtype=np.float64).sum(axis=1))
    code_lengths = np.sqrt(np.square(codes * sizes).sum(axis=1))
    scales = np.divide(lengths, code_lengths, out=np.zeros_like(lengths), where=code_lengths > 0)
    codes = codes.astype(np.int8)
    return {
        "codes": codes if bits == 8 else pack_nibbles(codes),
        "scales": scales.astype(np.float32),
        "weights": (signs * sizes**2).astype(np.float32),
    }


def pack_nibbles(codes: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two numbers from -8 to 7 per byte, the first in the lower half; an odd last one is alone."""
    shifted = (codes + MIDDLE).astype(np.uint8)
    if shifted.shape[1] % 2:
        shifted = np.pad(shifted, ((0, 0), (0, 1)))
    return np.asarray(shifted[:, 0::2] | (shifted[:, 1::2] << 4))


def encode_pairs(stored: Sparse, bounds: Floats) -> Arrays:
    """The arrays `indptr`, `indices`, `values`, `levels` and `bounds`."""
    blocks = -(-stored.words // BLOCK)
    rows = np.repeat(np.arange(stored.words), np.diff(stored.indptr))
    counts = np.bincount(rows * blocks + stored.indices // BLOCK, minlength=stored.words * blocks)
    levels = choose_levels(stored.values)
    middles = (levels[1:].astype(np.float64) + levels[:-1]) / 2
    return {
        "indptr": np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
        "indices": (stored.indices % BLOCK).astype(np.uint16),
        "values": np.searchsorted(middles, stored.values).astype(np.uint8),
        "levels": levels,
        "bounds": bounds.astype(np.float32),
    }


def choose_levels(values: Floats) -> Floats:
    """The 256 values that stand for all values, ascending.

    All of them if they are so few. Otherwise the density of the levels is about the cube root of
    the density of the values, which makes the mean square error least.
    """
    distinct = np.unique(values)
    if len(distinct) <= LEVELS:
        last = distinct[-1:] if len(distinct) else np.zeros(1, np.float32)
        return np.concatenate([distinct, np.repeat(last, LEVELS - len(distinct))]).astype(
            np.float32
        )
    counts, edges = np.histogram(values, BINS)
    densities = np.cbrt(counts)
    densities += SPARE_LEVELS * densities.mean()
    shares = np.concatenate([[0.0], np.cumsum(densities)])
    borders = np.interp(np.linspace(0, shares[-1], LEVELS + 1), shares, edges)
    return np.asarray((borders[1:] + borders[:-1]) / 2, dtype=np.float32)
