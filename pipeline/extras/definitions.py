"""Definitions of words from dictionaries.

    index.sense, data.noun, ... WordNet's database: the gloss of every sense, without its examples,
                                the sense that is meant most often first
    data.noun, data.verb, ...   the same without index.sense: in the order of the files
    .json                       {headword: ...}: the texts below `definitions`, or plain strings
    .tsv                        a word, a tab and a definition per line

Several files add up. A headword of several words is left out: no vocabulary has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import RootModel

from pipeline.declarations import Declaration, wrong_declarations
from pipeline.extras.word_net import read_database
from pipeline.fetched import read_resource
from pipeline.measures.family import MeasureJob, Skipped
from pipeline.settings import Check, Section
from wordkin.errors import InputError
from wordkin.files import read_text
from wordkin.words import normal


class Dictionaries(RootModel[dict[str, list[Declaration]]], Section):
    """Dictionaries with definitions, by language: for dict2vec and encoders."""

    KEY: ClassVar[str] = "extras.definitions"

    root: dict[str, list[Declaration]] = {}

    def mistakes(self, check: Check) -> Iterator[str]:
        for code, declared in self.root.items():
            yield from wrong_declarations(declared, code, check.root)

    def files(self, language: str) -> Sequence[Declaration]:
        return self.root.get(language, [])


Definitions = dict[str, list[str]]

_SENSES = "index.sense"
_WORDNET = re.compile(r"data\.(noun|verb|adj|adv)")
_MARKER = re.compile(r"\([a-z]+\)$")


def definitions_of(measure_job: MeasureJob) -> Definitions:
    """The definitions of the language's dictionaries; `Skipped` if it has none."""
    code = measure_job.layout.language
    declared = measure_job.settings.section(Dictionaries).files(code)
    if not declared:
        raise Skipped(f"extras.definitions names no dictionary of '{code}'")
    files = []
    for dictionary in declared:
        resource = read_resource(measure_job.layout, dictionary.name)
        if resource.skipped:
            raise Skipped(resource.skipped)
        files += resource.files
    return read_definitions(files, lambda word: normal(word, code))


def read_definitions(files: Sequence[Path], form: Callable[[str], str] = str) -> Definitions:
    """The definitions of each word, in the order of the files; `form` gives a word's form."""
    definitions: Definitions = {}
    for path, entries in _dictionaries(files):
        count = 0
        for word, text in entries:
            count += 1
            if " " not in word.strip() and text.strip():
                definitions.setdefault(form(word), []).append(text.strip())
        if not count:
            raise InputError(f"{path} has no definitions: correct the location.")
    return definitions


def _dictionaries(files: Sequence[Path]) -> Iterator[tuple[Path, Iterator[tuple[str, str]]]]:
    """The entries of each file; the files of a whole WordNet are read as one."""
    databases = {path.parent for path in files if path.name == _SENSES}
    for path in files:
        if path.parent not in databases:
            yield path, _entries(path)
        elif path.name == _SENSES:
            yield path, _senses([other for other in files if other.parent == path.parent])


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    if _WORDNET.fullmatch(path.name):
        return _glosses(path)
    if path.suffix == ".json":
        return _json(path)
    if path.suffix == ".tsv":
        return _lines(path)
    raise InputError(
        f"{path} is no dictionary that we know: give WordNet's data files, .json or .tsv."
    )


def _senses(database: Sequence[Path]) -> Iterator[tuple[str, str]]:
    net = read_database(database)
    for lemma, senses in net.senses.items():
        for sense in sorted(senses, key=lambda sense: -sense.frequency):
            yield lemma.replace("_", " "), _without_examples(net.concepts[sense.concept].gloss)


def _without_examples(gloss: str) -> str:
    return gloss.partition(';  "')[0].partition('; "')[0]


def _glosses(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.startswith(" "):
            continue  # the licence
        head, bar, gloss = line.partition(" | ")
        columns = head.split()
        try:
            count = int(columns[3], 16)
            words = columns[4 : 4 + 2 * count : 2]
        except (IndexError, ValueError):
            words = []
        if not bar or not words:
            raise InputError(f"{path}, line {number}: this is no line of WordNet; get it again.")
        for word in words:
            yield _MARKER.sub("", word).replace("_", " "), _without_examples(gloss)


def _json(path: Path) -> Iterator[tuple[str, str]]:
    try:
        content = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path} is no JSON: get it again.") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} is no dictionary: it must map headwords to definitions.")
    for word, entry in content.items():
        for text in _texts(entry):
            yield word, text


def _texts(entry: Any) -> Iterator[str]:
    """The strings of a plain entry, or the texts below `definitions` of a structured one."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list):
        for part in entry:
            yield from _texts(part)
    elif isinstance(entry, dict):
        for key in ("definitions", "definition", "text"):
            if key in entry:
                yield from _texts(entry[key])
                return
        for part in entry.values():
            # A string elsewhere is an etymology, a part of speech or the like.
            if isinstance(part, list | dict):
                yield from _texts(part)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        word, tab, text = line.partition("\t")
        if not tab:
            raise InputError(f"{path}, line {number}: write a word, a tab and a definition.")
        yield word, text
