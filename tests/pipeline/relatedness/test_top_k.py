"""What is kept of a matrix on disk: the closest words of each word, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from pipeline.relatedness.sparse import Sparse, read_sparse, symmetrize
from pipeline.relatedness.top_k import Cut, cut_sparse, write_closest, write_dense
from tests.support.matrices import Matrix, dense, npmis, random_npmi, sparse, vocabulary
from wordkin.errors import InputError
from wordkin.measures import open_measure, write_measure


def oracle(matrix: Matrix, top: int, absent: float) -> Matrix:
    """`matrix` where either word has the other among its `top` closest, zeros elsewhere."""
    kept = np.zeros(matrix.shape, bool)
    for word, row in enumerate(matrix):
        order = sorted(range(len(row)), key=lambda other: (-row[other], other))
        near = [other for other in order if other != word and row[other] != absent]
        kept[word, near[:top]] = True
    return np.where(kept | kept.T, matrix, 0)


def cut(matrix: Matrix, top: int, height: int, absent: float = 0.0) -> tuple[Cut, Sparse]:
    found = Cut(len(matrix), top, absent)
    for start in range(0, len(matrix), height):
        found.add(start, matrix[start : start + height])
    return found, found.close()


# Few different values, so that there are ties to decide.
coarse = npmis.map(lambda matrix: np.ceil(matrix * 4).astype(np.float32))


@settings(max_examples=60, deadline=None)
@given(coarse, st.integers(1, 45), st.integers(1, 45))
def test_a_pair_stays_that_is_among_the_closest_of_either_word(
    matrix: Matrix, top: int, height: int
) -> None:
    np.testing.assert_array_equal(dense(cut(matrix, top, height)[1]), oracle(matrix, top, 0.0))


@settings(max_examples=30, deadline=None)
@given(coarse, st.integers(1, 45))
def test_negative_values_are_kept_and_absent_ones_are_not(matrix: Matrix, top: int) -> None:
    # Values from -1.5 up, so that none is 0, which is what `dense` has where nothing is stored.
    shifted = np.where(matrix > 0, matrix - np.float32(2.5), -np.inf).astype(np.float32)
    np.testing.assert_array_equal(
        dense(cut(shifted, top, 7, absent=-np.inf)[1]), oracle(shifted, top, -np.inf)
    )


@settings(max_examples=30, deadline=None)
@given(npmis, st.integers(1, 45))
def test_metrics_tell_what_was_cut(matrix: Matrix, top: int) -> None:
    found, kept = cut(matrix, top, 8)
    metrics = found.metrics(kept.pairs)
    left = matrix[(matrix > 0) & (dense(kept) == 0)]
    assert metrics["words"] == len(matrix)
    assert metrics["pairs"] == np.count_nonzero(dense(kept)) / 2
    assert metrics["pairs_cut"] == len(left) / 2
    assert metrics["share_cut"] == pytest.approx(len(left) / max(np.count_nonzero(matrix), 1))
    if len(left):
        assert left.max() <= metrics["cut_at_most"] <= matrix.max()
    else:
        assert metrics["cut_at_most"] is None
    if (matrix > 0).any():
        values = matrix[matrix > 0]
        assert (metrics["lowest"], metrics["highest"]) == (values.min(), values.max())
        assert metrics["mean"] == pytest.approx(values.mean())


def test_a_sparse_matrix_is_cut_like_a_dense_one() -> None:
    matrix = random_npmi(50, 0.5, seed=2)
    kept, metrics = cut_sparse(sparse(matrix), 3)
    np.testing.assert_array_equal(dense(kept), oracle(matrix, 3, 0.0))
    assert metrics["pairs"] + metrics["pairs_cut"] == np.count_nonzero(matrix) / 2
    whole, metrics = cut_sparse(sparse(matrix), "all")
    np.testing.assert_array_equal(dense(whole), matrix)
    assert metrics["pairs_cut"] == 0


@settings(max_examples=30, deadline=None)
@given(npmis, st.integers(0, 10**6))
def test_closing_adds_what_only_one_direction_has(matrix: Matrix, seed: int) -> None:
    one_way = np.random.default_rng(seed).random(matrix.shape) < 0.5
    found = sparse(np.where(one_way, matrix, 0))
    closed = symmetrize(found.indptr, found.indices, found.values)
    np.testing.assert_array_equal(dense(closed), np.where(one_way | one_way.T, matrix, 0))
    for row in range(closed.words):
        columns = closed.indices[closed.indptr[row] : closed.indptr[row + 1]]
        assert (np.diff(columns) > 0).all()


@settings(max_examples=30, deadline=None)
@given(npmis)
def test_rows_of_a_sparse_matrix(matrix: Matrix) -> None:
    np.testing.assert_array_equal(sparse(matrix).dense(0, 1000), matrix)


def in_blocks(matrix: Matrix, height: int) -> Iterator[tuple[int, Matrix]]:
    return ((start, matrix[start : start + height]) for start in range(0, len(matrix), height))


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_all_of_a_matrix_goes_to_disk_in_blocks(tmp_path: Path, dtype: str) -> None:
    matrix = random_npmi(30, 0.5, seed=4)
    metrics = write_dense(tmp_path / "m", "m", in_blocks(matrix, 7), 30, np.dtype(dtype), 0.0)
    measure = open_measure(tmp_path / "m", vocabulary(30))
    np.testing.assert_array_equal(measure.rows(range(30)), matrix.astype(dtype))
    assert metrics["pairs"] == np.count_nonzero(matrix) / 2
    assert metrics["highest"] == matrix.max()


@settings(max_examples=20, deadline=None)
@given(npmis, st.integers(1, 10), st.integers(1, 45))
def test_what_is_cut_is_estimated_within_what_is_known(
    matrix: Matrix, top: int, height: int
) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        metrics = write_closest(place, "m", sparse(matrix), in_blocks(matrix, height), top, 0.0)
        answered = open_measure(place, vocabulary(len(matrix))).rows(range(len(matrix)))
    kept = oracle(matrix, top, 0.0) > 0
    np.testing.assert_array_equal(answered[kept], matrix[kept])
    np.testing.assert_allclose(answered, answered.T, atol=1e-5)
    assert answered.min() >= 0
    if metrics["pairs_cut"]:
        assert answered[~kept].max() <= metrics["cut_at_most"]


def test_blocks_and_threads_change_no_byte(tmp_path: Path) -> None:
    matrix = random_npmi(300, 0.3, seed=6)
    threads, found = numba.get_num_threads(), []
    try:
        for number in (1, threads):
            numba.set_num_threads(number)
            with threadpool_limits(number):
                write_closest(tmp_path, "m", sparse(matrix), in_blocks(matrix, 300), 5, 0.0)
            found.append({path.name: path.read_bytes() for path in sorted(tmp_path.iterdir())})
    finally:
        numba.set_num_threads(threads)
    assert "rest.npy" in found[0]
    assert found[0] == found[1]


def test_a_measure_that_is_not_sparse_is_refused(tmp_path: Path) -> None:
    write_measure(tmp_path / "npmi", "npmi", "dense", {"values": np.zeros((2, 2), np.float32)})
    with pytest.raises(InputError, match="is not sparse"):
        read_sparse(tmp_path / "npmi")
