"""A word net in memory, and how it is read from Princeton WordNet's database files.

The files are data.*, index.*, index.sense and *.exc; `pipeline.extras.lmf` reads word nets in XML.

    00001930 03 n 01 physical_entity 0 007 @ 00001740 n 0000 ... | an entity that has ...
    offset      type  words             relations: symbol, target, part of speech, words

`@` and `@i` lead to more general concepts, `#m #p #s` and `%m %p %s` to wholes and parts, `!` to
opposites of single words. `RELATED` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wordkin.errors import InputError


class Sense(NamedTuple):
    """A concept that a word may mean, and how often it did in a corpus."""

    concept: str
    frequency: int


@dataclass
class Concept:
    """A group of synonyms.

    Attributes
    ----------
    name : str
        Its first word, for people.
    part : str
        The part of speech: n, v, a or r.
    above : list of str
        The keys of the concepts one step more general.
    instance_of : list of str
        Those of them that it is a single instance of, and not a kind.
    parts : list of str
        The keys of its members, parts and substances.
    related : list of (str, str)
        All other relations, and the keys of the concepts that they lead to.
    gloss : str
        Its definition.
    """

    name: str
    part: str
    above: list[str] = field(default_factory=list)
    instance_of: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    related: list[tuple[str, str]] = field(default_factory=list)
    gloss: str = ""


@dataclass
class WordNet:
    """Concepts by key, the senses of words, and which words are opposites in which senses.

    Attributes
    ----------
    concepts : dict of str to Concept
        All concepts.
    senses : dict of str to list of Sense
        The senses of each lemma in lower case, most frequent first within a part of speech.
    opposites : set of (lemma, concept, lemma, concept)
        Antonyms.
    base_forms : function
        From a word to the lemmas that it may be a form of.
    """

    concepts: dict[str, Concept]
    senses: dict[str, list[Sense]]
    opposites: set[tuple[str, str, str, str]]
    base_forms: Callable[[str], Iterator[str]] = lambda word: iter(())

    def senses_of(self, word: str) -> list[Sense]:
        """The senses of a word, or of the lemmas that it is a form of."""
        return self.lemma_senses(self.lemmas_of(word))

    def lemmas_of(self, word: str) -> list[str]:
        """The word itself if it is a lemma, else the lemmas that it is a form of."""
        lemma = word.lower()
        if lemma in self.senses:
            return [lemma]
        return list(dict.fromkeys(base for base in self.base_forms(lemma) if base in self.senses))

    def lemma_senses(self, lemmas: Sequence[str]) -> list[Sense]:
        """The senses of several lemmas, each once."""
        found: dict[str, int] = {}
        for lemma in lemmas:
            for concept, frequency in self.senses[lemma]:
                found[concept] = max(found.get(concept, 0), frequency)
        return [Sense(concept, frequency) for concept, frequency in found.items()]


FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""The file of each part of speech."""

ENDINGS = {
    "n": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
          ("shes", "sh"), ("men", "man"), ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
          ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip
"""The endings that English forms have, and what their base forms have instead."""

RELATED = {
    "&": "similar to", "^": "see also", "$": "see also", "=": "attribute", "*": "entails",
    ">": "causes", "+": "derived form", "\\": "pertains to", ";c": "in the field of",
    ";r": "in the region of", ";u": "used as",
}  # fmt: skip
"""Further relations by their symbols. Those that only say the same from the other side are not
here."""

_PART_KEY = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
_NUMBER = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}  # in index.sense


def read_database(files: Sequence[Path]) -> WordNet:
    """Read a folder of database files."""
    by_name = {path.name: path for path in files}
    concepts: dict[str, Concept] = {}
    words: dict[str, list[str]] = {}
    pointers: list[tuple[str, int, str, int]] = []
    for part, name in FILES.items():
        for line in _lines(by_name, f"data.{name}"):
            try:
                key, concept, own, contrary = _concept(line, part)
            except (IndexError, ValueError) as error:
                raise InputError(
                    f"{by_name[f'data.{name}']} has a line that is no concept of WordNet "
                    f"({line[:40]!r}): get the file again."
                ) from error
            concepts[key], words[key] = concept, own
            pointers += contrary
    senses = _senses(_lines(by_name, "index.sense"), by_name)
    opposites = {
        (words[a][i - 1], a, words[b][j - 1], b)
        for a, i, b, j in pointers
        if a in words and b in words
    }
    exceptions = {
        part: dict(_exceptions(_lines(by_name, f"{name}.exc"))) for part, name in FILES.items()
    }

    def base_forms(word: str) -> Iterator[str]:
        for part, endings in ENDINGS.items():
            if word in exceptions[part]:
                yield exceptions[part][word]
                continue
            for ending, instead in endings:
                if word.endswith(ending) and len(word) > len(ending) + 1:
                    base = word[: -len(ending)] + instead
                    if any(sense.concept.startswith(part) for sense in senses.get(base, ())):
                        yield base

    return WordNet(concepts, senses, opposites, base_forms)


def _lines(files: Mapping[str, Path], name: str) -> Iterator[str]:
    """The lines of a file without the licence at its head, whose lines begin with blanks."""
    if name not in files:
        raise InputError(
            f"WordNet's database lacks the file {name}: declare the folder that has it."
        )
    with files[name].open(encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file if not line.startswith("  "))


def _concept(
    line: str, part: str
) -> tuple[str, Concept, list[str], list[tuple[str, int, str, int]]]:
    """The key, the concept, its words, and which of its words have opposites."""
    head, _, gloss = line.partition(" | ")
    fields = head.split()
    key, count = part + fields[0], int(fields[3], 16)
    words = [word.partition("(")[0].lower() for word in fields[4 : 4 + 2 * count : 2]]
    name = fields[4].partition("(")[0].replace("_", " ")
    concept = Concept(name, part, gloss=gloss.strip())
    at = 4 + 2 * count
    opposites = []
    for number in range(int(fields[at])):
        symbol, offset, target, places = fields[at + 1 + 4 * number : at + 5 + 4 * number]
        other = _PART_KEY[target] + offset
        if symbol in ("@", "@i"):
            concept.above.append(other)
            if symbol == "@i":
                concept.instance_of.append(other)
        elif symbol[0] == "%":
            concept.parts.append(other)
        elif symbol == "!":
            opposites.append((key, int(places[:2], 16), other, int(places[2:], 16)))
        elif symbol in RELATED:
            concept.related.append((RELATED[symbol], other))
    return key, concept, words, opposites


def _senses(lines: Iterator[str], files: Mapping[str, Path]) -> dict[str, list[Sense]]:
    """The senses of each lemma, from lines such as `dog%1:05:00:: 02084071 1 42`."""
    senses: dict[str, list[tuple[int, Sense]]] = {}
    for line in lines:
        try:
            key, offset, number, frequency = line.split(" ")
            lemma, _, rest = key.partition("%")
            concept = _NUMBER[rest[0]] + offset
            entry = (int(number), Sense(concept, int(frequency)))
        except (ValueError, KeyError, IndexError) as error:
            raise InputError(
                f"{files['index.sense']} has a line that is no sense ({line[:40]!r}): get the "
                "file again."
            ) from error
        senses.setdefault(lemma, []).append(entry)
    ordered = {}
    for lemma, entries in senses.items():
        entries.sort(key=lambda entry: (entry[1].concept[0], entry[0], entry[1].concept))
        ordered[lemma] = [sense for _, sense in entries]
    return ordered


def _exceptions(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        form, *bases = line.split()
        if bases:
            yield form, bases[0]
