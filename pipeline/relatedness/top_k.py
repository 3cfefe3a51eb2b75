"""What is kept of a matrix on disk: each word's `top` closest words, or all of it.

A pair that either of its words keeps stays. Whole rows come in blocks, so the full matrix need not
be in memory:

    cut = Cut(words, top=1000, absent=0.0)
    for start, rows in blocks:
        cut.add(start, rows)
    kept = cut.close()

Among equals the word that comes first in the vocabulary is kept, so what is kept depends neither
on the blocks nor on threads. `pipeline.relatedness.low_rank` stands for what is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

from pipeline.relatedness.low_rank import Projection
from pipeline.relatedness.sparse import ROWS, Floats, Ints, Longs, Sparse, symmetrize
from pipeline.settings import Graph, Squared, TopK
from wordkin.arrays import StreamedArray
from wordkin.measures import write_measure

Block = tuple[int, Floats]
"""The number of the first row, and whole rows from there on."""


class Cut:
    """Picks the closest words of each row, then closes the picks to a symmetric matrix.

    A place that holds `absent` (no relation) or lies on the diagonal is never picked. Of the whole
    rows it notes how many places are `related`, their `sums`, the `lowest` and `highest` value, and
    in `bounds` the last value picked where closer ones left no room for others.
    """

    def __init__(self, words: int, top: int, absent: float) -> None:
        self.top, self.absent = min(top, words), np.float32(absent)
        self.picks: list[tuple[Longs, Ints, Floats]] = []
        self.related = np.zeros(words, np.int64)
        self.sums = np.zeros(words, np.float64)
        self.lowest = np.full(words, np.inf, np.float32)
        self.highest = np.full(words, -np.inf, np.float32)
        self.bounds = np.full(words, np.inf, np.float32)

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
        indptr = np.concatenate([[0], np.cumsum(counts)])
        if np.isinf(self.bounds).all():
            # Every row is whole, so the matrix is symmetric as it is.
            return Sparse(indptr, indices, values)
        return symmetrize(indptr, indices, values)

    def farthest(self) -> float:
        """What words without any relation have: `absent` if that is a number, or else the lowest
        value of all, which no way can fall short of."""
        if np.isfinite(self.absent):
            return float(self.absent)
        return float(self.lowest.min()) if self.related.any() else 0.0

    def metrics(self, pairs: int) -> dict[str, Any]:
        """What there was, that `pairs` of it are kept, and what was cut."""
        words, related = len(self.related), int(self.related.sum()) // 2
        cut = related - pairs
        bounds = np.sort(self.bounds[np.isfinite(self.bounds)])
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
            "cut_at_most": float(bounds[-2]) if cut else None,
        }


def cut_sparse(whole: Sparse, top: TopK) -> tuple[Sparse, dict[str, Any]]:
    """A sparse matrix with the closest words of each row only, and what that cut."""
    cut = Cut(whole.words, 0 if top == "all" else top, absent=0.0)
    for start in range(0, whole.words, ROWS):
        cut.add(start, whole.dense(start, start + ROWS))
    kept = whole if top == "all" else cut.close()
    return kept, cut.metrics(kept.pairs)


def write_kept(
    folder: Path,
    name: str,
    npmi: Sparse,
    blocks: Iterable[Block],
    settings: Squared | Graph,
    absent: float,
) -> dict[str, Any]:
    """Write what `settings` keep of a matrix made from `npmi` that comes in `blocks` of rows."""
    if settings.store == "sparse":
        return write_closest(folder, name, npmi, blocks, settings.top, absent)
    return write_dense(folder, name, blocks, npmi.words, np.dtype(settings.store), absent)


def write_closest(
    folder: Path, name: str, npmi: Sparse, blocks: Iterable[Block], top: TopK, absent: float
) -> dict[str, Any]:
    """Write the closest words of each word, and an estimate of the others."""
    cut = Cut(npmi.words, npmi.words if top == "all" else top, absent)
    projection = Projection(npmi) if cut.top < npmi.words - 1 else None
    for start, rows in blocks:
        cut.add(start, rows)
        if projection:
            projection.add(start, _with_absent(rows, cut.lowest[start : start + len(rows)]))
    kept = cut.close()
    metrics, arrays = cut.metrics(kept.pairs), kept.arrays()
    if projection and metrics["pairs_cut"]:
        rest, signs = projection.factors()
        arrays |= {"rest": rest, "signs": signs, "bounds": cut.bounds}
    # A reader needs a number where no way leads: no closer than the farthest of the others.
    write_measure(folder, name, "csr", arrays, {"top": top, "fill": cut.farthest()})
    return metrics


def _with_absent(rows: Floats, lowest: Floats) -> Floats:
    """The rows with their lowest value where there is no relation."""
    if np.isfinite(rows.sum(axis=1)).all():
        return rows
    low = np.where(np.isfinite(lowest), lowest, np.float32(0))
    return np.where(np.isneginf(rows), low[:, None], rows)


def write_dense(
    folder: Path,
    name: str,
    blocks: Iterable[Block],
    words: int,
    dtype: np.dtype[Any],
    absent: float,
) -> dict[str, Any]:
    """Write all of a matrix as a memory map, and tell of its values."""
    cut = Cut(words, 0, absent)

    def noted() -> Iterator[Floats]:
        for start, rows in blocks:
            cut.add(start, rows)
            yield rows

    def facts() -> dict[str, Any]:
        return {"top": "all", "fill": cut.farthest()}

    values = StreamedArray((words, words), dtype, noted())
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
    bounds = np.full(height, np.inf, np.float32)
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
            bounds[row] = _highest(closeness[:n], top, low, high)
        if 0 < n <= top:
            indices[row, :n], values[row, :n] = others[:n], closeness[:n]
            counts[row] = n
        elif top > 0:
            counts[row] = _pick(
                others[:n], closeness[:n], top, bounds[row], indices[row], values[row]
            )
    return counts, indices, values, related, sums, lowest, highest, bounds


@numba.njit(cache=True)
def _highest(values: Floats, k: int, low: np.float32, high: np.float32) -> np.float32:
    """The k-th highest of values from `low` to `high`; a histogram leaves only a few to sort."""
    bins = 1024
    # Values that hardly differ share one bin.
    scale = np.float32(bins - 1) / (high - low) if high - low > 1e-30 else np.float32(0)
    counts = np.zeros(bins, np.int64)
    for value in values:
        counts[int((value - low) * scale)] += 1
    left, bin_ = k, bins - 1
    while counts[bin_] < left:
        left -= counts[bin_]
        bin_ -= 1
    few = np.empty(counts[bin_], np.float32)
    place = 0
    for value in values:
        if int((value - low) * scale) == bin_:
            few[place] = value
            place += 1
    few.sort()
    return few[len(few) - left]


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


def describe_matrix(metrics: dict[str, Any]) -> str:
    """The one-line summary of a stage that makes a matrix."""
    return (
        f"{metrics['words']:,} words, {metrics['pairs']:,} pairs kept "
        f"({metrics['density']:.1%} of all), {metrics['pairs_cut']:,} cut"
    )
