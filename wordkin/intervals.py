"""Figures with 95 % intervals by bootstrap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Estimate(NamedTuple):
    """A figure, or the difference of two, and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval of a difference excludes zero: only then may one figure be called
        better."""
        return self.low > 0 or self.high < 0


def estimate(value: float, draws: Array) -> Estimate:
    """A figure with the middle 95 % of its draws; nan where no draw is defined.

    Parameters
    ----------
    value : float
        The figure itself.
    draws : array
        The figure in each resample; nan where it is not defined.
    """
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return Estimate(value, np.nan, np.nan)
    low, high = np.percentile(defined, [2.5, 97.5]).tolist()
    return Estimate(value, low, high)


def bootstrap_means(scores: Array, group: NDArray[np.int64], *, resamples: int, seed: int) -> Array:
    """The mean of the scores in each resample of whole groups.

    Parameters
    ----------
    scores : array
        The values to average.
    group : array of int
        The group of each score. The scores of a group are not independent of each other, so a
        resample has all of them, as often as the group is drawn, or none.
    resamples, seed : int
        The number of resamples, and the seed of the draws.
    """
    names, place = np.unique(group, return_inverse=True)
    sums = np.bincount(place, scores, minlength=len(names))
    sizes = np.bincount(place, minlength=len(names))
    shares = np.full(len(names), 1 / len(names))
    drawn = np.random.default_rng(seed).multinomial(len(names), shares, size=resamples)
    return np.asarray((drawn @ sums) / (drawn @ sizes))
