"""A blend: the weighted mean of other measures, each standardised by its spread.

The kind `blend` needs no arrays. `parts` in `measure.json` lists its terms, and the measures are in
folders next to its own.

People can also write a blend as names with a plus between them, with weights after a colon where
they differ from 1: `npmi+svd`, `npmi:2+svd`. A blend that is written so equals a stored one with
the same weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.measures.files import MeasureFolder
from wordkin.measures.measure import Among, Measure, Storage, spread
from wordkin.measures.parts import Blended, Term, read_terms
from wordkin.vocabulary import Vocabulary


class BlendMeasure(Measure):
    """The weighted mean of standardised measures.

    0 is the mean over random pairs of words, and 1 is one standard deviation of a part above it.

    Attributes
    ----------
    terms : list of Term
        The weight and the spread of each part.
    measures : list of Measure
        The parts, in the same order.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        terms: Sequence[Term],
        measures: Sequence[Measure],
    ) -> None:
        super().__init__(name, vocabulary)
        self.terms, self.measures = list(terms), list(measures)

    @property
    def storage(self) -> Storage:
        return Storage("blend of others")

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        out = self.weighted_sum(measure.rows(word_ids) for measure in self.measures)
        out[np.arange(len(word_ids)), word_ids] = 0.0
        return out

    def among(self, ids: ArrayLike) -> Among:
        return BlendAmong(self, np.asarray(ids, dtype=np.int64))

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        out = self.weighted_sum(measure.pairs(first, second) for measure in self.measures)
        out[first == second] = 0.0
        return out

    def shares(self, a: int, b: int) -> tuple[float, ...]:
        """What each part adds to the relatedness of two words."""
        shares = self._weighted(measure.pairs([a], [b]) for measure in self.measures)
        return tuple(float(share[0]) for share in shares)

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Blended:
        parts = tuple(part.reasons(a, b, measures) for part in self.measures)
        words, value = self.vocabulary.words, float(self.pairs([a], [b])[0])
        return Blended(self.name, words[a], words[b], value, parts, self.shares(a, b))

    def weighted_sum(self, values: Iterable[Floats]) -> Floats:
        """The blend of the values of its parts, which are overwritten."""
        weighted = self._weighted(values)
        out = next(weighted)
        for share in weighted:
            out += share
        return out

    def _weighted(self, values: Iterable[Floats]) -> Iterator[Floats]:
        total = sum(term.weight for term in self.terms)
        for term, value in zip(self.terms, values, strict=True):
            value -= np.float32(term.mean)
            value *= np.float32(term.weight / total / term.deviation)
            yield value


class BlendAmong(Among):
    """Some words of a blend: the same words of each part."""

    measure: BlendMeasure

    def __init__(self, measure: BlendMeasure, ids: Ids) -> None:
        super().__init__(measure, ids)
        self._parts = [part.among(ids) for part in measure.measures]

    def rows(self, words: ArrayLike) -> Floats:
        word_ids = np.asarray(words, dtype=np.int64)
        rows = self.measure.weighted_sum(part.rows(word_ids) for part in self._parts)
        return self.set_own(rows, word_ids)


def open_blend(folder: MeasureFolder) -> BlendMeasure:
    """Open a measure of the kind `blend`, and its parts."""
    terms = read_terms(folder, "parts")
    if not terms:
        raise InputError(f"{folder.path / 'measure.json'} names no parts: make it again.")
    if not sum(term.weight for term in terms) > 0:
        raise InputError(f"{folder.path / 'measure.json'} has no weights above 0: make it again.")
    measures = [folder.open_part(term.measure) for term in terms]
    return BlendMeasure(folder.name, folder.vocabulary, terms, measures)


def blend(
    name: str, weights: Mapping[str, float], measures: Mapping[str, Measure], seed: int = 0
) -> BlendMeasure:
    """Blend some measures.

    Parameters
    ----------
    name : str
        The name of the blend.
    weights : mapping of str to float
        The weight of each part.
    measures : mapping of str to Measure
        Measures by name, all with the same vocabulary.
    seed : int, optional
        Seed of the random pairs that give each part's spread.
    """
    parts = [measures[part] for part in weights]
    terms = [
        Term(part, weight, *spread(measure, seed))
        for (part, weight), measure in zip(weights.items(), parts, strict=True)
    ]
    return BlendMeasure(name, parts[0].vocabulary, terms, parts)


def parse_weights(text: str) -> dict[str, float]:
    """The weights in the text of a blend; those of a measure that is named twice add up."""
    weights: dict[str, float] = {}
    for part in text.split("+"):
        name, colon, number = (piece.strip() for piece in part.partition(":"))
        try:
            weight = float(number) if colon else 1.0
        except ValueError:
            weight = 0.0
        if not name or not 0 < weight < float("inf"):
            raise InputError(
                f"'{text}' is not a blend of measures: write names with weights above 0, "
                "such as npmi:2+svd."
            )
        weights[name] = weights.get(name, 0.0) + weight
    return weights


def named(name: str, measures: Mapping[str, Measure]) -> Measure:
    """The measure called `name`, or the blend that `name` spells out."""
    return blend(name, parse_weights(name), measures) if "+" in name else measures[name]
