"""Every other word: from any string to known words with weights, and how.

A typed word climbs a ladder: each rung answers or passes the word on.

    kave → kávé, e-mail → email         other accents, hyphens and spaces
    kutyák → kutya                      a lemma or endings
    theatre → theater                   a rule of spelling
    kávéfőző → kávé + főző              the parts of a compound
    accomodation → accommodation        one wrong letter
    anything                            character n-grams (`wordkin.language.subwords`)

The known words are indexed for the rungs (`Lexicon`), each index when a word first needs it.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from wordkin.errors import UnknownWord
from wordkin.language.languages import LINKS, SHORTEST_PARTS, morphology_of, one_spelling
from wordkin.language.morphology import Morphology, parse_rules
from wordkin.language.resolution import (
    Match,
    Resolution,
    Step,
    WeightedWord,
    single,
    split,
    weighted,
)
from wordkin.language.subwords import Subwords
from wordkin.vocabulary import Vocabulary
from wordkin.words import base, normal

NATIVE = 0.01
"""A letter belongs to a language when at least this share of its words has it."""

SHORTEST_OF_TWO = 5
"""What must remain without two endings: short words look as if they had two (bor-d-a)."""

SHORTEST_PART = 4
"""The number of letters of the shortest part of a compound, but see `SHORTEST_PARTS`."""

FREQUENT_PART = 0.4
"""A part of three letters is among this share of the most frequent words."""

HEAD = 0.6
"""The weight of the last part of a compound, which says what kind of thing it is."""

SHORTEST_MISSPELT = 7
"""Shorter words have too many neighbours that are other words."""

FREQUENT = 0.5
"""A misspelling stands for a word among this share of the most frequent ones."""

_SEPARATORS = str.maketrans("", "", "-'‐‑ ·")


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
        self.morphology = morphology_of(language) or Morphology()
        self._lemmas = lemmas

    @cached_property
    def letters(self) -> list[str]:
        """The letters of the language."""
        number = Counter(letter for word in self.vocabulary for letter in set(word))
        least = NATIVE * len(self.vocabulary)
        return sorted(c for c, words in number.items() if words >= least and c.isalpha())

    @cached_property
    def accented(self) -> frozenset[str]:
        """The letters with accents that tell words of this language apart."""
        return frozenset(letter for letter in self.letters if without_accents(letter) != letter)

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
        for word in self.vocabulary:
            index.setdefault(self.morphology.respell(word), word)
        return index

    @cached_property
    def by_spelling(self) -> dict[str, str]:
        """The same of words in the one spelling of their variants."""
        index: dict[str, str] = {}
        for word in self.vocabulary:
            index.setdefault(self.respelt(word), word)
        return index

    def respelt(self, word: str) -> str:
        """A stem in the one spelling of its variants."""
        return self.morphology.respell(one_spelling(word, self.language))

    def stems(self, word: str) -> list[str]:
        """The word and what is left of it without one or two endings, the longest first."""
        morphology = self.morphology
        once = morphology.without_ending(word)
        twice = {stem for longer in once for stem in morphology.without_ending(longer)}
        stems = {word} | once | {s for s in twice if morphology.length(s) >= SHORTEST_OF_TWO}
        # Sorted: sets have another order in every process.
        by_length = sorted(stems, key=lambda stem: (-len(stem), stem))
        changed = [
            stem for longer in by_length for stem in sorted(morphology.vowel_changes(longer))
        ]
        return [*by_length, *changed]

    def shorter_form(self, word: str) -> str | None:
        """The known word that remains when the fewest letters of endings are taken off."""
        for stem in map(self.morphology.respell, self.stems(word)):
            known = self.by_stem.get(stem) or self.by_lemma.get(stem)
            if known:
                return known
        return None


# ── accents, endings and spelling ─────────────────────────────────────────────────────────────


def without_accents(word: str) -> str:
    """A word without the accents of its letters, and without ligatures and full-width letters."""
    parts = unicodedata.normalize("NFKD", word)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not unicodedata.combining(c)))


def plain_form(word: str) -> str:
    """A word without accents and separators."""
    return without_accents(word.translate(_SEPARATORS))


def resolve_variant(word: str, lexicon: Lexicon) -> Match | None:
    """Match the most frequent known word that differs by accents and separators only.

    Accents that tell words of the language apart may all be missing, as on a foreign keyboard. A
    word that has some of them is taken at its word: Hungarian *kor* and *kór* are different.
    """

    def native(word: str) -> list[str]:
        """The letters of a word, without the accents that are foreign to the language."""
        letters = word.translate(_SEPARATORS)
        return [c if c in lexicon.accented else without_accents(c) for c in letters]

    typed = native(word)
    has_accents = not lexicon.accented.isdisjoint(typed)
    for candidate in lexicon.by_plain_form.get(plain_form(word), ()):
        if not has_accents or typed == native(candidate):
            return single("variant", word, candidate)
    return None


def resolve_form(word: str, lexicon: Lexicon) -> Match | None:
    """Match a known word of the same lemma, else one with fewer endings."""
    known = lexicon.by_lemma.get(word) or lexicon.shorter_form(word)
    return single("lemma", word, known) if known else None


def resolve_spelling(word: str, lexicon: Lexicon) -> Match | None:
    """Match a known word that follows from the rules of the language, or the stem of a form.

    travelled: traveled, travel
    """
    spelling = one_spelling(word, lexicon.language)
    for stem in (*lexicon.stems(spelling), *lexicon.stems(word)):
        known = lexicon.by_spelling.get(lexicon.respelt(stem))
        if known:
            return single("spelling", word, known)
    return None


# ── compounds ─────────────────────────────────────────────────────────────────────────────────


def resolve_compound(word: str, lexicon: Lexicon) -> Match | None:
    """Match two or three known words that cover the whole word.

    Of all splits, the one with the fewest parts wins, then the one whose parts are the longest and
    the most frequent.
    """
    vocabulary = lexicon.vocabulary
    links = parse_rules(LINKS.get(base(lexicon.language), ""))
    shortest = SHORTEST_PARTS.get(base(lexicon.language), SHORTEST_PART)
    endings = lexicon.morphology.endings

    def is_part(word: str) -> bool:
        """Whether a known word may be a part: no rare short word, and no ending."""
        known = vocabulary.ids.get(word)
        if known is None or word in endings:
            return False
        return len(word) >= SHORTEST_PART or known < FREQUENT_PART * len(vocabulary)

    def modifier(letters: str) -> str | None:
        """A known word, perhaps with a linking element."""
        if is_part(letters):
            return letters
        linked = (letters.removesuffix(old) + new for old, new in links if letters.endswith(old))
        return next((word for word in linked if len(word) >= 3 and is_part(word)), None)

    def head(letters: str) -> str | None:
        """A known word, or a form of a known word of at least four letters."""
        if is_part(letters):
            return letters
        known = lexicon.shorter_form(letters)
        return known if known and len(known) >= SHORTEST_PART and is_part(known) else None

    def splits(word: str, number: int) -> Iterator[tuple[str, ...]]:
        """All ways to cover a word with so many parts."""
        if number == 1:
            if last := head(word):
                yield (last,)
            return
        for end in range(shortest, len(word) - shortest * (number - 1) + 1):
            if first := modifier(word[:end]):
                yield from ((first, *rest) for rest in splits(word[end:], number - 1))

    def score(parts: tuple[str, ...]) -> float:
        """How good a split is: long, frequent parts of balanced length."""
        counts = (int(vocabulary.counts[vocabulary.ids[part]]) for part in parts)
        return sum(
            math.log(1 + count) + 4 * math.log(len(part))
            for part, count in zip(parts, counts, strict=True)
        )

    for number in (2, 3):
        found = list(splits(word, number))
        if found:
            words = max(found, key=lambda parts: (score(parts), parts))
            weights = [(1.0 - HEAD) / (number - 1)] * (number - 1) + [HEAD]
            pairs = zip(words, weights, strict=True)
            return Match((Step("parts", word, words),), weighted(pairs))
    return None


# ── misspellings ──────────────────────────────────────────────────────────────────────────────


def resolve_misspelling(word: str, lexicon: Lexicon) -> Match | None:
    """Match the only frequent word that is one wrong letter away and begins with the same one."""
    if len(word) < SHORTEST_MISSPELT:
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


# ── the ladder ────────────────────────────────────────────────────────────────────────────────

RUNGS: tuple[Callable[[str, Lexicon], Match | None], ...] = (
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
        if form in self._lexicon.vocabulary:
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
        known = [piece for piece in longer if piece in self._lexicon.vocabulary]
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
