"""squared: the words between two words that carry most of the sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import largest
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

    The relatedness is the exact sum, also where the measure itself only approximates it. If npmi
    itself stores only near words, these are named, and the relatedness is that of the measure.
    """
    npmi, words = npmi_for(measure.name, measures), measure.vocabulary.words
    if npmi.complete:
        to_a, to_b = npmi.rows([a, b]).astype(np.float64)
        total = float(to_a @ to_b)
    else:
        to_a, to_b = _stored_row(npmi, a), _stored_row(npmi, b)
        total = float(measure.pairs([a], [b])[0])
    products = to_a * to_b
    whole = max(total, float(products.sum()))
    middles = tuple(
        Middle(
            words[k],
            float(to_a[k]),
            float(to_b[k]),
            float(products[k] / whole),
        )
        for k in largest(products, SHOWN)
        if products[k] > 0
    )
    number = int(np.count_nonzero(products))
    return Between(measure.name, words[a], words[b], total, number, middles)


def _stored_row(npmi: Measure, word: int) -> NDArray[np.float64]:
    """The relatedness of a word to the words that are stored with it, and 0 to all others."""
    row = np.zeros(len(npmi.vocabulary))
    ids, values = npmi.neighbours(word)
    row[ids] = values
    return row
