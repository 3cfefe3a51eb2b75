"""Word nets in WN-LMF, the XML of the Open Multilingual WordNet.

    <Lexicon id="omw-hu" language="hu">
      <LexicalEntry id="kutya-n"> <Lemma writtenForm="kutya" partOfSpeech="n"/>
        <Form writtenForm="kutyák"/>
        <Sense id="kutya-1" synset="hu-2084071-n"> <Count>7</Count>
          <SenseRelation relType="antonym" target="..."/> </Sense> </LexicalEntry>
      <Synset id="hu-2084071-n" ili="i46360" partOfSpeech="n"> <Definition>...</Definition>
        <SynsetRelation relType="hypernym" target="..."/> </Synset>
    </Lexicon>

Most lexicons of other languages than English have words for concepts, but no relations between
them. Declare an English one beside them: concepts with the same `ili` are one, and only the words
of our own language are used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from pipeline.extras.word_net import Concept, Sense, WordNet
from wordkin.errors import InputError
from wordkin.words import base

RELATED = {
    "similar": "similar to", "also": "see also", "attribute": "attribute", "entails": "entails",
    "causes": "causes", "derivation": "derived form", "pertainym": "pertains to",
    "domain_topic": "in the field of", "domain_region": "in the region of",
    "exemplifies": "used as",
}  # fmt: skip
"""Relations that are neither a hierarchy nor parts, named as those of database files are."""

_UPWARD = ("hypernym", "instance_hypernym")
_DOWNWARD = ("hyponym", "instance_hyponym")
_PARTS = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}


@dataclass
class _Lexicons:
    """What all files say, by the identifiers that they use."""

    keys: dict[str, str] = field(default_factory=dict)  # of synsets
    concepts: dict[str, Concept] = field(default_factory=dict)
    senses: dict[str, list[tuple[str, int]]] = field(default_factory=dict)  # lemma: synsets
    forms: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    sense_of: dict[str, tuple[str, str]] = field(default_factory=dict)  # lemma and synset
    names: dict[str, str] = field(default_factory=dict)  # of synsets
    relations: list[tuple[str, str, str]] = field(default_factory=list)  # of synsets
    sense_relations: list[tuple[str, str, str]] = field(default_factory=list)
    languages: set[str] = field(default_factory=set)


def read_lmf(files: Sequence[Path], language: str) -> WordNet:
    """Read lexicons: the words of one language, and the concepts and relations of all."""
    found = _Lexicons()
    for path in files:
        try:
            for own, element in _elements(path, base(language), found.languages):
                (_entry if element.tag == "LexicalEntry" else _synset)(element, own, found)
        except (ElementTree.ParseError, LookupError, ValueError, AttributeError) as error:
            raise InputError(
                f"{path} is no word net in LMF ({error or 'it is empty'}): get the file again."
            ) from error
    if base(language) not in found.languages:
        others = ", ".join(sorted(found.languages)) or "none"
        raise InputError(
            f"{files[0]} has no lexicon of the language '{language}' (but of: {others}): "
            "declare one."
        )
    return _net(found)


def _elements(path: Path, language: str, languages: set[str]) -> Iterator[tuple[bool, Element]]:
    """The entries and synsets of a file, and whether their lexicon is one of the language."""
    own, lexicon = False, None
    for event, element in ElementTree.iterparse(path, ("start", "end")):
        if element.tag == "Lexicon" and event == "start":
            lexicon, own = element, base(element.attrib["language"]) == language
            languages.add(base(element.attrib["language"]))
        elif event == "end" and element.tag in ("LexicalEntry", "Synset") and lexicon is not None:
            yield own, element
            lexicon.clear()  # what was read is no longer needed


def _entry(element: Element, own: bool, found: _Lexicons) -> None:
    lemma = _child(element, "Lemma").attrib["writtenForm"]
    key = _lemma(lemma)
    for sense in element.iter("Sense"):
        synset = sense.attrib["synset"]
        found.names.setdefault(synset, lemma)
        found.sense_of[sense.attrib["id"]] = (key if own else "", synset)
        if own:
            frequency = sum(int(count.text or 0) for count in sense.iter("Count"))
            found.senses.setdefault(key, []).append((synset, frequency))
        for relation in sense.iter("SenseRelation"):
            name, target = relation.attrib["relType"], relation.attrib["target"]
            found.sense_relations.append((sense.attrib["id"], name, target))
    for form in element.iter("Form") if own else ():
        found.forms[_lemma(form.attrib["writtenForm"])].append(key)


def _synset(element: Element, own: bool, found: _Lexicons) -> None:
    name, ili = element.attrib["id"], element.get("ili", "")
    part = _PARTS.get(element.get("partOfSpeech", ""), "x")
    key = part + (ili if ili.startswith("i") and ili[1:].isdecimal() else name)
    found.keys[name] = key
    concept = found.concepts.setdefault(key, Concept("", part))
    label, definition = found.names.get(name), element.find("Definition")
    if label and (own or not concept.name):
        concept.name = label
    if definition is not None and (own or not concept.gloss):
        concept.gloss = (definition.text or "").strip()
    for relation in element.iter("SynsetRelation"):
        found.relations.append((name, relation.attrib["relType"], relation.attrib["target"]))


def _child(element: Element, name: str) -> Element:
    child = element.find(name)
    if child is None:
        raise ValueError(f"an entry without {name}")
    return child


def _lemma(text: str) -> str:
    return text.strip().lower().replace(" ", "_")


def _net(found: _Lexicons) -> WordNet:
    """Join what belongs together."""
    keys, concepts = found.keys, found.concepts
    for first, relation, second in found.relations:
        if first in keys and second in keys:
            _relate(concepts, keys[first], relation, keys[second])
    opposites: set[tuple[str, str, str, str]] = set()
    for first, relation, second in found.sense_relations:
        (lemma, synset), (other, target) = (
            found.sense_of.get(sense, ("", "")) for sense in (first, second)
        )
        if synset not in keys or target not in keys:
            continue
        if relation == "antonym":
            if lemma and other:
                opposites.add((lemma, keys[synset], other, keys[target]))
        else:
            _relate(concepts, keys[synset], relation, keys[target])
    for key, concept in concepts.items():
        concept.name = concept.name or key[1:]
    senses = {
        lemma: [Sense(keys[synset], frequency) for synset, frequency in own if synset in keys]
        for lemma, own in found.senses.items()
    }
    known = {lemma: own for lemma, own in senses.items() if own}
    return WordNet(concepts, known, opposites, lambda word: iter(found.forms.get(word, ())))


def _relate(concepts: dict[str, Concept], first: str, relation: str, second: str) -> None:
    """Add a relation once, also where both sides tell of it."""
    if relation in _DOWNWARD:
        relation, first, second = _UPWARD[_DOWNWARD.index(relation)], second, first
    elif relation.startswith("holo"):
        relation, first, second = "mero" + relation[4:], second, first
    concept = concepts[first]
    if relation in _UPWARD:
        _append_once(concept.above, second)
        if relation == "instance_hypernym":
            _append_once(concept.instance_of, second)
    elif relation.startswith("mero"):
        _append_once(concept.parts, second)
    elif relation in RELATED and (RELATED[relation], second) not in concept.related:
        concept.related.append((RELATED[relation], second))


def _append_once(keys: list[str], key: str) -> None:
    if key not in keys:
        keys.append(key)
