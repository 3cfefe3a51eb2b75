"""Words that an agent never offers as a clue, because a player may be hurt by them."""

from __future__ import annotations

from importlib import resources

from wordkin.files import read_words


def unwanted_words(language: str) -> frozenset[str]:
    """Our own list for a language; empty where we have none."""
    path = resources.files("wordkin.game") / "unwanted" / f"{language}.txt"
    if not path.is_file():
        return frozenset()
    with resources.as_file(path) as file:
        return frozenset(read_words(file))
