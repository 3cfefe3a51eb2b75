"""A low-rank approximation of a matrix, which stands for the pairs that are cut from it.

The low values of `squared` and `graph` follow broad patterns, for example how many neighbours the
two words have and which topics they belong to. So about a hundred numbers per word predict them
well. The matrix is projected onto the directions in which words differ most in npmi, from which
both measures are made. The directions are known in advance, so the rows of the matrix can come in
chunks and are needed only once.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.relatedness.sparse import Floats, Sparse

RANK = 128
"""The number of directions."""

ROWS_PER_PRODUCT = 256
"""Rows in one product. A constant, because sums over another number would round differently."""

POWERS = 4
"""How often random columns are multiplied with npmi to find the directions."""


class Projection:
    """A symmetric matrix that comes in chunks of rows, projected onto a few directions."""

    def __init__(self, npmi: Sparse, rank: int = RANK) -> None:
        self.directions = directions(npmi, rank)
        self.inner = np.zeros((self.directions.shape[1],) * 2, np.float64)

    def add(self, start: int, rows: Floats) -> None:
        """Take whole rows, of which `start` is the first."""

        def product(top: int) -> Floats:
            some_rows = rows[top : top + ROWS_PER_PRODUCT]
            left = self.directions[start + top : start + top + len(some_rows)]
            return np.asarray(left.T @ (some_rows @ self.directions))

        # A threaded BLAS adds up in an order that depends on the number of threads. So each
        # product is made by one thread, and the products are added up in their order.
        with (
            threadpool_limits(1, user_api="blas"),
            ThreadPoolExecutor(numba.get_num_threads()) as pool,
        ):
            for summand in pool.map(product, range(0, len(rows), ROWS_PER_PRODUCT)):
                self.inner += summand

    def factors(self) -> tuple[Floats, Floats]:
        """Numbers for each word and direction, and a sign for each direction.

        The approximate value of two words is the sum over all directions of sign x number of one
        word x number of the other.
        """
        with threadpool_limits(1, user_api="blas"):
            values, rotation = np.linalg.eigh((self.inner + self.inner.T) / 2)
            weights = (rotation * np.sqrt(np.abs(values))).astype(np.float32)
            return self.directions @ weights, np.sign(values).astype(np.float32)


def directions(npmi: Sparse, rank: int) -> Floats:
    """Orthonormal columns that span the constant direction and nearly npmi's top eigenvectors."""
    rank = min(rank, npmi.words)
    columns = np.random.default_rng(0).standard_normal((npmi.words, rank)).astype(np.float32)
    with threadpool_limits(1, user_api="blas"):
        for _ in range(POWERS):
            columns = npmi.times(columns)
            columns[:, 0] = 1.0
            columns = np.ascontiguousarray(np.linalg.qr(columns)[0])
    return columns
