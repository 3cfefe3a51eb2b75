"""Pairs that a word net names itself: opposites, and parts of each other.

The kind `word_net` is a matrix of pairs with the name of their `relation` in `measure.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordkin.errors import InputError
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.files import MeasureFolder
from wordkin.measures.matrix import MatrixMeasure, Pairs, open_pairs
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary

RELATIONS = ("opposites", "part_of")


@dataclass(frozen=True)
class Named(Explanation):
    """Whether the word net names the pair.

    Attributes
    ----------
    relation : str
        The relation of the measure: `opposites` or `part_of`.
    """

    relation: str

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        return (self.relation if self.relatedness > 0 else f"not_{self.relation}"), {}


class WordNetMeasure(MatrixMeasure):
    """The pairs of one relation."""

    def __init__(self, name: str, vocabulary: Vocabulary, pairs: Pairs, relation: str) -> None:
        super().__init__(name, vocabulary, pairs)
        self.relation = relation

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Named:
        words, value = self.vocabulary.words, float(self.pairs([a], [b])[0])
        return Named(self.name, words[a], words[b], value, self.relation)


def open_measure(folder: MeasureFolder) -> WordNetMeasure:
    """Open a measure of the kind `word_net`."""
    relation = folder.facts.get("relation")
    if relation not in RELATIONS:
        raise InputError(f"{folder.path / 'measure.json'} has no valid 'relation': make it again.")
    return WordNetMeasure(folder.name, folder.vocabulary, open_pairs(folder), relation)
