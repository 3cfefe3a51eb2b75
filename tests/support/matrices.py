"""Small matrices for tests: random ones, and conversions from and to the pipeline's arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pipeline.count import store
from pipeline.count.store import CountMatrix, WindowFacts
from pipeline.layout import Layout
from pipeline.measures.sparse import Sparse
from wordkin.measures.files import write_matrix
from wordkin.measures.matrix import MatrixMeasure, Pairs
from wordkin.vocabulary import Vocabulary

Matrix = NDArray[np.float32]


def random_npmi(words: int, density: float, seed: int) -> Matrix:
    """A symmetric matrix with values in (0, 1] at random places."""
    rng = np.random.default_rng(seed)
    values = 1.0 - rng.random((words, words)) ** 2
    upper = np.triu(np.where(rng.random((words, words)) < density, values, 0.0), 1)
    return (upper + upper.T).astype(np.float32)


npmis = st.builds(
    random_npmi, st.integers(1, 40), st.sampled_from([0.02, 0.1, 0.3, 0.9]), st.integers(0, 10**6)
)
"""Random matrices, from almost empty to almost full."""


def _in_steps(matrix: Matrix, steps: int) -> Matrix:
    """The matrix with values rounded up to multiples of 1 / steps, so that many are equal."""
    return (np.ceil(matrix * steps) / steps).astype(np.float32)


npmis_with_ties = st.builds(_in_steps, npmis, st.sampled_from([1, 2, 8]))
"""Random matrices with few different values, among them 1, which makes an edge of length 0."""


def random_counts(words: int, seed: int, share: float = 0.5) -> CountMatrix:
    """Random counts in halves, with pairs at random places."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.geometric(0.1, (words, words)) * (rng.random((words, words)) < share), 1)
    first, second = np.nonzero(upper)
    indptr = np.searchsorted(first, np.arange(words + 1)).astype(np.int64)
    values = upper[first, second].astype(np.int64)
    return CountMatrix(indptr, second.astype(np.int32), values, WindowFacts(2, "linear", 2))


def sparse(matrix: NDArray[Any]) -> Sparse:
    """The pipeline's form of a matrix; zeros are not stored."""
    stored = csr_array(matrix)
    indptr, indices = stored.indptr.astype(np.int64), stored.indices.astype(np.int32)
    return Sparse(indptr, indices, stored.data.astype(np.float32))


def dense(matrix: Sparse) -> Matrix:
    """A sparse matrix with its zeros."""
    arrays = (matrix.values, matrix.indices, matrix.indptr)
    return csr_array(arrays, (matrix.words, matrix.words)).toarray()


def stored_pairs(matrix: NDArray[Any]) -> Pairs:
    """The pairs of a matrix that are not 0."""
    return Pairs(*sparse(matrix).arrays)


def measure_of(name: str, words: Vocabulary, matrix: NDArray[Any]) -> MatrixMeasure:
    """A measure with the values of a matrix."""
    return MatrixMeasure(name, words, stored_pairs(matrix))


def vocabulary(words: int) -> Vocabulary:
    """A vocabulary whose words are the numbers from 0."""
    return Vocabulary([str(word) for word in range(words)], [1] * words, [1] * words)


def project(root: Path, npmi: Matrix) -> Layout:
    """A project that has the measure npmi."""
    layout = Layout(root, "qq")
    write_matrix(layout.measure("npmi"), "npmi", sparse(npmi).arrays)
    return layout


def count_matrix(symmetric: NDArray[np.int64], scale: int = 1) -> CountMatrix:
    """Counts of harmonic windows of 4, from a symmetric matrix or its upper triangle."""
    upper = csr_array(np.triu(symmetric, 1))
    return CountMatrix(
        upper.indptr.astype(np.int64),
        upper.indices.astype(np.int32),
        upper.data.astype(np.int64),
        WindowFacts(4, "harmonic", scale),
    )


def write_counts(folder: Path, symmetric: NDArray[np.int64], scale: int = 1) -> None:
    """Write counts as their stage does."""
    store.write_counts(folder, count_matrix(symmetric, scale))
