"""A measure learned from people's choices: a weighted sum over other measures.

For the words a and b it sums three kinds of terms, each standardised (minus its mean, divided by
its deviation, both over random pairs of words):

    relatedness   the value s(a, b) of a measure
    standing      how high that value ranks among all values of each word: minus log4 of its rank
                  among the word's relatedness to the common words, averaged over both words
    frequency     the logarithms of the counts of both words, added up

No term depends on a board, so it is a measure like any other: symmetric, with equal rows and pairs.

The kind `learned` has one array, `knots` (words x parts x ranks), which gives the ranks. It holds
the 1st, 4th, 16th, ... highest value of each word among the common words; ranks between them are
interpolated linearly. In `measure.json`, `parts` and `standing` list one term per part, and
`frequency` is the last term. The parts are in folders next to its own.

The weights come from `pipeline.judge.choices`. The choice of a card says nothing about the
frequency of the clue, which is the same for all cards. We give it the same weight as the
frequency of the card, so that the measure is symmetric.

The sum is scaled so that the softmax guesser with its default temperature is the one that was
fitted to people. Its mean over random pairs of words is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.measures.explanations.explanation import TEXTS
from wordkin.measures.files import MeasureFolder, write_measure
from wordkin.measures.measure import Among, Measure, Storage
from wordkin.measures.parts import Blended, Term, read_term, read_terms
from wordkin.vocabulary import Vocabulary

COMMON_WORDS = 2048
"""A value of a word is ranked among its relatedness to this many most frequent words."""

RANKS = (1, 4, 16, 64, 256, 1024)
"""The ranks of the values in `knots`."""

TEMPERATURE = 0.2
"""The default temperature of the softmax guesser, see `wordkin.game.guesser.Habits`. The sum is
multiplied by it."""

FREQUENCY = "frequency"

_WORDS_PER_BATCH = 1024
_CELLS_PER_BATCH = 100_000
"""The size of the pieces in which rows are summed: small enough for the processor's cache."""
_SMALLEST_STEP = np.float32(1e-9)
_SAMPLE = 20_000


class Shares(NamedTuple):
    """What each part adds to the relatedness of two words, and what their frequency adds."""

    parts: tuple[float, ...]
    frequency: float


@dataclass(frozen=True)
class Learned(Blended):
    """What each part adds by its value and its standing, and what the frequency adds.

    The relatedness is the sum of the `shares` and of `frequency`.
    """

    frequency: float

    def part_lines(self, texts: Mapping[str, str] = TEXTS) -> list[str]:
        return [*super().part_lines(texts), texts["frequency"].format(share=self.frequency)]


