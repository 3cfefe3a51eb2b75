"""Translations of our words into another language, by bilingual dictionaries.

    kutya ──dictionaries──▶ {dog: 2, hound: 1}

Of a language with little text, dictionaries have words that its corpus lacks (`borrowed_words`),
and the vectors of their translations make a measure (`pipeline.measures.translated`).

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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic.dataclasses import dataclass

from pipeline.declarations import Declaration
from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.languages.rules import Language
from pipeline.layout import Layout
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between, rule
from pipeline.settings import Section
from wordkin.errors import InputError
from wordkin.files import read_text
from wordkin.words import base, is_tag, normal


def two_languages(codes: list[str]) -> str | None:
    """The rule for the languages of a bilingual dictionary."""
    if len(codes) == 2 and all(map(is_tag, codes)) and base(codes[0]) != base(codes[1]):
        return None
    return "must be the language of the headwords and that of the translations, such as [hu, en]"


@dataclass(frozen=True, kw_only=True, config=KNOWN_KEYS)
class BilingualDictionary(Declaration):
    """A dictionary from or into a language whose starter bundle lends its vectors."""

    languages: Annotated[list[str], rule(two_languages)]


@dataclass(frozen=True, config=KNOWN_KEYS)
class Translated(Section):
    """Bilingual dictionaries, and how much the vectors of translations count beside a word's own.

    The own vector of a word that occurs n times has the weight n / (n + `occurrences`), the lent
    one has `weight`.
    """

    KEY = "translated"

    dictionaries: dict[str, list[BilingualDictionary]] = field(default_factory=dict)
    weight: Annotated[Number, between(0.001, 1000)] = 0.5
    occurrences: Annotated[Whole, between(0)] = 100

    def files(self, language: str) -> Sequence[Declaration]:
        return self.dictionaries.get(language, [])

    def names(self) -> Sequence[str]:
        return ["translated"]


Translation = tuple[str, str]
"""A headword and one of its translations, as they are written."""
Weights = dict[str, dict[str, float]]
"""How much each of their words counts for each of ours."""

_MISTAKEN_LETTERS = {"hu": str.maketrans("õôûÕÔÛ", "őőűŐŐŰ")}
"""Letters that a language does not have, and that old dictionaries have for those they lacked."""


class Translations(NamedTuple):
    """The translations of all single words that some dictionaries have."""

    language: str
    """The code of the other language."""
    weights: Weights


def read_translations(
    layout: Layout, dictionaries: Sequence[BilingualDictionary]
) -> Translations | str:
    """The translations of a language's words, or the reason why there are none."""
    if not dictionaries:
        return f"translated.dictionaries names no dictionary of '{layout.language}'"
    ours = base(layout.language)
    codes = {code for entry in dictionaries for code in entry.languages if base(code) != ours}
    if len(codes) != 1 or any(ours not in map(base, entry.languages) for entry in dictionaries):
        raise InputError(
            f"translated.dictionaries.{layout.language}: all dictionaries must be between "
            f"'{layout.language}' and one other language."
        )
    other = codes.pop()
    pairs: list[list[Translation]] = []
    for entry in dictionaries:
        found = read_resource(layout, entry.name)
        if found.skipped:
            return found.skipped
        is_reversed = base(entry.languages[0]) != ours
        read = read_pairs(found.files)
        pairs.append([(b, a) if is_reversed else (a, b) for a, b in read])
    return Translations(other, add_up(pairs, layout.language, other))


def add_up(dictionaries: Iterable[Iterable[Translation]], code: str, other: str) -> Weights:
    """The weights of their words, from pairs of our word and its translation.

    A translation counts once per dictionary that has it. Of a translation of several words, each
    counts for its share; stop words do not count.
    """
    repair = _MISTAKEN_LETTERS.get(base(code), {})
    ours, theirs = language(code), language(other)
    stop_words = theirs.stop_words()
    weights: Weights = {}
    for dictionary in dictionaries:
        # A translation that stands in several senses of an entry is one translation.
        for headword, translation in dict.fromkeys(dictionary):
            word = normal(headword.translate(repair), code)
            if ours.words(word) != [word]:
                continue  # a phrase, or a part of a word
            parts = [part for part in theirs.words(translation) if part not in stop_words]
            for part in parts:
                own = weights.setdefault(word, {})
                own[part] = own.get(part, 0.0) + 1 / len(parts)
    return weights


def borrowed_words(
    weights: Weights, spoken: Language, counts: Mapping[str, int], without: Collection[str]
) -> list[str]:
    """The words of the dictionaries, most useful first, that are not in `without`.

    Words of the corpus (`counts` are its tokens) come before others. Among others, those come first
    that a dictionary of the language has as base forms, then those with the most translations.
    """

    def rank(word: str) -> tuple[int, int, float, str]:
        is_known = spoken.is_word(word) + spoken.is_base_form(word)
        return -counts.get(word, 0), -is_known, -sum(weights[word].values()), word

    return sorted((word for word in weights if word not in without), key=rank)


# ── the files of dictionaries ─────────────────────────────────────────────────────────────────

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


def read_pairs(files: Sequence[Path]) -> Iterator[Translation]:
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
