"""A measure that keeps the rows it has worked out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wordkin.measures import Floats, Measure


class CachedMeasure(Measure):
    """Another measure whose rows are worked out once and kept until `clear`.

    Parameters
    ----------
    measure : Measure
        The measure that works out the rows.
    """

    def __init__(self, measure: Measure) -> None:
        super().__init__(measure.name, measure.vocabulary)
        self.measure, self.folder = measure, measure.folder
        self._rows: dict[int, Floats] = {}

    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words: a dense (len(ids), words) array."""
        wanted = np.asarray(ids, dtype=np.int64).tolist()
        missing = [i for i in dict.fromkeys(wanted) if i not in self._rows]
        if missing:
            self._rows.update(zip(missing, self.measure.rows(missing), strict=True))
        return np.stack([self._rows[i] for i in wanted])

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k], given by their ids."""
        return self.measure.pairs(a, b)

    def clear(self) -> None:
        """Forget all rows."""
        self._rows.clear()
