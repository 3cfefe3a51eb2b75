"""Counts of word pairs on their way from tasks to the matrix: in bands of rows, as blocks of bytes.

The strict upper triangle of the matrix is cut into bands of whole rows. What a task knows of a
band is one block, and blocks of one band add up to one block; so a shuffle or a file has a few
large pieces, never a row a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

BAND_CELLS = 4_000_000
"""Word pairs in a band: small enough to add up in a dense array, large enough to be few."""


def cells_before(words: int) -> NDArray[np.int64]:
    """How many pairs of the strict upper triangle stand before each row, and in all."""
    rows = np.arange(words + 1, dtype=np.int64)
    return rows * (2 * words - rows - 1) // 2


class Bands:
    """The strict upper triangle of a words x words matrix, cut into bands of whole rows."""

    def __init__(self, words: int, cells: int = BAND_CELLS) -> None:
        self.words = words
        before = cells_before(words)
        starts = np.unique(np.searchsorted(before, np.arange(0, before[-1], cells), side="left"))
        self.starts = np.append(starts[starts < words], words)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self, band: int) -> tuple[int, int]:
        """The band's first row, and the one after its last."""
        return int(self.starts[band]), int(self.starts[band + 1])

    def cells(self, band: int) -> int:
        """How many keys a band has: its rows from their first one's diagonal on."""
        low, high = self.rows(band)
        return (high - low) * (self.words - low)

    def local(self, band: int, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Keys of word pairs as keys within a band, which starts at its first row's diagonal."""
        low = self.starts[band]
        rows, columns = np.divmod(keys, self.words)
        return (rows - low) * (self.words - low) + columns - low

    def rows_and_columns(
        self, band: int, keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """How many of a band's ascending keys each of its rows has, and the column of each key."""
        low, high = self.rows(band)
        width = self.words - low
        lengths = np.diff(np.searchsorted(keys, np.arange(high - low + 1) * width))
        return lengths, (keys % width + low).astype(np.int32)


class Pairs(NamedTuple):
    """Word pairs as keys (first id x words + second id, or a band's own) with their counts."""

    keys: NDArray[Any]
    values: NDArray[Any]


NONE = Pairs(np.empty(0, np.int64), np.empty(0, np.int64))


def add_up(many: Sequence[Pairs]) -> Pairs:
    """One entry a key, in ascending order."""
    many = [pairs for pairs in many if len(pairs.keys)]
    if not many:
        return NONE
    keys = np.concatenate([pairs.keys for pairs in many])
    values = np.concatenate([pairs.values for pairs in many]).astype(np.int64, copy=False)
    if bool((keys[1:] > keys[:-1]).all()):
        return Pairs(keys, values)
    order = np.argsort(keys)
    keys, values = keys[order], values[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return Pairs(keys[first], np.add.reduceat(values, first))


def add_blocks(blocks: Sequence[bytes], cells: int) -> Pairs:
    """The pairs of one band's blocks, added up: in a dense array when they would fill it."""
    if len(blocks) == 1 or 16 * sum(map(length, blocks)) < cells:
        return add_up([unpack(block) for block in blocks])
    sums = np.zeros(cells, np.int64)
    for block in blocks:  # unpacked one by one: there may be many of them
        keys, values = unpack(block)
        sums[keys] += values  # a block has a key once
    held = np.flatnonzero(sums)
    return Pairs(held, sums[held])


# A block: how many pairs, bytes a value, and, compressed, the steps between the ascending keys and
# the values. Both are mostly small, so their bytes are stored plane by plane: the high ones, all
# zeros, cost nothing, and a pair takes two bytes instead of eight.
CODEC = pa.Codec("zstd", compression_level=1)
HEADER = np.dtype("<i8")


def pack(pairs: Pairs) -> bytes:
    """The block of some pairs of a band, whose keys ascend."""
    keys = pairs.keys.astype(np.uint32, copy=False)
    wide = len(pairs.values) and int(pairs.values.max()) >= 2**32
    values = pairs.values.astype(np.int64 if wide else np.uint32, copy=False)
    header = np.array([len(keys), values.itemsize], HEADER)
    body = _planes(np.diff(keys, prepend=np.uint32(0))) + _planes(values)
    return header.tobytes() + CODEC.compress(body, asbytes=True)


def length(block: bytes) -> int:
    """How many pairs a block has."""
    return int(np.frombuffer(block, HEADER, 1)[0])


def unpack(block: bytes) -> Pairs:
    """The pairs of a block."""
    pairs, value_bytes = np.frombuffer(block, HEADER, 2).tolist()
    body = CODEC.decompress(memoryview(block)[16:], pairs * (4 + value_bytes), asbytes=True)
    steps = _from_planes(body[: 4 * pairs], np.dtype(np.uint32))
    values = _from_planes(body[4 * pairs :], np.dtype(np.uint32 if value_bytes == 4 else np.int64))
    return Pairs(np.cumsum(steps, dtype=np.int64), values)


def _planes(numbers: NDArray[Any]) -> bytes:
    return numbers.view(np.uint8).reshape(-1, numbers.itemsize).T.tobytes()


def _from_planes(data: bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    planes = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).view(dtype).reshape(-1)
