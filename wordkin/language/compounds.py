"""Compounds: the parts of a word such as kávéfőző = kávé + főző.

One splitter serves two questions. To resolve an unknown word, its parts have to be known words that
explain it (`resolve_compound`). To find out which words give each other away, every part counts
that a word may have (`Compounds`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from wordkin.language.languages import LINKS, SHORTEST_PARTS
from wordkin.language.morphology import parse_rules
from wordkin.language.resolution import Match, Step, weighted
from wordkin.words import base

if TYPE_CHECKING:
    from wordkin.language.resolving import Lexicon

SHORTEST = 4
"""The number of letters of the shortest part of a compound, but see `SHORTEST_PARTS`."""

FREQUENT = 0.4
"""A part of three letters is among this share of the most frequent words."""

HEAD = 0.6
"""The weight of the last part of a compound, which says what kind of thing it is."""

SHORTEST_LEARNED = 4
"""The number of letters of a part that shows relatives and is known only as a word of the
vocabulary: shorter ones are chance letters (*carpet* is not car-pet)."""


class Part(NamedTuple):
    """A part of a compound: its letters in it, and the word that it is."""

    letters: str
    word: str


PartOf = Callable[[str], Part | None]
"""The part that some letters may be; None if they may be none."""


def splits(
    word: str, number: int, shortest: int, modifier: PartOf, head: PartOf
) -> Iterator[tuple[Part, ...]]:
    """All ways to cover a word with so many parts.

    Parameters
    ----------
    word : str
        The word.
    number : int
        The number of parts.
    shortest : int
        The number of characters of the shortest part.
    modifier, head : callable
        What may stand before other parts, and what may be the last one.
    """
    if number == 1:
        last = head(word)
        if last:
            yield (last,)
        return
    for end in range(shortest, len(word) - shortest * (number - 1) + 1):
        first = modifier(word[:end])
        if first:
            for rest in splits(word[end:], number - 1, shortest, modifier, head):
                yield (first, *rest)


def resolve_compound(word: str, lexicon: Lexicon) -> Match | None:
    """Match two or three known words that cover the whole word.

    Of all splits, the one with the fewest parts wins, then the one whose parts are the longest and
    the most frequent.
    """
    links = parse_rules(LINKS.get(base(lexicon.language), ""))
    shortest = SHORTEST_PARTS.get(base(lexicon.language), SHORTEST)
    endings = lexicon.morphology.endings if lexicon.morphology else ()

    def is_part(word: str) -> bool:
        """Whether a known word may be a part: no rare short word, and no ending."""
        known = lexicon.vocabulary.ids.get(word)
        if known is None or word in endings:
            return False
        return len(word) >= SHORTEST or known < FREQUENT * len(lexicon.vocabulary)

    def modifier(letters: str) -> Part | None:
        """A known word, perhaps with a linking element."""
        if is_part(letters):
            return Part(letters, letters)
        for old, new in links:
            word = letters.removesuffix(old) + new
            if letters.endswith(old) and len(word) >= SHORTEST - 1 and is_part(word):
                return Part(letters, word)
        return None

    def head(letters: str) -> Part | None:
        """A known word, or a form of a known word of at least four letters."""
        if is_part(letters):
            return Part(letters, letters)
        known = lexicon.shorter_form(letters)
        return Part(letters, known) if known and len(known) >= SHORTEST and is_part(known) else None

    def score(parts: tuple[Part, ...]) -> float:
        """How good a split is: long, frequent parts of balanced length."""
        return sum(
            math.log(1 + lexicon.count(part.word)) + 4 * math.log(len(part.letters))
            for part in parts
        )

    for number in (2, 3):
        found = list(splits(word, number, shortest, modifier, head))
        if found:
            words = tuple(part.word for part in max(found, key=lambda parts: (score(parts), parts)))
            weights = [(1.0 - HEAD) / (number - 1)] * (number - 1) + [HEAD]
            pairs = zip(words, weights, strict=True)
            return Match((Step("parts", word, words),), weighted(pairs))
    return None


@dataclass(frozen=True)
class Compounds:
    """The parts by which compounds are relatives.

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
        found = splits(word, 2, 2, self._modifier, self._head)
        return frozenset(part.word for parts in found for part in parts).difference(self.fillers)

    def _modifier(self, letters: str) -> Part | None:
        is_part = letters in self.listed or letters in self.fillers
        is_known = letters in self.words and self.length(letters) >= SHORTEST_LEARNED
        return Part(letters, letters) if is_part or is_known else None

    def _head(self, letters: str) -> Part | None:
        # The rest may be a compound itself: nap-szemüveg has szem-üveg.
        return self._modifier(letters) or next(
            (
                Part(letters, letters)
                for at in range(2, len(letters) - 1)
                if letters[:at] in self.listed and letters[at:] in self.listed
            ),
            None,
        )
