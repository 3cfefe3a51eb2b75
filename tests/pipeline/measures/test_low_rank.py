"""The low-rank approximation: the projection of a matrix onto a few directions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.measures.low_rank import Projection, directions
from tests.support.examples import at_most
from tests.support.matrices import Matrix, npmis, random_npmi, sparse


def approximation(npmi: Matrix, matrix: Matrix, rank: int, height: int) -> Matrix:
    """The matrix that comes back when rows come in chunks of this height."""
    projection = Projection(sparse(npmi), rank)
    for start in range(0, len(matrix), height):
        projection.add(start, matrix[start : start + height])
    numbers, signs = projection.factors()
    return (numbers * signs) @ numbers.T


@settings(max_examples=at_most(30))
@given(npmis, st.integers(1, 12), st.integers(1, 45))
def test_it_is_the_projection_onto_the_directions(npmi: Matrix, rank: int, height: int) -> None:
    matrix = npmi @ npmi
    columns = directions(sparse(npmi), rank).astype(np.float64)
    projector = columns @ columns.T
    expected = projector @ matrix @ projector
    np.testing.assert_allclose(approximation(npmi, matrix, rank, height), expected, atol=1e-3)


@settings(max_examples=at_most(30))
@given(npmis)
def test_the_projection_of_the_square_needs_no_square(npmi: Matrix) -> None:
    matrix = npmi @ npmi
    np.fill_diagonal(matrix, 0.0)
    whole = Projection(sparse(npmi))
    whole.add(0, matrix)
    np.testing.assert_allclose(Projection.of_square(sparse(npmi)).inner, whole.inner, atol=1e-3)


def test_a_sample_of_rows_gives_a_matrix_of_low_rank_back() -> None:
    npmi = random_npmi(200, 0.5, seed=2)
    columns = directions(sparse(npmi), 12)
    inner = np.random.default_rng(3).standard_normal((12, 12)).astype(np.float32)
    matrix = columns @ (inner + inner.T) @ columns.T
    projection, words = Projection(sparse(npmi), 12), np.arange(3, 200, 5)
    projection.fit(words, projection.image(matrix[words]))
    numbers, signs = projection.factors()
    np.testing.assert_allclose((numbers * signs) @ numbers.T, matrix, atol=1e-4)


@settings(max_examples=at_most(30))
@given(npmis, st.integers(1, 12))
def test_directions_are_orthonormal_and_span_the_constant_one(npmi: Matrix, rank: int) -> None:
    columns = directions(sparse(npmi), rank)
    size = min(rank, len(npmi))
    np.testing.assert_allclose(columns.T @ columns, np.eye(size), atol=1e-4)
    ones = np.ones(len(npmi))
    np.testing.assert_allclose(columns @ (columns.T @ ones), ones, atol=1e-3)


def test_as_many_directions_as_words_lose_nothing() -> None:
    npmi = random_npmi(30, 0.5, seed=1)
    matrix = npmi @ npmi
    np.testing.assert_allclose(approximation(npmi, matrix, 30, 8), matrix, atol=1e-4)
