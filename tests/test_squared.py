"""squared: all two-step paths, the same bytes whichever way they are added up."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from pipeline import squared
from pipeline.settings import Squared
from tests.matrices import Matrix, npmis, project, random_npmi, sparse, vocabulary
from wordkin.measures import open_measure

# Steps so cheap or so dear that one way is always taken.
ALONG_PAIRS, IN_TILES = 0, 10**9


def oracle(matrix: Matrix) -> NDArray[np.float64]:
    product = matrix.astype(np.float64) @ matrix.astype(np.float64)
    np.fill_diagonal(product, 0.0)
    return product


def square(matrix: Matrix, memory_mib: float = 1000) -> Matrix:
    blocks = squared.square(sparse(matrix), memory_mib)
    return np.concatenate([rows.copy() for _, rows in blocks])


@pytest.fixture(params=[ALONG_PAIRS, IN_TILES], ids=["along pairs", "in tiles"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either way to add up, with tiles small enough for several of them."""
    monkeypatch.setattr(squared, "STEP", request.param)
    monkeypatch.setattr(squared, "TILE", 16)


@settings(max_examples=40, deadline=None)
@given(npmis)
def test_it_is_the_plain_product_without_its_diagonal(matrix: Matrix) -> None:
    np.testing.assert_allclose(square(matrix), oracle(matrix), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("density", [0.01, 0.9])
def test_either_way_gives_the_product(way: None, density: float) -> None:
    matrix = random_npmi(100, density, seed=1)
    found = square(matrix)
    np.testing.assert_allclose(found, oracle(matrix), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found, found.T)


def test_less_memory_gives_the_same_bytes(way: None) -> None:
    matrix = random_npmi(100, 0.5, seed=2)
    for rows in (1, 16, 37, 99):
        less = rows * 100 * 4 / 2**20
        np.testing.assert_array_equal(square(matrix, less), square(matrix))


def test_threads_change_no_byte(way: None) -> None:
    matrix = random_npmi(100, 0.5, seed=3)
    threads = numba.get_num_threads()
    found = square(matrix)
    numba.set_num_threads(1)
    try:
        np.testing.assert_array_equal(square(matrix), found)
    finally:
        numba.set_num_threads(threads)


def test_the_stage_keeps_the_closest_and_estimates_the_rest(tmp_path: Path) -> None:
    matrix = random_npmi(60, 0.5, seed=4)
    layout = project(tmp_path, matrix)
    metrics = squared.run(layout, Squared(top=10, memory_mib=64))
    measure = open_measure(layout.measure("squared"), vocabulary(60))
    full, answered = oracle(matrix), measure.rows(range(60))
    cut = np.abs(answered - full) > 1e-4
    assert metrics["pairs_cut"] == pytest.approx(cut.sum() / 2, abs=2)
    # The estimates have the mean of what they stand for.
    assert answered[cut].mean() == pytest.approx(full[cut].mean(), rel=0.01)
    assert np.corrcoef(answered[cut], full[cut])[0, 1] > 0.3


def test_nothing_is_estimated_where_nothing_was_cut(tmp_path: Path) -> None:
    matrix = random_npmi(40, 0.05, seed=5)
    layout = project(tmp_path, matrix)
    assert squared.run(layout, Squared(top=40, memory_mib=64))["pairs_cut"] == 0
    measure = open_measure(layout.measure("squared"), vocabulary(40))
    np.testing.assert_allclose(measure.rows(range(40)), oracle(matrix), rtol=1e-5)


def test_all_of_it_is_kept_when_asked(tmp_path: Path) -> None:
    matrix = random_npmi(40, 0.5, seed=6)
    layout = project(tmp_path, matrix)
    metrics = squared.run(layout, Squared(top="all", memory_mib=64))
    measure = open_measure(layout.measure("squared"), vocabulary(40))
    np.testing.assert_allclose(measure.rows(range(40)), oracle(matrix), rtol=1e-5)
    assert metrics["highest"] == pytest.approx(oracle(matrix).max())
