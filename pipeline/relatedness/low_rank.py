"""What stands for the pairs that are cut from a matrix: the matrix as far as a few directions go.

The low values of `squared` and `graph` follow broad patterns, such as how many neighbours the two
words have and which fields they belong to, so a hundred numbers a word tell them nearly. The
directions are those in which words differ most in npmi, which both measures are made from. They are
known beforehand, so the rows of the matrix may come in blocks and need to be seen only once.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.relatedness.sparse import Floats, Sparse

RANK = 128
"""Directions of an estimate."""

TOGETHER = 256
"""Rows that are seen together. A constant: sums of another number would round differently."""

POWERS = 4
"""How often npmi is multiplied with random columns to find them."""


class Projection:
    """A symmetric matrix that comes in blocks of rows, seen in some directions only."""

    def __init__(self, npmi: Sparse, rank: int = RANK) -> None:
        self.directions = directions(npmi, rank)
        self.inner = np.zeros((self.directions.shape[1],) * 2, np.float64)

    def add(self, start: int, rows: Floats) -> None:
        """Take whole rows, the first of them with the number `start`."""

        def seen(top: int) -> Floats:
            some = rows[top : top + TOGETHER]
            own = self.directions[start + top : start + top + len(some)]
            return np.asarray(own.T @ (some @ self.directions))

        # A threaded BLAS adds up in an order that depends on the number of threads, so threads
        # share out products that are one thread's, which are added up in their order.
        with (
            threadpool_limits(1, user_api="blas"),
            ThreadPoolExecutor(numba.get_num_threads()) as pool,
        ):
            for part in pool.map(seen, range(0, len(rows), TOGETHER)):
                self.inner += part

    def factors(self) -> tuple[Floats, Floats]:
        """Numbers for each word, and a sign for each direction, that give the matrix back:
        the sum over all directions of sign x number of one word x number of the other."""
        with threadpool_limits(1, user_api="blas"):
            values, turns = np.linalg.eigh((self.inner + self.inner.T) / 2)
            weights = (turns * np.sqrt(np.abs(values))).astype(np.float32)
            return self.directions @ weights, np.sign(values).astype(np.float32)


def directions(npmi: Sparse, rank: int) -> Floats:
    """Orthonormal columns: the same in all words, and nearly npmi's leading eigenvectors."""
    rank = min(rank, npmi.words)
    columns = np.random.default_rng(0).standard_normal((npmi.words, rank)).astype(np.float32)
    with threadpool_limits(1, user_api="blas"):
        for _ in range(POWERS):
            columns = npmi.times(columns)
            columns[:, 0] = 1.0
            columns = np.ascontiguousarray(np.linalg.qr(columns)[0])
    return columns
