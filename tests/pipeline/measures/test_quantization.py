"""Numbers in few bits, decoded again by the library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.measures.factors import Factors
from pipeline.measures.quantization import (
    Levels,
    Precision,
    choose_levels,
    encode_knots,
    encode_numbers,
    encode_pairs,
)
from pipeline.measures.tiling import PairList
from tests.support.matrices import sparse
from wordkin.measures import compact
from wordkin.measures.codes import Packed, code_bytes, middle, pack
from wordkin.measures.compact import LEVELS, StoredPairs

FLOATS = st.floats(-100, 100, width=32)


def random_factors(words: int, directions: int, seed: int = 0) -> Factors:
    rng = np.random.default_rng(seed)
    sizes = np.geomspace(10, 0.01, directions)
    numbers = (rng.standard_normal((words, directions)) * sizes).astype(np.float32)
    return Factors(numbers, rng.choice([-1.0, 1.0], directions).astype(np.float32))


def even(bits: int) -> Precision:
    """So many bits for all words."""
    return Precision(0, bits, bits)


@pytest.mark.parametrize("bits", range(2, 9))
@pytest.mark.parametrize("directions", [0, 1, 7, 8, 13])
def test_numbers_are_packed_one_after_the_other(bits: int, directions: int) -> None:
    top = 2 ** (bits - 1) - 1
    numbers = np.random.default_rng(bits).integers(-top, top + 1, (5, directions)).astype(np.int8)
    packed = pack(numbers, bits)
    assert packed.shape == (5, code_bytes(directions, bits))
    np.testing.assert_array_equal(Packed(packed, bits).numbers(directions), numbers)
    if bits < 8:
        # All bits of a word in a row, the lowest bit of each number first.
        stream = np.unpackbits(packed, axis=1, bitorder="little")[:, : directions * bits]
        places = stream.reshape(5, directions, bits) @ (1 << np.arange(bits))
        np.testing.assert_array_equal(places - middle(bits), numbers)


@pytest.mark.parametrize(
    ("bits", "error"), [(8, 0.02), (7, 0.04), (6, 0.08), (5, 0.13), (4, 0.25), (3, 0.65)]
)
@pytest.mark.parametrize("directions", [1, 6, 7])
def test_decoded_numbers_are_close_to_the_original_ones(
    bits: int, error: float, directions: int
) -> None:
    factors = random_factors(60, directions)
    codes = encode_numbers(factors, even(bits))
    assert codes.bits == [bits]
    assert codes.others.rows.nbytes == 60 * code_bytes(directions, bits)
    sizes = np.sqrt(np.abs(codes.weights))
    np.testing.assert_array_equal(np.sign(codes.weights), factors.signs)
    # Weak directions are as precise as strong ones, relative to their size.
    difference = np.abs(codes.numbers() * sizes - factors.numbers) / sizes
    assert np.sqrt(np.square(difference).mean()) < error


@pytest.mark.parametrize("bits", range(3, 9))
def test_a_word_keeps_the_length_of_its_numbers(bits: int) -> None:
    factors = random_factors(60, 9)
    codes = encode_numbers(factors, even(bits))
    decoded = codes.numbers() * np.sqrt(np.abs(codes.weights))
    lengths = np.linalg.norm(factors.numbers, axis=1)
    np.testing.assert_allclose(np.linalg.norm(decoded, axis=1), lengths, rtol=1e-5)


@pytest.mark.parametrize("frequent", [1, 20, 60, 100])
def test_frequent_words_have_bits_of_their_own(frequent: int) -> None:
    factors = random_factors(60, 9)
    codes = encode_numbers(factors, Precision(frequent, 8, 3))
    assert codes.bits == [8, 3]
    exactly, roughly = (encode_numbers(factors, even(bits)) for bits in (8, 3))
    expected = np.concatenate([exactly.numbers()[:frequent], roughly.numbers()[frequent:]])
    np.testing.assert_array_equal(codes.numbers(), expected)
    asked = np.array([59, 0, 19, 20, 0])
    np.testing.assert_array_equal(codes.numbers(asked), expected[asked])
    np.testing.assert_array_equal(codes.numbers(slice(15, 30)), expected[15:30])


def test_a_word_without_numbers_stays_without() -> None:
    numbers = random_factors(5, 4).numbers
    numbers[2] = 0
    codes = encode_numbers(Factors(numbers, np.ones(4, np.float32)), even(4))
    assert not codes.numbers()[2].any()
    assert codes.numbers(np.array([1, 2, 1])).shape == (3, 4)


def test_pairs_of_frequent_words_have_levels_of_their_own() -> None:
    rng = np.random.default_rng(1)
    later, earlier = rng.integers(64, 200, 5000), rng.integers(0, 64, 5000)
    values = np.where(later < 128, 10, 1) * rng.random(5000).astype(np.float32)
    pairs = PairList(later, earlier, values.astype(np.float32))
    levels = Levels.of(pairs, Precision(128, 4, 2))
    assert (len(levels.frequent), len(levels.others), len(levels.all)) == (16, 4, 20)
    codes = levels.codes(pairs)
    for is_frequent, own in ((later < 128, levels.frequent), (later >= 128, levels.others)):
        nearest = own[np.abs(pairs.values[is_frequent, None] - own).argmin(axis=1)]
        np.testing.assert_array_equal(levels.all[codes[is_frequent]], nearest)


def test_few_levels_are_nearer_to_values_that_count_more() -> None:
    values = np.random.default_rng(0).random(20_000).astype(np.float32)
    plain, weighted = choose_levels(values, 4), choose_levels(values, 4, values**2)
    np.testing.assert_allclose(plain, [0.125, 0.375, 0.625, 0.875], atol=0.02)
    assert (weighted > plain + 0.02).all()
    some = values[:100]
    assert (np.diff(choose_levels(some, 64, some)) >= 0).all()


def test_knots_are_rounded_to_the_levels_of_their_part() -> None:
    rng = np.random.default_rng(2)
    knots = (rng.standard_normal((500, 2, 6)) * [[1], [100]]).astype(np.float32)
    arrays = encode_knots(knots)
    assert (arrays["knots"].dtype, arrays["knot_levels"].shape) == (np.uint8, (2, 256))
    for part in range(2):
        rounded = arrays["knot_levels"][part][arrays["knots"][:, part]]
        assert np.abs(rounded - knots[:, part]).mean() < 0.01 * knots[:, part].std()


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
    for module in ("wordkin.measures.compact", "pipeline.measures.quantization"):
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
