"""Clues as people say them: a word and a number, 0 and unlimited among the numbers."""

from __future__ import annotations

from typing import NamedTuple

from wordkin.texts import texts
from wordkin.words import normal

UNLIMITED = "∞"


class SpokenClue(NamedTuple):
    """A clue of a person: a word and a number; None stands for unlimited."""

    word: str
    number: int | None


def parse_clue(text: str, language: str) -> SpokenClue | None:
    """Parse a clue as people type it.

    Parameters
    ----------
    text : str
        Such as `ocean 2`, `ocean 0` or `ocean unlimited`; ∞ means the same as `unlimited`.
    language : str
        The language of the person, which has its own word for unlimited.

    Returns
    -------
    SpokenClue or None
        None if the text does not have both a word and a number.

    Examples
    --------
    >>> parse_clue("ocean 2", "en")
    SpokenClue(word='ocean', number=2)
    >>> parse_clue("óceán korlátlan", "hu")
    SpokenClue(word='óceán', number=None)
    """
    words = text.split()
    if len(words) < 2:
        return None
    *clue, number = words
    word = " ".join(clue).rstrip(",:")
    if (
        number == UNLIMITED
        or normal(number, language) in texts(language)["words_unlimited"].split()
    ):
        return SpokenClue(word, None)
    # Longer numbers fit no board, and Python refuses to read very long ones.
    if not number.isdecimal() or len(number) > 9:
        return None
    return SpokenClue(word, int(number))


def number_text(number: int | None) -> str:
    """Return the number of a clue as it is shown."""
    return UNLIMITED if number is None else str(number)
