"""Any measure as numbers whose products estimate it."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.measures.factors import Factors, factors_of, reduce, rotate
from tests.support.measures import WORDS, make_samples
from wordkin.measures.sparse import LowRank, SparseMeasure

SAMPLES = make_samples()


def estimate(factors: Factors) -> np.ndarray:
    return (factors.numbers * factors.signs) @ factors.numbers.T


@pytest.mark.parametrize("name", ["npmi", "squared", "graph", "filled", "human"])
def test_as_many_directions_as_words_give_the_matrix(name: str) -> None:
    measure = SAMPLES[name].measure
    rows = measure.rows(range(WORDS))
    np.testing.assert_allclose(estimate(factors_of(measure, WORDS)), rows, atol=2e-4)


def test_an_approximated_matrix_is_its_stored_pairs_and_the_approximation() -> None:
    rng = np.random.default_rng(2)
    rest = rng.standard_normal((WORDS, 2)).astype(np.float32)
    signs, bounds = np.array([1, -1], np.float32), np.full(WORDS, np.inf, np.float32)
    stored = SAMPLES["npmi"].measure
    assert isinstance(stored, SparseMeasure)
    arrays = (stored.indptr, stored.indices, stored.values)
    low_rank = LowRank(rest, signs, bounds, -np.inf)
    measure = SparseMeasure("m", stored.vocabulary, *arrays, 0.0, low_rank)
    rows = measure.rows(range(WORDS))
    off_diagonal = ~np.eye(WORDS, dtype=bool)
    products = estimate(factors_of(measure, WORDS))
    np.testing.assert_allclose(products[off_diagonal], rows[off_diagonal], atol=2e-4)


def test_vectors_are_factors_already() -> None:
    measure = SAMPLES["svd"].measure
    off_diagonal = ~np.eye(WORDS, dtype=bool)
    rows = measure.rows(range(WORDS))
    products = estimate(factors_of(measure, 3))
    np.testing.assert_allclose(products[off_diagonal], rows[off_diagonal], atol=1e-6)


def test_the_factors_of_a_blend_are_those_of_its_parts() -> None:
    measure = SAMPLES["blend"].measure
    off_diagonal = ~np.eye(WORDS, dtype=bool)
    rows = measure.rows(range(WORDS))
    products = estimate(factors_of(measure, WORDS))
    np.testing.assert_allclose(products[off_diagonal], rows[off_diagonal], atol=2e-4)


@pytest.mark.parametrize("rank", [1, 4, 12])
def test_reducing_keeps_the_best_approximation(rank: int) -> None:
    rng = np.random.default_rng(7)
    numbers = rng.standard_normal((40, 12)).astype(np.float32)
    numbers[:, 3] = numbers[:, 2]  # a direction that adds nothing
    factors = Factors(numbers, rng.choice([-1.0, 1.0], 12).astype(np.float32))
    matrix = estimate(factors).astype(np.float64)
    values, vectors = np.linalg.eigh(matrix)
    strongest = np.argsort(-np.abs(values))[:rank]
    best = (vectors[:, strongest] * values[strongest]) @ vectors[:, strongest].T
    reduced = reduce(factors, rank)
    assert reduced.numbers.shape == (40, rank)
    np.testing.assert_allclose(estimate(reduced), best, atol=1e-3)


def test_errors_of_important_words_count_more() -> None:
    rng = np.random.default_rng(8)
    factors = Factors(rng.standard_normal((40, 12)).astype(np.float32), np.ones(12, np.float32))
    importance = np.where(np.arange(40) < 10, 100.0, 1.0)
    matrix, weights = estimate(factors).astype(np.float64), np.sqrt(importance)
    values, vectors = np.linalg.eigh(matrix * np.outer(weights, weights))
    best = (vectors[:, -4:] * values[-4:]) @ vectors[:, -4:].T / np.outer(weights, weights)
    reduced = estimate(reduce(factors, 4, importance))
    np.testing.assert_allclose(reduced, best, atol=1e-3)
    plain = estimate(reduce(factors, 4))
    errors = [np.abs(found - matrix)[:10, :10].mean() for found in (reduced, plain)]
    assert errors[0] < 0.7 * errors[1]


def test_a_rotation_keeps_all_products_and_evens_out_the_directions() -> None:
    rng = np.random.default_rng(8)
    sizes = 4.0 ** -np.arange(8)
    numbers = (rng.standard_normal((500, 16)) * np.tile(sizes, 2)).astype(np.float32)
    factors = Factors(numbers, np.repeat(np.array([1, -1], np.float32), 8))
    rotated = rotate(factors)
    np.testing.assert_allclose(estimate(rotated), estimate(factors), atol=1e-5)
    before, after = (np.square(each.numbers).mean(axis=0) for each in (factors, rotated))
    assert before.max() / before.min() > 1e6
    assert after.max() / after.min() < 1e3
    alone = Factors(numbers[:, :1], np.ones(1, np.float32))
    np.testing.assert_allclose(np.abs(rotate(alone).numbers), np.abs(alone.numbers))
