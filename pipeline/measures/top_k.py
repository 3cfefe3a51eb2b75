"""The k closest words of each word of a sparse matrix."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from pipeline.measures.sparse import Floats, Longs, Sparse

TopK = int | str


def cut(matrix: Sparse, k: Longs | TopK) -> tuple[Sparse, Floats]:
    """The pairs in which one word is among the k closest of the other, and a bound for the rest.

    Words that are equally close as the k-th stay, too. `k` is a number, one number per word, or
    "all". The bound of a word is the relatedness of its k-th closest word: no pair that is cut is
    above the bound of either of its words. It is inf for a word with no more than k.
    """
    if isinstance(k, str):
        return matrix, np.full(matrix.words, np.inf, np.float32)
    each = np.broadcast_to(np.asarray(k, np.int64), matrix.words)
    bounds = _kth_highest(matrix.indptr, matrix.values, np.ascontiguousarray(each))
    # A word without a bound keeps all of its pairs.
    least = np.where(np.isinf(bounds), -np.inf, bounds).astype(np.float32)
    kept = matrix.values >= least[matrix.indices]
    kept |= matrix.values >= np.repeat(least, np.diff(matrix.indptr))
    return (matrix if kept.all() else matrix.keep(kept)), bounds


def matrix_metrics(stored: Sparse, pairs: int) -> dict[str, Any]:
    """The figures of a matrix with so many related `pairs`, of which some are stored."""
    words, values = stored.words, stored.values
    has_values = len(values) > 0
    return {
        "words": words,
        "pairs": stored.pairs,
        "density": 2 * stored.pairs / max(words * (words - 1), 1),
        "lowest": float(values.min()) if has_values else None,
        "mean": float(values.mean(dtype=np.float64)) if has_values else None,
        "highest": float(values.max()) if has_values else None,
        "pairs_cut": pairs - stored.pairs,
        "share_cut": (pairs - stored.pairs) / pairs if pairs else 0.0,
    }


def describe_matrix(metrics: dict[str, Any]) -> str:
    """What came out and what was cut, for a stage's one-line summary."""
    return (
        f"{metrics['pairs']:,} pairs of {metrics['words']:,} words out "
        f"({metrics['density']:.1%} of all), {metrics['pairs_cut']:,} cut"
    )


@numba.njit(parallel=True, cache=True)
def _kth_highest(indptr: Longs, values: Floats, each: Longs) -> Floats:
    """The k-th highest value of each row; inf for a row with no more than k."""
    bounds = np.full(len(each), np.inf, np.float32)
    for row in numba.prange(len(each)):
        if indptr[row + 1] - indptr[row] > each[row]:
            of_row = values[indptr[row] : indptr[row + 1]].copy()
            bounds[row] = select_highest(of_row, each[row])
    return bounds


@numba.njit(cache=True)
def select_highest(values: Floats, k: int) -> np.float32:
    """The k-th highest of some values, which lose their order: Hoare's selection.

    `np.partition` does the same, but compiling it takes 9 s of processor time.
    """
    place = len(values) - k
    first, last = 0, len(values) - 1
    while first < last:
        pivot = values[(first + last) // 2]
        low, high = first, last
        while low <= high:
            while values[low] < pivot:
                low += 1
            while values[high] > pivot:
                high -= 1
            if low <= high:
                values[low], values[high] = values[high], values[low]
                low += 1
                high -= 1
        if place <= high:
            last = high
        elif place >= low:
            first = low
        else:
            break
    return values[place]
