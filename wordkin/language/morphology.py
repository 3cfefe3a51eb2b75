"""The morphology of a language: endings, prefixes and changes of the stem.

`languages.py` has the data of each language. Unknown words are resolved with it, and
`wordkin.language.kinship` recognises relatives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import takewhile
from typing import NamedTuple

ONCE, FIRM, LOOSE, WEAK = range(4)
"""The kinds of endings: inflections that are taken off once, and those of `Morphology`."""

SHORTEST_STEM = 2
"""The number of letters that must be left before an inflection for a word to be in a family."""

SHORTEST_RESOLVED = 5
"""The number of letters that must be left without a loose ending to resolve an unknown word."""

SHORTEST_DERIVED = 4
"""The number of letters of a whole word that a derivation may follow."""


class Ending(NamedTuple):
    """What replaces an ending, how many letters must be left before it, and its kind."""

    replacement: str
    shortest: int
    kind: int


class Stem(NamedTuple):
    """What is left of a word without one ending of a kind."""

    stem: str
    kind: int
    letters: int
    """How many letters are left of the word itself."""


class Stems(NamedTuple):
    """What is left of a word without endings, as it is written.

    `once` lacks one inflection, `firm` only firm endings, `loose` only firm and loose ones, and
    `all` any.
    """

    once: frozenset[str]
    firm: frozenset[str]
    loose: frozenset[str]
    all: frozenset[str]


@dataclass(frozen=True)
class Morphology:
    """The morphology of one language. `old>new` puts something in the place of an ending: icy, ice.

    Attributes
    ----------
    shortest_form : int
        The number of letters of the shortest word that an unknown one may be a form of.
    vowels : str
        Changes of a vowel inside a stem that come with endings, `old>new`: häus-er, haus.
    firm, loose, weak : mapping of int to str
        Endings by which relatives are recognised, by the number of letters that must be left before
        them. They differ in what they show when two words have endings and share what is left. With
        firm endings, such as those of verbs, `shared_firm` letters are enough; with loose ones it
        takes `shared`. Weak endings show nothing then: they count only if what is left is the other
        word.
    inflections : str
        The endings, of any kind, that make another form of the same word.
    shared_firm, shared : int
        The number of letters that two words with endings must share.
    derivations : int
        How many endings that are not firm a word can have in a row.
    kept : str
        Ends of words whose last letter is no ending: *dress*, *status*.
    last : str
        Spellings of the last letters of a stem that count as the same, `old>new`: happi-er, happy.
    shortest_respelt : int
        The number of characters of the shortest stem whose last letters are respelt.
    changes : tuple of (str, str)
        Changes that a stem undergoes before endings, as a regular expression and what replaces its
        match: cukor, cukr-os.
    doubled : str
        Letters that are doubled before endings at the end of a short word: run, runn-ing.
    prefixes : str
        What can stand before a word without making it another one for the players.
    shortest_base : int
        The number of letters that a word must have without its prefix: *uncle* is not un-cle.
    shortest_in_family : int
        The number of letters of a stem that stands for its family.
    letters : str
        Letters that are written with several characters; each counts as one letter.
    chance : int
        A word of at most this many letters may be inside another one by chance. It counts as a part
        of it only if the rest is an ending, a prefix or a word. Longer words always count.
    beginning : int
        The general rule: two words are relatives if they share a beginning of at least this many
        letters, and the rest is short (`wordkin.language.kinship.LONGEST_NEAR`). 0 turns it off.
    """

    shortest_form: int = 3
    vowels: str = ""
    firm: Mapping[int, str] = field(default_factory=dict)
    loose: Mapping[int, str] = field(default_factory=dict)
    weak: Mapping[int, str] = field(default_factory=dict)
    inflections: str = ""
    shared_firm: int = 3
    shared: int = 4
    derivations: int = 1
    kept: str = ""
    last: str = ""
    shortest_respelt: int = 4
    changes: tuple[tuple[str, str], ...] = ()
    doubled: str = ""
    prefixes: str = ""
    shortest_base: int = 4
    shortest_in_family: int = 3
    letters: str = ""
    chance: int = 0
    beginning: int = 0

    # Forms of one word: what an unknown word is resolved by.

    def without_ending(self, word: str) -> set[str]:
        """What remains of a word without one inflection or loose ending, for each that it may have.

        Short words often end like a derivation by chance, so a loose ending needs a longer stem.
        """
        shortest = {ONCE: self.shortest_form, LOOSE: SHORTEST_RESOLVED}
        return {
            left.stem
            for left in self._without_any_ending(word)
            if left.kind in shortest and left.letters >= shortest[left.kind]
        }

    def vowel_changes(self, stem: str) -> set[str]:
        """The stem with one vowel changed back: haus for häus."""
        return {stem.replace(old, new) for old, new in parse_rules(self.vowels) if old in stem}

    # Stems: what relatives have in common.

    def stems(self, word: str, strangers: Mapping[str, frozenset[str]] | None = None) -> Stems:
        """What is left of a word without endings.

        A word that is a stranger to what is left before it by `strangers` is no stem of it.
        """

        def without(words: Iterable[str], kinds: Collection[int]) -> set[str]:
            return {
                left.stem
                for longer in words
                for left in self._without_any_ending(longer)
                if left.kind in kinds and not (strangers and left.stem in strangers.get(longer, ()))
            }

        def stripped(kinds: Collection[int]) -> set[str]:
            """Firm endings in any number, and others at most `derivations` times."""
            seen: set[str] = set()
            stems = {word}
            for _ in range(self.derivations + 1):
                stems |= without(stems, (FIRM,))
                seen |= stems
                stems = without(stems, kinds)
            return seen

        once = without([word], (ONCE,))
        kinds = (once, *map(stripped, ((FIRM,), (FIRM, LOOSE), (FIRM, LOOSE, WEAK))))
        return Stems(*(frozenset(stems - {word}) for stems in kinds))

    def changed(self, stem: str) -> set[str]:
        """The forms of a stem after each change that it may undergo before endings."""
        return {
            self.respell(pattern.sub(replacement, stem))
            for pattern, replacement in self._changes
            if pattern.search(stem)
        }

    def respell(self, stem: str, *, is_word: bool = False) -> str:
        """The stem with its end in the one spelling that is compared.

        The last letter of a short word is doubled, as before its endings: *plan* is not *plane*.
        """
        if is_word and self.doubled and self._short.fullmatch(stem):
            return stem + stem[-1]
        for old, new in self._last:
            if stem.endswith(old) and len(stem) >= self.shortest_respelt:
                return stem[: len(stem) - len(old)] + new
        return stem

    def single(self, stem: str) -> str:
        """The stem without a doubled last letter: run for runn."""
        is_double = stem[-1:] == stem[-2:-1] and stem[-1:] in self.doubled
        return stem[:-1] if is_double else stem

    def without_prefix(self, word: str) -> set[str]:
        """The word without each prefix that it may have."""
        return {
            word.removeprefix(prefix)
            for prefix in self.prefixes.split()
            if word.startswith(prefix)
            and self.length(word) >= self.length(prefix) + self.shortest_base
        }

    def length(self, word: str) -> int:
        """The number of letters of a word."""
        return len(self._digraphs.sub("_", word)) if self.letters else len(word)

    @property
    def endings(self) -> Collection[str]:
        """All endings of the language."""
        return self._endings.keys()

    def may_follow(self, word: str, ending: str) -> bool:
        """Whether an ending may stand after a whole word, however short the word is.

        A single letter may not, and derivations need some letters before them: *canal* is not from
        *can*.
        """
        kinds = {known.kind for known in self._endings.get(ending, ()) if not known.replacement}
        if len(ending) < 2 or not kinds:
            return False
        return ONCE in kinds or self.length(word) >= SHORTEST_DERIVED

    def _without_any_ending(self, word: str) -> list[Stem]:
        """What is left of a word without each ending that it may have, with the ending's kind."""
        stems = []
        shortest = 2 if word.endswith(self._kept) else 1
        for length in range(shortest, min(self._longest, len(word)) + 1):
            endings = self._endings.get(word[-length:])
            if endings:
                rest = word[:-length]
                letters = self.length(rest)
                stems += [
                    Stem(rest + e.replacement, e.kind, letters)
                    for e in endings
                    if letters >= e.shortest
                ]
        return stems

    @cached_property
    def _endings(self) -> dict[str, list[Ending]]:
        """The endings by their letters."""
        table: dict[str, list[Ending]] = {}
        kinds = {
            ONCE: {SHORTEST_STEM: self.inflections},
            FIRM: self.firm,
            LOOSE: self.loose,
            WEAK: self.weak,
        }
        for kind, endings in kinds.items():
            for shortest, rules in endings.items():
                for old, new in parse_rules(rules):
                    table.setdefault(old, []).append(Ending(new, shortest, kind))
        return table

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._endings), default=0)

    @cached_property
    def _kept(self) -> tuple[str, ...]:
        return tuple(self.kept.split())

    @cached_property
    def _last(self) -> tuple[tuple[str, str], ...]:
        return parse_rules(self.last)

    @cached_property
    def _changes(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(pattern), replacement) for pattern, replacement in self.changes]

    @cached_property
    def _short(self) -> re.Pattern[str]:
        """Words of one short vowel with a single letter after it."""
        return re.compile(f"[^aeiou]*[aeiou][{self.doubled}]")

    @cached_property
    def _digraphs(self) -> re.Pattern[str]:
        # Longest first: dzs is one letter, not dz and s.
        return re.compile("|".join(sorted(self.letters.split(), key=len, reverse=True)))


