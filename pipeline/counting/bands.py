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

    def split_triangle(self, cells: NDArray[Any], dense: int) -> Iterator[tuple[int, Pairs]]:
        """The counts in a dense triangle over the first `dense` words, cut into bands."""
        for band in range(len(self)):
            low, high = self.rows(band)
            high = min(high, dense)
            if low < high:
                lengths = _row_lengths(cells, dense, low, high)
                if lengths.any():
                    width = self.words - low
                    yield band, Pairs(*_triangle_rows(cells, dense, low, lengths, width))

    def rows_and_columns(
        self, band: int, keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The number of pairs in each row of a band, and the column of each ascending key."""
        low, high = self.rows(band)
        width = self.words - low
        lengths = np.diff(np.searchsorted(keys, np.arange(high - low + 1) * width))
        return lengths, (keys % width + low).astype(np.int32)


@numba.njit(cache=True, boundscheck=False)
def _row_lengths(cells: NDArray[Any], dense: int, low: int, high: int) -> NDArray[np.int64]:
    """The number of nonzero cells in each of the rows from `low` to `high`."""
    lengths = np.zeros(high - low, np.int64)
    for column in range(low + 1, dense):
        start = column * (column - 1) // 2 + low
        for row in range(min(high, column) - low):
            lengths[row] += cells[start + row] != 0
    return lengths


@numba.njit(cache=True, boundscheck=False)
def _triangle_rows(
    cells: NDArray[Any], dense: int, low: int, lengths: NDArray[np.int64], width: int
) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """The band keys and counts of the nonzero cells of the rows from `low` on, row by row."""
    ends = np.cumsum(lengths)
    keys = np.empty(ends[-1], np.uint32)
    values = np.empty(ends[-1], cells.dtype)
    places = ends - lengths
    for column in range(low + 1, dense):
        start = column * (column - 1) // 2 + low
        for row in range(min(len(lengths), column - low)):
            value = cells[start + row]
            if value:
                place = places[row]
                keys[place] = row * width + column - low
                values[place] = value
                places[row] = place + 1
    return keys, values


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
    if len(blocks) == 1 or 16 * sum(map(block_length, blocks)) < key_count:
        return add_pairs([unpack(block) for block in blocks])
    sums = np.zeros(key_count, np.int64)
    for block in blocks:  # unpacked one by one: there may be many of them
        keys, values = unpack(block)
        sums[keys] += values  # correct because a block has no key twice
    keys = np.flatnonzero(sums)
    return Pairs(keys, sums[keys])


# A block is a header (number of pairs, bytes per value) and a compressed body: the steps between
# the ascending keys, then the values. Both are mostly small, so their bytes are stored plane by
# plane. The high planes are all zeros and cost nothing: a pair takes two bytes instead of eight.
_CODEC = pa.Codec("zstd", compression_level=1)
_HEADER = np.dtype("<i8")


def pack(pairs: Pairs) -> bytes:
    """The block of pairs with ascending band keys."""
    keys = pairs.keys.astype(np.uint32, copy=False)
    wide = len(pairs.values) and int(pairs.values.max()) >= 2**32
    values = pairs.values.astype(np.int64 if wide else np.uint32, copy=False)
    header = np.array([len(keys), values.itemsize], _HEADER)
    body = _planes(np.diff(keys, prepend=np.uint32(0))) + _planes(values)
    return header.tobytes() + _CODEC.compress(body, asbytes=True)


def block_length(block: bytes) -> int:
    """The number of pairs in a block."""
    return int(np.frombuffer(block, _HEADER, 1)[0])


def unpack(block: bytes) -> Pairs:
    """The pairs of a block."""
    pairs, value_bytes = np.frombuffer(block, _HEADER, 2).tolist()
    body = _CODEC.decompress(memoryview(block)[16:], pairs * (4 + value_bytes), asbytes=True)
    steps = _from_planes(body[: 4 * pairs], np.dtype(np.uint32))
    values = _from_planes(body[4 * pairs :], np.dtype(np.uint32 if value_bytes == 4 else np.int64))
    return Pairs(np.cumsum(steps, dtype=np.int64), values)


def _planes(numbers: NDArray[Any]) -> bytes:
    return numbers.view(np.uint8).reshape(-1, numbers.itemsize).T.tobytes()


def _from_planes(data: bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    planes = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).view(dtype).reshape(-1)
