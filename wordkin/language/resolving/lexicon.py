"""The words that a bundle knows, indexed for the rungs of the ladder; each index is made once."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from wordkin.language.suffixes import SUFFIXES, Suffixes
from wordkin.vocabulary import Vocabulary
from wordkin.words import base

NATIVE = 0.01
"""An accented letter belongs to a language when at least this share of its words has it."""

_SEPARATORS = "-'‐‑ ·"


class Lexicon:
    """The known words of one language.

    Parameters
    ----------
    vocabulary : Vocabulary
        The known words, most frequent first.
    language : str
        The code of the language.
    lemmas : callable
        Returns the lemma of each known word; called when a lemma is needed for the first time.
    """

    def __init__(
        self, vocabulary: Vocabulary, language: str, lemmas: Callable[[], Sequence[str]]
    ) -> None:
        self.vocabulary = vocabulary
        self.language = language
        self._lemmas = lemmas

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    @property
    def suffixes(self) -> Suffixes | None:
        """The endings of the language, if we have them."""
        return SUFFIXES.get(base(self.language))

    @cached_property
    def endings(self) -> frozenset[str]:
        """The endings of the language, which are no parts of compounds."""
        if self.suffixes is None:
            return frozenset()
        return frozenset([*self.suffixes.light.split(), *self.suffixes.heavy.split()])

    def count(self, word: str) -> int:
        """The number of occurrences of a known word."""
        return int(self.vocabulary.counts[self.vocabulary.ids[word]])

    def most_frequent(self, words: Iterable[str]) -> str | None:
        """The most frequent of the words that are known, or None."""
        known = [word for word in words if word in self]
        return min(known, key=self.vocabulary.ids.__getitem__, default=None)

    @cached_property
    def letters(self) -> list[str]:
        """The letters of the language: those of at least one in a thousand words."""
        number = Counter(letter for word in self.vocabulary for letter in set(word))
        least = len(self.vocabulary) / 1000
        return sorted(letter for letter, n in number.items() if n >= least and letter.isalpha())

    @cached_property
    def accented(self) -> frozenset[str]:
        """The letters with accents that tell words of this language apart."""
        number = Counter(letter for word in self.vocabulary for letter in set(word))
        least = NATIVE * len(self.vocabulary)
        return frozenset(
            letter
            for letter, n in number.items()
            if n >= least and without_accents(letter) != letter
        )

    @cached_property
    def by_plain_form(self) -> dict[str, list[str]]:
        """The words by their form without accents and separators, most frequent first."""
        index: dict[str, list[str]] = {}
        for word in self.vocabulary:
            index.setdefault(plain_form(word), []).append(word)
        return index

    @cached_property
    def by_lemma(self) -> dict[str, str]:
        """The most frequent word of each lemma."""
        index: dict[str, str] = {}
        for word, lemma in zip(self.vocabulary, self._lemmas(), strict=True):
            index.setdefault(lemma, word)
        return index

    @cached_property
    def by_stem(self) -> dict[str, str]:
        """The most frequent word of each spelling as a stem: `happi` for happy."""
        index: dict[str, str] = {}
        if self.suffixes:
            for word in self.vocabulary:
                index.setdefault(self.suffixes.respell(word), word)
        return index


def without_accents(word: str) -> str:
    """A word without the accents of its letters, and without ligatures and full-width letters."""
    parts = unicodedata.normalize("NFKD", word)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not unicodedata.combining(c)))


def joined(word: str) -> str:
    """A word without hyphens, apostrophes and spaces."""
    return "".join(character for character in word if character not in _SEPARATORS)


def plain_form(word: str) -> str:
    """A word without accents and separators."""
    return without_accents(joined(word))
