"""Words of a vocabulary by their beginning, the most frequent first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

import numpy as np

from wordkin.vocabulary import Vocabulary


class Suggestions:
    """Completes the beginning of a word.

    Parameters
    ----------
    vocabulary : Vocabulary
        The words, most frequent first.
    unwanted : collection of str
        Words that are never suggested. People can still ask for them.
    """

    def __init__(self, vocabulary: Vocabulary, unwanted: Collection[str] = ()) -> None:
        words = vocabulary.words
        ids = sorted(range(len(words)), key=words.__getitem__)
        self._ids = np.array([i for i in ids if words[i] not in unwanted], dtype=np.int64)
        self._sorted = [words[i] for i in self._ids.tolist()]
        self._words = words

    def of(self, beginning: str, most: int = 8) -> list[str]:
        """The words with this beginning, most frequent first; none for an empty beginning."""
        if not beginning:
            return []
        start = bisect_left(self._sorted, beginning)
        # No word that begins so comes after this one: it is the largest character.
        end = bisect_left(self._sorted, beginning + "\U0010ffff")
        ids = self._ids[start:end]
        if len(ids) > most:
            ids = np.partition(ids, most)[:most]
        return [self._words[i] for i in sorted(ids.tolist())]
