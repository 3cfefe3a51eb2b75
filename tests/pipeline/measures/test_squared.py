"""squared: the product of the rows of npmi, each cut to its closest words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pipeline.measures import squared
from pipeline.measures.squared import Squared
from tests.support.examples import at_most
from tests.support.matrices import Matrix, npmis, npmis_with_ties, project, random_npmi, vocabulary
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure


def oracle(npmi: Matrix, neighbours: int) -> NDArray[np.float64]:
    """S·Sᵀ with a zero diagonal, by its definition."""
    cut = np.zeros(npmi.shape)
    for word, row in enumerate(npmi):
        least = np.sort(row)[::-1][: neighbours or len(row)][-1]
        cut[word] = np.where(row >= least, row, 0)
    product = cut @ cut.T
    np.fill_diagonal(product, 0)
    return product


def made(folder: Path, npmi: Matrix, neighbours: int | str) -> Measure:
    layout = project(folder, npmi)
    squared.make_squared(layout, Squared(neighbours=neighbours))
    return open_measure(layout.measure("squared"), vocabulary(len(npmi)))


@settings(max_examples=at_most(40), deadline=None)
@given(npmis | npmis_with_ties, st.integers(1, 45))
def test_rows_and_pairs_are_the_definition(
    tmp_path_factory: pytest.TempPathFactory, npmi: Matrix, neighbours: int
) -> None:
    measure = made(tmp_path_factory.mktemp("squared"), npmi, neighbours)
    words = len(npmi)
    expected = oracle(npmi, neighbours)
    rows = measure.rows(range(words))
    np.testing.assert_allclose(rows, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(rows, rows.T)  # to the bit
    a, b = np.indices(npmi.shape).reshape(2, -1)
    np.testing.assert_allclose(measure.pairs(a, b), expected.ravel(), rtol=1e-5, atol=1e-6)


def test_all_neighbours_give_the_square_of_the_matrix(tmp_path: Path) -> None:
    npmi = random_npmi(300, 0.3, seed=3)
    expected = (csr_array(npmi) @ csr_array(npmi)).toarray()
    np.fill_diagonal(expected, 0)
    measure = made(tmp_path, npmi, "all")
    np.testing.assert_allclose(measure.rows(range(300)), expected, rtol=1e-5)


def test_only_pairs_that_either_row_keeps_are_stored(tmp_path: Path) -> None:
    npmi = random_npmi(60, 0.9, seed=4)
    layout = project(tmp_path, npmi)
    metrics = squared.make_squared(layout, Squared(neighbours=5))
    ranks = (-npmi).argsort(axis=1).argsort(axis=1)
    kept = (np.minimum(ranks, ranks.T) < 5) & (npmi > 0)
    assert metrics["pairs"] == kept.sum() // 2
    assert metrics["pairs_cut"] == np.count_nonzero(npmi) // 2 - metrics["pairs"]
    assert f"{metrics['pairs']:,} pairs of 60 words out" in squared.describe(metrics)
