"""squared: the sum over all two-step paths, computed in either of two ways."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pipeline.measures import low_rank, squared
from pipeline.measures import sparse as sparse_module
from pipeline.settings import Squared, Store
from tests.support.corpora import files
from tests.support.examples import at_most
from tests.support.matrices import Matrix, npmis, project, random_npmi, sparse, vocabulary
from wordkin.measures.dense import DenseMeasure
from wordkin.measures.sparse import SparseMeasure
from wordkin.measures.store import describe, open_measure

# Values of STEP with which one of the two ways is always taken, or both.
ALONG_PAIRS, BOTH, IN_PANELS = 0, 10, 10**9


def oracle(matrix: Matrix) -> NDArray[np.float64]:
    product = matrix.astype(np.float64) @ matrix.astype(np.float64)
    np.fill_diagonal(product, 0.0)
    return product


def plain_sums(matrix: Matrix) -> Matrix:
    """The product in single precision, one middle word after the other: what every way adds up."""
    product = np.zeros_like(matrix)
    for middle in matrix:
        product += np.outer(middle, middle)
    np.fill_diagonal(product, 0.0)
    return product


def falling(density: float, seed: int) -> Matrix:
    """A matrix in which later words have fewer neighbours, as in text, so that ways are mixed."""
    shares = np.linspace(1, 0, 100) ** 2
    matrix = random_npmi(100, density, seed)
    matrix[np.random.default_rng(4).random((100, 100)) > np.sqrt(np.outer(shares, shares))] = 0
    return np.minimum(matrix, matrix.T)


def square(matrix: Matrix, memory_mib: float = 1000) -> Matrix:
    chunks = squared.square(sparse(matrix), memory_mib)
    return np.concatenate([chunk.rows.copy() for chunk in chunks])


@pytest.fixture(params=[ALONG_PAIRS, BOTH, IN_PANELS], ids=["pairs", "both", "panels"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A way to compute the matrix, with small strips, panels and tiles: there are several."""
    monkeypatch.setattr(squared, "STEP", request.param)
    monkeypatch.setattr(squared, "PANEL", 12)
    for module in (squared, sparse_module):
        monkeypatch.setattr(module, "ROWS", 32)
        monkeypatch.setattr(module, "TILE", 16)


