"""A full matrix: every pair is stored.

The kind `dense` has one array, `values` (words x words, symmetric). Pairs without any relation are
stored as -inf and have the relatedness `fill` of `measure.json` (default 0).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.arrays import Floats
from wordkin.measures.kind import Kind, MeasureFolder
from wordkin.measures.measure import Measure, Storage
from wordkin.vocabulary import Vocabulary


class DenseMeasure(Measure):
    """A measure that stores a full matrix; pairs without any relation (-inf) answer `fill`."""

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        values: NDArray[np.floating],
        fill: float = 0.0,
    ) -> None:
        super().__init__(name, vocabulary)
        self.values, self.fill = values, fill

    @property
    def storage(self) -> Storage:
        return Storage("full matrix", 1.0)

    def rows(self, ids: ArrayLike) -> Floats:
        return self._filled(self.values[np.asarray(ids, dtype=np.int64)])

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        return self._filled(self.values[first, second])

    def _filled(self, values: NDArray[np.floating]) -> Floats:
        filled = values.astype(np.float32)
        filled[np.isneginf(filled)] = self.fill
        return filled


def open_dense(folder: MeasureFolder) -> DenseMeasure:
    """Open a measure of the kind `dense`."""
    words = len(folder.vocabulary)
    values = folder.array("values", (words, words), low=-np.inf)
    return DenseMeasure(folder.name, folder.vocabulary, values, folder.fill)


KIND = Kind("dense", ("values",), open_dense, count_words=lambda arrays: len(arrays["values"]))
