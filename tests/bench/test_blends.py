"""How a blend is chosen: by the tuning set alone, and no more measures than it takes."""

from __future__ import annotations

import numpy as np

from bench.blends import simplest, try_weights

RNG = np.random.default_rng(0)
PEOPLE = RNG.standard_normal(500)


def heard(noise: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A measure that agrees with people but for its noise."""
    return np.asarray(PEOPLE + RNG.normal(0, noise, len(PEOPLE)))


def simple(*scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[int, ...]:
    return simplest(try_weights(np.array(scores), PEOPLE, most=4), len(PEOPLE))


def test_the_better_measure_has_the_higher_weight() -> None:
    good, fair, none = heard(0.5), heard(1.0), RNG.standard_normal(500)
    first, second, third = simple(good, fair, none)
    assert first > second > 0
    assert third == 0


def test_a_measure_that_adds_nothing_is_left_out() -> None:
    good = heard(0.3)
    assert simple(good, good + RNG.normal(0, 0.1, 500)) == (1, 0)
