"""Numbers in few bits, decoded again by the library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.relatedness.factors import Factors
from pipeline.relatedness.quantization import choose_levels, encode_numbers, encode_pairs
from tests.support.matrices import sparse
from wordkin.measures import compact
from wordkin.measures.compact import LEVELS, Codes, StoredPairs, code_bytes

FLOATS = st.floats(-100, 100, width=32)


def random_factors(words: int, directions: int, seed: int = 0) -> Factors:
    rng = np.random.default_rng(seed)
    sizes = np.geomspace(10, 0.01, directions)
    numbers = (rng.standard_normal((words, directions)) * sizes).astype(np.float32)
    return Factors(numbers, rng.choice([-1.0, 1.0], directions).astype(np.float32))


@pytest.mark.parametrize(("bits", "error"), [(8, 0.02), (6, 0.08), (4, 0.25)])
@pytest.mark.parametrize("directions", [1, 6, 7])
def test_decoded_numbers_are_close_to_the_original_ones(
    bits: int, error: float, directions: int
) -> None:
    factors = random_factors(60, directions)
    codes = Codes(**encode_numbers(factors, bits))
    assert codes.bits == bits
    assert codes.codes.nbytes == 60 * code_bytes(directions, bits)
    sizes = np.sqrt(np.abs(codes.weights))
    np.testing.assert_array_equal(np.sign(codes.weights), factors.signs)
    # Weak directions are as precise as strong ones, relative to their size.
    difference = np.abs(codes.numbers() * sizes - factors.numbers) / sizes
    assert np.sqrt(np.square(difference).mean()) < error


@pytest.mark.parametrize("bits", [8, 6, 4])
def test_a_word_keeps_the_length_of_its_numbers(bits: int) -> None:
    factors = random_factors(60, 9)
    codes = Codes(**encode_numbers(factors, bits))
    decoded = codes.numbers() * np.sqrt(np.abs(codes.weights))
    lengths = np.linalg.norm(factors.numbers, axis=1)
    np.testing.assert_allclose(np.linalg.norm(decoded, axis=1), lengths, rtol=1e-5)


def test_a_word_without_numbers_stays_without() -> None:
    numbers = random_factors(5, 4).numbers
    numbers[2] = 0
    codes = Codes(**encode_numbers(Factors(numbers, np.ones(4, np.float32)), 4))
    assert not codes.numbers()[2].any()
    assert codes.numbers(np.array([1, 2, 1])).shape == (3, 4)


@given(st.lists(FLOATS, min_size=1, max_size=LEVELS))
def test_few_values_are_their_own_levels(values: list[float]) -> None:
    levels = choose_levels(np.array(values, np.float32))
    assert len(levels) == LEVELS
    assert set(levels.tolist()) == set(np.array(values, np.float32).tolist())
    assert (np.diff(levels) >= 0).all()


def test_few_levels_are_the_means_of_the_values_that_are_nearest_to_them() -> None:
    values = np.random.default_rng(0).exponential(1.0, 20_000).astype(np.float32)
    levels = choose_levels(values, 8)
    nearest = np.abs(values[:, None] - levels).argmin(axis=1)
    means = [values[nearest == level].mean() for level in range(8)]
    np.testing.assert_allclose(levels, means, rtol=0.05)


def test_levels_follow_the_density_of_the_values() -> None:
    values = np.random.default_rng(0).exponential(1.0, 20_000).astype(np.float32)
    levels = choose_levels(values)
    nearest = levels[np.abs(values[:, None] - levels).argmin(axis=1)]
    uniform = np.linspace(values.min(), values.max(), LEVELS, dtype=np.float32)
    plain = uniform[np.abs(values[:, None] - uniform).argmin(axis=1)]
    assert np.square(values - nearest).mean() < 0.5 * np.square(values - plain).mean()


@pytest.mark.parametrize("block", [4, 16, 1 << 16])
def test_pairs_are_found_again_in_blocks_of_any_size(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("wordkin.measures.compact", "pipeline.relatedness.quantization"):
        monkeypatch.setattr(f"{module}.BLOCK", block)
    rng = np.random.default_rng(3)
    upper = np.triu(rng.random((19, 19)) * (rng.random((19, 19)) < 0.4), 1).astype(np.float32)
    matrix = upper + upper.T
    matrix[5] = matrix[:, 5] = 0
    stored = StoredPairs(**encode_pairs(sparse(matrix), np.zeros(19, np.float32)))
    assert stored.blocks == -(-19 // compact.BLOCK)
    for word in range(19):
        ids, values = stored.partners(word)
        assert ids.tolist() == np.flatnonzero(matrix[word]).tolist()
        np.testing.assert_array_equal(values, matrix[word, ids])
    a, b = np.divmod(np.arange(19**2), 19)
    places = stored.find(a, b)
    assert ((places >= 0) == (matrix.ravel() > 0)).all()
    found = stored.levels[stored.values[places[places >= 0]]]
    np.testing.assert_array_equal(found, matrix.ravel()[matrix.ravel() > 0])
