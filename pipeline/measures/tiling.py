"""Pairs in few bits: the arrays that `wordkin.measures.tiles` reads."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.measures.sparse import Floats, Ints, Longs, Sparse
from wordkin.measures.tiles import (
    DENSE,
    HIGH_BYTES,
    LOW_BITS,
    SIDE,
    SPARE_BYTES,
    PairBits,
    TiledPairs,
    tiles_of,
)

Codes = NDArray[np.uint16]
Bytes = NDArray[np.uint8]


class PairList(NamedTuple):
    """Pairs of different words, each once: the later word first, in the order of both."""

    later: Ints
    earlier: Ints
    values: Floats


def lower_pairs(matrix: Sparse) -> PairList:
    """The pairs of a symmetric matrix, each once."""
    return PairList(*_lower_pairs(matrix.indptr, matrix.indices, matrix.values))


def values_at(matrix: Sparse, pairs: PairList) -> Floats:
    """The values of a matrix for some pairs; 0 where it has none."""
    return _values_at(matrix.indptr, matrix.indices, matrix.values, pairs.later, pairs.earlier)


def inner_products(left: Floats, right: Floats, pairs: PairList) -> Floats:
    """The product of a row of `left` with one of `right`, for each pair: of its two words."""
    return _inner_products(left, right, pairs.later, pairs.earlier)


def tile_pairs(words: int, later: Ints, earlier: Ints, codes: Codes, bits: PairBits) -> TiledPairs:
    """Store the pairs (later[k], earlier[k]), sorted, with their codes of so many bits."""
    counts = np.zeros(tiles_of(words), np.int64)
    cells, ordered = _sort_into_tiles(later, earlier, codes, counts, words)
    frequent = int(counts[: tiles_of(min(bits.words, words))].sum())
    code_bits = frequent * bits.frequent + (len(codes) - frequent) * bits.others
    highs = np.zeros(int(HIGH_BYTES[counts].sum()), np.uint8)
    lows = np.zeros(-(-int((counts * LOW_BITS[counts]).sum()) // 8) + SPARE_BYTES, np.uint8)
    packed = np.zeros(-(-code_bits // 8) + SPARE_BYTES, np.uint8)
    _encode_cells(counts, cells, LOW_BITS, HIGH_BYTES, highs, lows)
    _encode_codes(ordered[:frequent], 0, bits.frequent, 0, packed)
    start = frequent * bits.frequent
    _encode_codes(ordered[frequent:], bits.first_other, bits.others, start, packed)
    return TiledPairs(words, bits, counts.astype(np.uint16), highs, lows, packed)


@numba.njit(cache=True)
def _lower_pairs(indptr: Longs, indices: Ints, values: Floats) -> tuple[Ints, Ints, Floats]:
    size = 0
    for row in range(len(indptr) - 1):
        for at in range(indptr[row], indptr[row + 1]):
            size += indices[at] < row
    later, earlier = np.empty(size, np.int32), np.empty(size, np.int32)
    lower = np.empty(size, np.float32)
    place = 0
    for row in range(len(indptr) - 1):
        for at in range(indptr[row], indptr[row + 1]):
            if indices[at] >= row:
                break
            later[place], earlier[place], lower[place] = row, indices[at], values[at]
            place += 1
    return later, earlier, lower


@numba.njit(parallel=True, cache=True)
def _values_at(indptr: Longs, indices: Ints, values: Floats, later: Ints, earlier: Ints) -> Floats:
    out = np.zeros(len(later), np.float32)
    for k in numba.prange(len(later)):
        low, high = indptr[later[k]], indptr[later[k] + 1]
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < earlier[k]:
                low = middle + 1
            else:
                high = middle
        if low < indptr[later[k] + 1] and indices[low] == earlier[k]:
            out[k] = values[low]
    return out


@numba.njit(parallel=True, cache=True, fastmath={"reassoc", "contract"})
def _inner_products(left: Floats, right: Floats, later: Ints, earlier: Ints) -> Floats:
    out = np.empty(len(later), np.float32)
    for k in numba.prange(len(later)):
        a, b = left[later[k]], right[earlier[k]]
        total = np.float32(0)
        for direction in range(len(a)):
            total += a[direction] * b[direction]
        out[k] = total
    return out


@numba.njit(cache=True)
def _sort_into_tiles(
    later: Ints, earlier: Ints, codes: Codes, counts: Longs, words: int
) -> tuple[NDArray[np.uint16], Codes]:
    """The cells and codes of all pairs, tile after tile; fills in how many each tile has.

    Pairs are taken by the earlier word and then by the later one, so that the cells of each tile
    ascend.
    """
    ends = np.zeros(words + 1, np.int64)
    for k in range(len(later)):
        band = later[k] // SIDE
        counts[band * (band + 1) // 2 + earlier[k] // SIDE] += 1
        ends[earlier[k] + 1] += 1
    by_earlier, starts = np.empty(len(later), np.int64), np.cumsum(ends)
    for k in range(len(later)):
        by_earlier[starts[earlier[k]]] = k
        starts[earlier[k]] += 1
    places = np.cumsum(counts) - counts
    cells, ordered = np.empty(len(later), np.uint16), np.empty(len(later), np.uint16)
    for pair in by_earlier:
        band = later[pair] // SIDE
        tile = band * (band + 1) // 2 + earlier[pair] // SIDE
        place = places[tile]
        cells[place] = (earlier[pair] % SIDE) * SIDE + later[pair] % SIDE
        ordered[place] = codes[pair]
        places[tile] += 1
    return cells, ordered


@numba.njit(cache=True)
def _encode_cells(
    counts: Longs,
    cells: NDArray[np.uint16],
    low_bits: Longs,
    high_bytes: Longs,
    highs: Bytes,
    lows: Bytes,
) -> None:
    """Write the cells of all tiles into two streams of zeros."""
    pair = high_byte = low_bit = 0
    for tile in range(len(counts)):
        count = counts[tile]
        width = low_bits[count]
        for place in range(count):
            cell = np.int64(cells[pair])
            one = cell if count >= DENSE else (cell >> width) + place
            highs[high_byte + (one >> 3)] |= np.uint8(1 << (one & 7))
            _write(lows, low_bit, cell & ((1 << width) - 1))
            low_bit += width
            pair += 1
        high_byte += high_bytes[count]


@numba.njit(cache=True)
def _encode_codes(codes: Codes, lowest: int, bits: int, start: int, packed: Bytes) -> None:
    """Write codes, less the lowest one, into a stream of zeros, from the bit `start` on."""
    for place in range(len(codes)):
        _write(packed, start + place * bits, np.int64(codes[place]) - lowest)


@numba.njit(cache=True)
def _write(stream: Bytes, first: int, number: np.int64) -> None:
    """Write a number from the bit `first` on."""
    at, shifted = first >> 3, number << (first & 7)
    while shifted:
        stream[at] |= np.uint8(shifted & 255)
        shifted >>= 8
        at += 1
