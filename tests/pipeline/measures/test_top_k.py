"""The k closest words of each word, the figures of whole rows, and how matrices are stored."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.measures import sparse as sparse_module
from pipeline.measures.matrix_files import write_all_pairs, write_closest_pairs
from pipeline.measures.row_statistics import RowStatistics
from pipeline.measures.sparse import RowChunk, Sparse, place_of, read_sparse, symmetrize
from pipeline.measures.top_k import ClosestWords, closest_pairs, select_highest
from tests.support.examples import at_most
from tests.support.matrices import Matrix, dense, npmis, random_npmi, sparse, vocabulary
from wordkin.errors import InputError
from wordkin.measures.store import open_measure, write_measure


def oracle(matrix: Matrix, k: int, absent: float) -> Matrix:
    """`matrix` where either word has the other among its k closest, zeros elsewhere."""
    picked = np.zeros(matrix.shape, bool)
    for word, row in enumerate(matrix):
        order = sorted(range(len(row)), key=lambda other: (-row[other], other))
        related = [other for other in order if other != word and row[other] != absent]
        picked[word, related[:k]] = True
    return np.where(picked | picked.T, matrix, 0)


def in_chunks(matrix: Matrix, height: int) -> Iterator[RowChunk]:
    starts = range(0, len(matrix), height)
    return (RowChunk(start, matrix[start : start + height]) for start in starts)


def top_k(matrix: Matrix, k: int, height: int, absent: float = 0.0) -> tuple[ClosestWords, Sparse]:
    closest = ClosestWords(len(matrix), k, absent)
    for start, rows in in_chunks(matrix, height):
        closest.add(start, rows)
    return closest, closest.symmetrized()


# Few different values, so that there are ties to break.
coarse = npmis.map(lambda matrix: np.ceil(matrix * 4).astype(np.float32))


# Few different numbers, so that some are equal.
numbers = st.lists(st.integers(-20, 20), max_size=60)


@given(numbers.filter(len), st.data())
def test_selecting_equals_sorting(values: list[int], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(values)))
    assert select_highest(np.array(values, np.float32), k) == sorted(values)[-k]


@given(numbers.map(sorted), st.integers(-25, 25))
def test_the_place_of_a_number_is_that_of_a_plain_search(values: list[int], number: int) -> None:
    assert place_of(number, np.array(values, np.int32)) == bisect_left(values, number)


@pytest.mark.slow
@settings(max_examples=at_most(60))
@given(coarse, st.integers(1, 45), st.integers(1, 45))
def test_a_pair_stays_if_either_word_is_among_the_closest_of_the_other(
    matrix: Matrix, k: int, height: int
) -> None:
    np.testing.assert_array_equal(dense(top_k(matrix, k, height)[1]), oracle(matrix, k, 0.0))


@settings(max_examples=at_most(30))
@given(coarse, st.integers(1, 45))
def test_negative_values_are_picked_and_absent_ones_are_not(matrix: Matrix, k: int) -> None:
    # Values from -1.5 up, none of them 0, which `dense` has where nothing is stored.
    shifted = np.where(matrix > 0, matrix - np.float32(2.5), -np.inf).astype(np.float32)
    np.testing.assert_array_equal(
        dense(top_k(shifted, k, 7, absent=-np.inf)[1]), oracle(shifted, k, -np.inf)
    )


@settings(max_examples=at_most(30))
@given(npmis, st.sampled_from([0.0, -np.inf]), st.integers(1, 45))
def test_statistics_are_those_of_the_related_words(
    matrix: Matrix, absent: float, height: int
) -> None:
    matrix = np.where(matrix > 0, matrix, absent).astype(np.float32)
    statistics = RowStatistics(len(matrix), absent)
    for start, rows in in_chunks(matrix, height):
        statistics.add(start, rows)
    for word, row in enumerate(matrix):
        related = np.delete(row, word)
        related = related[related != absent]
        assert statistics.related[word] == len(related)
        assert statistics.sums[word] == pytest.approx(related.sum(dtype=np.float64))
        assert statistics.lowest[word] == related.min(initial=np.inf)
        assert statistics.highest[word] == related.max(initial=-np.inf)
    values = matrix[(matrix != absent) & ~np.eye(len(matrix), dtype=bool)]
    assert statistics.pairs == len(values) / 2
    lowest = float(values.min()) if len(values) else 0.0
    assert statistics.fill == (0.0 if absent == 0.0 else lowest)


@settings(max_examples=at_most(30))
@given(npmis, st.integers(1, 45))
def test_metrics_say_what_was_cut(matrix: Matrix, k: int) -> None:
    closest, stored = top_k(matrix, k, 8)
    metrics = closest.metrics(stored.pairs)
    cut = matrix[(matrix > 0) & (dense(stored) == 0)]
    assert metrics["words"] == len(matrix)
    assert metrics["pairs"] == np.count_nonzero(dense(stored)) / 2
    assert metrics["pairs_cut"] == len(cut) / 2
    assert metrics["share_cut"] == pytest.approx(len(cut) / max(np.count_nonzero(matrix), 1))
    if len(cut):
        assert cut.max() <= metrics["cut_at_most"] <= matrix.max()
    else:
        assert metrics["cut_at_most"] is None
    if (matrix > 0).any():
        values = matrix[matrix > 0]
        assert (metrics["lowest"], metrics["highest"]) == (values.min(), values.max())
        assert metrics["mean"] == pytest.approx(values.mean())


def test_a_sparse_matrix_is_cut_like_a_dense_one() -> None:
    matrix = random_npmi(50, 0.5, seed=2)
    stored, metrics = closest_pairs(sparse(matrix), 3)
    np.testing.assert_array_equal(dense(stored), oracle(matrix, 3, 0.0))
    assert metrics["pairs"] + metrics["pairs_cut"] == np.count_nonzero(matrix) / 2
    whole, metrics = closest_pairs(sparse(matrix), "all")
    np.testing.assert_array_equal(dense(whole), matrix)
    assert metrics["pairs_cut"] == 0
    assert metrics["cut_at_most"] is None


@settings(max_examples=at_most(30))
@given(npmis, st.integers(0, 10**6))
def test_symmetrizing_adds_the_pairs_of_the_other_triangle(matrix: Matrix, seed: int) -> None:
    one_way = np.random.default_rng(seed).random(matrix.shape) < 0.5
    half = sparse(np.where(one_way, matrix, 0))
    both = symmetrize(half.indptr, half.indices, half.values)
    np.testing.assert_array_equal(dense(both), np.where(one_way | one_way.T, matrix, 0))
    for row in range(both.words):
        columns = both.indices[both.indptr[row] : both.indptr[row + 1]]
        assert (np.diff(columns) > 0).all()


@settings(max_examples=at_most(30))
@given(npmis, st.integers(0, 40), st.integers(0, 40))
def test_rows_of_a_sparse_matrix_are_those_of_the_dense_one(
    matrix: Matrix, start: int, stop: int
) -> None:
    start = min(start, len(matrix))
    stop = max(start, stop)
    np.testing.assert_array_equal(sparse(matrix).dense(start, stop), matrix[start:stop])


@settings(max_examples=at_most(30))
@given(npmis, st.integers(1, 9), st.integers(0, 10**6))
def test_the_product_with_a_sparse_matrix_is_that_with_the_dense_one(
    matrix: Matrix, width: int, seed: int
) -> None:
    columns = np.random.default_rng(seed).standard_normal((len(matrix), width)).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in {"ROWS": 8, "TILE": 16, "PANEL": 4}.items():
            patch.setattr(sparse_module, name, size)
        product = sparse(matrix).times(columns)
        later = sparse(matrix).times_panel(columns, first=1, tiles=1)
    np.testing.assert_allclose(product, matrix @ columns, atol=1e-4)
    np.testing.assert_allclose(later, matrix[1:, :16] @ columns[:16], atol=1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_whole_matrix_is_written_in_chunks(tmp_path: Path, dtype: str) -> None:
    matrix = random_npmi(30, 0.5, seed=4)
    metrics = write_all_pairs(tmp_path / "m", "m", in_chunks(matrix, 7), 30, np.dtype(dtype), 0.0)
    measure = open_measure(tmp_path / "m", vocabulary(30))
    np.testing.assert_array_equal(measure.rows(range(30)), matrix.astype(dtype))
    assert metrics["pairs"] == np.count_nonzero(matrix) / 2
    assert metrics["pairs_cut"] == 0
    assert metrics["highest"] == matrix.max()


@pytest.mark.slow
@settings(max_examples=20)
@given(npmis, st.integers(1, 10), st.integers(1, 45))
def test_pairs_that_were_cut_are_approximated_within_the_known_bounds(
    matrix: Matrix, k: int, height: int
) -> None:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        chunks = in_chunks(matrix, height)
        metrics = write_closest_pairs(folder, "m", sparse(matrix), chunks, k, 0.0)
        answered = open_measure(folder, vocabulary(len(matrix))).rows(range(len(matrix)))
    stored = oracle(matrix, k, 0.0) > 0
    np.testing.assert_array_equal(answered[stored], matrix[stored])
    np.testing.assert_allclose(answered, answered.T, atol=1e-5)
    assert answered.min() >= 0
    if metrics["pairs_cut"]:
        assert answered[~stored].max() <= metrics["cut_at_most"]


def test_a_measure_that_is_not_sparse_is_refused(tmp_path: Path) -> None:
    write_measure(tmp_path / "npmi", "npmi", "dense", {"values": np.zeros((2, 2), np.float32)})
    with pytest.raises(InputError, match="is not sparse"):
        read_sparse(tmp_path / "npmi")
