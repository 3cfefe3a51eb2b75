"""Files of open language graphs: ConceptNet 4, synonyms, emoji keywords and terms for places.

    conceptnet  lemon <tab> fruit <tab> {'freq': 5, 'score': 5, 'rel': u'IsA'}, packed with gzip
    synonyms    MyThes: the encoding, then `word|2` and two lines `part of speech|synonym|synonym`
    emoji       CLDR: {"annotations": {"annotations": {"🍋": {"default": [...], "tts": [...]}}}}
    places      OpenStreetMap's tagging schema: {"hu": {"presets": {"presets": {"amenity/bank":
                {"name": "Bank", "terms": "csekk,széf"}}}}}

Each reader adds to a graph and returns how much it left out.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.extras.word_net import WordNet
from wordkin.errors import InputError

HYPERNYMS = ("is a", "instance of")
"""The relations that lead to more general concepts."""

LONGEST_LABEL = 3
"""ConceptNet's longer labels are sentences, whose single words say little."""

LEAST_SCORE = 2
"""How many more people have to confirm an edge of ConceptNet than deny it."""

_NO_RELATION = "ConceptuallyRelatedTo"
"""ConceptNet's relation of what was found together, without saying how."""

_CONCEPTNET = re.compile(
    r"([^\t]+)\t([^\t]+)\t\{'freq': (-?\d+), 'score': (-?\d+), 'rel': u?'([A-Za-z]+)'\}"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOTE = re.compile(r"\([^)]*\)")


@dataclass
class LanguageGraph:
    """Nodes with labels, and edges with relations.

    Attributes
    ----------
    labels : list of list of str
        The labels of each node, the main one first.
    groups : list of str
        The relation of two labels of the same node.
    edges : list of (int, str, int)
        From a node, by a relation, to a node.
    """

    labels: list[list[str]] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    edges: list[tuple[int, str, int]] = field(default_factory=list)

    def add(self, labels: list[str], group: str = "synonym") -> int:
        """Add a node; returns its number."""
        self.labels.append(list(dict.fromkeys(labels)))
        self.groups.append(group)
        return len(self.labels) - 1


def add_word_net(graph: LanguageGraph, net: WordNet) -> None:
    """Add the concepts of a word net and all relations between them.

    A concept that its language has no word for is shown by its name in brackets, which is no word.
    """
    labels: dict[str, list[str]] = {key: [] for key in net.concepts}
    for lemma, senses in net.senses.items():
        for sense in senses:
            if sense.concept in labels:
                labels[sense.concept].append(lemma.replace("_", " "))
    nodes = {}
    for key, own in labels.items():
        name = net.concepts[key].name
        main = [name.lower()] if name.lower() in own else []
        nodes[key] = graph.add([*main, *own] if own else [f"[{name}]"])

    def edges() -> Iterator[tuple[str, str, str]]:
        for key, concept in net.concepts.items():
            for other in concept.above:
                yield key, "instance of" if other in concept.instance_of else "is a", other
            for other in concept.parts:
                yield key, "has part", other
            for relation, other in concept.related:
                yield key, relation, other
        for _, key, _, other in sorted(net.opposites):
            yield key, "opposite", other

    graph.edges += [(nodes[a], r, nodes[b]) for a, r, b in edges() if a in nodes and b in nodes]


def add_conceptnet(graph: LanguageGraph, path: Path) -> int:
    """Add what people said and nobody denied: edges of positive frequency and score."""
    nodes: dict[str, int] = {}
    left_out = 0
    for number, line in _lines_of_gzip(path):
        match = _CONCEPTNET.fullmatch(line)
        if match is None:
            raise InputError(
                f"{path}, line {number} is no edge of ConceptNet ({line[:40]!r}): get the file "
                "again."
            )
        first, second, frequency, score, relation = match.groups()
        too_long = max(len(label.split()) for label in (first, second)) > LONGEST_LABEL
        if too_long or int(frequency) <= 0 or int(score) < LEAST_SCORE or relation == _NO_RELATION:
            left_out += 1
            continue
        a, b = (
            nodes[label] if label in nodes else nodes.setdefault(label, graph.add([label]))
            for label in (first, second)
        )
        graph.edges.append((a, _CAMEL.sub(" ", relation).lower(), b))
    return left_out


def _lines_of_gzip(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip("\n")
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be unpacked ({error}): get the file again.") from error


def add_synonyms(graph: LanguageGraph, path: Path) -> int:
    """Add one node per meaning of a thesaurus in the format of MyThes."""
    head, _, body = path.read_bytes().partition(b"\n")
    try:
        lines = enumerate(body.decode(head.decode("ascii").strip()).splitlines(), start=2)
    except (LookupError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} does not begin with the encoding of its text: get the file again."
        ) from error
    left_out = 0
    for number, line in lines:
        word, _, count = line.rpartition("|")
        if not word or not count.isdecimal():
            raise InputError(
                f"{path}, line {number} should be a word and the number of its meanings, but is "
                f"{line[:40]!r}: get the file again."
            )
        for _ in range(int(count)):
            number, line = next(lines, (number, ""))
            if "|" not in line:
                raise InputError(
                    f"{path}, line {number} should list synonyms of {word!r}: get the file again."
                )
            synonyms = [_NOTE.sub("", part).strip() for part in line.split("|")[1:]]
            left_out += not _add_group(graph, [word, *synonyms], "synonym")
    return left_out


def add_emoji(graph: LanguageGraph, path: Path) -> int:
    """Add one node per emoji: its name, and its keywords."""
    left_out = 0
    for entry in _entries(path, "annotations", "annotations").values():
        names, keywords = entry.get("tts", []), entry.get("default", [])
        if not _are_texts(names) or not _are_texts(keywords):
            raise _not_as_expected(path)
        left_out += not _add_group(graph, [*names, *keywords], "same emoji")
    return left_out


def add_places(graph: LanguageGraph, path: Path) -> int:
    """Add one node per kind of place: its name, and terms for it."""
    left_out = 0
    for entry in _entries(path, None, "presets", "presets").values():
        name, terms = entry.get("name", ""), entry.get("terms", "")
        if not _are_texts([name, terms]):
            raise _not_as_expected(path)
        labels = [label.strip() for label in (name, *terms.split(","))]
        left_out += not _add_group(graph, labels, "same place")
    return left_out


def _add_group(graph: LanguageGraph, labels: list[str], group: str) -> bool:
    """Add a node if it has two labels at least."""
    labels = list(dict.fromkeys(label for label in labels if label))
    if len(labels) < 2:
        return False
    graph.add(labels, group)
    return True


def _entries(path: Path, *keys: str | None) -> dict[str, dict[str, Any]]:
    """The objects below some keys of a JSON file; None stands for the only key there is."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # UnicodeDecodeError is one, too
        raise InputError(f"{path} is no JSON ({error}): get the file again.") from error
    for key in keys:
        if not isinstance(found, dict) or not found:
            raise _not_as_expected(path)
        found = found.get(next(iter(found)) if key is None else key)
    if not isinstance(found, dict) or not all(isinstance(e, dict) for e in found.values()):
        raise _not_as_expected(path)
    return found


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _not_as_expected(path: Path) -> InputError:
    return InputError(
        f"{path} is JSON of another form than docs/how-to/more-measures.md shows: correct it."
    )
