"""Every other word: from any string to known words with weights, and how.

A typed word climbs a ladder: each rung answers or passes the word on. The known words are indexed
for the rungs (`Lexicon`); each index is made once, when a word needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from wordkin.errors import UnknownWord
from wordkin.language.compounds import resolve_compound
from wordkin.language.languages import morphology_of
from wordkin.language.resolution import (
    Match,
    Resolution,
    Step,
    WeightedWord,
    single,
    split,
    weighted,
)
from wordkin.language.spelling import (
    plain_form,
    resolve_misspelling,
    resolve_spelling,
    resolve_variant,
    without_accents,
)
from wordkin.language.subwords import Subwords
from wordkin.vocabulary import Vocabulary
from wordkin.words import normal

USUAL = 0.001
"""A letter belongs to a language when at least this share of its words has it."""

NATIVE = 0.01
"""An accented letter belongs to a language when at least this share of its words has it."""

SHORTEST_OF_TWO = 5
"""What must remain without two endings: short words look as if they had two (bor-d-a)."""


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
    def _shares(self) -> dict[str, float]:
        """The share of the words that have each letter."""
        number = Counter(letter for word in self.vocabulary for letter in set(word))
        return {letter: n / len(self.vocabulary) for letter, n in number.items()}

    @cached_property
    def letters(self) -> list[str]:
        """The letters of the language: those of at least one in a thousand words."""
        return sorted(c for c, share in self._shares.items() if share >= USUAL and c.isalpha())

    @cached_property
    def accented(self) -> frozenset[str]:
        """The letters with accents that tell words of this language apart."""
        native = (letter for letter, share in self._shares.items() if share >= NATIVE)
        return frozenset(letter for letter in native if without_accents(letter) != letter)

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


Rung = Callable[[str, Lexicon], Match | None]


def resolve_form(word: str, lexicon: Lexicon) -> Match | None:
    """Match a known word of the same lemma, else one that differs by its endings."""
    known = lexicon.by_lemma.get(word) or lexicon.shorter_form(word) or lexicon.longer_form(word)
    return single("lemma", word, known) if known else None


RUNGS: tuple[Rung, ...] = (
    resolve_variant,
    resolve_form,
    resolve_spelling,
    resolve_compound,
    resolve_misspelling,
)
"""The rungs for one word, in the order in which they are tried."""


class Resolver:
    """Turns any string into known words with weights.

    Parameters
    ----------
    lexicon : Lexicon
        The known words.
    open_subwords : callable
        Opens the vectors of n-grams on first use; may return None.
    """

    def __init__(self, lexicon: Lexicon, open_subwords: Callable[[], Subwords | None]) -> None:
        self._lexicon = lexicon
        self._open_subwords = open_subwords
        self._answers: dict[str, Match | None] = {}

    def resolve(self, word: str) -> Resolution:
        """Resolve a word; see `wordkin.bundle.Bundle.resolve`."""
        resolution = self.try_resolve(word)
        if resolution is not None:
            return resolution
        form = normal(word, self._lexicon.language)
        if not _has_letters(form):
            raise UnknownWord(f"'{word}' has no letters: give a word.")
        near = self._lexicon.vocabulary.near_spellings(form)
        hint = f"; near spellings: {', '.join(near)}" if near else ""
        raise UnknownWord(f"'{form}' is not in the vocabulary{hint}.")

    def try_resolve(self, word: str) -> Resolution | None:
        """Resolve a word, or return None; without the search for near spellings, which is slow."""
        form = normal(word, self._lexicon.language)
        if form in self._lexicon:
            via = () if form == word else (Step("form", word, (form,)),)
            return Resolution(word, True, via, (WeightedWord(form, 1.0),))
        if not _has_letters(form):
            return None
        if form not in self._answers:
            self._answers[form] = self._climb(form)
        match = self._answers[form]
        return Resolution(word, False, match.via, match.words) if match else None

    def _climb(self, form: str) -> Match | None:
        pieces = split(form)
        if len(pieces) > 1:
            return resolve_variant(form, self._lexicon) or self._phrase(form, pieces)
        return self._one_word(form)

    def _one_word(self, word: str) -> Match | None:
        for rung in RUNGS:
            match = rung(word, self._lexicon)
            if match:
                return match
        if self._subwords is None:
            return None
        return self._subwords.resolve(word, self._lexicon.vocabulary)

    @cached_property
    def _subwords(self) -> Subwords | None:
        return self._open_subwords()

    def _phrase(self, form: str, pieces: list[str]) -> Match | None:
        """The mean of the known words of a phrase; when none is known, of what they stand for."""
        lettered = [piece for piece in pieces if _has_letters(piece)]
        # A single letter says little: T-rex is rather rex than t.
        longer = [piece for piece in lettered if len(piece) > 1] or lettered
        known = [piece for piece in longer if piece in self._lexicon]
        if known:
            step = Step("parts", form, tuple(known))
            return Match((step,), weighted((piece, 1.0) for piece in known))
        matches = [match for piece in longer if (match := self._one_word(piece))]
        if not matches:
            return None
        step = Step("parts", form, tuple(longer))
        return Match(
            (step, *(inner for match in matches for inner in match.via)),
            weighted((entry.word, entry.weight) for match in matches for entry in match.words),
        )


def _has_letters(text: str) -> bool:
    return any(character.isalpha() for character in text)
