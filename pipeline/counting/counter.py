"""The counts of one task, in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.counting.bands import (
    Bands,
    Pairs,
    add_pairs,
    pack,
    pair_keys,
    triangle_cells,
    triangle_pair_keys,
)
from pipeline.counting.weights import LARGEST
from pipeline.counting.windows import count_windows, find_words

SPARSE_BUFFER = 2_000_000
"""The most pairs outside the triangle that the kernel gathers before they are added up."""


def cell_dtype(weights: NDArray[np.int64]) -> np.dtype[Any]:
    """The type of the triangle's cells.

    32 bits halve the memory and the cache misses. A cell that would overflow moves its sum to a
    list, which is rare enough when each step adds little.
    """
    return np.dtype(np.uint32 if weights.max() <= 2**16 else np.uint64)


def triangle_words(words: int, memory_mib: int, cell_bytes: int) -> int:
    """How many of the most frequent words a dense triangle of this memory can have."""
    return min(words, int(math.sqrt(2 * memory_mib * 2**20 / cell_bytes)))


class WindowCounter:
    """Counts the windows of some text.

    Pairs of the `dense` most frequent words are counted in a dense triangle. All other pairs are
    gathered in lists, and added up whenever these hold more than `room` pairs.
    """

    def __init__(self, words: int, weights: NDArray[np.int64], dense: int, room: int) -> None:
        self.words, self.weights, self.dense, self.room = words, weights, dense, room
        self.cells = np.zeros(triangle_cells(dense), dtype=cell_dtype(weights))
        self.overflow: list[Pairs] = []  # by cells of the triangle
        self.sparse: list[Pairs] = []  # by pair keys

    @classmethod
    def within(
        cls, memory_mib: int, words: int, weights: NDArray[np.int64], tokens: int = LARGEST
    ) -> WindowCounter:
        """A counter for `tokens` tokens that takes at most `memory_mib`.

        The triangle gets up to half of the memory. The pairs outside it get an eighth before they
        are added up, because sorting them takes more than twice as much again.
        """
        dense = triangle_words(words, memory_mib // 2, cell_dtype(weights).itemsize)
        # A triangle with more cells than the tokens have pairs would stay almost empty.
        pairs = tokens * (len(weights) - 1)
        return cls(words, weights, min(dense, math.isqrt(2 * pairs)), memory_mib * 2**20 // 128)

    def add(self, codes: NDArray[np.int32], bounds: NDArray[np.int64]) -> None:
        """Count the windows of documents (or lines) that start at `bounds`."""
        window = len(self.weights) - 1
        word_positions = find_words(codes, bounds, window)
        overflow = (np.empty(64 * window, np.int64), np.empty(64 * window, np.int64))
        size = max(min(SPARSE_BUFFER, self.room), window) if self.dense < self.words else window
        sparse = (np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int64))
        weights = self.weights.astype(np.uint64)
        at = 0
        while at < len(word_positions[0]):
            at, overflowed, gathered = count_windows(
                word_positions, at, weights, self.cells, self.dense, overflow, sparse
            )
            if overflowed:
                cells, sums = (array[:overflowed] for array in overflow)
                self.overflow.append(add_pairs([Pairs(cells, sums)]))
            if gathered:
                first, second, values = (array[:gathered] for array in sparse)
                keys = pair_keys(first, second, self.words)
                self.sparse.append(add_pairs([Pairs(keys, values)]))
                if sum(len(pairs.keys) for pairs in self.sparse) > self.room:
                    self.sparse = [add_pairs(self.sparse)]

    @property
    def crowded(self) -> bool:
        """Whether the pairs outside the triangle take too much memory even when added up."""
        return len(self.sparse) == 1 and len(self.sparse[0].keys) > self.room // 2

    def take_sparse_blocks(self, bands: Bands) -> Iterator[tuple[int, bytes]]:
        """The pairs outside the triangle as blocks by band; the counter forgets them."""
        pairs, self.sparse = add_pairs(self.sparse), []
        return _packed(bands.split(pairs))

    def blocks(self, bands: Bands) -> Iterator[tuple[int, bytes]]:
        """All counts as blocks by band; a band may have several."""
        overflow = add_pairs(self.overflow)
        keys = triangle_pair_keys(overflow.keys, self.dense, self.words)
        self.sparse.append(Pairs(keys, overflow.values))
        yield from self.take_sparse_blocks(bands)
        yield from _packed(bands.split_triangle(self.cells, self.dense))


def _packed(by_band: Iterator[tuple[int, Pairs]]) -> Iterator[tuple[int, bytes]]:
    return ((band, pack(pairs)) for band, pairs in by_band)
