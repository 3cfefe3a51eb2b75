"""Words that an agent never offers as a clue, because they may offend a player."""

from __future__ import annotations

from wordkin.game.word_lists import listed_words


def unwanted_words(language: str) -> frozenset[str]:
    """The words that we never offer in `language`; empty if we have no list.

    Parameters
    ----------
    language : str
        A language code, such as `en`.

    Returns
    -------
    frozenset of str
    """
    return frozenset(listed_words("unwanted", language) or ())
