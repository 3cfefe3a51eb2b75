"""Which words are relatives: forms of one word, of one family, or compounds that share a part.

The lists of word families come with the library, in `families/`, one file per language. A file has
five sections; `#` starts a comment, which gives the reason for what follows.

    [families]      one family per line: words that no rule recognises as relatives
    [strangers]     one group per line: the first word is no relative of the others, whatever the
                    rules say
    [stems]         a word, then the stem that it has before endings: víz viz (viz-es)
    [parts]         words that make compounds, in any number of lines
    [fillers]       such words that are in so many compounds that they give no card away
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import NamedTuple

from wordkin.language.languages import morphology_of, one_spelling
from wordkin.language.morphology import Morphology, learned_morphology
from wordkin.words import base

_NONE: frozenset[str] = frozenset()

SHORTEST_BASE = 4
"""The number of letters of a stem that is compared after a prefix or many endings are gone."""

LONGEST_NEAR, LONGEST_FAR = 2, 5
"""The letters after the shared beginning of two relatives, see `Morphology.beginning`."""

SHORTEST_PART = 4
"""The number of letters of a part of a compound that is known only as a word of the vocabulary:
shorter ones are chance letters (*carpet* is not car-pet)."""

MOST_REMEMBERED = 20_000
"""How many words' traits are remembered: those of a large vocabulary need not all stay."""


SECTIONS = ("families", "strangers", "stems", "parts", "fillers")


@dataclass(frozen=True)
class Lists:
    """The lists of one language.

    Attributes
    ----------
    families, strangers, stems : tuple of tuple of str
        The lines of each section, as words.
    parts, fillers : frozenset of str
        Words that make compounds, and those of them that give no card away.
    """

    families: tuple[tuple[str, ...], ...] = ()
    strangers: tuple[tuple[str, ...], ...] = ()
    stems: tuple[tuple[str, ...], ...] = ()
    parts: frozenset[str] = frozenset()
    fillers: frozenset[str] = frozenset()

    @cached_property
    def families_of(self) -> dict[str, frozenset[int]]:
        """The numbers of the families that each word is in; *ír* writes, and is Irish."""
        numbers: dict[str, frozenset[int]] = {}
        for number, family in enumerate(self.families):
            for word in family:
                numbers[word] = numbers.get(word, frozenset()) | {number}
        return numbers

    @cached_property
    def strangers_of(self) -> dict[str, frozenset[str]]:
        """The words that each word is no relative of, in both directions."""
        strangers: dict[str, set[str]] = {}
        for word, *others in self.strangers:
            for other in others:
                strangers.setdefault(word, set()).add(other)
                strangers.setdefault(other, set()).add(word)
        return {word: frozenset(others) for word, others in strangers.items()}

    @cached_property
    def stems_of(self) -> dict[str, frozenset[str]]:
        """The stems of each word that has one of its own."""
        return {word: frozenset(stems) for word, *stems in self.stems}


@cache
def lists_of(language: str) -> Lists:
    """The lists of a language; empty ones if the library has none."""
    path = resources.files("wordkin.language") / "families" / f"{base(language)}.txt"
    return parse_lists(path.read_text(encoding="utf-8")) if path.is_file() else Lists()


def parse_lists(text: str) -> Lists:
    """Read the text of a file of lists."""
    sections: dict[str, list[tuple[str, ...]]] = {name: [] for name in SECTIONS}
    lines = sections["families"]
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            lines = sections[content.strip("[]")]
        elif content:
            lines.append(tuple(content.split()))
    return Lists(
        families=tuple(sections["families"]),
        strangers=tuple(sections["strangers"]),
        stems=tuple(sections["stems"]),
        parts=frozenset(word for line in sections["parts"] for word in line),
        fillers=frozenset(word for line in sections["fillers"] for word in line),
    )