@cache
def parse_rules(text: str) -> tuple[tuple[str, str], ...]:
    """The two sides of each `old>new`; the new one is empty if there is no `>`."""
    return tuple((old, new) for old, _, new in (rule.partition(">") for rule in text.split()))


BEGINNING = 5
"""The length of a shared beginning that makes two words relatives; see `Morphology.beginning`."""

FEWEST = 5
"""How many words must show an ending before it is learned."""

SHORTEST, LONGEST = 3, 5
"""The letters that must be left before a learned ending, and the most that it and what replaces it
have: longer ones are other words."""


def learned_morphology(lemmas: Mapping[str, str]) -> Morphology:
    """The morphology that the lemmas of a bundle show, for a language that we know nothing about.

    A word and its lemma share a beginning, and the rest of the word is an ending: *casas, casa*
    shows `s`, *luces, luz* shows `ces>z`. Of Spanish, French and Italian words that a bundle lacks,
    that recognises 7 to 19 of 100 more as relatives of their lemmas.
    """
    numbers: Counter[str] = Counter()
    for word, lemma in lemmas.items():
        pairs = zip(word, lemma, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        old, new = word[shared:], lemma[shared:]
        if shared >= SHORTEST and 0 < len(old) <= LONGEST and len(new) <= LONGEST:
            numbers[f"{old}>{new}"] += 1
    learned = " ".join(
        sorted(
            ending
            for ending, number in numbers.items()
            if number >= FEWEST and ending.count(">") == len(ending.split()) == 1
        )
    )
    return Morphology(
        inflections=learned, firm={SHORTEST: learned}, shared_firm=4, beginning=BEGINNING
    )
