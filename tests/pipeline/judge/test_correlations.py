"""Correlations between measures, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pipeline.judge.correlations import between_measures, random_pairs
from wordkin.errors import InputError


def test_random_pairs_have_two_different_words_and_reach_all_of_them() -> None:
    first, second = random_pairs(7, pairs=2000, seed=9)
    assert (first != second).all()
    assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == 7 * 6
    with pytest.raises(InputError, match="at least 2"):
        random_pairs(1)


def test_correlations_between_measures_are_those_of_scipy() -> None:
    a, b = np.random.default_rng(0).random((2, 500))
    pearson, spearman = between_measures([a, b, np.zeros(500)])
    assert pearson[0, 1] == pytest.approx(stats.pearsonr(a, b).statistic, abs=1e-6)
    assert spearman[1, 0] == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-6)
    assert np.isnan(pearson[2]).all() and np.isnan(spearman[:, 2]).all()
