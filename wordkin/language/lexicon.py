"""The words that a bundle knows, indexed for the rungs of the ladder; each index is made once."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from wordkin.language.languages import morphology_of
from wordkin.vocabulary import Vocabulary

NATIVE = 0.01
"""An accented letter belongs to a language when at least this share of its words has it."""

SHORTEST_OF_TWO = 5
"""What must remain without two endings: short words look as if they had two (bor-d-a)."""

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
        self.morphology = morphology_of(language)
        self._lemmas = lemmas

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

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
        if self.morphology:
            for word in self.vocabulary:
                index.setdefault(self.morphology.respell(word), word)
        return index

    def shorter_form(self, word: str) -> str | None:
        """The known word that remains when the fewest letters of endings are taken off."""
        morphology = self.morphology
        if morphology is None:
            return None
        once = morphology.without_ending(word)
        twice = {stem for longer in once for stem in morphology.without_ending(longer)}
        stems = {word} | once | {s for s in twice if morphology.length(s) >= SHORTEST_OF_TWO}
        # Sorted: sets have another order in every process.
        by_length = sorted(stems, key=lambda stem: (-len(stem), stem))
        changed = [
            stem for longer in by_length for stem in sorted(morphology.vowel_changes(longer))
        ]
        for stem in map(morphology.respell, (*by_length, *changed)):
            known = self.by_stem.get(stem) or self.by_lemma.get(stem)
            if known:
                return known
        return None

    def longer_form(self, word: str) -> str | None:
        """The most frequent known word that is the typed one with an inflection."""
        morphology = self.morphology
        if morphology is None or len(word) < morphology.shortest_form:
            return None
        return self.most_frequent(morphology.inflected(word))


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
