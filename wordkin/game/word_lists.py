"""The lists of words that come with the library: words for boards, and words never to offer.

One file per language, in the folders `boards` and `unwanted`.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from wordkin.errors import NoBoardWords
from wordkin.files import read_words
from wordkin.words import base

if TYPE_CHECKING:
    from wordkin.bundle import Bundle


def listed_words(folder: str, language: str) -> list[str] | None:
    """The words of one of our lists in the folder `boards` or `unwanted`; None without a list.

    `en-GB` has the list of `en`.
    """
    path = resources.files("wordkin.game") / folder / f"{base(language)}.txt"
    if not path.is_file():
        return None
    with resources.as_file(path) as file:
        return read_words(file)


def board_words(language: str) -> list[str]:
    """Return our own list of board words for a language.

    Raises
    ------
    NoBoardWords
        If we have no list for the language.
    """
    words = listed_words("boards", language)
    if words is None:
        raise NoBoardWords(
            f"There is no list of board words for '{language}': give one with --words FILE, "
            "one word per line."
        )
    return words


def words_to_deal(bundle: Bundle) -> list[str]:
    """Return the words that boards of a bundle's language are dealt from.

    They are our own list or, for a language without one, the words that the bundle proposes.

    Raises
    ------
    NoBoardWords
        If neither has any.
    """
    try:
        return board_words(bundle.language)
    except NoBoardWords:
        proposed = bundle.manifest.get("boards")
        if not isinstance(proposed, list) or not proposed:
            raise
        return [word for word in proposed if isinstance(word, str) and word.strip()]


def unwanted_words(language: str) -> frozenset[str]:
    """The words that we never offer in a language; empty if we have no list."""
    return frozenset(listed_words("unwanted", language) or ())
