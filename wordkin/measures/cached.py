"""Rows that are kept after they were computed, for players that ask for the same ones often."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.measure import Among, Measure, Storage

KEPT = 512
"""The rows that `CachedAmong` keeps by default: enough for all words of a usual list of cards, so
for any number of games with it at the same time. With 30,000 chosen words they take 61 MB."""


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

    def closest(self, word: int, k: int) -> tuple[Ids, Floats]:
        return self.measure.closest(word, k)

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Explanation:
        return self.measure.reasons(a, b, measures)

    def clear(self) -> None:
        """Forget all rows."""
        self._rows.clear()


class CachedAmong(Among):
    """Some words of a measure, with the newest rows kept: a game asks for its cards in every turn.

    It answers the same as `among`, whatever was asked before, and in several threads at once.

    Parameters
    ----------
    among : Among
        What computes the rows.
    kept : int, optional
        How many rows are kept.
    """

    def __init__(self, among: Among, kept: int = KEPT) -> None:
        super().__init__(among.measure, among.ids)
        self._among, self._kept = among, kept
        self._rows: dict[int, Floats] = {}

    def rows(self, words: ArrayLike) -> Floats:
        word_ids = np.asarray(words, dtype=np.int64).tolist()
        if not 0 < len(word_ids) <= self._kept:
            return self._among.rows(word_ids)
        kept = self._rows
        missing = [i for i in dict.fromkeys(word_ids) if i not in kept]
        new = self._among.rows(missing) if missing else np.empty((0, len(self.ids)), np.float32)
        # Copies: what the caller does with its rows changes nothing, and each can be forgotten.
        asked = {i: kept[i] for i in word_ids if i in kept}
        asked.update((i, row.copy()) for i, row in zip(missing, new, strict=True))
        newest = {i: row for i, row in kept.items() if i not in asked} | asked
        # In one step, because another thread may be reading.
        self._rows = dict(list(newest.items())[-self._kept :])
        return new if missing == word_ids else np.stack([asked[i] for i in word_ids])

    def clear(self) -> None:
        """Forget all rows."""
        self._rows = {}
