"""How word pairs are numbered, cut into bands of rows, and packed into blocks of bytes.

The strict upper triangle of the count matrix is cut into bands of whole rows. All pairs that a
task counted in a band are packed into one block, and the blocks of a band add up to one block. So
a shuffle or a file has a few large blocks instead of one row per pair.

A pair (first, second), with first < second, has three numbers, and only this module and the
kernel that fills the triangle know how they are computed:

    pair key        first x words + second
    band key        (first - low) x (words - low) + second - low, where the band starts at row low
    triangle cell   second x (second - 1) / 2 + first, in a dense triangle (`triangle_cells`)

The cells of a word with all words that are more frequent are next to each other in the triangle. So
most of the cells that the windows around a word need are on a few pages of the memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

BAND_CELLS = 4_000_000
"""Word pairs in a band: few enough to add up in a dense array, so many that there are few bands."""


class Pairs(NamedTuple):
    """Word pairs, as pair keys or band keys, with their counts."""

    keys: NDArray[Any]
    values: NDArray[Any]


NO_PAIRS = Pairs(np.empty(0, np.int64), np.empty(0, np.int64))


def pair_keys(first: NDArray[Any], second: NDArray[Any], words: int) -> NDArray[np.int64]:
    """The keys of pairs of words; each first word comes before its second."""
    return first * np.int64(words) + second


def triangle_cells(words: int) -> int:
    """The number of cells of a dense triangle."""
    return words * (words - 1) // 2


def triangle_pair_keys(cells: NDArray[np.int64], dense: int, words: int) -> NDArray[np.int64]:
    """The pair keys of some cells of a dense triangle over the first `dense` words."""
    numbers = np.arange(dense, dtype=np.int64)
    starts = numbers * (numbers - 1) // 2
    second = np.searchsorted(starts, cells, side="right") - 1
    return pair_keys(cells - starts[second], second, words)


class Bands:
    """The strict upper triangle of a words x words matrix, cut into bands of whole rows."""

    def __init__(self, words: int, cells: int = BAND_CELLS) -> None:
        self.words = words
        rows = np.arange(words + 1, dtype=np.int64)
        before = rows * (2 * words - rows - 1) // 2  # pairs in the rows before each row
        starts = np.unique(np.searchsorted(before, np.arange(0, before[-1], cells), side="left"))
        self.starts = np.append(starts[starts < words], words)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self, band: int) -> tuple[int, int]:
        """The first row of a band, and the row after its last."""
        return int(self.starts[band]), int(self.starts[band + 1])

    def key_count(self, band: int) -> int:
        """The number of possible keys in a band."""
        low, high = self.rows(band)
        return (high - low) * (self.words - low)

    def split(self, pairs: Pairs) -> Iterator[tuple[int, Pairs]]:
        """Pairs by ascending pair keys, cut into those of each band, by band keys."""
        for band in range(len(self)):
            low, high = self.rows(band)
            start, end = np.searchsorted(pairs.keys, [low * self.words, high * self.words])
            if end > start:
                first, second = np.divmod(pairs.keys[start:end], self.words)
                keys = (first - low) * (self.words - low) + second - low
                yield band, Pairs(keys, pairs.values[start:end])

    def split_triangle(
        self, cells: NDArray[Any], high_parts: NDArray[Any], dense: int
    ) -> Iterator[tuple[int, Pairs]]:
        """The counts in a dense triangle over the first `dense` words, cut into bands.

        The count of a cell is the one in `cells`, with its high bits in `high_parts`, unless that
        is empty.
        """
        for band in range(len(self)):
            low, high = self.rows(band)
            lengths = np.zeros(max(min(high, dense) - low, 0), np.int32)
            _count_nonzero(cells, high_parts, dense, low, lengths)
            number = int(lengths.sum(dtype=np.int64))
            if number:
                keys = np.empty(number, np.uint32)
                values = np.empty(number, np.uint32 if len(high_parts) else cells.dtype)
                places = np.cumsum(lengths, dtype=np.int64) - lengths
                width = self.words - low
                _read_rows(cells, high_parts, dense, low, width, places, keys, values)
                yield band, Pairs(keys, values)

    def rows_and_columns(
        self, band: int, keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The number of pairs in each row of a band, and the column of each ascending key."""
        low, high = self.rows(band)
        lengths, columns = np.zeros(high - low, np.int64), np.empty(len(keys), np.int32)
        _read_rows_and_columns(keys, self.words - low, low, lengths, columns)
        return lengths, columns


@numba.njit(cache=True, boundscheck=False)
def _read_rows_and_columns(
    keys: NDArray[Any],
    width: int,
    low: int,
    lengths: NDArray[np.int64],
    columns: NDArray[np.int32],
) -> None:
    at = 0
    for row in range(len(lengths)):
        start, begin, end = at, row * width, (row + 1) * width
        while at < len(keys) and keys[at] < end:
            columns[at] = np.int64(keys[at]) - begin + low
            at += 1
        lengths[row] = at - start


@numba.njit(cache=True, boundscheck=False)
def _count_nonzero(
    cells: NDArray[Any],
    high_parts: NDArray[Any],
    dense: int,
    low: int,
    lengths: NDArray[np.int32],
) -> None:
    """Count the nonzero cells of each of the rows from `low` on."""
    for column in range(low + 1, dense):
        start = column * (column - 1) // 2 + low
        end = start + min(len(lengths), column - low)
        counts, high = cells[start:end], high_parts[start:end]
        if len(high):
            for row in range(len(counts)):
                lengths[row] += (counts[row] | high[row]) != 0
        else:
            for row in range(len(counts)):
                lengths[row] += counts[row] != 0


