"""Windows: the weight of each distance in them, and the compiled kernels that count their pairs."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.count.prefetching import prefetch
from wordkin.errors import InputError

OUTSIDE, STOP = -1, -2
"""Codes of tokens without an id: a word outside the vocabulary, and a stop word that is dropped."""

AHEAD = 64
"""The kernel adds a pair's weight when it has found this many more pairs; a power of two."""

# Plain tuples instead of named ones: numba's cached kernels would remember a class by its name.
WordPositions = tuple[NDArray[np.int32], NDArray[np.int64]]
"""The vocabulary's words in a text, in order: the id of each word, and its position.

The distance of two words in a window is the difference of their positions. One more position, which
no window reaches, follows that of the last word.
"""

SparseBuffer = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]
"""Pairs with a word outside the triangle: the first word, the second word, and the weight."""


LARGEST = 2**63 - 1
"""The largest exact sum: sums are 64-bit integers."""


def weights_of(window: int, weighting: str) -> tuple[NDArray[np.int64], int]:
    """The integer weight of each distance from 0 to `window`, and the scale of these weights.

    Linear weights are scaled by the window and harmonic ones by lcm(1..window), so all sums are
    exact and do not depend on their order. No two words have the distance 0; its weight is 0.
    """
    distances = range(1, window + 1)
    if weighting == "uniform":
        scale, by_distance = 1, [1 for _ in distances]
    elif weighting == "linear":
        scale, by_distance = window, [window + 1 - d for d in distances]
    else:
        scale = math.lcm(*distances)
        by_distance = [scale // d for d in distances]
    if max(by_distance) > LARGEST:
        raise InputError(
            f"counts.window: harmonic weights of a window of {window} do not fit exact 64-bit "
            "whole numbers; take a window of at most 42, or linear weights."
        )
    return np.array([0, *by_distance], dtype=np.int64), scale


@numba.njit(cache=True, boundscheck=False)
def find_words(
    tokens: NDArray[np.int32], codes: NDArray[np.int32], bounds: NDArray[np.int64], window: int
) -> WordPositions:
    """The positions of the vocabulary's words in documents (or lines) that start at `bounds`.

    `codes` has the code of each type, and `tokens` the type of each token. Stop words take no
    position; words outside the vocabulary take one. The positions of two documents are so far apart
    that no window reaches from one into the other.
    """
    ids = np.empty(len(tokens), np.int32)
    positions = np.empty(len(tokens) + 1, np.int64)
    words = 0
    position = 0
    for document in range(len(bounds) - 1):
        for token in range(bounds[document], bounds[document + 1]):
            code = codes[tokens[token]]
            ids[words] = code
            positions[words] = position
            words += code >= 0
            position += code != STOP
        position += window
    positions[words] = position + window
    return ids[:words], positions[: words + 1]


@numba.njit(cache=True, boundscheck=False)
def frequent_words(word_positions: WordPositions, dense: int) -> WordPositions:
    """The words of a text that are in a triangle over the first `dense` words."""
    ids, positions = word_positions
    frequent = np.empty_like(ids)
    places = np.empty_like(positions)
    words = 0
    for i in range(len(ids)):
        frequent[words] = ids[i]
        places[words] = positions[i]
        words += ids[i] < dense
    places[words] = positions[len(ids)]
    return frequent[:words], places[: words + 1]


@numba.njit(cache=True, boundscheck=False)
def count_windows(
    word_positions: WordPositions,
    start: int,
    weights: NDArray[np.uint64],
    cells: NDArray[Any],
    carried: NDArray[np.int64],
) -> tuple[int, int]:
    """Add the windows of the words from `start` on to a dense triangle over all of them.

    Stops when `carried` might run out of room: it gets each cell whose sum has become too large and
    lost its top bit. Returns the word to go on with, and the number of carried cells.

    A word does not pair with itself. Cells are numbered as in `pipeline.count.bands`; one more
    cell follows the last one, and stays zero. A pair's cell is seldom in a cache, and waiting for
    it would take most of the time. So the kernel prefetches the cell of each pair, and adds the
    pair's weight a little later.
    """
    ids, positions = word_positions
    window = len(weights) - 1
    waiting_cells = np.zeros(AHEAD, np.uint64)  # a ring: each pair takes the place of an older one
    waiting_weights = np.zeros(AHEAD, np.uint64)
    pairs = 0
    carries = 0
    room = len(carried) - AHEAD - window
    i = start
    while i < len(ids) and carries <= room:
        word = np.int64(ids[i])
        position = positions[i]
        j = i + 1
        while positions[j] <= position + window:
            other = np.int64(ids[j])
            low, high = min(word, other), max(word, other)
            cell = np.uint64((high * (high - 1) >> 1) + low)
            prefetch(cells, cell)
            place = pairs & (AHEAD - 1)
            if _add(cells, waiting_cells[place], waiting_weights[place]):
                carried[carries] = waiting_cells[place]
                carries += 1
            waiting_cells[place] = cell
            waiting_weights[place] = weights[positions[j] - position] * (low != high)
            pairs += 1
            j += 1
        i += 1
    for place in range(AHEAD):
        if _add(cells, waiting_cells[place], waiting_weights[place]):
            carried[carries] = waiting_cells[place]
            carries += 1
    return i, carries


@numba.njit(boundscheck=False)
def _add(cells: NDArray[Any], cell: np.uint64, weight: np.uint64) -> bool:
    """Add a weight to a cell; whether the sum is too large for the cell, and loses its top bit."""
    total = cells[cell] + weight
    cells[cell] = total
    return total > np.uint64(np.iinfo(cells.dtype).max)


@numba.njit(cache=True, boundscheck=False)
def carry(carried: NDArray[np.int64], high_parts: NDArray[Any]) -> NDArray[np.int64]:
    """Add one to the high part of each carried cell; the cells whose high part was too small."""
    overflowed = np.empty(len(carried), np.int64)
    number = 0
    for cell in carried:
        high_parts[cell] += 1
        overflowed[number] = cell
        number += high_parts[cell] == 0
    return overflowed[:number]


@numba.njit(cache=True, boundscheck=False)
def gather_rare_pairs(
    word_positions: WordPositions,
    start: int,
    weights: NDArray[np.int64],
    dense: int,
    sparse: SparseBuffer,
) -> tuple[int, int]:
    """Gather the pairs with a word that is not among the first `dense` words.

    Starts with the windows of the word `start` and stops when the buffer might run out of room.
    Returns the word to go on with, and the number of pairs.
    """
    ids, positions = word_positions
    first, second, pair_weights = sparse
    window = len(weights) - 1
    gathered = 0
    i = start
    while i < len(ids) and gathered + window < len(first):
        word = ids[i]
        position = positions[i]
        j = i + 1
        while positions[j] <= position + window:
            low, high = min(word, ids[j]), max(word, ids[j])
            first[gathered] = low
            second[gathered] = high
            pair_weights[gathered] = weights[positions[j] - position]
            gathered += (high >= dense) & (low != high)
            j += 1
        i += 1
    return i, gathered
