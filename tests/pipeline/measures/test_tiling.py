"""Pairs in tiles: written, and found again by the library."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.measures.tiling import lower_pairs, tile_pairs
from tests.support.examples import at_most
from tests.support.matrices import sparse
from wordkin.errors import InputError
from wordkin.measures.tiles import (
    CELLS,
    DENSE,
    LOW_BITS,
    SIDE,
    PairBits,
    RowCache,
    TiledPairs,
    take_bits,
)

FOUR = PairBits(4)
BITS = st.builds(PairBits, st.integers(1, 8), st.just(0), st.just(0)) | st.builds(
    PairBits, st.integers(1, 8), st.integers(1, 8), st.sampled_from([0, SIDE, 10 * SIDE])
)


def random_codes(words: int, density: float, bits: PairBits, seed: int) -> np.ndarray:
    """A symmetric matrix of codes plus 1; 0 where there is no pair."""
    rng = np.random.default_rng(seed)
    there = np.tril(rng.random((words, words)) < density, -1)
    codes = bits.first_other + rng.integers(0, 2**bits.others, (words, words))
    if bits.words:
        some = slice(0, bits.words)
        codes[some, some] = rng.integers(0, 2**bits.frequent, codes[some, some].shape)
    lower = np.where(there, 1 + codes, 0)
    return lower + lower.T


def tiled(matrix: np.ndarray, bits: PairBits) -> TiledPairs:
    pairs = lower_pairs(sparse(matrix.astype(np.float32)))
    codes = (pairs.values - 1).astype(np.uint16)
    return tile_pairs(len(matrix), pairs.later, pairs.earlier, codes, bits)


def plainly_tiled(matrix: np.ndarray, bits: PairBits, later_first: bool) -> TiledPairs:
    """The same, written bit by bit as the docstring of `wordkin.measures.tiles` says."""
    words, counts, highs, lows, codes = len(matrix), [], [], "", ""
    bands = [range(start, min(start + SIDE, words)) for start in range(0, words, SIDE)]
    for number, later_band in enumerate(bands):
        for earlier_band in bands[: number + 1]:
            cells = {}
            for later in later_band:
                for earlier in earlier_band:
                    if earlier < later and matrix[later, earlier]:
                        first, second = (later, earlier) if later_first else (earlier, later)
                        cell = SIDE * (first % SIDE) + second % SIDE
                        cells[cell] = matrix[later, earlier] - 1
            counts.append(len(cells))
            width, ones = LOW_BITS[len(cells)], set()
            for place, cell in enumerate(sorted(cells)):
                ones.add(cell if len(cells) >= DENSE else (cell >> width) + place)
                # The lowest bit comes first.
                lows += f"{cell % (1 << width):0{width}b}"[::-1] if width else ""
                if later_band[-1] < bits.words:
                    codes += f"{cells[cell]:0{bits.frequent}b}"[::-1]
                else:
                    codes += f"{cells[cell] - bits.first_other:0{bits.others}b}"[::-1]
            size = CELLS if len(cells) >= DENSE else len(cells) + (CELLS >> width)
            highs += [bit in ones for bit in range(-(-size // 8) * 8)] if cells else []

    def packed(stream: str) -> np.ndarray:
        ones = np.array([bit == "1" for bit in stream], dtype=bool)
        return np.concatenate([np.packbits(ones, bitorder="little"), np.zeros(3, np.uint8)])

    high_bytes = np.packbits(np.array(highs, dtype=bool), bitorder="little")
    arrays = np.array(counts, np.uint16), high_bytes, packed(lows), packed(codes)
    return TiledPairs(words, bits, *arrays, later_first=later_first)


@settings(deadline=None, max_examples=20)
@given(
    st.integers(1, 150),
    st.sampled_from([0.0, 0.001, 0.02, 0.2, 0.3, 1.0]),
    BITS,
    st.integers(0, 99),
)
def test_pairs_are_stored_as_described(
    words: int, density: float, bits: PairBits, seed: int
) -> None:
    matrix = random_codes(words, density, bits, seed)
    stored, expected = tiled(matrix, bits), plainly_tiled(matrix, bits, later_first=False)
    for name in ("counts", "highs", "lows", "codes"):
        np.testing.assert_array_equal(getattr(stored, name), getattr(expected, name))


@settings(deadline=None, max_examples=at_most(40))
@given(
    st.integers(1, 200),
    st.sampled_from([0.0, 0.001, 0.02, 0.2, 0.3, 1.0]),
    BITS,
    st.integers(0, 99),
    st.booleans(),
)
def test_every_pair_is_found_again(
    words: int, density: float, bits: PairBits, seed: int, later_first: bool
) -> None:
    matrix = random_codes(words, density, bits, seed)
    stored = plainly_tiled(matrix, bits, True) if later_first else tiled(matrix, bits)
    stored.check()
    assert stored.fits()
    assert stored.pairs == np.count_nonzero(matrix) // 2
    for word in np.random.default_rng(seed).permutation(words)[:50].tolist():
        partners, codes = stored.row(word)
        np.testing.assert_array_equal(partners, np.flatnonzero(matrix[word]))
        np.testing.assert_array_equal(1 + codes, matrix[word, partners])
    # Some pairs are found by rows that are kept, others in tiles.
    a, b = np.divmod(np.random.default_rng(seed).permutation(words**2)[:3000], words)
    np.testing.assert_array_equal(1 + stored.find(a, b), matrix[a, b])
    unread = replace(stored, kept=RowCache())
    np.testing.assert_array_equal(1 + unread.find(a, b), matrix[a, b])


def test_many_pairs_are_decoded_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wordkin.measures.tiles._ENTRIES_AT_ONCE", 100)
    monkeypatch.setattr("wordkin.measures.tiles.ROW_PAIRS", 1000)
    matrix = random_codes(150, 0.2, FOUR, 1)
    a, b = np.divmod(np.arange(150**2), 150)
    np.testing.assert_array_equal(1 + tiled(matrix, FOUR).find(a, b), matrix[a, b])


def test_a_row_has_pairs_of_tiles_of_every_density() -> None:
    # From band to band, pairs become rarer: all numbers of low bits are in one row.
    words, rng = 14 * SIDE, np.random.default_rng(5)
    bands = np.arange(words) // SIDE
    density = 0.7 / 1.8 ** (bands[:, None] + bands)
    lower = np.tril(rng.random((words, words)) < density, -1) * 1
    matrix = lower + lower.T
    stored = tiled(matrix, PairBits(1))
    used = stored.counts[stored.counts > 0]
    assert {0, 2, 3, 4, 5, 6, 7, 8, 9, 10} <= set(LOW_BITS[used].tolist())
    assert used.max() >= DENSE
    later_first = plainly_tiled(matrix, PairBits(1), later_first=True)
    asked = np.random.default_rng(6).permutation(words)
    for pairs in (stored, later_first):
        for word, row in zip(asked, pairs.rows(asked), strict=True):
            np.testing.assert_array_equal(row.partners, np.flatnonzero(matrix[word]))
    # A word may be asked for twice.
    twice = replace(stored, kept=RowCache(0)).rows(np.array([7, 3, 7]))
    assert [row.partners.tolist() for row in twice] == [
        np.flatnonzero(matrix[word]).tolist() for word in (7, 3, 7)
    ]


def test_the_newest_rows_are_kept_within_a_number_of_bytes() -> None:
    stored = tiled(random_codes(100, 0.5, FOUR, 3), FOUR)
    first = stored.row(0)
    assert stored.row(0) is first
    small = RowCache(first.nbytes * 3)
    for word in range(10):
        small.keep(word, stored.row(word))
        assert small.get(word) is stored.row(word)
        assert small.nbytes <= first.nbytes * 3
    assert small.get(0) is None
    assert small.nbytes == sum(
        row.nbytes for word in range(10) if (row := small.get(word)) is not None
    )
    nothing = RowCache(0)
    nothing.keep(0, first)
    assert (nothing.get(0), nothing.nbytes) == (None, 0)


def test_threads_share_the_rows() -> None:
    matrix = random_codes(300, 0.1, FOUR, 4)
    stored = replace(tiled(matrix, FOUR), kept=RowCache(2000))
    with ThreadPoolExecutor(4) as threads:
        rows = list(threads.map(stored.row, [word for word in range(300) for _ in range(3)]))
    for at, row in enumerate(rows):
        np.testing.assert_array_equal(row.partners, np.flatnonzero(matrix[at // 3]))
    assert stored.kept.nbytes <= 2000


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
        3, np.array([1, 2], np.int32), np.array([0, 1], np.int32), np.array([5, 6], np.uint16), FOUR
    )
    assert (SIDE, LOW_BITS[2]) == (64, 10)
    assert stored.counts.tolist() == [2]
    assert stored.highs.tolist() == [0b11]
    numbers = take_bits(stored.lows, np.array([0, 10]), np.array([10, 10]))
    assert numbers.tolist() == [1, 66]
    assert stored.codes.tolist() == [5 | 6 << 4, 0, 0, 0]


def test_damaged_bits_are_refused() -> None:
    stored = tiled(random_codes(100, 0.05, FOUR, 2), FOUR)
    damaged = replace(stored, highs=stored.highs ^ np.uint8(1), kept=RowCache())
    assert damaged.fits()
    with pytest.raises(InputError):
        damaged.row(0)
    with pytest.raises(InputError):
        damaged.check()
    assert not TiledPairs(
        101, FOUR, stored.counts, stored.highs, stored.lows[1:], stored.codes
    ).fits()


@pytest.mark.parametrize("density", [0.002, 0.05, 0.5])
def test_random_damage_gives_rows_or_one_error(density: float) -> None:
    words, rng = 150, np.random.default_rng(6)
    stored = tiled(random_codes(words, density, FOUR, 6), FOUR)
    stored.check()
    refused = 0
    for _ in range(60):
        highs = stored.highs.copy()
        # As many ones as before: some move to another place, maybe into another tile.
        bits = np.unpackbits(highs, bitorder="little")
        moved = rng.choice(len(bits), 2 + rng.integers(0, 30), replace=False)
        bits[moved] = bits[rng.permutation(moved)]
        damaged = replace(stored, highs=np.packbits(bits, bitorder="little"), kept=RowCache())
        for word in range(0, words, 7):
            try:
                partners = damaged.row(word).partners
            except InputError:
                refused += 1
            else:
                assert ((partners >= 0) & (partners < words)).all()
    assert refused


def test_words_beyond_the_vocabulary_are_refused() -> None:
    stored = tiled(random_codes(100, 0.3, FOUR, 7), FOUR)
    fewer = replace(stored, words=70, kept=RowCache())
    with pytest.raises(InputError):
        fewer.check()
    with pytest.raises(InputError):
        fewer.row(0)
