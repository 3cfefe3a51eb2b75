"""Products of words' numbers, cut at bounds: how estimates of relatedness are computed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordkin.arrays import Floats

_CELLS = 1 << 17
"""The size of the pieces in which products are computed: small enough for the processor's cache."""


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


def products(left: Floats, right: Floats, limits: Limits | None = None) -> Floats:
    """The inner products of the rows of `left` with those of `right`, within the limits."""
    out = np.empty((len(left), len(right)), dtype=np.float32)
    width = max(_CELLS // max(len(left), 1), 1)
    for start in range(0, len(right), width):
        block = slice(start, start + width)
        piece = np.asarray(left @ right[block].T, dtype=np.float32)
        if limits:
            np.minimum(piece, limits.columns[block], out=piece)
            np.minimum(piece, limits.rows[:, None], out=piece)
            if limits.floor is not None:
                np.maximum(piece, np.float32(limits.floor), out=piece)
        out[:, block] = piece
    return out
