"""The lists of word families that come with the library, one file per language.

A file has five sections. `#` starts a comment, which gives the reason for what follows.

    [families]      one family per line: words that no rule recognises as relatives
    [strangers]     one group per line: the first word is no relative of the others, whatever the
                    rules say
    [stems]         a word, then the stem that it has before endings: víz viz (viz-es)
    [parts]         words that make compounds, in any number of lines
    [fillers]       such words that are in so many compounds that they give no card away
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources

from wordkin.words import base

SECTIONS = ("families", "strangers", "stems", "parts", "fillers")


@dataclass(frozen=True)
class Lists:
    """The lists of one language.

    Attributes
    ----------
    families, strangers, stems : tuple of tuple of str
        The lines of each section, as words.
    parts, fillers : frozenset of str
        Words that make compounds, and those of them that give no card away.
    """

    families: tuple[tuple[str, ...], ...] = ()
    strangers: tuple[tuple[str, ...], ...] = ()
    stems: tuple[tuple[str, ...], ...] = ()
    parts: frozenset[str] = frozenset()
    fillers: frozenset[str] = frozenset()

    @cached_property
    def families_of(self) -> dict[str, frozenset[int]]:
        """The numbers of the families that each word is in; *ír* writes, and is Irish."""
        numbers: dict[str, frozenset[int]] = {}
        for number, family in enumerate(self.families):
            for word in family:
                numbers[word] = numbers.get(word, frozenset()) | {number}
        return numbers

    @cached_property
    def strangers_of(self) -> dict[str, frozenset[str]]:
        """The words that each word is no relative of, in both directions."""
        strangers: dict[str, set[str]] = {}
        for word, *others in self.strangers:
            for other in others:
                strangers.setdefault(word, set()).add(other)
                strangers.setdefault(other, set()).add(word)
        return {word: frozenset(others) for word, others in strangers.items()}

    @cached_property
    def stems_of(self) -> dict[str, frozenset[str]]:
        """The stems of each word that has one of its own."""
        return {word: frozenset(stems) for word, *stems in self.stems}


@cache
def lists_of(language: str) -> Lists:
    """The lists of a language; empty ones if the library has none."""
    path = resources.files("wordkin.language.kinship") / f"{base(language)}.txt"
    return parse(path.read_text(encoding="utf-8")) if path.is_file() else Lists()


def parse(text: str) -> Lists:
    """Read the text of a file of lists."""
    sections: dict[str, list[tuple[str, ...]]] = {name: [] for name in SECTIONS}
    lines = sections["families"]
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            lines = sections[content.strip("[]")]
        elif content:
            lines.append(tuple(content.split()))
    return Lists(
        families=tuple(sections["families"]),
        strangers=tuple(sections["strangers"]),
        stems=tuple(sections["stems"]),
        parts=frozenset(word for line in sections["parts"] for word in line),
        fillers=frozenset(word for line in sections["fillers"] for word in line),
    )
