"""npmi -> svd: each word as a vector of a few hundred dimensions; relatedness is the cosine.

The npmi matrix is symmetric, so its singular vectors are its eigenvectors. The dimensions are the
eigenvectors of the largest eigenvalues, each weighted by a power of its eigenvalue. Negative
eigenvalues are left out, although their size is a singular value too: in their dimensions words are
similar that npmi keeps apart, and leaving them out agrees better with people's ratings.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass

from pipeline.layout import Layout
from pipeline.measures.low_rank import leading_eigenvectors
from pipeline.measures.sparse import Floats, Sparse, read_sparse
from pipeline.memory import Sizes
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section, Settings
from pipeline.stage import Job, Metrics, Stage
from wordkin.measures.files import write_matrix


@dataclass(frozen=True, config=KNOWN_KEYS)
class Svd(Section):
    """Vectors from the npmi matrix."""

    KEY = "svd"

    dimensions: Annotated[Whole, between(1, 2000)] = 300
    exponent: Annotated[Number, between(0, 2)] = 0.25
    seed: Annotated[Whole, between(0)] = 0


Doubles = NDArray[np.float64]


def run(job: Job) -> Metrics:
    """Make the measure `svd` of a language from its `npmi`."""
    return make_svd(job.layout, job.settings.section(Svd))


def make_svd(layout: Layout, settings: Svd) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = read_sparse(layout.measure("npmi"))
    values, eigenvectors = decompose(npmi, settings.dimensions, settings.seed)
    vectors = unit_rows(eigenvectors * values**settings.exponent)
    facts = {
        "dimensions": len(values),
        "exponent": settings.exponent,
        "seed": settings.seed,
    }
    write_matrix(layout.measure("svd"), "svd", vectors=vectors, facts=facts)
    squares = float((npmi.values.astype(np.float64) ** 2).sum())
    return {
        "words": npmi.words,
        "dimensions": len(values),
        "words_without_vector": int((~vectors.any(axis=1)).sum()),
        "highest_value": float(values.max(initial=0.0)),
        "lowest_value": float(values.min()) if len(values) else 0.0,
        "share_kept": float((values**2).sum() / squares) if squares else 0.0,
    }


def decompose(npmi: Sparse, dimensions: int, seed: int) -> tuple[Doubles, Doubles]:
    """The largest positive eigenvalues, in descending order, and their eigenvectors as columns.

    The sign of an eigenvector is the one that makes its largest entry positive. A small matrix may
    have fewer positive eigenvalues than `dimensions`.
    """
    values, vectors = leading_eigenvectors(npmi.times, npmi.words, dimensions, seed)
    positive = values > 1e-6 * values.max(initial=1.0)
    values, vectors = values[positive], vectors[:, positive].astype(np.float64)
    largest = np.abs(vectors).argmax(axis=0)
    return values, vectors * np.sign(vectors[largest, np.arange(len(values))])


def unit_rows(vectors: Doubles) -> Floats:
    """The rows scaled to unit length; the row of a word without pairs is zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    # A word without pairs may have rounding errors instead of zeros.
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return unit.astype(np.float32)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"npmi of {metrics['words']:,} words in, vectors of {metrics['dimensions']} dimensions out "
        f"({metrics['share_kept']:.1%} of the sum of squares), "
        f"{metrics['words_without_vector']:,} words without a vector"
    )


def memory(sizes: Sizes, settings: Settings) -> float:
    """The matrix, and the directions that are searched."""
    return sizes.npmi + 96.0 * sizes.words * (settings.section(Svd).dimensions + 60)


STAGE = Stage(
    "svd",
    run,
    describe,
    reads=("npmi",),
    writes=("svd",),
    section=Svd,
    memory=memory,
)
