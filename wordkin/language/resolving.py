"""Every other word: from any string to known words with weights, and how.

A typed word climbs a ladder: each rung answers or passes the word on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from wordkin.errors import UnknownWord
from wordkin.language.compounds import resolve_compound
from wordkin.language.lexicon import Lexicon
from wordkin.language.resolution import (
    Match,
    Resolution,
    Step,
    WeightedWord,
    single,
    split,
    weighted,
)
from wordkin.language.spelling import resolve_misspelling, resolve_spelling, resolve_variant
from wordkin.language.subwords import Subwords
from wordkin.words import normal

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
