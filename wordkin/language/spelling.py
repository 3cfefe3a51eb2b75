"""Variants of a word: other accents and separators, other spellings, and misspellings.

kave → kávé, e-mail → email         by accents, hyphens and spaces
theatre → theater                   by a rule of the language
accomodation → accommodation        by one letter
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from wordkin.language.languages import SPELLINGS
from wordkin.language.resolution import Match, Step, WeightedWord, single
from wordkin.words import base

if TYPE_CHECKING:
    from wordkin.language.resolving import Lexicon

_SEPARATORS = "-'‐‑ ·"

SHORTEST_BY_RULE = 5
"""Shorter words follow only the rules for the beginning of a word: *hoe* is not *he*."""

SHORTEST_BY_EDIT = 7
"""Shorter words have too many neighbours that are other words."""

FREQUENT = 0.5
"""A misspelling stands for a word among this share of the most frequent ones."""


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


def resolve_variant(word: str, lexicon: Lexicon) -> Match | None:
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


def resolve_spelling(word: str, lexicon: Lexicon) -> Match | None:
    """Match the most frequent known word that follows from one or two rules of the language.

    When there is none, a form of a known word may follow from one rule: harbours, harbors, harbor.
    """
    once = _respelt({word}, lexicon.language)
    for variants in (once, _respelt(once, lexicon.language)):
        known = lexicon.most_frequent(variants)
        if known:
            return single("spelling", word, known)
    for variant in sorted(once):
        known = lexicon.shorter_form(variant)
        if known:
            steps = (Step("spelling", word, (variant,)), Step("lemma", variant, (known,)))
            return Match(steps, (WeightedWord(known, 1.0),))
    return None


def _respelt(words: set[str], language: str) -> set[str]:
    """The words with one rule of the language applied to each."""
    return {
        changed[1:-1]
        for word in words
        for rule in SPELLINGS.get(base(language), "").split()
        if len(word) >= SHORTEST_BY_RULE or rule.startswith("^")
        for one, other in [rule.split(">")]
        for old, new in ((one, other), (other, one))
        for changed in _replacements(f"^{word}$", old, new)
    }


def one_spelling(word: str, language: str) -> str:
    """The spelling that all variants of a word by the rules of its language have in common."""
    marked = f"^{word}$"
    for old, new, anywhere in _one_way(base(language)):
        if old in marked and (len(marked) - 2 >= SHORTEST_BY_RULE or not anywhere):
            marked = marked.replace(old, new)
    return marked[1:-1]


@cache
def _one_way(language: str) -> list[tuple[str, str, bool]]:
    """The two sides of each rule, and whether it holds for any place in a word."""
    rules = [rule.partition(">") for rule in SPELLINGS.get(language, "").split()]
    return [(old, new, not old.startswith("^")) for old, _, new in rules]


def _replacements(word: str, old: str, new: str) -> Iterator[str]:
    """The word with each occurrence of `old` replaced on its own."""
    at = word.find(old)
    while at >= 0:
        yield word[:at] + new + word[at + len(old) :]
        at = word.find(old, at + 1)


def resolve_misspelling(word: str, lexicon: Lexicon) -> Match | None:
    """Match the only frequent word that is one wrong letter away and begins with the same one."""
    if len(word) < SHORTEST_BY_EDIT:
        return None
    last = FREQUENT * len(lexicon.vocabulary)
    ids = lexicon.vocabulary.ids
    near = {edit for edit in _edits(word, lexicon.letters) if ids.get(edit, last) < last}
    return single("spelling", word, near.pop()) if len(near) == 1 else None


def _edits(word: str, letters: list[str]) -> Iterator[str]:
    """The usual slips: a letter more or less, two swapped, or another vowel (seperate).

    Other letters make other words: *creaking* is not *creating*.
    """
    vowels = [letter for letter in letters if _is_vowel(letter)]
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        if after:
            yield before + after[1:]
        if after and _is_vowel(after[0]):
            yield from (before + vowel + after[1:] for vowel in vowels)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        yield from (before + letter + after for letter in letters)


def _is_vowel(letter: str) -> bool:
    return without_accents(letter) in "aeiou"
