"""npmi -> svd: each word as a vector of some hundred dimensions, related by the cosine.

The npmi matrix is symmetric, so its singular vectors are its eigenvectors. Those of the greatest
eigenvalues are taken, each dimension weighted by a power of its eigenvalue. Negative eigenvalues
are left out although their size is a singular value too: in such a dimension words are alike that
npmi has apart, and leaving it out raises the agreement with people's ratings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.layout import Layout
from pipeline.settings import Svd
from pipeline.sparse import Floats, Sparse, read_sparse
from wordkin.measures import write_measure

# Relative error of an eigenvalue; a smaller one changes no correlation in its fourth digit.
TOLERANCE = 1e-2


def run(layout: Layout, settings: Svd) -> dict[str, Any]:
    """Make the measure `svd` of a language from its `npmi`."""
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
        "lowest_value": float(values.min(initial=0.0)) if len(values) else 0.0,
        "share_kept": float((values**2).sum() / squares) if squares else 0.0,
    }


def decompose(
    npmi: Sparse, dimensions: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The greatest positive eigenvalues, descending, and their eigenvectors as columns.

    An eigenvector is given the sign that makes its largest entry positive. A small matrix may have
    fewer positive eigenvalues than `dimensions`.
    """
    words = npmi.words
    matrix = csr_array((npmi.values, npmi.indices, npmi.indptr), (words, words))
    # One thread: a threaded BLAS adds up in an order that depends on the number of threads.
    with threadpool_limits(1, user_api="blas"):
        if dimensions < words - 1 and matrix.nnz:
            start = np.random.default_rng(seed).standard_normal(words).astype(np.float32)
            values, vectors = eigsh(matrix, dimensions, which="LA", v0=start, tol=TOLERANCE)
        else:
            values, vectors = np.linalg.eigh(matrix.toarray().astype(np.float64))
    order = np.argsort(-values, kind="stable")[:dimensions]
    order = order[values[order] > 1e-6 * values.max(initial=1.0)]
    values, vectors = values[order].astype(np.float64), vectors[:, order].astype(np.float64)
    largest = np.abs(vectors).argmax(axis=0)
    return values, vectors * np.sign(vectors[largest, np.arange(len(values))])


def unit_rows(vectors: NDArray[np.float64]) -> Floats:
    """The rows at unit length; a word without any pair keeps its zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    # What rounding leaves of a word that has no pairs is no direction.
    out = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return out.astype(np.float32)


def describe(metrics: dict[str, Any]) -> str:
    """The stage's one-line summary."""
    return f"{metrics['words']:,} words in {metrics['dimensions']} dimensions"
