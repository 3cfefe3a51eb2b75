"""Which words may be given as a clue.

A clue is one word of letters, not said before, that is no card, contains none, is contained in
none, and is no form or relative of one. Relatives are found by lemma (a bundle keeps the lemma of
each word), by stem and by family (`wordkin.game.suffixes`). The rules are strict on purpose: a clue
refused without need costs little, as the next one is about as good; a leak spoils the game.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from wordkin.bundle import Bundle
from wordkin.game.suffixes import SUFFIXES, Stems
from wordkin.words import normal

# Joiners that Persian and the scripts of India write inside a word.
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class Objection:
    """Why a clue is not allowed.

    Attributes
    ----------
    rule : str
        `letters`, `said`, `card`, `contains`, `contained`, `lemma`, `family` or `stem`.
    word : str
        The card or the earlier clue that it breaks the rule with; the clue itself for `letters`.
    """

    rule: str
    word: str


class Legality:
    """The rules for clues in one language.

    Parameters
    ----------
    language : str
        The language's code; `wordkin.game.suffixes` may have its endings.
    lemmas : mapping of str to str, optional
        The lemma of each word for which one is known.
    """

    def __init__(self, language: str, lemmas: Mapping[str, str] | None = None) -> None:
        self.language = language
        self._lemmas = lemmas or {}
        self._suffixes = SUFFIXES.get(language.replace("_", "-").split("-")[0])
        self._stems: dict[str, Stems] = {}

    @classmethod
    def of(cls, bundle: Bundle) -> Legality:
        """The rules with the lemmas of a bundle."""
        pairs = zip(bundle.vocabulary.words, bundle.lemmas, strict=True)
        return cls(bundle.language, {word: lemma for word, lemma in pairs if word != lemma})

    def objection(
        self, clue: str, cards: Iterable[str], said: Iterable[str] = ()
    ) -> Objection | None:
        """The first rule that `clue` breaks with the cards and the clues said before, if any."""
        return self.judge(cards, said)(clue)

    def judge(
        self, cards: Iterable[str], said: Iterable[str] = ()
    ) -> Callable[[str], Objection | None]:
        """The rules for one table, for judging many clues."""
        table = [(card, normal(card, self.language)) for card in cards]
        earlier = {normal(clue, self.language): clue for clue in said}

        def judged(clue: str) -> Objection | None:
            word = normal(clue, self.language)
            if not is_plain_word(word):
                return Objection("letters", clue)
            if word in earlier:
                return Objection("said", earlier[word])
            for card, spelt in table:
                if rule := self._clash(word, spelt):
                    return Objection(rule, card)
            return None

        return judged

    def _clash(self, clue: str, card: str) -> str | None:
        """The rule that `clue` breaks with one card."""
        if clue == card:
            return "card"
        if card in clue:
            return "contains"
        if clue in card:
            return "contained"
        # The parts of a card of several words are words of their own.
        return next((rule for part in card.split() if (rule := self._kinship(clue, part))), None)

    def _kinship(self, a: str, b: str) -> str | None:
        """How two words are seen to be relatives."""
        # Any two forms will do, as a table of lemmas may know only one of the two words.
        forms = [(form, other) for form in self._forms(a) for other in self._forms(b)]
        if any(form == other for form, other in forms):
            return "lemma"
        if self._suffixes is None:
            return None
        families = self._suffixes.family_of
        if any(form in families and families[form] == families.get(other) for form, other in forms):
            return "family"
        if any(self._suffixes.kin(self._stems_of(f), self._stems_of(o)) for f, o in forms):
            return "stem"
        return None

    def _forms(self, word: str) -> set[str]:
        """A word and its lemma."""
        return {word, self._lemmas.get(word, word)}

    def _stems_of(self, word: str) -> Stems:
        if word not in self._stems:
            assert self._suffixes is not None
            self._stems[word] = self._suffixes.stems(word)
        return self._stems[word]


def is_plain_word(word: str) -> bool:
    """Whether `word` is one word of letters: no spaces, digits, hyphens or other signs.

    >>> is_plain_word("kutyaház"), is_plain_word("ice-cream"), is_plain_word("2nd")
    (True, False, False)
    """
    return bool(word) and all(
        unicodedata.category(character)[0] in "LM" or character in _JOINERS for character in word
    )
