"""A word net in memory: concepts, the relations between them, and the senses of words.

The readers of database files and of LMF make it; the measures are made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

ADJECTIVES = "a"
"""The part of speech of adjectives; those that are near a main one have it too."""


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
