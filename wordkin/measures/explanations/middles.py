"""Products (squared): the words between two words that carry most of the sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wordkin.arrays import Floats, Ids, largest
from wordkin.measures.explanations.explanation import SHOWN, Explanation, first_words
from wordkin.measures.explanations.meetings import npmi_for

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure


@dataclass(frozen=True)
class Middle:
    """A word between two words: its npmi with each, and its share of the sum."""

    word: str
    to_a: float
    to_b: float
    share: float


@dataclass(frozen=True)
class Between(Explanation):
    """The words that are related to both words.

    Attributes
    ----------
    number : int
        How many there are.
    middles : tuple of Middle
        Those with the largest shares, largest first.
    """

    number: int
    middles: tuple[Middle, ...]

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        if not self.middles:
            return "nothing_between", {}
        words = [f"{middle.word} {middle.share:.1%}" for middle in self.middles]
        return "between", {"number": self.number, "words": first_words(words)}


def explain(measure: Measure, a: int, b: int, measures: Mapping[str, Measure]) -> Between:
    """The words between two words by npmi, whatever the measure."""
    npmi = npmi_for(measure.name, measures)
    return between(measure, a, b, npmi.neighbours(a), npmi.neighbours(b))


def between(
    measure: Measure, a: int, b: int, near_a: tuple[Ids, Floats], near_b: tuple[Ids, Floats]
) -> Between:
    """The words that are near to both of two words, given the ids and values of each one's."""
    words = measure.vocabulary.words
    (left, to_a), (right, to_b) = near_a, near_b
    shared, at, other_at = np.intersect1d(left, right, assume_unique=True, return_indices=True)
    products = to_a[at].astype(np.float64) * to_b[other_at]
    total = float(products.sum())
    middles = tuple(
        Middle(
            words[shared[k]],
            float(to_a[at[k]]),
            float(to_b[other_at[k]]),
            float(products[k] / total),
        )
        for k in largest(products, SHOWN)
    )
    return Between(measure.name, words[a], words[b], total, len(shared), middles)
