"""A few numbers per word whose products come close to a symmetric matrix.

    leading_eigenvectors    of a matrix that can be multiplied: exactly, by block iteration
    estimate_from_rows      of a matrix of which a sample of the rows is known
    reduce                  of a sum of such estimates: the best one of fewer numbers

An estimate has `vectors` and `weights`: the relatedness of two words is about the weighted product
of their vectors (`wordkin.measures.files`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.measures.sparse import Floats, Longs

Doubles = NDArray[np.float64]

SPARE = 60
"""Extra directions during the search, for eigenvectors that are not separated yet."""

ROUNDS, DEGREE = 3, 5
"""Each round multiplies with the matrix DEGREE times. More of either changes no correlation of svd
in its third digit."""

NEGLIGIBLE = 1e-7
"""A direction with a smaller share of the largest one is left out: it is a rounding error."""

SAMPLE = 1024
"""The rows from which a matrix is estimated."""


class Estimate(NamedTuple):
    """Numbers for each word, and a weight for each of their columns."""

    vectors: Floats
    weights: Floats


def leading_eigenvectors(
    times: Callable[[Floats], Floats], words: int, number: int, seed: int = 0, rounds: int = ROUNDS
) -> tuple[Doubles, Floats]:
    """The largest eigenvalues, descending, and their eigenvectors as columns.

    `times` multiplies the symmetric matrix with columns. In each round a polynomial of the matrix
    turns a block of random columns towards the eigenvectors wanted: a Chebyshev polynomial, which
    stays within 1 on the range of the unwanted eigenvalues and grows fast above.
    """
    # One thread, because a threaded BLAS adds up in an order that depends on their number.
    with threadpool_limits(1, user_api="blas"):
        size = min(number + SPARE, words)
        start = np.random.default_rng(seed).standard_normal((words, size)).astype(np.float32)
        values, basis, image = _rotated(times, _orthonormal(times(start)))
        if size < words:  # else the block spans the whole space, and the result is exact
            # The lowest eigenvalue is visible only now: later it is filtered out of the block.
            low = min(1.05 * values[-1], 0.0)
            for _ in range(rounds):
                # A wider range of growth would drown small directions in rounding errors.
                high = max(values[number], values[0] / 100)
                if low < high:
                    basis = _orthonormal(_filtered(times, basis, image, low, high))
                    values, basis, image = _rotated(times, basis)
    return values[:number], basis[:, :number]


def _rotated(times: Callable[[Floats], Floats], basis: Floats) -> tuple[Doubles, Floats, Floats]:
    """The best approximations of eigenvectors in the space of the basis (Rayleigh and Ritz).

    Returns their values, largest first, the vectors, and the matrix times the vectors.
    """
    image = times(basis)
    inner = (basis.T @ image).astype(np.float64)
    values, rotation = np.linalg.eigh((inner + inner.T) / 2)
    descending = np.ascontiguousarray(rotation[:, ::-1], dtype=np.float32)
    return values[::-1], basis @ descending, image @ descending


def _filtered(
    times: Callable[[Floats], Floats], basis: Floats, image: Floats, low: float, high: float
) -> Floats:
    """The Chebyshev polynomial of the matrix, with [low, high] mapped to [-1, 1], times the basis.

    `image` is the matrix times the basis.
    """
    centre, stretch = np.float32((high + low) / 2), np.float32(2 / (high - low))
    previous, current = basis, stretch * (image - centre * basis)
    for _ in range(1, DEGREE):
        following = 2 * stretch * (times(current) - centre * current) - previous
        previous, current = current, following
    return current


def _orthonormal(columns: Floats) -> Floats:
    return np.ascontiguousarray(np.linalg.qr(columns)[0])


def sample_of(words: int) -> Longs:
    """The words whose rows are computed to estimate all others: at equal steps through the
    vocabulary, which is sorted by frequency."""
    size = min(SAMPLE, words)
    return np.arange(size) * words // max(size, 1)


def estimate_from_rows(rows: Floats, sample: Longs, rank: int) -> Estimate:
    """The estimate by which some rows of a matrix are approximated best.

    `rows` are the rows of the words `sample`. The space is that of their principal directions.
    """
    with threadpool_limits(1, user_api="blas"):
        sizes, axes = np.linalg.eigh((rows @ rows.T).astype(np.float64))
        largest = np.argsort(-sizes, kind="stable")[:rank]
        largest = largest[sizes[largest] > NEGLIGIBLE * sizes.max(initial=0.0)]
        directions = _orthonormal(rows.T @ axes[:, largest].astype(np.float32))
        images = (rows @ directions).astype(np.float64)
        inner = np.linalg.lstsq(directions[sample].astype(np.float64), images)[0]
        values, rotation = np.linalg.eigh((inner + inner.T) / 2)
        weights = (rotation * np.sqrt(np.abs(values))).astype(np.float32)
        return Estimate(directions @ weights, np.sign(values).astype(np.float32))


def reduce(estimate: Estimate, rank: int, importance: Doubles) -> Estimate:
    """The best approximation of the same matrix by `rank` directions, the strongest first.

    The square of an error counts as much as the importance of its two words, multiplied.

    With the vectors F and the weights W, the matrix F W F^T has the eigenvalues of R W R, where R
    is the root of F^T F. The rows of F are multiplied by the roots of their importance to find the
    directions.
    """
    with threadpool_limits(1, user_api="blas"):
        vectors = estimate.vectors.astype(np.float64)
        sizes, axes = np.linalg.eigh(vectors.T @ (vectors * importance[:, None]))
        roots = np.sqrt(np.maximum(sizes, 0.0))
        inverse = np.divide(
            1.0, roots, out=np.zeros_like(roots), where=roots > NEGLIGIBLE * roots.max(initial=0.0)
        )
        root = (axes * roots) @ axes.T
        values, rotation = np.linalg.eigh(root @ (estimate.weights[:, None] * root))
        strongest = np.argsort(-np.abs(values), kind="stable")[:rank]
        values, rotation = values[strongest], rotation[:, strongest]
        weights = (axes * inverse) @ axes.T @ (rotation * np.sqrt(np.abs(values)))
        return Estimate((vectors @ weights).astype(np.float32), np.sign(values).astype(np.float32))
