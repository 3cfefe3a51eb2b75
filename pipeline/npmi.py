"""counts -> npmi: the square root of positive normalised pointwise mutual information.

With N the sum of the counts over ordered pairs, p(a,b) = n_ab / N and p(a) = sum_b n_ab / N,

    x(a,b) = ln(p(a,b) / (p(a) p(b))) / -ln p(a,b)        npmi(a,b) = sqrt(x) where x > 0

A pair stands twice in N (as ab and as ba), so p(a,b) <= 1/2 and the divisor is at least ln 2: the
value is defined for every pair that was seen, and is 1 for the only pair of a two-word corpus.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.cut import cut_sparse, describe_matrix
from pipeline.layout import Layout
from pipeline.settings import Npmi
from pipeline.sparse import Floats, Ints, Longs, Sparse
from wordkin.errors import InputError
from wordkin.measures import ARRAYS, log_shares, map_array, write_measure

# Words that meet exactly as often as chance has it leave a rounding error of this size, no more.
INDEPENDENT = 1e-12


@dataclass(frozen=True)
class Counts:
    """Co-occurrence counts: the strictly upper triangle as CSR, columns ascending.

    Values are integers, `scale` times the true weight, so that sums are exact.
    """

    indptr: Longs
    indices: Ints
    values: Longs
    scale: int

    @property
    def words(self) -> int:
        return len(self.indptr) - 1

    @property
    def total(self) -> int:
        """The sum over ordered pairs: each pair counts twice."""
        return 2 * int(self.values.sum())

    def marginals(self) -> Longs:
        """The sum of each word's counts with all other words."""
        return _marginals(self.indptr, self.indices, self.values)


def run(layout: Layout, settings: Npmi) -> dict[str, Any]:
    """Make the measure `npmi` of a language from its counts."""
    counts = read_counts(layout.counts)
    marginals = counts.marginals()
    whole = npmi(counts, marginals, settings.minimum_count, settings.smoothing)
    kept, cut = cut_sparse(whole, settings.top)
    write_measure(
        layout.measure("npmi"),
        "npmi",
        "csr",
        {**kept.arrays(), "marginals": marginals},
        {
            "total": counts.total,
            "scale": counts.scale,
            "minimum_count": settings.minimum_count,
            "smoothing": settings.smoothing,
            "top": settings.top,
        },
    )
    return {
        **cut,
        "pairs_seen": len(counts.indices),
        "pairs_positive": whole.pairs,
        "words_alone": int((np.diff(whole.indptr) == 0).sum()),
    }


def read_counts(folder: Path) -> Counts:
    """Read the counts of a language; files that do not fit together are refused."""
    path = folder / "counts.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        words, pairs, scale = (int(facts[key]) for key in ("words", "pairs", "scale"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} does not describe counts: make the counts again.") from error
    indptr, indices, values = (map_array(folder / f"{name}.npy") for name in ARRAYS["csr"])
    counts = Counts(indptr, indices, values, scale)
    if counts.words != words or not (
        len(counts.indices) == len(counts.values) == counts.indptr[-1] == pairs
    ):
        raise InputError(f"The files in {folder} do not fit together: make the counts again.")
    return counts


def npmi(
    counts: Counts,
    marginals: Longs,
    minimum_count: float = 0.0,
    smoothing: float = 1.0,
) -> Sparse:
    """The whole symmetric matrix of square roots of positive NPMI, zero on the diagonal.

    Pairs of a true weight below `minimum_count` are left out (0 keeps all); they still count in
    the marginals. `smoothing` is told of at `log_shares`.
    """
    total = counts.total
    roots = _roots(
        counts.indptr,
        counts.indices,
        counts.values,
        log_shares(marginals, total, smoothing),
        math.log(total) if total else 0.0,
        minimum_count * counts.scale,
    )
    return Sparse(*_mirror(counts.indptr, counts.indices, roots))


@numba.njit(cache=True)
def _marginals(indptr: Longs, indices: Ints, values: Longs) -> Longs:
    sums = np.zeros(len(indptr) - 1, np.int64)
    for a in range(len(sums)):
        own = 0
        for at in range(indptr[a], indptr[a + 1]):
            own += values[at]
            sums[indices[at]] += values[at]
        sums[a] += own
    return sums


@numba.njit(parallel=True, cache=True)
def _roots(
    indptr: Longs,
    indices: Ints,
    values: Longs,
    shares: NDArray[np.float64],
    log_total: float,
    least: float,
) -> Floats:
    """The square root of NPMI for each counted pair, 0 where it is not positive."""
    roots = np.zeros(len(indices), np.float32)
    for a in numba.prange(len(indptr) - 1):
        for at in range(indptr[a], indptr[a + 1]):
            if values[at] >= least and values[at] > 0:
                log_pair = math.log(values[at]) - log_total
                information = log_pair - shares[a] - shares[indices[at]]
                if information > INDEPENDENT:
                    # Smoothing can lift a pair above its bound of 1.
                    roots[at] = math.sqrt(min(information / -log_pair, 1.0))
    return roots


@numba.njit(cache=True)
def _mirror(indptr: Longs, indices: Ints, values: Floats) -> tuple[Longs, Ints, Floats]:
    """The whole symmetric matrix of a strictly upper triangle, without its zeros."""
    words = len(indptr) - 1
    starts = np.zeros(words + 1, np.int64)
    for a in range(words):
        for at in range(indptr[a], indptr[a + 1]):
            if values[at] > 0:
                starts[a + 1] += 1
                starts[indices[at] + 1] += 1
    starts = np.cumsum(starts)
    columns = np.empty(starts[-1], np.int32)
    mirrored = np.empty(starts[-1], np.float32)
    place = starts[:-1].copy()
    # Row a is complete below the diagonal once all rows before it have been handed out, so its
    # own upper part follows and the columns come out ascending.
    for a in range(words):
        for at in range(indptr[a], indptr[a + 1]):
            if values[at] > 0:
                b = indices[at]
                columns[place[a]], mirrored[place[a]] = b, values[at]
                columns[place[b]], mirrored[place[b]] = a, values[at]
                place[a] += 1
                place[b] += 1
    return starts, columns, mirrored


def describe(metrics: dict[str, Any]) -> str:
    """The stage's one-line summary."""
    return f"{metrics['pairs_seen']:,} pairs in; {describe_matrix(metrics)}"
