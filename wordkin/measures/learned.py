"""A relatedness learned from people's picks: a weighted sum over other measures.

For the words a and b the sum is over three kinds of terms, each standardised (less its mean, over
its deviation, both of random pairs of words):

    relatedness   the value s(a, b) of a measure
    standing      how far up that value stands among the values of either word: less log4 of its
                  rank among the word's relatedness to the common words, on average of both words
    frequency     ln of how often each word occurs, added up

Nothing in it knows of a board, so it is a measure like any other: symmetric, and the same in a row
and in a pair. The rank is read off a few of a word's values, its `knots`: its closest, 4th, 16th,
... among the common words, with straight lines in between. The weights come from
`wordkin.judging.choice`. A player's choices tell nothing of the clue's own frequency, which is the
same for all cards; that it weighs as much as the card's is our choice, for the sake of symmetry.

The sum is scaled so that the softmax guesser with its own default temperature is the one that was
fitted to people. It is 0 on average for words taken at random.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.errors import InputError
from wordkin.measures import Floats, Ids, Measure, Part, write_measure
from wordkin.vocabulary import Vocabulary

COMMON = 2048
"""Among how many of the most frequent words a word's values are ranked."""

RANKS = (1, 4, 16, 64, 256, 1024)
"""The ranks whose values are the knots."""

SCALE = 0.2
"""The default temperature of the softmax guesser; see `wordkin.game.guesser.Habits`."""

FREQUENCY = "frequency"

_AT_ONCE = 1024
_CELLS = 100_000
"""Of how many cells of a row a sum is made at once."""
_TINY = np.float32(1e-9)
_SAMPLE = 20_000


