"""Figures with their 95 % intervals by bootstrap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Estimate(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


class Difference(NamedTuple):
    """How much better one figure is than another, and the 95 % interval of that."""

    value: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out zero: only then one may be called better."""
        return self.low > 0 or self.high < 0


def estimate(value: float, draws: Array) -> Estimate:
    """A figure with the middle 95 % of its draws."""
    low, high = np.percentile(draws, [2.5, 97.5]).tolist()
    return Estimate(value, low, high)


def bootstrap_means(scores: Array, group: NDArray[np.int64], *, resamples: int, seed: int) -> Array:
    """The mean of the scores in each resample of the groups: all scores of one come together."""
    names, place = np.unique(group, return_inverse=True)
    sums = np.bincount(place, scores, minlength=len(names))
    sizes = np.bincount(place, minlength=len(names))
    shares = np.full(len(names), 1 / len(names))
    drawn = np.random.default_rng(seed).multinomial(len(names), shares, size=resamples)
    return np.asarray((drawn @ sums) / (drawn @ sizes))