@dataclass(frozen=True)
class Traits:
    """What of a word is compared with other words.

    Attributes
    ----------
    forms : frozenset of str
        The word and its lemma.
    stems : frozenset of str
        These, and what is left of them without inflections, as they are written; `strangers` are
        looked up by them.
    whole, base : frozenset of str
        The forms in the spelling that is compared, and with the changes of the stem before endings.
    firm, loose, every : frozenset of str
        What is left of the forms without firm, loose and any endings, in the same spelling; loose
        ones with the changes of the stem.
    families : frozenset of int
        The families that a form or stem is in.
    near, far : frozenset of str
        Beginnings, for the general rule.
    parts : frozenset of str
        The parts that the word may have as a compound.
    spellings : frozenset of str
        The forms and the stems without inflections, in one of the spellings that they may have.
    """

    forms: frozenset[str]
    stems: frozenset[str]
    whole: frozenset[str]
    base: frozenset[str]
    firm: frozenset[str]
    loose: frozenset[str]
    every: frozenset[str]
    families: frozenset[int]
    near: frozenset[str]
    far: frozenset[str]
    parts: frozenset[str]
    spellings: frozenset[str]

    @cached_property
    def all(self) -> frozenset[str | int]:
        """All of these in one set; two relatives have one in common."""
        return self.forms.union(
            self.base, self.loose, self.every, self.families, self.far, self.parts, self.spellings
        )


class Relative(NamedTuple):
    """A relative: the rule that shows it, and the word."""

    rule: str
    word: str


