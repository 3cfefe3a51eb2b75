"""Words that an agent never offers as a clue, because they may offend a player."""

from __future__ import annotations

from importlib import resources

from wordkin.files import read_words


def unwanted_words(language: str) -> frozenset[str]:
    """The words that we never offer in `language`; empty where we have no list.

    Parameters
    ----------
    language : str
        A language code, such as `en`.

    Returns
    -------
    frozenset of str
    """
    path = resources.files("wordkin.game") / "unwanted" / f"{language}.txt"
    if not path.is_file():
        return frozenset()
    with resources.as_file(path) as file:
        return frozenset(read_words(file))
