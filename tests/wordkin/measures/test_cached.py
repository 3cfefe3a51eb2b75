"""A measure with a cache of rows gives the same answers as the measure itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

import wordkin
from tests.support.bundles import make_bundle
from wordkin.arrays import Floats
from wordkin.measures.cached import CachedMeasure
from wordkin.measures.measure import Measure


class CountingMeasure(Measure):
    """A measure that counts the rows that it works out."""

    def __init__(self, measure: Measure) -> None:
        super().__init__(measure.name, measure.vocabulary)
        self.measure = measure
        self.worked_out = 0

    def rows(self, ids: ArrayLike) -> Floats:
        self.worked_out += len(np.asarray(ids))
        return self.measure.rows(ids)

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        return self.measure.pairs(a, b)


def test_rows_and_pairs_are_those_of_the_measure(tmp_path: Path) -> None:
    measure = wordkin.load(make_bundle(tmp_path)).measures["npmi"]
    cached = CachedMeasure(measure)
    for ids in ([3, 1], [1, 2, 3], [2], [2, 2]):
        np.testing.assert_array_equal(cached.rows(ids), measure.rows(ids))
    np.testing.assert_array_equal(cached.pairs([1, 2], [2, 3]), measure.pairs([1, 2], [2, 3]))
    assert (cached.name, cached.vocabulary) == (measure.name, measure.vocabulary)


def test_each_row_is_worked_out_once_until_the_cache_is_cleared(tmp_path: Path) -> None:
    counting = CountingMeasure(wordkin.load(make_bundle(tmp_path)).measures["npmi"])
    cached = CachedMeasure(counting)
    for ids in ([3, 1], [1, 2, 3], [2, 2]):
        cached.rows(ids)
    assert counting.worked_out == 3
    cached.clear()
    cached.rows([1])
    assert counting.worked_out == 4