class Kinship:
    """The relatives of words in one language.

    Parameters
    ----------
    language : str
        The language code.
    lemmas : mapping of str to str
        The lemma of each word that has a known one.
    words : collection of str
        The known words; compounds are made of them.
    """

    def __init__(
        self, language: str, lemmas: Mapping[str, str], words: Collection[str] = ()
    ) -> None:
        self.language = language
        self._lemmas = lemmas
        self._words = words
        self._lists = lists_of(language)
        self._traits: dict[str, Traits] = {}

    @cached_property
    def _rules(self) -> Morphology:
        return morphology_of(self.language) or learned_morphology(self._lemmas)

    def relatives(self, words: Iterable[str]) -> Relatives:
        """Return an index of some words, to look up the relatives of many others."""
        return Relatives(self, words)

    def traits(self, word: str) -> Traits:
        """What of a word is compared with other words."""
        traits = self._traits.get(word)
        if traits is None:
            # Threads of a server share this: another one may clear the table at any time.
            if len(self._traits) >= MOST_REMEMBERED:
                self._traits.clear()
            traits = self._traits[word] = self._work_out(word)
        return traits

    def _work_out(self, word: str) -> Traits:
        rules, lists = self._rules, self._lists
        forms = {word, self._lemmas.get(word, word)}
        bases = {base for form in forms for base in rules.without_prefix(form)}
        stems = [rules.stems(form, lists.strangers_of) for form in forms]
        once = {stem for left in stems for stem in left.once}
        firm = {stem for left in stems for stem in left.firm}
        loose = {stem for left in stems for stem in left.loose}
        every = {stem for left in stems for stem in left.all}
        every |= {base for base in bases if rules.length(base) >= SHORTEST_BASE}
        # A stem without an inflection is trusted to be a word, other stems only if they are long.
        trusted = once | {stem for stem in every if rules.length(stem) > SHORTEST_BASE}
        trusted = {stem for stem in trusted if rules.length(stem) >= rules.shortest_in_family}
        long = {stem for stem in once if rules.length(stem) >= SHORTEST_BASE}
        members = {rules.single(stem) for stem in trusted} | trusted | forms | bases
        strangers = {other for stem in forms | once for other in lists.strangers_of.get(stem, ())}
        parts = {part for form in forms for part in self.parts(form)}
        return Traits(
            forms=frozenset(forms),
            stems=frozenset(forms | once | firm),
            whole=self._respelt(forms),
            base=self._respelt(forms) | self._changed(forms),
            firm=self._respelt(firm),
            loose=self._respelt(loose, firm) | self._changed(loose),
            every=self._respelt(every, firm),
            families=frozenset(n for stem in members for n in lists.families_of.get(stem, ())),
            near=self._beginnings(word, LONGEST_NEAR),
            far=self._beginnings(word, LONGEST_FAR),
            spellings=frozenset(one_spelling(word, self.language) for word in forms | long),
            parts=frozenset(parts - strangers),
        )

    def parts(self, word: str) -> set[str]:
        """The parts that `word` may be made of and that another compound could share."""
        halves = [(word[:at], word[at:]) for at in range(2, len(word) - 1)]
        # The last part may be a compound itself: nap-szemüveg has szem-üveg.
        found = [
            part
            for first, last in halves
            if self._is_part(first) and (self._is_part(last) or self._is_listed_compound(last))
            for part in (first, last)
        ]
        return set(found) - self._lists.fillers

    def _is_part(self, letters: str) -> bool:
        if letters in self._lists.parts or letters in self._lists.fillers:
            return True
        return letters in self._words and self._rules.length(letters) >= SHORTEST_PART

    def _is_listed_compound(self, letters: str) -> bool:
        listed = self._lists.parts
        cuts = range(2, len(letters) - 1)
        return any(letters[:at] in listed and letters[at:] in listed for at in cuts)

    def _respelt(
        self, stems: Iterable[str], words: Collection[str] | None = None
    ) -> frozenset[str]:
        """The stems as they are compared; all of them are words, or those in `words`."""
        return frozenset(
            self._rules.respell(stem, is_word=words is None or stem in words) for stem in stems
        )

    def _changed(self, stems: Iterable[str]) -> frozenset[str]:
        own = self._lists.stems_of
        return frozenset(
            form for stem in stems for form in (*self._rules.changed(stem), *own.get(stem, ()))
        )

    def _beginnings(self, word: str, longest_rest: int) -> frozenset[str]:
        shortest = self._rules.beginning
        if not shortest:
            return frozenset()
        lengths = range(max(shortest, len(word) - longest_rest), len(word) + 1)
        return frozenset(word[:length] for length in lengths)

    def rule(self, a: str, b: str) -> str | None:
        """Return the rule by which two words are relatives.

        Parameters
        ----------
        a, b : str
            Two words in their normal form.

        Returns
        -------
        str or None
            `lemma`, `family`, `stem`, `spelling` or `compound`; None if they are no relatives.
        """
        first, second = self.traits(a), self.traits(b)
        if not first.forms.isdisjoint(second.forms):
            return "lemma"
        if self._are_strangers(first, second):
            return None
        if not first.families.isdisjoint(second.families):
            return "family"
        if self._share_stem(first, second):
            return "stem"
        if not first.spellings.isdisjoint(second.spellings):
            return "spelling"
        if not first.parts.isdisjoint(second.parts | {b}) or a in second.parts:
            return "compound"
        return None

    def contains(self, longer: str, shorter: str) -> bool:
        """Return whether a word contains another one, and not just its letters by chance.

        Parameters
        ----------
        longer, shorter : str
            Two words in their normal form.

        Returns
        -------
        bool
            True for *snowman, snow*, False for *carpet, car*.
        """
        if shorter not in longer:
            return False
        if self._rules.length(shorter) > self._rules.chance:
            return not self._are_strangers(self.traits(longer), self.traits(shorter))
        if self.rule(longer, shorter):
            return True
        # After a whole word, an ending is one even where a stem would be too short to trust.
        rest = longer.removeprefix(shorter)
        is_word_with_ending = rest != longer and self._rules.may_follow(shorter, rest)
        return is_word_with_ending and not self._are_strangers(
            self.traits(longer), self.traits(shorter)
        )

    def _are_strangers(self, a: Traits, b: Traits) -> bool:
        """Whether the lists say that two words are no relatives, whatever the rules say."""
        strangers = self._lists.strangers_of
        return any(not strangers.get(stem, _NONE).isdisjoint(b.stems) for stem in a.stems)

    def _share_stem(self, a: Traits, b: Traits) -> bool:
        """Whether one word is the other one with endings, or both are one stem with endings."""
        rules = self._rules
        return (
            not a.whole.isdisjoint(b.whole)
            or not a.base.isdisjoint(b.every)
            or not a.every.isdisjoint(b.base)
            or any(rules.length(stem) >= rules.shared_firm for stem in a.firm & b.firm)
            or any(rules.length(stem) >= rules.shared for stem in a.loose & b.loose)
            or not a.near.isdisjoint(b.far)
            or not a.far.isdisjoint(b.near)
        )


class Relatives:
    """Looks up the relatives of words among some fixed ones, without comparing all pairs.

    Parameters
    ----------
    kinship : Kinship
        The rules.
    words : iterable of str
        The words among which to look, in their normal form.
    """

    def __init__(self, kinship: Kinship, words: Iterable[str]) -> None:
        self._kinship = kinship
        self._words: dict[str | int, list[str]] = {}
        for word in words:
            for trait in kinship.traits(word).all:
                self._words.setdefault(trait, []).append(word)

    def of(self, word: str) -> Relative | None:
        """Return a relative of `word` and the rule that shows it; None if it has none."""
        # Relatives share a trait, and few words do.
        similar = dict.fromkeys(
            other
            for trait in self._kinship.traits(word).all
            for other in self._words.get(trait, ())
        )
        for other in similar:
            if rule := self._kinship.rule(word, other):
                return Relative(rule, other)
        return None
