"""The weight of a pair of words by their distance, as whole numbers.

Linear weights are scaled by the window and harmonic ones by lcm(1..window), so all sums are exact
and do not depend on their order.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError

LARGEST = 2**63 - 1
"""The largest exact sum: sums are 64-bit integers."""


def weights_of(window: int, weighting: str) -> tuple[NDArray[np.int64], int]:
    """The integer weight of each distance from 0 to `window`, and the scale of these weights.

    No two words have the distance 0; its weight is 0.
    """
    distances = range(1, window + 1)
    if weighting == "uniform":
        scale, by_distance = 1, [1 for _ in distances]
    elif weighting == "linear":
        scale, by_distance = window, [window + 1 - d for d in distances]
    else:
        scale = math.lcm(*distances)
        by_distance = [scale // d for d in distances]
    if max(by_distance) > LARGEST:
        raise InputError(
            f"counts.window: harmonic weights of a window of {window} do not fit exact 64-bit "
            "whole numbers; take a window of at most 42, or linear weights."
        )
    return np.array([0, *by_distance], dtype=np.int64), scale
