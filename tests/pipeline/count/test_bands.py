"""Bands and blocks: each pair is in one band, and blocks add up to exact sums."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.count.bands import (
    Bands,
    Pairs,
    add_blocks,
    block_length,
    pack,
    pair_keys,
    unpack,
)


def random_upper(words: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.triu(random.integers(0, 3, (words, words)), 1)


def joined(bands: Bands, by_band: list[tuple[int, Pairs]]) -> np.ndarray:
    """The matrix that the pairs of all bands are."""
    upper = np.zeros((bands.words, bands.words), np.int64)
    for band, pairs in by_band:
        low, high = bands.rows(band)
        assert (np.diff(pairs.keys.astype(np.int64)) > 0).all()
        assert pairs.keys.max() < bands.key_count(band)
        lengths, columns = bands.rows_and_columns(band, pairs.keys)
        upper[np.repeat(np.arange(low, high), lengths), columns] += pairs.values.astype(np.int64)
    return upper


@given(st.integers(2, 20), st.integers(1, 60), st.integers(0, 10**6))
def test_pairs_are_split_into_bands_and_found_again(words: int, cells: int, seed: int) -> None:
    upper = random_upper(words, seed)
    first, second = np.nonzero(upper)
    pairs = Pairs(pair_keys(first, second, words), upper[first, second])
    bands = Bands(words, cells)
    np.testing.assert_array_equal(joined(bands, list(bands.split(pairs))), upper)


@pytest.mark.parametrize("parts", [1, 2])
@given(st.integers(2, 20), st.integers(0, 20), st.integers(1, 60), st.integers(0, 10**6))
def test_a_dense_triangle_is_split_into_bands_and_found_again(
    parts: int, words: int, dense: int, cells: int, seed: int
) -> None:
    dense = min(dense, words)
    upper = random_upper(words, seed)
    upper[:, dense:] = 0
    columns, rows = np.tril_indices(dense, -1)  # column by column
    if parts == 2:
        upper[rows, columns] += random_upper(words, seed + 1)[rows, columns] << 16
        low, high = upper[rows, columns] & 0xFFFF, upper[rows, columns] >> 16
        split = low.astype(np.uint16), high.astype(np.uint16)
    else:
        split = upper[rows, columns].astype(np.uint64), np.empty(0, np.uint16)
    bands = Bands(words, cells)
    by_band = list(bands.split_triangle(*split, dense))
    np.testing.assert_array_equal(joined(bands, by_band), upper)


@given(
    st.lists(
        st.dictionaries(st.integers(0, 999), st.integers(1, 2**40), min_size=1, max_size=99),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([1000, 10**6]),  # few keys are added in a dense array, many by sorting
)
def test_blocks_add_up(counted: list[dict[int, int]], key_count: int) -> None:
    expected: Counter[int] = Counter()
    blocks = []
    for counts in counted:
        expected.update(counts)
        keys = np.array(sorted(counts), np.int64)
        blocks.append(pack(Pairs(keys, np.array([counts[key] for key in keys.tolist()]))))
        assert block_length(blocks[-1]) == len(counts)
        assert pack(add_blocks(blocks[-1:], key_count)) == blocks[-1]  # needs no adding up
    keys, values = unpack(pack(add_blocks(blocks, key_count)))
    assert dict(zip(keys.tolist(), values.tolist(), strict=True)) == expected


@pytest.mark.parametrize("largest", [1, 255, 256, 2**33, 2**62])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_a_block_has_all_pairs_however_many_and_large(largest: int, dtype: type) -> None:
    random = np.random.default_rng(largest % 1000)
    keys = np.cumsum(random.integers(1, 300, 5000)).astype(np.uint32)
    values = random.integers(1, largest, len(keys), endpoint=True).astype(dtype)
    unpacked = unpack(pack(Pairs(keys, values)))
    np.testing.assert_array_equal(unpacked.keys, keys)
    np.testing.assert_array_equal(unpacked.values, values)