class LearnedMeasure(Measure):
    """The weighted sum of other measures' values and standings, and of frequencies.

    Parameters
    ----------
    name : str
        The name of the measure.
    vocabulary : Vocabulary
        The words, with their counts.
    measures : sequence of Measure
        The parts.
    knots : array, (words, parts, ranks)
        The values of each word at the ranks of `RANKS`, descending.
    relatedness, standing : sequence of Term
        The two terms of each part.
    frequency : Term
        The term of the frequency.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        measures: Sequence[Measure],
        knots: Floats,
        relatedness: Sequence[Term],
        standing: Sequence[Term],
        frequency: Term,
    ) -> None:
        super().__init__(name, vocabulary)
        self.measures, self.knots = list(measures), knots
        self.relatedness_terms, self.standing_terms = list(relatedness), list(standing)
        self.frequency_term = frequency
        self._log_counts = np.log1p(vocabulary.counts).astype(np.float32)

    @property
    def storage(self) -> Storage:
        return Storage("blend of others")

    @property
    def terms(self) -> list[Term]:
        """All terms, in the order of the features."""
        return [*self.relatedness_terms, *self.standing_terms, self.frequency_term]

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each term."""
        return np.array([term.weight for term in self.terms])

    def with_weights(self, weights: ArrayLike) -> LearnedMeasure:
        """The same measure with other weights."""
        terms = [
            replace(term, weight=float(weight))
            for term, weight in zip(self.terms, np.asarray(weights), strict=True)
        ]
        return self._with_terms(terms)

    def _with_terms(self, terms: Sequence[Term]) -> LearnedMeasure:
        count = len(self.measures)
        arguments = (self.name, self.vocabulary, self.measures, self.knots)
        return LearnedMeasure(*arguments, terms[:count], terms[count:-1], terms[-1])

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        values = [measure.rows(word_ids) for measure in self.measures]
        out = self.table(values, word_ids, np.arange(len(self.vocabulary)))
        out[np.arange(len(word_ids)), word_ids] = 0.0
        return out

    def among(self, ids: ArrayLike) -> LearnedAmong:
        return LearnedAmong(self, np.asarray(ids, dtype=np.int64))

    def table(self, values: Sequence[Floats], a: Ids, b: Ids) -> Floats:
        """The weighted sum for each of the words a with each of the words b.

        `values` has such a table of each part.
        """
        out = np.empty((len(a), len(b)), dtype=np.float32)
        width = max(_CELLS_PER_BATCH // max(len(a), 1), 1)
        for start in range(0, len(b), width):
            batch = slice(start, start + width)
            columns = [value[:, batch] for value in values]
            out[:, batch] = self._sum(columns, a[:, None], b[batch])
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        values = (measure.pairs(first, second) for measure in self.measures)
        out = self._sum(values, first, second)
        out[first == second] = 0.0
        return out

    def features(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
        """The standardised terms of the pairs a[k], b[k] without their weights: (pairs, terms)."""
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        raw = self.raw_features(first, second)
        means = np.array([term.mean for term in self.terms])
        return (raw - means) / np.array([term.deviation for term in self.terms])

    def raw_features(self, a: Ids, b: Ids) -> NDArray[np.float64]:
        """The terms of the pairs a[k], b[k] before they are standardised: (pairs, terms)."""
        values = [measure.pairs(a, b) for measure in self.measures]
        standings = [self._standing(value, part, a, b) for part, value in enumerate(values)]
        columns = [*values, *standings, self._log_counts[a] + self._log_counts[b]]
        return np.stack(columns, axis=-1).astype(np.float64)

    def shares(self, a: int, b: int) -> Shares:
        """What the parts and the frequency add to the relatedness of two words."""
        added = TEMPERATURE * self.weights * self.features([a], [b])[0]
        count = len(self.measures)
        by_part = added[:count] + added[count:-1]
        return Shares(tuple(by_part.tolist()), float(added[-1]))

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Learned:
        parts = tuple(part.reasons(a, b, measures) for part in self.measures)
        words, value = self.vocabulary.words, float(self.pairs([a], [b])[0])
        return Learned(self.name, words[a], words[b], value, parts, *self.shares(a, b))

    def _sum(self, values: Iterable[Floats], a: Ids, b: Ids) -> Floats:
        """The weighted sum for the words a and b, given the values of each part."""
        out = np.zeros(np.broadcast_shapes(a.shape, b.shape), dtype=np.float32)
        for part, value in enumerate(values):
            _add(out, value, self.relatedness_terms[part])
            if self.standing_terms[part].weight:
                _add(out, self._standing(value, part, a, b), self.standing_terms[part])
        _add(out, self._log_counts[a] + self._log_counts[b], self.frequency_term)
        return out

    def _standing(self, values: Floats, part: int, a: Ids, b: Ids) -> Floats:
        """How high the values of a part rank among those of a and b; 0 is above the highest."""
        knots = self.knots[:, part]
        out = depth(values, knots[a])
        out += depth(values, knots[b])
        out *= np.float32(-0.5)
        return out


class LearnedAmong(Among):
    """Some words of a learned measure: the same words of each part."""

    measure: LearnedMeasure

    def __init__(self, measure: LearnedMeasure, ids: Ids) -> None:
        super().__init__(measure, ids)
        self._parts = [part.among(ids) for part in measure.measures]

    def rows(self, words: ArrayLike) -> Floats:
        word_ids = np.asarray(words, dtype=np.int64)
        values = [part.rows(word_ids) for part in self._parts]
        return self.set_own(self.measure.table(values, word_ids, self.ids), word_ids)


def depth(values: Floats, knots: Floats) -> Floats:
    """log4 of the rank of each value, by the knots along their last axis."""
    out, step = np.zeros_like(values), np.empty_like(values)
    for high, low in pairwise(np.moveaxis(knots, -1, 0)):
        np.subtract(high, values, out=step)
        step *= 1 / np.maximum(high - low, _SMALLEST_STEP)
        np.maximum(step, 0, out=step)
        out += np.minimum(step, 1, out=step)
    return out


def _add(out: Floats, values: Floats, term: Term) -> None:
    factor = np.float32(TEMPERATURE * term.weight / term.deviation)
    out += factor * (values - np.float32(term.mean))


def untrained(name: str, measures: Sequence[Measure], seed: int = 0) -> LearnedMeasure:
    """A learned measure before learning: its weights are 0, the spread of each term is known."""
    vocabulary = measures[0].vocabulary
    knots = np.stack([rank_knots(measure) for measure in measures], axis=1)
    blank = [Term(measure.name, 0.0, 0.0, 1.0) for measure in measures]
    frequency = Term(FREQUENCY, 0.0, 0.0, 1.0)
    learned = LearnedMeasure(name, vocabulary, measures, knots, blank, blank, frequency)
    rng = np.random.default_rng(seed)
    a = rng.integers(0, len(vocabulary), _SAMPLE)
    b = (a + rng.integers(1, max(len(vocabulary), 2), _SAMPLE)) % len(vocabulary)
    raw = learned.raw_features(a, b)
    terms = [
        replace(term, mean=float(mean), deviation=float(deviation) or 1.0)
        for term, mean, deviation in zip(learned.terms, raw.mean(0), raw.std(0), strict=True)
    ]
    return learned._with_terms(terms)


def rank_knots(measure: Measure) -> Floats:
    """The values of each word at the ranks of `RANKS`: (words, ranks)."""
    size = len(measure.vocabulary)
    common = min(COMMON_WORDS, size)
    # Measures are symmetric, so the rows of the common words hold every word's values with them.
    values = np.concatenate(
        [measure.rows(np.arange(at, min(at + 256, common))) for at in range(0, common, 256)]
    )
    places = [common - min(rank, common) for rank in RANKS]
    knots = np.empty((size, len(RANKS)), dtype=np.float32)
    for start in range(0, size, _WORDS_PER_BATCH):
        batch = slice(start, start + _WORDS_PER_BATCH)
        columns = np.ascontiguousarray(values[:, batch].T)
        knots[batch] = np.partition(columns, places, axis=1)[:, places]
    # No value has a rank beyond the last. Knots below the lowest value keep rounding errors from
    # moving that value by whole ranks, as equal knots would.
    for at, rank in enumerate(RANKS[:-1]):
        if rank >= common:
            knots[:, at + 1] = knots[:, at] - 1
    return knots


def write_learned(folder: Path, learned: LearnedMeasure, facts: Mapping[str, Any]) -> None:
    """Write a learned measure; its parts must be in folders next to it."""
    terms = {
        "parts": [asdict(term) for term in learned.relatedness_terms],
        "standing": [asdict(term) for term in learned.standing_terms],
        FREQUENCY: asdict(learned.frequency_term),
    }
    write_measure(
        folder,
        learned.name,
        "learned",
        len(learned.vocabulary),
        {"knots": learned.knots},
        {**facts, **terms},
    )


def open_learned(folder: MeasureFolder) -> LearnedMeasure:
    """Open a measure of the kind `learned`, and its parts."""
    relatedness, standing = read_terms(folder, "parts"), read_terms(folder, "standing")
    frequency = read_term(folder, FREQUENCY)
    knots = folder.array("knots", (len(folder.vocabulary), len(relatedness), len(RANKS)))
    if len(standing) != len(relatedness):
        raise InputError(
            f"{folder.path / 'measure.json'} lists different numbers of terms: make it again."
        )
    measures = [folder.open_part(term.measure) for term in relatedness]
    return LearnedMeasure(
        folder.name, folder.vocabulary, measures, knots, relatedness, standing, frequency
    )
