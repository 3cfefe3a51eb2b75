"""squared: the words between two words that carry most of the sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

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
    """Explain squared by the products of npmi that it sums.

    The relatedness is the exact sum, also where the measure itself only approximates it.
    """
    npmi, words = npmi_for(measure.name, measures), measure.vocabulary.words
    to_a, to_b = npmi.rows([a, b]).astype(np.float64)
    products = to_a * to_b
    total = products.sum()
    largest = np.argsort(-products, kind="stable")[:SHOWN]
    middles = tuple(
        Middle(words[k], float(to_a[k]), float(to_b[k]), float(products[k] / total))
        for k in largest
        if products[k] > 0
    )
    number = int(np.count_nonzero(products))
    return Between(measure.name, words[a], words[b], float(total), number, middles)
