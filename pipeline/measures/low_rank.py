"""A low-rank approximation of a matrix, which stands for the pairs that are cut from it.

The low values of `squared` and `graph` follow broad patterns, for example how many neighbours the
two words have and which topics they belong to. So about a hundred numbers per word predict them
well. The matrix is projected onto the directions in which words differ most in npmi, from which
both measures are made. The directions are known in advance, so the rows of the matrix can come in
chunks and are needed only once. A sample of the rows is enough to estimate the projection.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.measures.sparse import Floats, Longs, Sparse

RANK = 128
"""The number of directions."""

ROWS_PER_PRODUCT = 256
"""Rows in one product. A constant, because sums over another number would round differently."""

POWERS = 4
"""How often random columns are multiplied with npmi to find the directions."""


class Projection:
    """A symmetric matrix that comes in chunks of rows, projected onto a few directions."""

    def __init__(self, npmi: Sparse, rank: int | None = None) -> None:
        rank = RANK if rank is None else rank
        self.directions = directions(npmi, rank)
        self.inner = np.zeros((self.directions.shape[1],) * 2, np.float64)

    @classmethod
    def of_square(cls, npmi: Sparse) -> Projection:
        """The projection of S.S with a zero diagonal, without computing S.S."""
        projection = cls(npmi)
        columns = projection.directions.astype(np.float64)
        image = npmi.times(projection.directions).astype(np.float64)
        squares = np.bincount(
            np.repeat(np.arange(npmi.words), np.diff(npmi.indptr)),
            npmi.values.astype(np.float64) ** 2,
            npmi.words,
        )
        with threadpool_limits(1, user_api="blas"):
            projection.inner[:] = image.T @ image - (columns.T * squares) @ columns
        return projection

    def add(self, start: int, rows: Floats) -> None:
        """Take whole rows, of which `start` is the first; in the end all rows must be taken."""
        left = self.directions[start : start + len(rows)]

        def product(top: int) -> Floats:
            chunk = slice(top, top + ROWS_PER_PRODUCT)
            return np.asarray(left[chunk].T @ (rows[chunk] @ self.directions))

        for summand in in_threads(product, range(0, len(rows), ROWS_PER_PRODUCT)):
            self.inner += summand

    def image(self, rows: Floats) -> Floats:
        """The products of some rows with the directions."""

        def product(top: int) -> Floats:
            return np.asarray(rows[top : top + ROWS_PER_PRODUCT] @ self.directions)

        return np.concatenate(in_threads(product, range(0, len(rows), ROWS_PER_PRODUCT)))

    def fit(self, words: Longs, images: Floats) -> None:
        """Estimate the projection from the images of the rows of some words.

        It is the one by which the rows of these words are approximated best, in the sense of least
        squares. Scaling up the sums over these words instead would add the chance of the sample.
        """
        with threadpool_limits(1, user_api="blas"):
            left = self.directions[words].astype(np.float64)
            self.inner[:] = np.linalg.lstsq(left, images.astype(np.float64))[0]

    def factors(self) -> tuple[Floats, Floats]:
        """Numbers for each word and direction, and a sign for each direction.

        The approximate value of two words is the sum over all directions of sign x number of one
        word x number of the other.
        """
        with threadpool_limits(1, user_api="blas"):
            values, rotation = np.linalg.eigh((self.inner + self.inner.T) / 2)
            weights = (rotation * np.sqrt(np.abs(values))).astype(np.float32)
            return self.directions @ weights, np.sign(values).astype(np.float32)


def in_threads(product: Callable[[int], Floats], starts: range) -> list[Floats]:
    """The products that start at each place, in their order.

    A threaded BLAS adds up in an order that depends on the number of threads. So each product is
    made by one thread.
    """
    with (
        threadpool_limits(1, user_api="blas"),
        ThreadPoolExecutor(numba.get_num_threads()) as pool,
    ):
        return list(pool.map(product, starts))


def directions(npmi: Sparse, rank: int) -> Floats:
    """Orthonormal columns that span the constant direction and nearly npmi's top eigenvectors."""
    return leading_columns(npmi.times, npmi.words, rank, POWERS)


def leading_columns(
    times: Callable[[Floats], Floats],
    words: int,
    rank: int,
    powers: int,
    start: Floats | None = None,
) -> Floats:
    """Orthonormal columns that span the constant direction and nearly the top eigenvectors.

    `times` multiplies the symmetric matrix with columns. The search starts from the columns
    `start`, or from random ones.
    """
    rank = min(rank, words)
    if start is None:
        start = np.random.default_rng(0).standard_normal((words, rank)).astype(np.float32)
    columns = start
    with threadpool_limits(1, user_api="blas"):
        for _ in range(powers):
            columns = times(columns)
            columns[:, 0] = 1.0
            columns = np.ascontiguousarray(np.linalg.qr(columns)[0])
    return columns
