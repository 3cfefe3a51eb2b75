"""The counts of one task, in bounded memory; sums that might be inexact are refused before."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pipeline.count.bands import (
    Bands,
    Pairs,
    add_pairs,
    pack,
    pair_keys,
    triangle_cells,
    triangle_pair_keys,
)
from pipeline.count.windows import (
    LARGEST,
    WordPositions,
    carry,
    count_windows,
    find_words,
    frequent_words,
    gather_rare_pairs,
    weights_of,
)
from wordkin.errors import InputError

SPARSE_BUFFER = 2_000_000
"""The most pairs outside the triangle that the kernel gathers before they are added up."""


CARRIED = 1 << 16
"""The most cells that the kernel carries before their high parts are counted."""

PART_BITS = 16
"""The bits of each part of a cell in two parts."""


def has_two_parts(weights: NDArray[np.int64]) -> bool:
    """Whether the triangle's cells have two parts of 16 bits instead of one of 64.

    Most counts fit the low part, so the kernel has to wait for half as much memory. That pays if
    each step adds little. A sum that does not even fit both parts moves to a list, which is rare.
    """
    return int(weights.max()) <= 1 << PART_BITS


class WindowCounter:
    """Counts the windows of some text.

    Pairs of the `dense` most frequent words are counted in a dense triangle. All other pairs are
    gathered in lists, and added up whenever these hold more than `room` pairs.
    """

    def __init__(self, words: int, weights: NDArray[np.int64], dense: int, room: int) -> None:
        self.words, self.weights, self.dense, self.room = words, weights, dense, room
        cells = triangle_cells(dense)
        in_parts = has_two_parts(weights)
        self.cells = np.zeros(cells + 1, np.uint16 if in_parts else np.uint64)  # one for the kernel
        self.high_parts = np.zeros(cells if in_parts else 0, np.uint16)
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
        memory = memory_mib << 20
        cells = memory // 2 // (4 if has_two_parts(weights) else 8)
        # A triangle with more cells than the tokens have pairs would stay almost empty.
        cells = min(cells, tokens * (len(weights) - 1))
        return cls(words, weights, min(words, math.isqrt(2 * cells)), memory // 128)

    def add(
        self, tokens: NDArray[np.int32], codes: NDArray[np.int32], bounds: NDArray[np.int64]
    ) -> None:
        """Count the windows of documents (or lines) that start at `bounds`.

        `codes` has the code of each type, and `tokens` the type of each token.
        """
        words = find_words(tokens, codes, bounds, len(self.weights) - 1)
        if self.dense < self.words:
            self._add_rare(words)
            words = frequent_words(words, self.dense)
        self._add_frequent(words)

    def _add_frequent(self, words: WordPositions) -> None:
        """Add pairs of words in the triangle."""
        weights = self.weights.astype(np.uint64)
        carried = np.empty(CARRIED, np.int64)
        at = 0
        while at < len(words[0]):
            at, carries = count_windows(words, at, weights, self.cells, carried)
            if carries:
                overflowed = carry(carried[:carries], self.high_parts)
                sums = np.full(len(overflowed), 1 << 2 * PART_BITS)
                self.overflow.append(add_pairs([Pairs(overflowed, sums)]))

    def _add_rare(self, words: WordPositions) -> None:
        """Gather pairs with a word outside the triangle."""
        size = max(min(SPARSE_BUFFER, self.room), len(self.weights))
        sparse = (np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int64))
        at = 0
        while at < len(words[0]):
            at, gathered = gather_rare_pairs(words, at, self.weights, self.dense, sparse)
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
        yield from _packed(bands.split_triangle(self.cells, self.high_parts, self.dense))


def _packed(by_band: Iterator[tuple[int, Pairs]]) -> Iterator[tuple[int, bytes]]:
    return ((band, pack(pairs)) for band, pairs in by_band)


def check_exact(tokens: int, window: int, weighting: str) -> None:
    """Refuse a window whose sums over this corpus might not fit exact 64-bit integers."""
    if _fits(tokens, window, weighting):
        return
    widest = next(w for w in range(window, 0, -1) if _fits(tokens, w, weighting))
    raise InputError(
        f"counts.window: the {weighting} weights of a window of {window} over {tokens:,} "
        f"tokens do not fit exact 64-bit whole numbers; take a window of at most {widest}, "
        "or linear weights."
    )


def _fits(tokens: int, window: int, weighting: str) -> bool:
    weights, _ = weights_of(window, weighting)
    return 2 * tokens * sum(weights.tolist()) <= LARGEST
