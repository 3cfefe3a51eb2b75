"""Correlations between measures, on random pairs of words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from wordkin.errors import InputError

Array = NDArray[np.float64]


def random_pairs(
    words: int, *, pairs: int = 100_000, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw random pairs of two different words out of `words`, with replacement, as two id arrays.

    Parameters
    ----------
    words : int
        The size of the vocabulary.
    pairs, seed : int
        The number of pairs, and the seed of the draws.
    """
    if words < 2:
        raise InputError(
            f"The vocabulary has {words} words and random pairs need at least 2: give more text."
        )
    random = np.random.default_rng(seed)
    first = random.integers(0, words, pairs)
    return first, (first + random.integers(1, words, pairs)) % words


def between_measures(scores: Sequence[ArrayLike]) -> tuple[Array, Array]:
    """Pearson and Spearman between the scores of several measures on the same pairs.

    Two (measures, measures) arrays. Table 1 of the method paper shows the first in its upper
    triangle and the second in its lower one, on 100,000 random pairs.
    """
    columns = [np.asarray(score, dtype=np.float64) for score in scores]
    return _pearson_matrix(columns), _pearson_matrix([stats.rankdata(c) for c in columns])


def _pearson_matrix(columns: Sequence[Array]) -> Array:
    """Pearson between all columns; nan for constant ones."""
    defined = [i for i, column in enumerate(columns) if not (column == column[0]).all()]
    out = np.full((len(columns), len(columns)), math.nan)
    if defined:
        out[np.ix_(defined, defined)] = np.corrcoef([columns[i] for i in defined])
    return out
