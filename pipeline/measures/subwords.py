"""Vectors of character n-grams, learned from the vectors of words.

Ridge regression: the vectors of the n-grams are chosen so that the average over a word's n-grams
comes close to the word's own vector. A word's n-grams then give a vector to words that the corpus
does not have (`wordkin.language.subwords`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pipeline.settings import SubwordSize
from wordkin.language.subwords import Subwords, buckets, quantize
from wordkin.measures.files import has_vectors
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary

FULL_SIZE = SubwordSize()
"""The buckets of n-grams; the columns of the vectors that vary most, because the rest costs space
and helps little; and the most frequent words, for which an unknown string may stand."""
SOURCES = ("translated", "svd")
"""The measures to learn from, the best first: translations know words of which the text says little
(research/resolving.md)."""
RIDGE = 0.01
STEPS = 30

Array = NDArray[np.float64]


def vector_measure(folders: Mapping[str, Path]) -> str | None:
    """The name of the measure to learn from: the first of `SOURCES`, else any that has vectors."""
    names = [*(name for name in SOURCES if name in folders), *folders]
    return next((name for name in names if has_vectors(folders[name])), None)


def learn_from(folder: Path, vocabulary: Vocabulary, size: SubwordSize = FULL_SIZE) -> Subwords:
    """Learn vectors of n-grams from the measure of vectors in `folder`."""
    vectors = open_measure(folder, vocabulary).unit_vectors()
    assert vectors is not None
    return learn_subwords(vocabulary, vectors, size)


def learn_subwords(
    vocabulary: Vocabulary, vectors: NDArray[np.floating], size: SubwordSize = FULL_SIZE
) -> Subwords:
    """Learn vectors of n-grams from the vectors of the vocabulary, one row per word."""
    strongest = np.argsort(-np.square(vectors, dtype=np.float64).sum(axis=0), kind="stable")
    targets = np.asarray(vectors[:, np.sort(strongest[: size.dimensions])], dtype=np.float64)
    # A rare word's vector is noise for the most part, so it counts less.
    weights = np.log1p(vocabulary.counts.astype(np.float64))
    weights /= weights.max(initial=1.0)
    mean = (weights[:, None] * targets).sum(axis=0) / weights.sum()
    features = gram_features(vocabulary.words, size.buckets)
    solution = ridge_regression(features, targets - mean, weights)
    words = quantize(targets[: size.words].astype(np.float32))
    return Subwords(quantize(solution.astype(np.float32)), words, mean.astype(np.float32))


def gram_features(words: list[str], number: int) -> sparse.csr_array:
    """The share of each bucket in the n-grams of each word."""
    columns = [buckets(word, number) for word in words]
    ends = np.cumsum([0, *map(len, columns)])
    values = np.concatenate([np.full(len(row), 1 / len(row)) for row in columns])
    return sparse.csr_array((values, np.concatenate(columns), ends), shape=(len(words), number))


def ridge_regression(features: sparse.csr_array, targets: Array, weights: Array) -> Array:
    """Minimise Σ w |x·B − y|² + λ|B|² by conjugate gradients, all columns at once.

    Only sparse products and sums by column: the same bytes whatever the number of threads.
    """
    transposed = sparse.csr_array(features.T)

    def apply(candidate: Array) -> Array:
        return np.asarray(
            transposed @ (weights[:, None] * (features @ candidate)) + RIDGE * candidate
        )

    residual = np.asarray(transposed @ (weights[:, None] * targets))
    solution, direction = np.zeros_like(residual), residual.copy()
    size = np.einsum("ij,ij->j", residual, residual)
    for _ in range(STEPS):
        image = apply(direction)
        step = size / np.maximum(np.einsum("ij,ij->j", direction, image), 1e-30)
        solution += step * direction
        residual -= step * image
        before, size = size, np.einsum("ij,ij->j", residual, residual)
        direction = residual + size / np.maximum(before, 1e-30) * direction
    return solution
