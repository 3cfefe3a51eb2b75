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
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.layout import Layout
from pipeline.measures.row_blocks import Blocks, blocks_of, shared
from pipeline.measures.sparse import Floats, Sparse, read_sparse
from pipeline.memory import Sizes
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section, Settings
from pipeline.stage import Job, Metrics, Stage
from wordkin.measures.store import write_measure


@dataclass(frozen=True, config=KNOWN_KEYS)
class Svd(Section):
    """Vectors from the npmi matrix."""

    KEY = "svd"

    dimensions: Annotated[Whole, between(1, 2000)] = 300
    exponent: Annotated[Number, between(0, 2)] = 0.25
    seed: Annotated[Whole, between(0)] = 0


Doubles = NDArray[np.float64]

SPARE = 60
"""Extra directions during the search, for eigenvectors that are not separated yet."""

ROUNDS, DEGREE = 3, 5
"""Each round multiplies with the matrix DEGREE times. More of either changes no correlation in its
third digit."""


def run(job: Job) -> Metrics:
    """Make the measure `svd` of a language from its `npmi`."""
    with blocks_of(job) as blocks:
        return make_svd(job.layout, job.settings.section(Svd), blocks)


def make_svd(layout: Layout, settings: Svd, blocks: Blocks | None = None) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = shared(read_sparse(layout.measure("npmi")), blocks)
    values, eigenvectors = decompose(npmi, settings.dimensions, settings.seed)
    vectors = unit_rows(eigenvectors * values**settings.exponent)
    facts = {
        "dimensions": len(values),
        "exponent": settings.exponent,
        "seed": settings.seed,
    }
    write_measure(layout.measure("svd"), "svd", "vectors", {"vectors": vectors}, facts)
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
    # One thread, because a threaded BLAS adds up in an order that depends on their number.
    with threadpool_limits(1, user_api="blas"):
        if dimensions + SPARE < npmi.words:
            values, vectors = _leading(npmi, dimensions, seed)
        else:
            values, vectors = np.linalg.eigh(npmi.dense(0, npmi.words).astype(np.float64))
    order = np.argsort(-values, kind="stable")[:dimensions]
    order = order[values[order] > 1e-6 * values.max(initial=1.0)]
    values, vectors = values[order].astype(np.float64), vectors[:, order].astype(np.float64)
    largest = np.abs(vectors).argmax(axis=0)
    return values, vectors * np.sign(vectors[largest, np.arange(len(values))])


def _leading(npmi: Sparse, dimensions: int, seed: int) -> tuple[Doubles, Floats]:
    """The largest eigenvalues and their eigenvectors, by filtered subspace iteration.

    A polynomial of the matrix turns the subspace towards the eigenvectors wanted: a Chebyshev
    polynomial, which stays within 1 on the range of the unwanted eigenvalues and grows fast above.
    """
    rng = np.random.default_rng(seed)
    start = rng.standard_normal((npmi.words, dimensions + SPARE)).astype(np.float32)
    values, basis, image = _rotated(npmi, _orthonormal(npmi.times(start)))
    # The lowest eigenvalue is visible only now: later it is filtered out of the subspace.
    low = min(1.05 * values[-1], 0.0)
    for _ in range(ROUNDS):
        # A wider range of growth would drown small directions in rounding errors of large ones.
        high = max(values[dimensions], values[0] / 100)
        if low < high:
            basis = _orthonormal(_filtered(npmi, basis, image, low, high))
            values, basis, image = _rotated(npmi, basis)
    return values, basis


def _rotated(npmi: Sparse, basis: Floats) -> tuple[Doubles, Floats, Floats]:
    """The best approximations of eigenvectors in the space of the basis (Rayleigh and Ritz).

    Returns their values, largest first, the vectors, and the matrix times the vectors.
    """
    image = npmi.times(basis)
    inner = (basis.T @ image).astype(np.float64)
    values, rotation = np.linalg.eigh((inner + inner.T) / 2)
    descending = np.ascontiguousarray(rotation[:, ::-1], dtype=np.float32)
    return values[::-1], basis @ descending, image @ descending


def _filtered(npmi: Sparse, basis: Floats, image: Floats, low: float, high: float) -> Floats:
    """The Chebyshev polynomial of the matrix, with [low, high] mapped to [-1, 1], times the basis.

    `image` is the matrix times the basis.
    """
    centre, stretch = np.float32((high + low) / 2), np.float32(2 / (high - low))
    previous, current = basis, stretch * (image - centre * basis)
    for _ in range(1, DEGREE):
        following = 2 * stretch * (npmi.times(current) - centre * current) - previous
        previous, current = current, following
    return current


def _orthonormal(columns: Floats) -> Floats:
    return np.ascontiguousarray(np.linalg.qr(columns)[0])


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
    makes_measure=True,
)
