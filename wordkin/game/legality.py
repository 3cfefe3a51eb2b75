"""Which words may be given as a clue.

A clue is one word of letters that was not said before. It is not a card, contains no card, is not
contained in one, and is not a form or relative of one. Relatives are recognised by lemma (a bundle
has the lemma of each word), by stem and by family (`wordkin.suffixes`). The rules are strict
on purpose: refusing a good clue costs little, because the next one is about as good, but a clue
that gives a card away spoils the game.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from wordkin.bundle import Bundle
from wordkin.suffixes import SUFFIXES, Stems
from wordkin.words import base, normal

# Joiners inside words, as Persian and the scripts of India use them.
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class Objection:
    """Why a clue is not allowed.

    Attributes
    ----------
    rule : str
        `letters`, `said`, `card`, `contains`, `contained`, `lemma`, `family` or `stem`.
    word : str
        The card or earlier clue that the clue conflicts with; the clue itself for `letters`.
    """

    rule: str
    word: str


class Legality:
    """The rules for clues in one language.

    Parameters
    ----------
    language : str
        The language code; `wordkin.suffixes` has the endings of some languages.
    lemmas : mapping of str to str, optional
        The lemma of each word that has a known one.

    Examples
    --------
    >>> Legality("en").objection("nursing", ["nurse", "piano"])
    Objection(rule='stem', word='nurse')
    >>> Legality("en").objection("hospital", ["nurse", "piano"]) is None
    True
    """

    def __init__(self, language: str, lemmas: Mapping[str, str] | None = None) -> None:
        self.language = language
        self._lemmas = lemmas or {}
        self._suffixes = SUFFIXES.get(base(language))
        self._stems: dict[str, Stems] = {}

    @classmethod
    def of(cls, bundle: Bundle) -> Legality:
        """Return the rules for the language of a bundle, with the bundle's lemmas."""
        pairs = zip(bundle.vocabulary.words, bundle.lemmas, strict=True)
        return cls(bundle.language, {word: lemma for word, lemma in pairs if word != lemma})

    def objection(
        self, clue: str, cards: Iterable[str], said: Iterable[str] = ()
    ) -> Objection | None:
        """Return the first rule that a clue breaks.

        Parameters
        ----------
        clue : str
            The clue.
        cards : iterable of str
            The cards that lie face down.
        said : iterable of str
            Earlier clues, which may not be repeated.

        Returns
        -------
        Objection or None
            None if the clue is legal.
        """
        return self.checker(cards, said)(clue)

    def checker(
        self, cards: Iterable[str], said: Iterable[str] = ()
    ) -> Callable[[str], Objection | None]:
        """Return `objection` for fixed cards and earlier clues, to check many clues.

        Parameters
        ----------
        cards, said
            As in `objection`.

        Returns
        -------
        callable
            Takes a clue and returns an Objection or None.
        """
        table = [(card, normal(card, self.language)) for card in cards]
        earlier = {normal(clue, self.language): clue for clue in said}

        def check(clue: str) -> Objection | None:
            word = normal(clue, self.language)
            if not is_plain_word(word):
                return Objection("letters", clue)
            if word in earlier:
                return Objection("said", earlier[word])
            for card, card_form in table:
                if rule := self._conflict(word, card_form):
                    return Objection(rule, card)
            return None

        return check

    def _conflict(self, clue: str, card: str) -> str | None:
        """The rule that a clue breaks with one card."""
        if clue == card:
            return "card"
        if card in clue:
            return "contains"
        if clue in card:
            return "contained"
        # A card of several words gives each of them away.
        return next((rule for word in card.split() if (rule := self._kinship(clue, word))), None)

    def _kinship(self, a: str, b: str) -> str | None:
        """The rule by which two words are relatives."""
        # All forms are compared, because a table of lemmas may know only one of the two words.
        pairs = [(first, second) for first in self._forms(a) for second in self._forms(b)]
        if any(first == second for first, second in pairs):
            return "lemma"
        if self._suffixes is None:
            return None
        families = self._suffixes.family_of
        if any(
            first in families and families[first] == families.get(second) for first, second in pairs
        ):
            return "family"
        if any(
            self._suffixes.share_stem(self._stems_of(first), self._stems_of(second))
            for first, second in pairs
        ):
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
