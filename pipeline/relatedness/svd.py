"""npmi -> svd: each word as a vector of some hundred dimensions, related by the cosine.

The npmi matrix is symmetric, so its singular vectors are its eigenvectors. Those of the greatest
eigenvalues are taken, each dimension weighted by a power of its eigenvalue. Negative eigenvalues
are left out although their size is a singular value too: in such a dimension words are alike that
npmi has apart, and leaving it out raises the agreement with people's ratings.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.layout import Layout
from pipeline.relatedness.sparse import Floats, Sparse, read_sparse
from pipeline.settings import Svd
from pipeline.stage import Job, Metrics
from wordkin.measures import write_measure

Doubles = NDArray[np.float64]

# Directions beyond the ones wanted: they take in what is not yet told apart.
SPARE = 60
# Each round multiplies as often as the degree says; more change no correlation in its third digit.
ROUNDS, DEGREE = 3, 5


def run(job: Job) -> Metrics:
    """Make the measure `svd` of a language from its `npmi`."""
    return make_svd(job.layout, job.settings.svd)


def make_svd(layout: Layout, settings: Svd) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = read_sparse(layout.measure("npmi"))
    values, directions = decompose(npmi, settings.dimensions, settings.seed)
    vectors = unit_rows(directions * values**settings.exponent)
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
    """The greatest positive eigenvalues, descending, and their eigenvectors as columns.

    An eigenvector is given the sign that makes its largest entry positive. A small matrix may have
    fewer positive eigenvalues than `dimensions`.
    """
    # One thread: a threaded BLAS adds up in an order that depends on the number of threads.
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
    """The greatest eigenvalues and their eigenvectors, by filtered subspace iteration.

    A block of directions is turned towards the wanted ones by a polynomial of the matrix: one of
    Chebyshev's, which stays within 1 where the unwanted eigenvalues lie and grows fast above.
    """
    rng = np.random.default_rng(seed)
    start = rng.standard_normal((npmi.words, dimensions + SPARE)).astype(np.float32)
    values, basis, image = _turned(npmi, _orthonormal(npmi.times(start)))
    # The least eigenvalue is only seen now; later the block has no room for it.
    low = min(1.05 * values[-1], 0.0)
    for _ in range(ROUNDS):
        # No narrower than that: what grows by ten digits more than the rest drowns it.
        high = max(values[dimensions], values[0] / 100)
        if low < high:
            basis = _orthonormal(_filtered(npmi, basis, image, low, high))
            values, basis, image = _turned(npmi, basis)
    return values, basis


def _turned(npmi: Sparse, basis: Floats) -> tuple[Doubles, Floats, Floats]:
    """The basis turned to what in it is nearest to eigenvectors, greatest values first: these
    values, the basis, and the matrix times it."""
    image = npmi.times(basis)
    inner = (basis.T @ image).astype(np.float64)
    values, turns = np.linalg.eigh((inner + inner.T) / 2)
    turned = np.ascontiguousarray(turns[:, ::-1], dtype=np.float32)
    return values[::-1], basis @ turned, image @ turned


def _filtered(npmi: Sparse, basis: Floats, image: Floats, low: float, high: float) -> Floats:
    """Chebyshev's polynomial of the matrix, with [low, high] brought to [-1, 1], times the basis.

    `image` is the matrix times the basis.
    """
    centre, stretch = np.float32((high + low) / 2), np.float32(2 / (high - low))
    before, now = basis, stretch * (image - centre * basis)
    for _ in range(1, DEGREE):
        before, now = now, 2 * stretch * (npmi.times(now) - centre * now) - before
    return now


def _orthonormal(columns: Floats) -> Floats:
    return np.ascontiguousarray(np.linalg.qr(columns)[0])


def unit_rows(vectors: Doubles) -> Floats:
    """The rows at unit length; a word without any pair keeps its zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    # What rounding leaves of a word that has no pairs is no direction.
    out = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return out.astype(np.float32)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return f"{metrics['words']:,} words in {metrics['dimensions']} dimensions"
