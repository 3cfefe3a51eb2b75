"""Bilingual dictionaries: which words of another language translate a word of ours.

.index, .dict.dz (or .dict)   a dictionary of the DICT protocol, such as FreeDict's: where each
                              entry is, and the entries; the first line of an entry is the
                              headword, the others are its translations, numbered or not
.tsv                          a headword, a tab and a translation per line

dog /dˈɒɡ/
1. kutya
2. eb, kutya (hím)            dog: kutya, eb, kutya
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from wordkin.errors import InputError
from wordkin.files import read_text

Translation = tuple[str, str]
"""A headword and one of its translations, as they are written."""

_ABOUT = re.compile(r"00-?database")
"""The entries that say what the dictionary is."""
_NOTE = re.compile(r"/[^/]*/|<[^>]*>|\([^)]*\)|\[[^\]]*\]")
"""What is no part of a word: its sound, its part of speech, explanations."""
_NUMBER = re.compile(r"^\s*\d+\.\s")
_LABEL = re.compile(r"^\s*[\w ]+:")
"""The start of a line that has no translation, such as *Synonyms:*."""

_DIGITS = {
    character: value
    for value, character in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )
}
"""The digits to the base 64 by which an index says where entries are."""


def read_translations(files: Sequence[Path]) -> Iterator[Translation]:
    """The translations in the files of one dictionary, in their order."""
    lists = [path for path in files if path.suffix == ".tsv"]
    indices = [path for path in files if path.suffix == ".index"]
    if not lists and not indices:
        raise InputError(
            f"{', '.join(map(str, files)) or 'nothing'}: this is no dictionary that we know; give "
            "the .index and .dict.dz of a DICT dictionary, or a .tsv."
        )
    for path in lists:
        yield from _read_list(path)
    for path in indices:
        yield from _read_dict(path, files)


def _read_list(path: Path) -> Iterator[Translation]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        headword, tab, translation = line.partition("\t")
        if not tab:
            raise InputError(f"{path}, line {number}: write a headword, a tab and a translation.")
        yield headword, translation


def _read_dict(index: Path, files: Sequence[Path]) -> Iterator[Translation]:
    names = (index.stem + ".dict.dz", index.stem + ".dict")
    path = next((path for path in files if path.name in names), None)
    if path is None:
        raise InputError(f"{index} is an index without its {names[0]}: get the dictionary again.")
    try:
        content = path.read_bytes()
        entries = gzip.decompress(content) if path.suffix == ".dz" else content
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} is damaged: get the dictionary again.") from error
    for number, line in enumerate(read_text(index).splitlines(), 1):
        try:
            name, start, length = line.split("\t")[:3]
            first = _number(start)
            last = first + _number(length)
            entry = entries[first:last].decode("utf-8")
        except (ValueError, KeyError) as error:
            raise InputError(f"{index}, line {number}, is damaged: get it again.") from error
        if last > len(entries):
            raise InputError(f"{path} ends before the entry '{name}': get the dictionary again.")
        if not _ABOUT.match(name):
            yield from _read_entry(entry)


def _number(digits: str) -> int:
    number = 0
    for character in digits:
        number = number * 64 + _DIGITS[character]
    return number


def _read_entry(entry: str) -> Iterator[Translation]:
    head, _, body = entry.partition("\n")
    headword = _NOTE.sub("", head).strip()
    for line in body.splitlines():
        if _LABEL.match(line):
            continue
        for translation in re.split("[,;]", _NOTE.sub("", _NUMBER.sub("", line))):
            if translation.strip():
                yield headword, translation.strip()
