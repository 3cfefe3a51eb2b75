"""The part of the npmi formula that both the pipeline and the explanations need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Ids


def log_probabilities(marginals: Ids, total: int, smoothing: float = 1.0) -> NDArray[np.float64]:
    """ln p(a) of each word as npmi weighs it; -inf for a word without pairs.

    A `smoothing` s below 1 raises the probability of rare contexts, p'(a) = n_a^s / sum n^s, which
    lowers the PMI of rare words. Either word of a pair can be the context, so the result is the
    geometric mean of p and p', which keeps the matrix symmetric.
    """
    with np.errstate(divide="ignore"):
        logs = np.log(marginals)
    plain = logs - np.log(max(total, 1))
    if smoothing == 1.0:
        return np.asarray(plain)
    smoothed = smoothing * logs
    return np.asarray((plain + smoothed - np.log(max(np.exp(smoothed).sum(), 1.0))) / 2)
