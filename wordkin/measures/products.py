"""Products of words' numbers, cut at bounds: how estimates of relatedness are computed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats

_WIDTH = 512
"""The rows of `right` that are multiplied at a time: few enough for the processor's cache."""
_TILE = 16
"""The rows of `left` that are multiplied at a time; the last ones are filled up to as many.
Libraries of linear algebra may add up in another order for another shape, or for another place in
it. This shape is one tile to all of them, so a row of products has the same bits whatever other
rows are asked for with it."""


class Limits(NamedTuple):
    """What estimates are cut at.

    Attributes
    ----------
    rows, columns : array of float32
        An estimate is at most the lower of the bounds of its row and of its column.
    floor : float or None
        It is at least this.
    """

    rows: Floats
    columns: Floats
    floor: float | None


def products(
    left: Floats,
    right: NDArray[Any],
    limits: Limits | None = None,
    scales: Floats | None = None,
) -> Floats:
    """The inner products of the rows of `left` with those of `right`, within the limits.

    Whole numbers in `right` become floats only piece by piece: reading a quarter of the bytes
    saves more time than that takes. The products with each of its rows are multiplied by `scales`.
    """
    count, numbers = left.shape
    tiles = -(-count // _TILE)
    filled = np.zeros((tiles * _TILE, numbers), dtype=np.float32)
    filled[:count] = left
    turned = np.ascontiguousarray(filled.reshape(tiles, _TILE, numbers).transpose(0, 2, 1))
    # Every piece has the same shape, so that the last one is computed like all others.
    width = min(_WIDTH, max(-(-len(right) // _TILE), 1) * _TILE)
    block = np.zeros((width, numbers), dtype=np.float32)
    pieces = np.empty((tiles, width, _TILE), dtype=np.float32)
    turned_back = np.empty((tiles, _TILE, width), dtype=np.float32)
    out = np.empty((count, len(right)), dtype=np.float32)
    for start in range(0, len(right), width):
        span = slice(start, min(start + width, len(right)))
        size = span.stop - start
        block[:size] = right[span]
        np.matmul(block, turned, out=pieces)
        whole = turned_back[:, :, :size]
        factors = 1 if scales is None else scales[span]
        np.multiply(pieces[:, :size].transpose(0, 2, 1), factors, out=whole)
        values = turned_back.reshape(tiles * _TILE, width)[:count, :size]
        if limits:
            np.minimum(values, limits.columns[span], out=values)
            np.minimum(values, limits.rows[:, None], out=values)
            if limits.floor is not None:
                np.maximum(values, np.float32(limits.floor), out=values)
        out[:, span] = values
    return out
