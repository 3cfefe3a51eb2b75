"""What is particular to one kind of measure; `test_contract` checks what all have in common."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import at_most
from tests.support.matrices import Matrix, npmis, random_npmi, sparse, vocabulary
from wordkin.errors import InputError
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.dense import DenseMeasure
from wordkin.measures.measure import Spread, spread
from wordkin.measures.parts import Term
from wordkin.measures.sparse import LowRank, SparseMeasure
from wordkin.measures.vectors import VectorMeasure


def sparse_measure(
    matrix: Matrix, fill: float = 0.0, low_rank: LowRank | None = None
) -> SparseMeasure:
    arrays = sparse(matrix)
    words = vocabulary(len(matrix))
    return SparseMeasure("m", words, arrays.indptr, arrays.indices, arrays.values, fill, low_rank)


@settings(max_examples=at_most(60), deadline=None)
@given(npmis, st.integers(0, 10**6))
def test_sparse_pairs_are_found_where_they_are_stored(matrix: Matrix, seed: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, len(matrix), (2, 100))
    values = sparse_measure(matrix, fill=-1.0).pairs(a, b)
    expected = np.where(matrix[a, b] > 0, matrix[a, b], -1.0)
    np.testing.assert_array_equal(values, np.where(a == b, 0.0, expected))


def test_pairs_that_are_not_stored_are_approximated_within_bounds() -> None:
    rest, signs = np.array([[1, 0], [2, 1], [3, 1], [-9, 0]]), np.array([1, -1])
    bounds = np.array([np.inf, 4, 9, 9])
    low_rank = LowRank(*(a.astype(np.float32) for a in (rest, signs, bounds)), floor=-7.0)
    matrix = np.zeros((4, 4), np.float32)
    matrix[0, 1] = matrix[1, 0] = 8
    measure = sparse_measure(matrix, low_rank=low_rank)
    # Word 2 with 0: 1 * 3 - 0 * 1 is within bounds. With 1: 2 * 3 - 1 * 1 is above the bound of
    # word 1. With 3: 3 * -9 is below the floor.
    assert measure.row("2").tolist() == [3, 4, 0, -7]
    assert measure.relatedness("0", "1") == 8


def test_ids_outside_the_vocabulary_are_refused_when_they_are_used() -> None:
    arrays = sparse(random_npmi(5, 0.9, seed=1))
    indices = arrays.indices.copy()
    indices[-1] = 70
    measure = SparseMeasure("m", vocabulary(5), arrays.indptr, indices, arrays.values)
    with pytest.raises(InputError, match="'m' name words outside the vocabulary"):
        measure.rows([4])
    with pytest.raises(InputError, match="'m' name words outside the vocabulary"):
        measure.neighbours(4)


def test_a_dense_measure_fills_pairs_without_relation() -> None:
    values = np.array([[0, -np.inf], [-np.inf, 0]], np.float16)
    measure = DenseMeasure("d", vocabulary(2), values, fill=-2.0)
    assert measure.relatedness("0", "1") == -2.0
    assert measure.rows([0, 1]).tolist() == [[0, -2], [-2, 0]]


def test_vectors_give_the_cosine() -> None:
    vectors = np.array([[1, 0], [0.6, 0.8], [-1, 0]], np.float32)
    measure = VectorMeasure("v", vocabulary(3), vectors)
    assert measure.row("0").tolist() == pytest.approx([0, 0.6, -1])
    assert measure.storage.form == "vectors of 2"


def test_a_blend_is_the_weighted_mean_of_standardised_measures() -> None:
    words = vocabulary(3)
    first = DenseMeasure("a", words, np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]], np.float32))
    second = DenseMeasure("b", words, np.array([[0, 10, 0], [10, 0, 0], [0, 0, 0]], np.float32))
    terms = [Term("a", 3.0, 2.0, 0.5), Term("b", 1.0, 5.0, 5.0)]
    blend = BlendMeasure("blend", words, terms, [first, second])
    assert blend.relatedness("0", "1") == pytest.approx((3 * (1 - 2) / 0.5 + (10 - 5) / 5) / 4)
    assert blend.relatedness("1", "2") == pytest.approx((3 * (3 - 2) / 0.5 + (0 - 5) / 5) / 4)


def test_the_spread_of_a_measure_is_that_of_its_pairs() -> None:
    matrix = random_npmi(40, 0.5, seed=3)
    others = matrix[~np.eye(40, dtype=bool)]
    measured = spread(sparse_measure(matrix))
    assert measured.mean == pytest.approx(others.mean(), abs=0.01)
    assert measured.deviation == pytest.approx(others.std(), abs=0.01)
    assert spread(sparse_measure(matrix), seed=0) == measured
    assert spread(sparse_measure(matrix), seed=1) != measured


@pytest.mark.parametrize("words", [1, 5])
def test_the_deviation_of_a_constant_measure_is_1_so_that_it_can_be_divided_by(words: int) -> None:
    assert spread(sparse_measure(np.zeros((words, words), np.float32))) == Spread(0.0, 1.0)
