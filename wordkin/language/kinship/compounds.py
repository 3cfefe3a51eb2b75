"""Compounds: which parts a word may be made of."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

SHORTEST_LEARNED = 4
"""The number of letters of a part that is known only as a word of the vocabulary: shorter ones are
chance letters (*carpet* is not car-pet)."""


@dataclass(frozen=True)
class Compounds:
    """Splits words into two parts.

    Attributes
    ----------
    listed : collection of str
        Parts of any length, from the language's list.
    fillers : collection of str
        Parts that so many compounds have that they do not give a card away: chair-man, snow-man.
    words : collection of str
        All known words.
    length : callable
        The number of letters of a word.
    """

    listed: Collection[str]
    fillers: Collection[str]
    words: Collection[str]
    length: Callable[[str], int]

    def parts(self, word: str) -> frozenset[str]:
        """The parts that `word` may be made of and that another compound could share."""
        parts: set[str] = set()
        for at in range(2, len(word) - 1):
            first, rest = word[:at], word[at:]
            if self._is_part(first) and (self._is_part(rest) or self._is_listed_pair(rest)):
                parts |= {first, rest}
        return frozenset(parts.difference(self.fillers))

    def _is_part(self, part: str) -> bool:
        if part in self.listed or part in self.fillers:
            return True
        return part in self.words and self.length(part) >= SHORTEST_LEARNED

    def _is_listed_pair(self, word: str) -> bool:
        """Whether a word is a compound itself: nap-szemüveg has szem-üveg."""
        return any(
            word[:at] in self.listed and word[at:] in self.listed for at in range(2, len(word) - 1)
        )
