"""Sparse on disk: each word keeps its `top` closest words; a pair that either word keeps stays.

Whole rows come in blocks, so the full matrix need not be in memory:

    cut = Cut(words, top=1000, absent=0.0)
    for start, rows in blocks:
        cut.add(start, rows)
    kept = cut.close()

Among equals the word that comes first in the vocabulary is kept, so what is kept depends neither
on the blocks nor on threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numba
import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError
from wordkin.measures import ARRAYS, Rows, describe, map_array, write_measure

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Top = int | Literal["all"]
Block = tuple[int, Floats]
"""The number of the first row, and whole rows from there on."""

ROWS = 1024
"""Rows that are worked on together."""


@dataclass(frozen=True)
class Sparse:
    """A whole symmetric matrix as CSR: columns ascending, nothing on the diagonal."""

    indptr: Longs
    indices: Ints
    values: Floats

    @property
    def words(self) -> int:
        return len(self.indptr) - 1

    @property
    def pairs(self) -> int:
        """Stored pairs of words; ab and ba are one."""
        return len(self.indices) // 2

    def arrays(self) -> dict[str, NDArray[Any] | Rows]:
        """The arrays under the names that they have on disk."""
        return {"indptr": self.indptr, "indices": self.indices, "values": self.values}

    def sums(self) -> NDArray[np.float64]:
        """The sum of each row."""
        running = np.concatenate([[0.0], np.cumsum(self.values, dtype=np.float64)])
        return np.asarray(running[self.indptr[1:]] - running[self.indptr[:-1]])

    def dense(self, start: int, stop: int) -> Floats:
        """The rows from `start` to before `stop`, as far as there are any, with their zeros."""
        rows = np.zeros((min(stop, self.words) - start, self.words), np.float32)
        _unpack(self.indptr, self.indices, self.values, start, rows)
        return rows


def read_sparse(folder: Path) -> Sparse:
    """Map the sparse measure in `folder` into memory."""
    if describe(folder)["kind"] != "csr":
        raise InputError(f"The measure in {folder} is not sparse: make it again.")
    return Sparse(*(map_array(folder / f"{name}.npy") for name in ARRAYS["csr"]))


class Cut:
    """Picks the closest words of each row, then closes the picks to a symmetric matrix.

    A place that holds `absent` (no relation) or lies on the diagonal is never picked. Of the whole
    rows it notes how many places are `related`, their `sums`, and the `lowest` and `highest` value.
    """

    def __init__(self, words: int, top: int, absent: float) -> None:
        self.top, self.absent = min(top, words), np.float32(absent)
        self.picks: list[tuple[Longs, Ints, Floats]] = []
        self.related = np.zeros(words, np.int64)
        self.sums = np.zeros(words, np.float64)
        self.lowest = np.full(words, np.inf, np.float32)
        self.highest = np.full(words, -np.inf, np.float32)
        self.bounds = np.full(words, -np.inf, np.float32)

    def add(self, start: int, rows: Floats) -> None:
        """Take whole rows, the first of them with the number `start`; rows come in order."""
        for top in range(0, len(rows), ROWS):
            part = rows[top : top + ROWS]
            counts, indices, values, *noted = _closest(start + top, part, self.top, self.absent)
            filled = np.arange(self.top) < counts[:, None]
            self.picks.append((counts, indices[filled], values[filled]))
            place = slice(start + top, start + top + len(part))
            self.related[place], self.sums[place], self.lowest[place] = noted[:3]
            self.highest[place], self.bounds[place] = noted[3:]

    def close(self) -> Sparse:
        """What is kept: a pair that either of its words picked, in both rows."""
        counts, indices, values = (np.concatenate(parts) for parts in zip(*self.picks, strict=True))
        self.picks.clear()
        return close(np.concatenate([[0], np.cumsum(counts)]), indices, values)

    def farthest(self) -> float:
        """The lowest value of all; 0 when no words are related."""
        return float(self.lowest.min()) if self.related.any() else 0.0

    def metrics(self, pairs: int) -> dict[str, Any]:
        """What there was, that `pairs` of it are kept, and what was cut."""
        words, related = len(self.related), int(self.related.sum()) // 2
        cut = related - pairs
        return {
            "words": words,
            "pairs": pairs,
            "density": 2 * pairs / max(words * (words - 1), 1),
            "lowest": float(self.lowest.min()) if related else None,
            "mean": float(self.sums.sum() / 2 / related) if related else None,
            "highest": float(self.highest.max()) if related else None,
            "pairs_cut": cut,
            "share_cut": cut / related if related else 0.0,
            # A pair is cut when each of its words has `top` closer ones, so no pair above the
            # second highest of the words' bounds is.
            "cut_at_most": float(np.sort(self.bounds)[-2]) if cut else None,
        }


def close(indptr: Longs, indices: Ints, values: Floats) -> Sparse:
    """The union of a matrix with its transpose; a pair that both have has one value in both."""
    return Sparse(*_union(indptr, indices, values, *_transpose(indptr, indices, values)))


def cut_sparse(whole: Sparse, top: Top) -> tuple[Sparse, dict[str, Any]]:
    """A sparse matrix with the closest words of each row only, and what that cut."""
    cut = Cut(whole.words, 0 if top == "all" else top, absent=0.0)
    for start in range(0, whole.words, ROWS):
        cut.add(start, whole.dense(start, start + ROWS))
    kept = whole if top == "all" else cut.close()
    return kept, cut.metrics(kept.pairs)


def write_dense(
    folder: Path, name: str, blocks: Iterable[Block], words: int, absent: float
) -> dict[str, Any]:
    """Write all of a matrix that comes in blocks, and tell of its values."""
    cut = Cut(words, 0, absent)

    def noted() -> Iterator[Floats]:
        for start, rows in blocks:
            cut.add(start, rows)
            yield rows

    def facts() -> dict[str, Any]:
        # A reader needs a number where no way leads: no closer than the farthest of the others.
        return {"top": "all", "fill": cut.farthest()}

    values = Rows((words, words), np.dtype(np.float32), noted())
    write_measure(folder, name, "dense", {"values": values}, facts)
    return cut.metrics(int(cut.related.sum()) // 2)


@numba.njit(parallel=True, cache=True)
def _closest(start: int, rows: Floats, top: int, absent: np.float32) -> tuple[Any, ...]:
    """The picks of each row, and of all its related places: number, sum, lowest, highest, bound."""
    height, words = rows.shape
    counts = np.zeros(height, np.int64)
    indices = np.empty((height, top), np.int32)
    values = np.empty((height, top), np.float32)
    related = np.zeros(height, np.int64)
    sums = np.zeros(height, np.float64)
    lowest = np.full(height, np.inf, np.float32)
    highest = np.full(height, -np.inf, np.float32)
    bounds = np.full(height, -np.inf, np.float32)
    for row in numba.prange(height):
        others = np.empty(words, np.int32)
        closeness = np.empty(words, np.float32)
        n = 0
        total = 0.0
        low, high = np.float32(np.inf), np.float32(-np.inf)
        for word in range(words):
            value = rows[row, word]
            if value != absent and word != start + row:
                others[n], closeness[n] = word, value
                total += value
                low, high = min(low, value), max(high, value)
                n += 1
        related[row], sums[row], lowest[row], highest[row] = n, total, low, high
        if 0 < top < n:
            bounds[row] = np.partition(closeness[:n], n - top)[n - top]
        if top > 0:
            counts[row] = _pick(
                others[:n], closeness[:n], top, bounds[row], indices[row], values[row]
            )
    return counts, indices, values, related, sums, lowest, highest, bounds


@numba.njit(cache=True)
def _pick(
    others: Ints, closeness: Floats, top: int, bound: np.float32, indices: Ints, values: Floats
) -> int:
    """Copy what is above the bound and the first of its equals, `top` in all, in their order."""
    equals = top
    for at in range(len(others)):
        equals -= closeness[at] > bound
    place = 0
    for at in range(len(others)):
        equal = closeness[at] == bound
        if closeness[at] > bound or (equal and equals > 0):
            equals -= equal
            indices[place], values[place] = others[at], closeness[at]
            place += 1
    return place


@numba.njit(nogil=True, cache=True)
def _unpack(indptr: Longs, indices: Ints, values: Floats, start: int, rows: Floats) -> None:
    for row in range(len(rows)):
        for at in range(indptr[start + row], indptr[start + row + 1]):
            rows[row, indices[at]] = values[at]


@numba.njit(cache=True)
def _transpose(indptr: Longs, indices: Ints, values: Floats) -> tuple[Longs, Ints, Floats]:
    starts = np.zeros(len(indptr), np.int64)
    for at in range(len(indices)):
        starts[indices[at] + 1] += 1
    starts = np.cumsum(starts)
    turned = np.empty(len(indices), np.int32)
    turned_values = np.empty(len(indices), np.float32)
    place = starts[:-1].copy()
    for row in range(len(indptr) - 1):
        for at in range(indptr[row], indptr[row + 1]):
            to = place[indices[at]]
            turned[to], turned_values[to] = row, values[at]
            place[indices[at]] += 1
    return starts, turned, turned_values


@numba.njit(parallel=True, cache=True)
def _union(
    a_indptr: Longs, a: Ints, a_values: Floats, b_indptr: Longs, b: Ints, b_values: Floats
) -> tuple[Longs, Ints, Floats]:
    words = len(a_indptr) - 1
    lengths = np.zeros(words + 1, np.int64)
    for row in numba.prange(words):
        in_a = slice(a_indptr[row], a_indptr[row + 1])
        in_b = slice(b_indptr[row], b_indptr[row + 1])
        lengths[row + 1] = _merged_length(a[in_a], b[in_b])
    starts = np.cumsum(lengths)
    merged = np.empty(starts[-1], np.int32)
    values = np.empty(starts[-1], np.float32)
    for row in numba.prange(words):
        in_a = slice(a_indptr[row], a_indptr[row + 1])
        in_b = slice(b_indptr[row], b_indptr[row + 1])
        to = slice(starts[row], starts[row + 1])
        _merge(a[in_a], a_values[in_a], b[in_b], b_values[in_b], merged[to], values[to])
    return starts, merged, values


@numba.njit(cache=True)
def _merged_length(a: Ints, b: Ints) -> int:
    i = j = shared = 0
    while i < len(a) and j < len(b):
        x, y = a[i], b[j]
        shared += x == y
        i += x <= y
        j += x >= y
    return len(a) + len(b) - shared


@numba.njit(cache=True)
def _merge(
    a: Ints, a_values: Floats, b: Ints, b_values: Floats, merged: Ints, values: Floats
) -> None:
    i = j = 0
    for place in range(len(merged)):
        if j == len(b) or (i < len(a) and a[i] <= b[j]):
            merged[place], values[place] = a[i], a_values[i]
            j += j < len(b) and a[i] == b[j]
            i += 1
        else:
            merged[place], values[place] = b[j], b_values[j]
            j += 1


def describe_matrix(metrics: dict[str, Any]) -> str:
    """The one-line summary of a stage that makes a matrix."""
    return (
        f"{metrics['words']:,} words, {metrics['pairs']:,} pairs kept "
        f"({metrics['density']:.1%} of all), {metrics['pairs_cut']:,} cut"
    )
