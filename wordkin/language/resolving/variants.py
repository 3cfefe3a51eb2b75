"""Case, accent, hyphen and space variants: kave → kávé, café → cafe, e-mail → email."""

from __future__ import annotations

import unicodedata

from wordkin.language.resolving.lexicon import Lexicon, joined, plain_form, without_accents
from wordkin.language.resolving.resolution import Match, single


def resolve(word: str, lexicon: Lexicon) -> Match | None:
    """Match the most frequent known word that differs by accents and separators only.

    Accents that tell words of the language apart may all be missing, as on a foreign keyboard. A
    word that has some of them is taken at its word: Hungarian *kor* and *kór* are different.
    """
    typed = _native_letters(word, lexicon.accented)
    has_accents = not lexicon.accented.isdisjoint(typed)
    for candidate in lexicon.by_plain_form.get(plain_form(word), ()):
        if not has_accents or typed == _native_letters(candidate, lexicon.accented):
            return single("variant", word, candidate)
    return None


def _native_letters(word: str, accented: frozenset[str]) -> list[str]:
    """The letters of a word, without the accents that are foreign to the language."""
    letters = _letters(word)
    return [letter if letter in accented else without_accents(letter) for letter in letters]


def _letters(word: str) -> list[str]:
    """The letters of a word without separators, each with its accents."""
    letters: list[str] = []
    for character in unicodedata.normalize("NFD", joined(word)):
        if unicodedata.combining(character) and letters:
            letters[-1] += character
        elif not unicodedata.combining(character):
            letters.append(character)
    return [unicodedata.normalize("NFC", letter) for letter in letters]
