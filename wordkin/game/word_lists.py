"""The lists of words that come with the library, one file per language."""

from __future__ import annotations

from importlib import resources

from wordkin.files import read_words
from wordkin.words import base


def listed_words(folder: str, language: str) -> list[str] | None:
    """The words of one of our lists.

    Parameters
    ----------
    folder : str
        The folder of the list in `wordkin/game`: `boards` or `unwanted`.
    language : str
        A language code or tag; `en-GB` has the list of `en`.

    Returns
    -------
    list of str or None
        None if we have no list for the language.
    """
    path = resources.files("wordkin.game") / folder / f"{base(language)}.txt"
    if not path.is_file():
        return None
    with resources.as_file(path) as file:
        return read_words(file)
