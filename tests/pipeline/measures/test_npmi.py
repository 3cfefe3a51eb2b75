"""npmi: the square root of positive normalised pointwise mutual information."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pipeline.layout import Layout
from pipeline.measures import npmi
from pipeline.measures.npmi import Npmi
from tests.support.examples import at_most
from tests.support.matrices import Matrix, count_matrix, dense, vocabulary, write_counts
from wordkin.arrays import map_array
from wordkin.measures.files import describe
from wordkin.measures.store import open_measure

Counted = NDArray[np.int64]


def oracle(both: Counted, least: float = 0.0, smoothing: float = 1.0) -> NDArray[np.float64]:
    """The definition, word by word."""
    total, marginals = both.sum(), both.sum(axis=1)
    share = marginals / total
    smoothed = marginals**smoothing / (marginals**smoothing).sum()
    share = share if smoothing == 1.0 else np.sqrt(share * smoothed)
    values = np.zeros(both.shape)
    for a, b in np.argwhere((both > 0) & (both >= least)):
        information = math.log(both[a, b] / total / (share[a] * share[b]))
        if information > 1e-12:
            values[a, b] = math.sqrt(min(information / -math.log(both[a, b] / total), 1.0))
    return values


def made(both: Counted, *options: float) -> Matrix:
    counts = count_matrix(both)
    return dense(npmi.npmi(counts, counts.marginals(), *options))


def random_counts(words: int, density: float, seed: int) -> Counted:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.geometric(0.05, (words, words)) * (rng.random((words, words)) < density), 1)
    upper[0, 1] = 7  # at least one pair
    return upper + upper.T


counted = st.builds(
    random_counts, st.integers(2, 25), st.sampled_from([0.1, 0.5, 1.0]), st.integers(0, 10**6)
)


@settings(max_examples=at_most(60), deadline=None)
@given(counted)
def test_values_follow_the_definition(both: Counted) -> None:
    np.testing.assert_allclose(made(both), oracle(both), atol=1e-6)


@settings(max_examples=at_most(30), deadline=None)
@given(counted)
def test_the_matrix_is_symmetric_in_range_with_an_empty_diagonal(both: Counted) -> None:
    values = made(both)
    np.testing.assert_array_equal(values, values.T)
    assert (values.diagonal() == 0).all()
    assert ((values >= 0) & (values <= 1)).all()


@settings(max_examples=at_most(30), deadline=None)
@given(counted, st.integers(2, 5000))
def test_the_scale_of_the_counts_does_not_matter(both: Counted, scale: int) -> None:
    np.testing.assert_allclose(made(both * scale), made(both), atol=1e-6)


@settings(max_examples=at_most(30), deadline=None)
@given(counted, st.integers(0, 60), st.sampled_from([0.5, 0.75, 1.0]))
def test_minimum_count_and_smoothing_follow_their_definitions(
    both: Counted, least: int, smoothing: float
) -> None:
    np.testing.assert_allclose(
        made(both, least, smoothing), oracle(both, least, smoothing), atol=1e-6
    )


def test_the_minimum_count_is_in_true_weights() -> None:
    both = np.array([[0, 9, 4], [9, 0, 0], [4, 0, 0]])
    counts = count_matrix(both, scale=2)
    assert npmi.npmi(counts, counts.marginals(), minimum_count=4.5).pairs == 1


def test_smoothing_lowers_pairs_of_rare_words() -> None:
    both = random_counts(25, 1.0, seed=1)
    both[0] = both[:, 0] = 1000
    both[0, 0] = 0
    both[23, 24] = both[24, 23] = 60
    assert made(both, 0.0, 0.75)[23, 24] < made(both)[23, 24]


def test_the_only_two_words_of_a_corpus_have_the_value_1() -> None:
    assert made(np.array([[0, 5], [5, 0]])).tolist() == [[0, 1], [1, 0]]


def test_words_that_meet_as_often_as_by_chance_are_not_related() -> None:
    both = np.array([[0, 4, 4, 8], [4, 0, 8, 4], [4, 8, 0, 4], [8, 4, 4, 0]])
    assert both[0, 1] * both.sum() == both[0].sum() * both[1].sum()
    assert made(both)[0].tolist() == pytest.approx([0, 0, 0, math.sqrt(1 / 3)])


def test_a_corpus_without_pairs_has_an_empty_matrix() -> None:
    assert not made(np.zeros((3, 3), np.int64)).any()


def test_the_stage_writes_the_measure_and_the_counts_behind_it(tmp_path: Path) -> None:
    both = random_counts(20, 0.5, seed=3)
    layout = Layout(tmp_path, "qq")
    write_counts(layout.counts, both, scale=12)
    metrics = npmi.make_npmi(layout, Npmi())
    measure = open_measure(layout.measure("npmi"), vocabulary(20))
    np.testing.assert_allclose(measure.rows(range(20)), oracle(both), atol=1e-6)
    assert (map_array(layout.measure("npmi") / "marginals.npy") == both.sum(axis=1)).all()
    facts = describe(layout.measure("npmi"))
    assert (facts["total"], facts["scale"]) == (both.sum(), 12)
    assert metrics["words"] == 20
    assert metrics["pairs_seen"] == np.count_nonzero(both) / 2
    assert metrics["pairs"] == metrics["pairs_positive"] == np.count_nonzero(oracle(both)) / 2
    assert metrics["words_alone"] == (oracle(both).sum(axis=1) == 0).sum()


def test_the_stage_keeps_the_closest_words_when_asked(tmp_path: Path) -> None:
    both = random_counts(20, 1.0, seed=4)
    layout = Layout(tmp_path, "qq")
    write_counts(layout.counts, both, scale=1)
    metrics = npmi.make_npmi(layout, Npmi(top=2))
    assert metrics["pairs_cut"] == metrics["pairs_positive"] - metrics["pairs"] > 0
    cut = f"{metrics['pairs_cut']:,} cut"
    assert npmi.describe(metrics).startswith(f"{metrics['pairs_seen']:,} pairs in, ")
    assert cut in npmi.describe(metrics)
