"""Sparse products, cuts, eigenvectors and estimates, each beside what it has to equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.measures import sparse as sparse_module
from pipeline.measures.low_rank import (
    Estimate,
    estimate_from_rows,
    leading_eigenvectors,
    reduce,
)
from pipeline.measures.sparse import Sparse, symmetrize
from pipeline.measures.top_k import cut, select_highest
from tests.support.examples import at_most
from tests.support.matrices import Matrix, dense, npmis, npmis_with_ties, random_npmi, sparse


def products(estimate: Estimate) -> Matrix:
    return (estimate.vectors * estimate.weights) @ estimate.vectors.T


@pytest.mark.parametrize("words", [5, 70, 200])
def test_products_with_columns_are_those_of_numpy(
    monkeypatch: pytest.MonkeyPatch, words: int
) -> None:
    monkeypatch.setattr(sparse_module, "TILE", 64)
    monkeypatch.setattr(sparse_module, "ROWS", 32)
    monkeypatch.setattr(sparse_module, "PANEL", 24)
    matrix = random_npmi(words, 0.4, seed=1)
    columns = np.random.default_rng(0).standard_normal((words, 50)).astype(np.float32)
    np.testing.assert_allclose(sparse(matrix).times(columns), matrix @ columns, atol=1e-3)


@settings(max_examples=at_most(40), deadline=None)
@given(npmis | npmis_with_ties, st.integers(1, 45))
def test_a_cut_keeps_the_closest_words_of_either_word(matrix: Matrix, k: int) -> None:
    stored, bounds = cut(sparse(matrix), k)
    least = np.array([np.sort(row[row > 0])[::-1][: k + 1] for row in matrix], dtype=object)
    for word, row in enumerate(least):
        assert bounds[word] == (row[k - 1] if len(row) > k else np.inf)
    limits = np.where(np.isinf(bounds), 0, bounds)
    kept = (matrix > 0) & (matrix >= np.minimum(limits[:, None], limits))
    np.testing.assert_array_equal(dense(stored), np.where(kept, matrix, 0))


def test_a_cut_may_keep_another_number_for_each_word() -> None:
    matrix = random_npmi(30, 0.9, seed=2)
    each = np.arange(1, 31)
    _, bounds = cut(sparse(matrix), each)
    for word, k in enumerate(each.tolist()):
        values = np.sort(matrix[word][matrix[word] > 0])[::-1]
        assert bounds[word] == (values[k - 1] if len(values) > k else np.inf)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.data())
def test_the_kth_highest_is_that_of_sorting(numbers: list[int], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(numbers)))
    assert select_highest(np.array(numbers, np.float32), k) == sorted(numbers)[-k]


@settings(max_examples=at_most(40), deadline=None)
@given(npmis, st.integers(0, 10**6))
def test_the_union_with_the_transpose_has_each_value_once(matrix: Matrix, seed: int) -> None:
    whole = sparse(matrix)
    chosen = np.random.default_rng(seed).random(len(whole.values)) < 0.5
    half = whole.keep(chosen)
    values = half.values - np.float32(0.5)  # negative values, and zeros
    both = symmetrize(half.indptr, half.indices, values)
    one_way = dense(Sparse(half.indptr, half.indices, np.ones_like(values))) > 0
    kept = one_way | one_way.T
    assert len(both.values) == kept.sum()
    np.testing.assert_array_equal(both.values, (matrix - np.float32(0.5))[kept])


@pytest.mark.parametrize("words", [12, 70, 400])
def test_leading_eigenvectors_are_those_of_numpy(words: int) -> None:
    features = np.random.default_rng(9).standard_normal((words, 20))
    matrix = (features @ features.T / 100).astype(np.float32)
    values, vectors = leading_eigenvectors(lambda columns: matrix @ columns, words, 10)
    exact = np.linalg.eigvalsh(matrix.astype(np.float64))[::-1][:10]
    np.testing.assert_allclose(values, exact, rtol=1e-3)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(10), atol=1e-4)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-2)


def test_a_matrix_of_few_directions_follows_from_some_of_its_rows() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((200, 6)).astype(np.float32)
    matrix = (vectors * np.array([3, 2, 1, -1, -1, 1], np.float32)) @ vectors.T
    sample = np.arange(0, 200, 5)
    estimate = estimate_from_rows(matrix[sample], sample, 10)
    np.testing.assert_allclose(products(estimate), matrix, atol=1e-2)


def test_fewer_directions_are_the_best_for_important_words() -> None:
    rng = np.random.default_rng(4)
    vectors = rng.standard_normal((150, 20)).astype(np.float32)
    whole = Estimate(vectors, np.where(np.arange(20) < 15, 1, -1).astype(np.float32))
    importance = np.where(np.arange(150) < 30, 100.0, 1.0)
    np.testing.assert_allclose(products(reduce(whole, 20, importance)), products(whole), atol=1e-2)
    few, even = (reduce(whole, 8, weights) for weights in (importance, np.ones(150)))
    errors = [np.square(products(one) - products(whole)) for one in (few, even)]
    assert errors[0][:30, :30].sum() < errors[1][:30, :30].sum()
    assert errors[0].sum() > errors[1].sum()
    best = np.sort(np.abs(np.linalg.eigvalsh(products(whole).astype(np.float64))))[::-1]
    assert errors[1].sum() == pytest.approx(np.square(best[8:]).sum(), rel=1e-3)
