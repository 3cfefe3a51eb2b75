"""How a blend is chosen: by the tuning set alone, and with as few measures as possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.blends import most_even, simplest, try_weights
from bench.quality import compared

Scores = NDArray[np.float64]

RANDOM = np.random.default_rng(0)
PEOPLE = RANDOM.standard_normal(500)


def noisy(noise: float) -> Scores:
    """The scores of a measure that agrees with people except for its noise."""
    return np.asarray(PEOPLE + RANDOM.normal(0, noise, len(PEOPLE)))


def simple_blend(*scores: Scores) -> tuple[int, ...]:
    return simplest(try_weights(np.array(scores), PEOPLE, most=4), len(PEOPLE))


def test_the_better_measure_has_the_higher_weight() -> None:
    good, fair, unrelated = noisy(0.5), noisy(1.0), RANDOM.standard_normal(500)
    first, second, third = simple_blend(good, fair, unrelated)
    assert first > second > 0
    assert third == 0


def test_a_measure_that_adds_nothing_is_left_out() -> None:
    good = noisy(0.3)
    assert simple_blend(good, good + RANDOM.normal(0, 0.1, 500)) == (1, 0)


def test_no_blend_is_tried_twice() -> None:
    tried = try_weights(np.array([noisy(1.0), noisy(1.0)]), PEOPLE, most=2)
    assert set(tried) == {(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)}


def test_a_figure_is_compared_with_the_best_and_the_median_published_one() -> None:
    line = compared(0.6, [0.5, 0.75, 0.8])
    assert line.split() == ["0.600", "0.75", "0.80", "0.750", "to", "0.800"]
    assert compared(0.6, []).split() == ["0.600"]


def test_with_many_measures_the_weights_climb_to_a_good_blend() -> None:
    rng = np.random.default_rng(5)
    gold = rng.standard_normal(300)
    noise = np.array([0.6, 0.8, 1.0, 3.0, 5.0])
    scores = gold + noise[:, None] * rng.standard_normal((5, 300))
    tried = try_weights(scores, gold, 4)
    best = max(tried, key=lambda weights: tried[weights])
    assert tried[best] > max(tried[tuple(row)] for row in np.eye(5, dtype=int).tolist())
    assert best[0] > best[4]
    even = most_even(tried, 300)
    assert np.std(even) / np.mean(even) <= np.std(best) / np.mean(best)
    assert tried[even] >= tried[best] - (1 - tried[best] ** 2) / np.sqrt(299)
