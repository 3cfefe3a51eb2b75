"""Small matrices for tests: random ones, and ways to and from the pipeline's arrays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pipeline.layout import Layout
from pipeline.relatedness.sparse import Sparse
from wordkin.measures import write_measure
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


def sparse(matrix: NDArray[Any]) -> Sparse:
    """The pipeline's form of a matrix; zeros are not stored."""
    found = csr_array(matrix)
    indptr, indices = found.indptr.astype(np.int64), found.indices.astype(np.int32)
    return Sparse(indptr, indices, found.data.astype(np.float32))


def dense(matrix: Sparse) -> Matrix:
    """A sparse matrix with its zeros."""
    arrays = (matrix.values, matrix.indices, matrix.indptr)
    return csr_array(arrays, (matrix.words, matrix.words)).toarray()


def vocabulary(words: int) -> Vocabulary:
    """Words that are called by their numbers."""
    return Vocabulary([str(word) for word in range(words)], [1] * words, [1] * words)


def project(root: Path, npmi: Matrix) -> Layout:
    """A project's folder that has the measure npmi."""
    layout = Layout(root, "qq")
    write_measure(layout.measure("npmi"), "npmi", "csr", sparse(npmi).arrays())
    return layout


def write_counts(folder: Path, upper: NDArray[np.int64], scale: int) -> None:
    """Counts as their stage writes them, of a matrix above its diagonal."""
    found = csr_array(np.triu(upper, 1))
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "indptr.npy", found.indptr.astype(np.int64))
    np.save(folder / "indices.npy", found.indices.astype(np.int32))
    np.save(folder / "values.npy", found.data.astype(np.int64))
    facts = {"words": len(upper), "pairs": found.nnz, "total": 2 * int(found.data.sum())}
    (folder / "counts.json").write_text(json.dumps({**facts, "scale": scale}))
