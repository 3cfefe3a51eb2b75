"""Several measures as one: their weighted mean, each brought to a common scale first.

A blend is written as names with a plus between, and weights after a colon where they differ:
`npmi+svd`, `npmi:2+svd`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from wordkin.errors import InputError
from wordkin.measures import Floats, Measure

_SAMPLE, _NEIGHBOURS = 64, 10


class Blend(Measure):
    """The weighted mean of measures over one vocabulary.

    Each measure is divided by how related a word is to its tenth nearest neighbour, in the middle
    of words taken evenly from the vocabulary. So 1 is a close pair in every measure, and 0 stays
    what it is: nothing in common.

    Parameters
    ----------
    measures : sequence of Measure
        What to blend.
    weights : sequence of float
        How much each counts.
    """

    def __init__(self, measures: Sequence[Measure], weights: Sequence[float]) -> None:
        name = "+".join(
            measure.name if weight == 1 else f"{measure.name}:{weight:g}"
            for measure, weight in zip(measures, weights, strict=True)
        )
        super().__init__(name, measures[0].vocabulary)
        self.measures = list(measures)
        self.shares = [
            np.float32(weight / sum(weights) / neighbour_scale(measure))
            for measure, weight in zip(measures, weights, strict=True)
        ]

    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words."""
        out = np.zeros((len(np.asarray(ids)), len(self.vocabulary)), dtype=np.float32)
        for measure, share in zip(self.measures, self.shares, strict=True):
            out += share * measure.rows(ids)
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k]."""
        out = np.zeros(len(np.asarray(a)), dtype=np.float32)
        for measure, share in zip(self.measures, self.shares, strict=True):
            out += share * measure.pairs(a, b)
        return out


def neighbour_scale(measure: Measure) -> float:
    """How related words are to their tenth nearest neighbours in this measure."""
    size = len(measure.vocabulary)
    sample = np.unique(np.linspace(0, size - 1, min(_SAMPLE, size)).astype(np.int64))
    rows = measure.rows(sample)
    nth = min(_NEIGHBOURS, size)
    return max(float(np.median(np.partition(rows, -nth, axis=1)[:, -nth])), 1e-6)


def parse_blend(text: str, measures: Mapping[str, Measure]) -> Blend:
    """The blend that `text` stands for."""
    names, weights = [], []
    for part in text.split("+"):
        name, colon, weight = part.partition(":")
        names.append(name.strip())
        try:
            weights.append(float(weight) if colon else 1.0)
        except ValueError:
            weights.append(0.0)
        if not weights[-1] > 0 or not names[-1]:
            raise InputError(
                f"'{text}' is not a blend of measures: write names with weights above 0, "
                "such as npmi:2+svd."
            )
    return Blend([measures[name] for name in names], weights)