@settings(max_examples=at_most(40), deadline=None)
@given(npmis)
def test_it_is_the_plain_product_without_its_diagonal(matrix: Matrix) -> None:
    np.testing.assert_allclose(square(matrix), oracle(matrix), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("density", [0.01, 0.3, 0.9])
def test_every_way_adds_up_the_same_sums(way: None, density: float) -> None:
    matrix = falling(density, seed=3)
    values = square(matrix)
    np.testing.assert_array_equal(values, plain_sums(matrix))
    np.testing.assert_array_equal(values, values.T)
    strips = np.concatenate([chunk.rows.copy() for chunk in squared.upper_rows(sparse(matrix))])
    np.testing.assert_array_equal(np.triu(strips, 1), np.triu(values, 1))


def test_panels_are_used_for_frequent_middle_words_and_pairs_for_rare_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (squared, sparse_module):
        monkeypatch.setattr(module, "TILE", 16)
    matrix, tiles = sparse(falling(0.9, seed=3)), []
    for step in (ALONG_PAIRS, BOTH, IN_PANELS):
        monkeypatch.setattr(squared, "STEP", step)
        tiles.append(squared._panel_tiles(matrix, 32, 32, first=32))
    assert tiles[0] == 0 < tiles[1] < tiles[2] <= 7


@settings(max_examples=at_most(40), deadline=None)
@given(npmis, st.integers(1, 45))
def test_the_closest_words_are_those_of_the_plain_product(matrix: Matrix, k: int) -> None:
    full = oracle(matrix)
    with TemporaryDirectory() as temporary:
        layout = project(Path(temporary), matrix)
        squared.make_squared(layout, Squared(top=k, store="sparse"))
        measure = open_measure(layout.measure("squared"), vocabulary(len(matrix)))
        assert isinstance(measure, SparseMeasure)
        stored = np.zeros(matrix.shape, bool)
        stored[np.repeat(np.arange(len(matrix)), np.diff(measure.indptr)), measure.indices] = True
        answered = measure.rows(range(len(matrix)))
    np.testing.assert_array_equal(stored, stored.T)
    np.testing.assert_allclose(answered[stored], full[stored], rtol=1e-5)
    for word, row in enumerate(full):
        related = np.sort(row[row > 0])[::-1]
        assert stored[word].sum() >= min(k, len(related))
        if len(related) > k:
            # Sums of float32 may exchange values that are almost equal.
            assert stored[word][row > related[k - 1] * (1 + 1e-5)].all()
        else:
            assert stored[word][row > 0].all()


@pytest.mark.slow
def test_less_memory_gives_the_same_bytes(way: None) -> None:
    matrix = random_npmi(100, 0.5, seed=2)
    for rows in (1, 16, 37, 99):
        less = rows * 100 * 4 / 2**20
        np.testing.assert_array_equal(square(matrix, less), square(matrix))


def test_the_stage_stores_the_closest_pairs_and_approximates_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(low_rank, "RANK", 20)
    matrix = random_npmi(200, 0.5, seed=4) * np.linspace(0.2, 1, 200, dtype=np.float32)
    matrix = np.minimum(matrix, matrix.T)
    layout = project(tmp_path, matrix)
    metrics = squared.make_squared(layout, Squared(top=20, store="sparse", memory_mib=64))
    measure = open_measure(layout.measure("squared"), vocabulary(200))
    assert isinstance(measure, SparseMeasure)
    full, answered = oracle(matrix), measure.rows(range(200))
    stored = np.eye(200, dtype=bool)
    stored[np.repeat(np.arange(200), np.diff(measure.indptr)), measure.indices] = True
    np.testing.assert_allclose(answered[stored], full[stored], rtol=1e-5)
    assert metrics["pairs_cut"] == (~stored).sum() // 2 > 0
    correlation = np.corrcoef(answered[~stored], full[~stored])[0, 1]
    assert correlation > 0.8  # a tenth of the directions of a matrix without structure
    assert 0 <= answered[~stored].min() <= answered[~stored].max() <= metrics["cut_at_most"]


def test_what_is_written_does_not_depend_on_memory(
    way: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(low_rank, "ROWS_PER_PRODUCT", 16)
    layout, written = project(tmp_path, random_npmi(100, 0.5, seed=7)), []
    for memory in (0, 64):
        squared.make_squared(layout, Squared(top=5, store="sparse", memory_mib=memory))
        written.append(files(layout.measure("squared")))
    assert "rest.npy" in written[0]
    assert written[0] == written[1]


def test_nothing_is_approximated_where_nothing_was_cut(tmp_path: Path) -> None:
    matrix = random_npmi(40, 0.05, seed=5)
    layout = project(tmp_path, matrix)
    metrics = squared.make_squared(layout, Squared(top=38, store="sparse", memory_mib=64))
    assert metrics["pairs_cut"] == 0
    assert "rest" not in describe(layout.measure("squared"))["arrays"]
    measure = open_measure(layout.measure("squared"), vocabulary(40))
    np.testing.assert_allclose(measure.rows(range(40)), oracle(matrix), rtol=1e-5)


@pytest.mark.parametrize(
    ("store", "precision"), [("sparse", 1e-5), ("float32", 1e-5), ("float16", 1e-3)]
)
def test_all_pairs_are_stored_when_asked(tmp_path: Path, store: Store, precision: float) -> None:
    matrix = random_npmi(40, 0.5, seed=6)
    layout = project(tmp_path, matrix)
    metrics = squared.make_squared(layout, Squared(top="all", store=store, memory_mib=64))
    measure = open_measure(layout.measure("squared"), vocabulary(40))
    assert isinstance(measure, SparseMeasure if store == "sparse" else DenseMeasure)
    assert measure.values.dtype == ("float32" if store == "sparse" else store)
    assert isinstance(measure.values, np.memmap)
    np.testing.assert_allclose(measure.rows(range(40)), oracle(matrix), rtol=precision)
    assert metrics["highest"] == pytest.approx(oracle(matrix).max())
    assert metrics["pairs_cut"] == 0
