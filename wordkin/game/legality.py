"""Which words may be given as a clue.

A clue is one word of letters that was not said before. It is not a card, contains no card, is not
contained in one, and is not a form or relative of one (`wordkin.language.kinship`). The rules are
strict on purpose: refusing a good clue costs little, because the next one is about as good, but a
clue that gives a card away spoils the game.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from wordkin.bundle import Bundle
from wordkin.game.board import Board, word_list
from wordkin.language.kinship import Kinship
from wordkin.texts import texts
from wordkin.words import normal

# Joiners inside words, as Persian and the scripts of India use them.
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class Objection:
    """Why a clue is not allowed.

    Attributes
    ----------
    rule : str
        `letters`, `said`, `card`, `contains`, `contained`, or how the clue is a relative: `lemma`,
        `family`, `stem`, `spelling` or `compound`.
    word : str
        The card or earlier clue that the clue conflicts with; the clue itself for `letters`.
    """

    rule: str
    word: str

    def sentence(self, clue: str, language: str = "en") -> str:
        """Return what is against the clue, in a language of the interface."""
        return texts(language)[f"illegal_{self.rule}"].format(clue=clue, word=self.word)


@dataclass(frozen=True)
class Ruling:
    """Whether a clue is legal, and why not; true in a condition if it is.

    Attributes
    ----------
    legal : bool
        Whether the clue may be given.
    reason : str
        What is against it, in a sentence; empty if it is legal.
    objection : Objection or None
        The rule that it breaks, for programs.
    """

    legal: bool
    reason: str = ""
    objection: Objection | None = None

    def __bool__(self) -> bool:
        return self.legal


def is_legal(
    clue: str,
    board: Board | str | Iterable[str],
    bundle: Bundle,
    said: str | Iterable[str] = (),
    language: str = "en",
) -> Ruling:
    """Whether a clue may be given, and if not, why.

    To check many clues, make the rules once: `Legality.of(bundle).objection`.

    Parameters
    ----------
    clue : str
        The clue.
    board : Board, str or iterable of str
        The cards that lie face down; see `Board.of` for one string.
    bundle : Bundle
        The language, and the words and lemmas that show which words are relatives.
    said : str or iterable of str
        Earlier clues, which may not be repeated.
    language : str
        The language of the reason.

    Returns
    -------
    Ruling

    Examples
    --------
    >>> import wordkin
    >>> ruling = wordkin.is_legal("pianos", ["nurse", "piano"], wordkin.load("en"))
    >>> bool(ruling), ruling.reason
    (False, "'pianos' is not allowed: it contains the card 'piano'.")
    """
    cards = board.words if isinstance(board, Board) else word_list(board)
    objection = Legality.of(bundle).objection(clue, cards, word_list(said))
    if objection is None:
        return Ruling(True)
    return Ruling(False, objection.sentence(clue, language), objection)


class Legality:
    """The rules for clues in one language.

    Parameters
    ----------
    language : str
        The language code; `wordkin.language.languages` has rules for some languages.
    lemmas : mapping of str to str, optional
        The lemma of each word that has a known one.
    words : collection of str, optional
        The known words. They show which words are compounds.

    Examples
    --------
    >>> Legality("en").objection("nursing", ["nurse", "piano"])
    Objection(rule='stem', word='nurse')
    >>> Legality("en").objection("hospital", ["nurse", "piano"]) is None
    True
    """

    def __init__(
        self,
        language: str,
        lemmas: Mapping[str, str] | None = None,
        words: Collection[str] = frozenset(),
    ) -> None:
        self.language = language
        self._kinship = Kinship(language, lemmas or {}, words)

    @classmethod
    def of(cls, bundle: Bundle) -> Legality:
        """Return the rules for the language of a bundle, with the bundle's words and lemmas."""
        pairs = zip(bundle.vocabulary.words, bundle.lemmas, strict=True)
        lemmas = {word: lemma for word, lemma in pairs if word != lemma}
        return cls(bundle.language, lemmas, bundle.vocabulary.ids.keys())

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
        return self.checker(cards, said, cautious=False)(clue)

    def checker(
        self, cards: Iterable[str], said: Iterable[str] = (), *, cautious: bool = True
    ) -> Callable[[str], Objection | None]:
        """Return a check for fixed cards and earlier clues, to check many clues.

        Parameters
        ----------
        cards, said
            As in `objection`.
        cautious : bool
            Refuse every clue that contains the letters of a card, or is contained in one, also by
            chance: *carpet* for *car*. Agents are cautious, because some frameworks demand it.

        Returns
        -------
        callable
            Takes a clue and returns an Objection or None.
        """
        table = {normal(card, self.language): card for card in cards}
        # A card of several words gives each of them away.
        card_of = {word: card for form, card in table.items() for word in form.split()}
        relatives = self._kinship.relatives(card_of)
        earlier = {normal(clue, self.language): clue for clue in said}

        def is_part(longer: str, shorter: str) -> bool:
            return cautious or self._kinship.contains(longer, shorter)

        def check(clue: str) -> Objection | None:
            word = normal(clue, self.language)
            if not is_plain_word(word):
                return Objection("letters", clue)
            if word in earlier:
                return Objection("said", earlier[word])
            if word in table:
                return Objection("card", table[word])
            for form, card in card_of.items():
                if word == form or (word in form and is_part(form, word)):
                    return Objection("contained", card)
                if form in word and is_part(word, form):
                    # Of a card of several words, the clue contains only one.
                    return Objection("contains" if form in table else "stem", card)
            if relative := relatives.of(word):
                return Objection(relative.rule, card_of[relative.word])
            return None

        return check


def is_plain_word(word: str) -> bool:
    """Whether `word` is one word of letters: no spaces, digits, hyphens or other signs.

    >>> is_plain_word("kutyaház"), is_plain_word("ice-cream"), is_plain_word("2nd")
    (True, False, False)
    """
    if word.isalpha():  # only letters, as nearly all words: told in no time
        return True
    return bool(word) and all(
        unicodedata.category(character)[0] in "LM" or character in _JOINERS for character in word
    )