@numba.njit(cache=True, boundscheck=False)
def _read_rows(
    cells: NDArray[Any],
    high_parts: NDArray[Any],
    dense: int,
    low: int,
    width: int,
    places: NDArray[np.int64],
    keys: NDArray[np.uint32],
    values: NDArray[Any],
) -> None:
    """The band keys and counts of the nonzero cells of the rows from `low` on, row by row.

    `places` says where the pairs of each row begin. Each column's nonzero cells are first listed
    without a branch, because whether a cell is zero cannot be predicted.
    """
    bits = 8 * cells.itemsize
    nonzero = np.empty(len(places), np.int32)
    for column in range(low + 1, dense):
        start = column * (column - 1) // 2 + low
        end = start + min(len(places), column - low)
        counts, high = cells[start:end], high_parts[start:end]
        number = 0
        if len(high):
            for row in range(len(counts)):
                nonzero[number] = row
                number += (counts[row] | high[row]) != 0
        else:
            for row in range(len(counts)):
                nonzero[number] = row
                number += counts[row] != 0
        for row in nonzero[:number]:
            value = np.uint64(counts[row])
            if len(high):
                value |= np.uint64(high[row]) << np.uint64(bits)
            place = places[row]
            keys[place] = row * width + column - low
            values[place] = value
            places[row] = place + 1


def add_pairs(many: Sequence[Pairs]) -> Pairs:
    """One entry per key, with the sum of its counts, in ascending order of the keys."""
    many = [pairs for pairs in many if len(pairs.keys)]
    if not many:
        return NO_PAIRS
    keys = np.concatenate([pairs.keys for pairs in many])
    values = np.concatenate([pairs.values for pairs in many]).astype(np.int64, copy=False)
    if bool((keys[1:] > keys[:-1]).all()):
        return Pairs(keys, values)
    order = np.argsort(keys)
    keys, values = keys[order], values[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return Pairs(keys[first], np.add.reduceat(values, first))


def add_blocks(blocks: Sequence[bytes], key_count: int) -> Pairs:
    """The sum of the blocks of one band.

    The sums go into a dense array when the blocks would fill much of it.
    """
    if len(blocks) == 1:
        return unpack(blocks[0])
    if 16 * sum(map(block_length, blocks)) < key_count:
        return add_pairs([unpack(block) for block in blocks])
    sums = np.zeros(key_count, np.int64)
    different = 0
    for block in blocks:  # unpacked one by one: there may be many of them
        different += _add_to_sums(*unpack(block), sums)
    return Pairs(*_nonzero(sums, different))


@numba.njit(cache=True, boundscheck=False)
def _add_to_sums(keys: NDArray[Any], values: NDArray[Any], sums: NDArray[np.int64]) -> int:
    """Add values to the sums of their keys; how many of these sums were zero."""
    zeros = 0
    for i in range(len(keys)):
        zeros += sums[keys[i]] == 0
        sums[keys[i]] += values[i]
    return zeros


@numba.njit(cache=True, boundscheck=False)
def _nonzero(sums: NDArray[np.int64], number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The keys and values of the sums that are not zero; `number` says how many there are."""
    keys = np.empty(number, np.int64)
    values = np.empty(number, np.int64)
    at = 0
    for key in range(len(sums)):
        if sums[key]:
            keys[at] = key
            values[at] = sums[key]
            at += 1
    return keys, values


# ── blocks ────────────────────────────────────────────────────────────────────────────────────
# A block is a header (number of pairs, bytes per step, bytes per value) and a compressed body: the
# steps between the ascending keys, then the values. Both are mostly small, so their bytes are
# stored plane by plane, as many planes as the largest number needs. The high planes are nearly all
# zeros and cost nothing: a pair takes two bytes instead of twelve.

_CODEC = pa.Codec("zstd", compression_level=1)
_HEADER = np.dtype("<i8")
_HEADER_NUMBERS = 3


def pack(pairs: Pairs) -> bytes:
    """The block of pairs with ascending band keys and values above zero."""
    steps = _planes(np.diff(pairs.keys, prepend=pairs.keys.dtype.type(0)))
    values = _planes(pairs.values)
    header = np.array([len(pairs.keys), len(steps), len(values)], _HEADER)
    return header.tobytes() + _CODEC.compress(np.concatenate([steps, values]), asbytes=True)


def _planes(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    """The lowest bytes of all numbers, the next bytes, and so on to the last that is not zero."""
    number_of_planes = (int(numbers.max(initial=0)).bit_length() + 7) // 8
    by_number = np.ascontiguousarray(numbers).view(np.uint8).reshape(-1, numbers.itemsize)
    return np.ascontiguousarray(by_number[:, :number_of_planes].T)


def _numbers(planes: NDArray[np.uint8]) -> NDArray[np.int64]:
    by_number = np.zeros((planes.shape[1], 8), np.uint8)
    by_number[:, : len(planes)] = planes.T
    return by_number.view("<i8").ravel()


def block_length(block: bytes) -> int:
    """The number of pairs in a block."""
    return int(np.frombuffer(block, _HEADER, 1)[0])


def unpack(block: bytes) -> Pairs:
    """The pairs of a block."""
    pairs, step_bytes, value_bytes = np.frombuffer(block, _HEADER, _HEADER_NUMBERS).tolist()
    packed = memoryview(block)[_HEADER_NUMBERS * _HEADER.itemsize :]
    body = _CODEC.decompress(packed, pairs * (step_bytes + value_bytes))
    planes = np.frombuffer(body, np.uint8).reshape(step_bytes + value_bytes, pairs)
    return Pairs(np.cumsum(_numbers(planes[:step_bytes])), _numbers(planes[step_bytes:]))
