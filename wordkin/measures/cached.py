"""A measure that keeps the rows it has computed, for players that ask for the same ones often."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.measure import Measure, Storage


class CachedMeasure(Measure):
    """Another measure whose rows are computed once and kept until `clear`.

    Parameters
    ----------
    measure : Measure
        The measure that computes the rows.
    """

    def __init__(self, measure: Measure) -> None:
        super().__init__(measure.name, measure.vocabulary)
        self.measure, self.folder, self.facts = measure, measure.folder, measure.facts
        self._rows: dict[int, Floats] = {}

    @property
    def storage(self) -> Storage:
        return self.measure.storage

    @property
    def complete(self) -> bool:
        return self.measure.complete

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64).tolist()
        if not word_ids:
            return self.measure.rows([])
        missing = [i for i in dict.fromkeys(word_ids) if i not in self._rows]
        if missing:
            self._rows.update(zip(missing, self.measure.rows(missing), strict=True))
        return np.stack([self._rows[i] for i in word_ids])

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        return self.measure.pairs(a, b)

    def unit_vectors(self) -> Floats | None:
        return self.measure.unit_vectors()

    def neighbours(self, word: int) -> tuple[Ids, Floats]:
        return self.measure.neighbours(word)

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Explanation:
        return self.measure.reasons(a, b, measures)

    def clear(self) -> None:
        """Forget all rows."""
        self._rows.clear()
