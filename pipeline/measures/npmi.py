"""counts -> npmi: the square root of positive normalised pointwise mutual information.

With N the sum of the counts over ordered pairs, p(a,b) = n_ab / N and p(a) = sum_b n_ab / N,

    x(a,b) = ln(p(a,b) / (p(a) p(b))) / -ln p(a,b)        npmi(a,b) = sqrt(x) where x > 0

N contains each pair twice (as ab and as ba), so p(a,b) <= 1/2 and the divisor is at least ln 2: the
value is defined for every pair that was seen, and is 1 for the only pair of a two-word corpus.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass
from scipy.sparse import csr_array

from pipeline.count.store import CountMatrix, read_counts
from pipeline.layout import Layout
from pipeline.measures.sparse import Floats, Longs, Sparse
from pipeline.measures.top_k import cut, describe_matrix, matrix_metrics
from pipeline.mistakes import KNOWN_KEYS, Number, between
from pipeline.settings import Section, TopK
from pipeline.stage import Job, Metrics, Stage
from wordkin.measures.files import write_matrix
from wordkin.measures.npmi import log_probabilities


@dataclass(frozen=True, config=KNOWN_KEYS)
class Npmi(Section):
    """The square root of positive normalised pointwise mutual information."""

    KEY = "npmi"

    minimum_count: Annotated[Number, between(0)] = 0.0
    smoothing: Annotated[Number, between(0, 1)] = 1.0
    top: Annotated[TopK, between(1)] = "all"


Doubles = NDArray[np.float64]

INDEPENDENT = 1e-12
"""Words that meet exactly as often as expected by chance leave a rounding error of this size."""

PAIRS_AT_ONCE = 1 << 20
"""Few enough that the intermediate arrays stay in the cache."""


def run(job: Job) -> Metrics:
    """Make the measure `npmi` of a language from its counts."""
    return make_npmi(job.layout, job.settings.section(Npmi))


def make_npmi(layout: Layout, settings: Npmi) -> Metrics:
    """Read the counts, compute the matrix, and write the pairs that the settings keep."""
    counts = read_counts(layout.counts)
    marginals = counts.marginals()
    whole = npmi(counts, marginals, settings.minimum_count, settings.smoothing)
    stored, _ = cut(whole, settings.top)
    write_matrix(
        layout.measure("npmi"),
        "npmi",
        stored.arrays,
        more={"marginals": marginals},
        facts={
            "total": counts.total,
            "scale": counts.scale,
            "minimum_count": settings.minimum_count,
            "smoothing": settings.smoothing,
            "top": settings.top,
        },
    )
    return {
        **matrix_metrics(stored, whole.pairs),
        "pairs_seen": len(counts.indices),
        "pairs_positive": whole.pairs,
        "words_alone": int((np.diff(whole.indptr) == 0).sum()),
    }


def npmi(
    counts: CountMatrix,
    marginals: Longs,
    minimum_count: float = 0.0,
    smoothing: float = 1.0,
) -> Sparse:
    """The symmetric matrix of square roots of positive NPMI, with a zero diagonal.

    Pairs of a true weight below `minimum_count` are left out (0 keeps all); they still count in
    the marginals. For `smoothing` see `log_probabilities`.
    """
    log_word = log_probabilities(marginals, counts.total, smoothing)
    first = counts.first_words()
    roots = np.zeros(len(first), np.float32)
    for start in range(0, len(first), PAIRS_AT_ONCE):
        at = slice(start, start + PAIRS_AT_ONCE)
        roots[at] = pair_npmi(
            counts.values[at],
            log_word[first[at]],
            log_word[counts.indices[at]],
            counts.total,
            minimum_count * counts.scale,
        )
    return symmetric(counts, roots)


def pair_npmi(
    counts: Longs, log_first: Doubles, log_second: Doubles, total: int, least: float
) -> Doubles:
    """The measure of some pairs, by their counts and ln p(a) and ln p(b) of their words.

    It is 0 for a pair with a count below `least`.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        log_pair = np.log(counts) - math.log(max(total, 1))
        information = log_pair - log_first - log_second
    positive = (counts >= least) & (information > INDEPENDENT)
    roots = np.zeros(len(counts))
    # Smoothing can lift a pair above 1.
    roots[positive] = np.sqrt(np.minimum(information[positive] / -log_pair[positive], 1))
    return roots


def symmetric(counts: CountMatrix, values: Floats) -> Sparse:
    """The symmetric matrix that has these values at the counted pairs; zeros are not stored."""
    positive = values > 0
    starts = np.concatenate([[0], np.cumsum(positive)])[counts.indptr]
    shape = (counts.words, counts.words)
    upper = csr_array((values[positive], counts.indices[positive], starts), shape=shape)
    both = upper + upper.T
    return Sparse(both.indptr.astype(np.int64), both.indices.astype(np.int32), both.data)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    unrelated = metrics["pairs_seen"] - metrics["pairs_positive"]
    return (
        f"{metrics['pairs_seen']:,} pairs in, {describe_matrix(metrics)}, {unrelated:,} dropped as "
        f"not positive; {metrics['words_alone']:,} words without a pair"
    )


STAGE = Stage(
    "npmi",
    run,
    describe,
    reads=("counts",),
    writes=("npmi",),
    section=Npmi,
    memory=lambda sizes, settings: 64.0 * sizes.counted + sizes.chunk,
)
