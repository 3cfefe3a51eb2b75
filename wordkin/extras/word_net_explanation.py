"""Pairs that a word net names itself: opposites, and parts of each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from wordkin.measures.explanations.explanation import Explanation

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure

LEAST = 0.0005
"""What would be shown as 0.000 is no relation: compact bundles estimate the pairs that are not."""


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
        return (self.relation if self.relatedness >= LEAST else f"not_{self.relation}"), {}


def _explain(
    relation: str, measure: Measure, a: int, b: int, measures: Mapping[str, Measure]
) -> Named:
    words, value = measure.vocabulary.words, float(measure.pairs([a], [b])[0])
    return Named(measure.name, words[a], words[b], value, relation)


explain_opposites = partial(_explain, "opposites")
explain_parts = partial(_explain, "part_of")
