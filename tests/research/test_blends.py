"""How a blend is chosen: by the tuning set alone, and with as few measures as possible."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import spearmanr

from pipeline.layout import Layout
from research.blends import (
    Rated,
    correlations,
    good_blends,
    read_gold,
    simplest,
    try_weights,
)
from wordkin.vocabulary import Vocabulary

Scores = NDArray[np.float64]

RANDOM = np.random.default_rng(0)
PEOPLE = RANDOM.standard_normal(500)


def noisy(noise: float) -> Scores:
    """The scores of a measure that agrees with people except for its noise."""
    return np.asarray(PEOPLE + RANDOM.normal(0, noise, len(PEOPLE)))


def simple_blend(*scores: Scores) -> tuple[int, ...]:
    rated = [Rated(np.array(scores), PEOPLE)]
    tried = try_weights(rated, most=4)
    return simplest(tried, good_blends(tried, rated))


def test_the_better_measure_has_the_higher_weight() -> None:
    good, fair, unrelated = noisy(0.5), noisy(1.0), RANDOM.standard_normal(500)
    first, second, third = simple_blend(good, fair, unrelated)
    assert first > second > 0
    assert third == 0


def test_a_measure_that_adds_nothing_is_left_out() -> None:
    good = noisy(0.3)
    assert simple_blend(good, good + RANDOM.normal(0, 0.1, 500)) == (1, 0)


def test_all_tuning_sets_count_the_same_whatever_their_size() -> None:
    rng = np.random.default_rng(6)
    large, small = rng.standard_normal(900), rng.standard_normal(90)
    scores = [
        np.array([gold + rng.normal(0, a, len(gold)), gold + rng.normal(0, b, len(gold))])
        for gold, a, b in ((large, 0.2, 5.0), (small, 5.0, 0.2))
    ]
    rated = [Rated(rows, gold) for rows, gold in zip(scores, (large, small), strict=True)]
    tried = try_weights(rated, 4)
    for weights, mean in tried.items():
        expected = [
            spearmanr(np.array(weights) @ rows, gold).statistic
            for rows, gold in zip(scores, (large, small), strict=True)
        ]
        assert correlations(rated, weights) == pytest.approx(expected)
        assert mean == pytest.approx(sum(expected) / 2)
    best = max(tried, key=lambda weights: tried[weights])
    errors = (1 - correlations(rated, best) ** 2) / np.sqrt([899, 89])
    bound = tried[best] - np.hypot(*errors) / 2
    assert set(good_blends(tried, rated)) == {w for w, mean in tried.items() if mean >= bound}


def test_the_development_half_has_no_pair_that_is_reported(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "en")
    layout.gold.mkdir(parents=True)
    rows = ["sun\tmoon\t4", "sea\twave\t3", "cat\tdog\t2", "sun\tcat\t1"]
    head = "word1\tword2\tscore"
    (layout.gold / "one.tsv").write_text("\n".join([head, *rows]) + "\n")
    (layout.gold / "two.tsv").write_text("\n".join([head, "dog\tcat\t1", "sea\tsun\t0"]) + "\n")
    words = Vocabulary(["sun", "moon", "sea", "wave", "cat", "dog"], [1] * 6, [1] * 6)
    gold = read_gold(layout, ["one/dev"], ["one/test", "two"], words)
    assert gold["one/dev"].gold.tolist() == [4.0]
    assert gold["one/test"].gold.tolist() == [3.0, 1.0]
    assert gold["two"].gold.tolist() == [1.0, 0.0]
