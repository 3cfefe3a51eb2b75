"""Pairs in tiles: written, and found again by the library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.relatedness.tiling import lower_pairs, tile_pairs
from tests.support.matrices import sparse
from wordkin.errors import InputError
from wordkin.measures.tiles import CELLS, DENSE, LOW_BITS, SIDE, TiledPairs, take_bits


def random_codes(words: int, density: float, bits: int, seed: int) -> np.ndarray:
    """A symmetric matrix of codes plus 1; 0 where there is no pair."""
    rng = np.random.default_rng(seed)
    there = np.tril(rng.random((words, words)) < density, -1)
    lower = np.where(there, 1 + rng.integers(0, 2**bits, (words, words)), 0)
    return lower + lower.T


def tiled(matrix: np.ndarray, bits: int) -> TiledPairs:
    pairs = lower_pairs(sparse(matrix.astype(np.float32)))
    codes = (pairs.values - 1).astype(np.uint8)
    return tile_pairs(len(matrix), pairs.later, pairs.earlier, codes, bits)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 200),
    st.sampled_from([0.0, 0.001, 0.02, 0.2, 0.3, 1.0]),
    st.integers(1, 8),
    st.integers(0, 99),
)
def test_every_pair_is_found_again(words: int, density: float, bits: int, seed: int) -> None:
    matrix = random_codes(words, density, bits, seed)
    stored = tiled(matrix, bits)
    assert stored.fits()
    assert stored.pairs == np.count_nonzero(matrix) // 2
    asked = np.random.default_rng(seed).permutation(words)[:50]
    out = np.zeros((len(asked), words), np.int64)
    for piece in stored.partners(asked):
        out[piece.row, piece.partner] = 1 + stored.codes_of(piece.number)
    np.testing.assert_array_equal(out, matrix[asked])
    a, b = np.divmod(np.random.default_rng(seed).permutation(words**2)[:3000], words)
    numbers = stored.find(a, b)
    np.testing.assert_array_equal(numbers >= 0, matrix[a, b] > 0)
    at = numbers >= 0
    np.testing.assert_array_equal(1 + stored.codes_of(numbers[at]), matrix[a, b][at])


def test_many_pairs_are_decoded_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wordkin.measures.tiles._ENTRIES_AT_ONCE", 100)
    matrix = random_codes(150, 0.2, 4, 1)
    stored = tiled(matrix, 4)
    pieces = list(stored.partners(np.arange(150)))
    assert len(pieces) > 10
    out = np.zeros_like(matrix)
    for piece in pieces:
        out[piece.row, piece.partner] = 1 + stored.codes_of(piece.number)
    np.testing.assert_array_equal(out, matrix)
    a, b = np.divmod(np.arange(150**2), 150)
    np.testing.assert_array_equal(stored.find(a, b) >= 0, matrix[a, b] > 0)


@pytest.mark.parametrize("count", [1, 2, 10, 100, DENSE - 1, DENSE, CELLS])
def test_few_bits_per_pair(count: int) -> None:
    # No code has fewer bits than the logarithm of the number of possible sets of cells.
    share = count / CELLS
    least = -CELLS * sum(p * np.log2(p) for p in (share, 1 - share) if p)
    taken = CELLS if count >= DENSE else count * (1 + LOW_BITS[count]) + (CELLS >> LOW_BITS[count])
    assert least <= taken + 1e-6
    assert taken <= 1.25 * least + 4 or count >= DENSE


def test_the_worked_example() -> None:
    stored = tile_pairs(
        3, np.array([1, 2], np.int32), np.array([0, 1], np.int32), np.array([5, 6], np.uint8), 4
    )
    assert (SIDE, LOW_BITS[2]) == (64, 10)
    assert stored.counts.tolist() == [2]
    assert stored.highs.tolist() == [0b11]
    numbers = take_bits(stored.lows, np.array([0, 10]), np.array([10, 10]))
    assert numbers.tolist() == [64, 129]
    assert stored.codes.tolist() == [5 | 6 << 4, 0, 0, 0]


def test_damaged_bits_are_refused() -> None:
    stored = tiled(random_codes(100, 0.05, 4, 2), 4)
    damaged = TiledPairs(100, 4, stored.counts, stored.highs ^ 1, stored.lows, stored.codes)
    assert damaged.fits()
    with pytest.raises(InputError):
        list(damaged.partners(np.arange(100)))
    assert not TiledPairs(101, 4, stored.counts, stored.highs, stored.lows[1:], stored.codes).fits()