class LearnedMeasure(Measure):
    """The weighted sum of other measures' values and standings, and of frequencies.

    Parameters
    ----------
    name : str
        What it is called.
    vocabulary : Vocabulary
        The words, with their counts.
    measures : sequence of Measure
        What it is made of.
    knots : array, (words, measures, ranks)
        The values at which each word's ranks are passed, falling.
    relatedness, standing : sequence of Part
        The weight and the scale of each measure's two terms.
    frequency : Part
        Those of the frequency.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        measures: Sequence[Measure],
        knots: Floats,
        relatedness: Sequence[Part],
        standing: Sequence[Part],
        frequency: Part,
    ) -> None:
        super().__init__(name, vocabulary)
        self.measures, self.knots = list(measures), knots
        self.relatedness_parts, self.standing_parts = list(relatedness), list(standing)
        self.frequency_part = frequency
        self._logs = np.log1p(vocabulary.counts).astype(np.float32)

    @property
    def parts(self) -> list[Part]:
        """All terms, in the order of the features."""
        return [*self.relatedness_parts, *self.standing_parts, self.frequency_part]

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each feature."""
        return np.array([part.weight for part in self.parts])

    def with_weights(self, weights: ArrayLike) -> LearnedMeasure:
        """The same terms with other weights."""
        new = [
            replace(part, weight=float(weight))
            for part, weight in zip(self.parts, np.asarray(weights), strict=True)
        ]
        count = len(self.measures)
        arguments = (self.name, self.vocabulary, self.measures, self.knots)
        return LearnedMeasure(*arguments, new[:count], new[count:-1], new[-1])

    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words."""
        wanted = np.asarray(ids, dtype=np.int64)
        values = [measure.rows(wanted) for measure in self.measures]
        out = np.empty((len(wanted), len(self.vocabulary)), dtype=np.float32)
        # A few columns at a time: the many small steps of a sum then stay in the cache.
        wide = max(_CELLS // max(len(wanted), 1), 1)
        for start in range(0, len(self.vocabulary), wide):
            some = slice(start, start + wide)
            others = np.arange(len(self.vocabulary))[some]
            out[:, some] = self._sum([of[:, some] for of in values], wanted[:, None], others)
        out[np.arange(len(wanted)), wanted] = 0.0
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k]."""
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        values = (measure.pairs(first, second) for measure in self.measures)
        out = self._sum(values, first, second)
        out[first == second] = 0.0
        return out

    def features(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
        """The standardised terms of the pairs a[k], b[k], without their weights: (pairs, terms)."""
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        raw = self.terms(first, second)
        means = np.array([part.mean for part in self.parts])
        return (raw - means) / np.array([part.deviation for part in self.parts])

    def terms(self, a: Ids, b: Ids) -> NDArray[np.float64]:
        """The terms of the pairs a[k], b[k] as they are: (pairs, terms)."""
        values = [measure.pairs(a, b) for measure in self.measures]
        standings = [self._standing(value, at, a, b) for at, value in enumerate(values)]
        terms = [*values, *standings, self._logs[a] + self._logs[b]]
        return np.stack(terms, axis=-1).astype(np.float64)

    def shares(self, a: int, b: int) -> tuple[tuple[float, ...], float]:
        """What each measure adds to the relatedness of two words, and what their frequency does."""
        added = SCALE * self.weights * self.features([a], [b])[0]
        count = len(self.measures)
        by_measure = added[:count] + added[count:-1]
        return tuple(by_measure.tolist()), float(added[-1])

    def _sum(self, values: Iterable[Floats], a: Ids, b: Ids) -> Floats:
        """The weighted sum for the words a and b, of which the measures have these values."""
        out = np.zeros(np.broadcast_shapes(a.shape, b.shape), dtype=np.float32)
        for at, value in enumerate(values):
            _add(out, value, self.relatedness_parts[at])
            if self.standing_parts[at].weight:
                _add(out, self._standing(value, at, a, b), self.standing_parts[at])
        _add(out, self._logs[a] + self._logs[b], self.frequency_part)
        return out

    def _standing(self, values: Floats, measure: int, a: Ids, b: Ids) -> Floats:
        """How far up `values` stand among the values of a and b: 0 is beyond the closest."""
        knots = self.knots[:, measure]
        out = depth(values, knots[a])
        out += depth(values, knots[b])
        out *= np.float32(-0.5)
        return out


def depth(values: Floats, knots: Floats) -> Floats:
    """log4 of the rank that each value has by the knots along their last axis."""
    out, step = np.zeros_like(values), np.empty_like(values)
    for high, low in pairwise(np.moveaxis(knots, -1, 0)):
        np.subtract(high, values, out=step)
        step *= 1 / np.maximum(high - low, _TINY)
        np.maximum(step, 0, out=step)
        out += np.minimum(step, 1, out=step)
    return out


def _add(out: Floats, values: Floats, part: Part) -> None:
    share = np.float32(SCALE * part.weight / part.deviation)
    out += share * (values - np.float32(part.mean))


def prepare(name: str, measures: Sequence[Measure], seed: int = 0) -> LearnedMeasure:
    """A learned measure that has not learned yet: its weights are 0, its scales are set."""
    vocabulary = measures[0].vocabulary
    knots = np.stack([knots_of(measure) for measure in measures], axis=1)
    names = [measure.name for measure in measures]
    plain = [Part(other, 0.0, 0.0, 1.0) for other in names]
    empty = LearnedMeasure(
        name, vocabulary, measures, knots, plain, plain, Part(FREQUENCY, 0.0, 0.0, 1.0)
    )
    rng = np.random.default_rng(seed)
    a = rng.integers(0, len(vocabulary), _SAMPLE)
    b = (a + rng.integers(1, max(len(vocabulary), 2), _SAMPLE)) % len(vocabulary)
    raw = empty.terms(a, b)
    scaled = [
        replace(part, mean=float(mean), deviation=float(deviation) or 1.0)
        for part, mean, deviation in zip(empty.parts, raw.mean(0), raw.std(0), strict=True)
    ]
    count = len(measures)
    parts = (scaled[:count], scaled[count:-1], scaled[-1])
    return LearnedMeasure(name, vocabulary, measures, knots, *parts)


def knots_of(measure: Measure) -> Floats:
    """The values at which the ranks of each word are passed: (words, ranks)."""
    size = len(measure.vocabulary)
    common = min(COMMON, size)
    # Measures are symmetric, so the rows of the common words hold every word's values with them.
    values = np.concatenate(
        [measure.rows(np.arange(at, min(at + 256, common))) for at in range(0, common, 256)]
    )
    places = [common - min(rank, common) for rank in RANKS]
    out = np.empty((size, len(RANKS)), dtype=np.float32)
    for start in range(0, size, _AT_ONCE):
        block = np.ascontiguousarray(values[:, start : start + _AT_ONCE].T)
        out[start : start + _AT_ONCE] = np.partition(block, places, axis=1)[:, places]
    return out


def write_learned(folder: Path, learned: LearnedMeasure, facts: Mapping[str, Any]) -> None:
    """Write a learned measure; the measures it is made of lie in folders beside it."""
    described = {
        **facts,
        "parts": [asdict(part) for part in learned.relatedness_parts],
        "standing": [asdict(part) for part in learned.standing_parts],
        FREQUENCY: asdict(learned.frequency_part),
    }
    write_measure(folder, learned.name, "learned", {"knots": learned.knots}, described)


def open_learned(
    name: str,
    vocabulary: Vocabulary,
    measures: Sequence[Measure],
    knots: Floats,
    description: Mapping[str, Any],
) -> LearnedMeasure:
    """What `write_learned` wrote."""
    try:
        relatedness, standing = (
            [Part(**part) for part in description[key]] for key in ("parts", "standing")
        )
        frequency = Part(**description[FREQUENCY])
    except (KeyError, TypeError) as error:
        raise InputError(f"The measure '{name}' does not name its terms: make it again.") from error
    if knots.shape[1:] != (len(relatedness), len(RANKS)) or len(standing) != len(relatedness):
        raise InputError(f"The knots of the measure '{name}' do not fit: make or copy it again.")
    return LearnedMeasure(name, vocabulary, measures, knots, relatedness, standing, frequency)
