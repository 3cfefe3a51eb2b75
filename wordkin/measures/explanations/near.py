"""Vectors and all other measures: words that are close to both words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wordkin.arrays import largest
from wordkin.measures.explanations.explanation import SHOWN, Explanation, first_words

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure


@dataclass(frozen=True)
class Shared:
    """A word that is close to two words, and its relatedness to each."""

    word: str
    to_a: float
    to_b: float


@dataclass(frozen=True)
class Near(Explanation):
    """The words that are close to both words, closest first.

    A word is as close to both as to the one that is farther away.
    """

    shared: tuple[Shared, ...]

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        return "near", {"words": first_words([shared.word for shared in self.shared])}


def explain(measure: Measure, a: int, b: int, measures: Mapping[str, Measure]) -> Near:
    """Explain any measure by its own neighbours of the two words."""
    to_a, to_b = measure.rows([a, b])
    smaller = np.minimum(to_a, to_b)
    smaller[[a, b]] = -np.inf
    words = measure.vocabulary.words
    closest = largest(smaller, min(SHOWN, len(words) - 2))
    shared = tuple(Shared(words[k], float(to_a[k]), float(to_b[k])) for k in closest)
    return Near(measure.name, words[a], words[b], float(measure.pairs([a], [b])[0]), shared)
