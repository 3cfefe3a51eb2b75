"""The window counter: exact, whatever the window, the weights and the memory."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from pipeline.count import counter as counter_module
from pipeline.count import windows
from pipeline.count.bands import Bands, unpack
from pipeline.count.counter import WindowCounter, check_exact
from pipeline.count.windows import weights_of
from tests.support import oracle
from tests.support.corpora import WORDS
from wordkin.errors import InputError

Documents = list[list[str]]
"""Documents of words, without lines."""


def pair_counts(counter: WindowCounter, words: list[str]) -> Counter[tuple[str, str]]:
    """What a counter has counted, read from its blocks."""
    bands = Bands(len(words), cells=5)
    counts: Counter[tuple[str, str]] = Counter()
    for band, block in counter.blocks(bands):
        pairs = unpack(block)
        low, high = bands.rows(band)
        lengths, columns = bands.rows_and_columns(band, pairs.keys)
        rows = np.repeat(np.arange(low, high), lengths)
        for a, b, count in zip(rows, columns, pairs.values.tolist(), strict=True):
            counts[words[a], words[b]] += count
            counts[words[b], words[a]] += count
    return counts


def add(counter: WindowCounter, codes: ArrayLike, bounds: ArrayLike) -> None:
    """Count a text by the codes of its tokens, as if each of them had a type of its own."""
    types = np.asarray(codes, np.int32)
    counter.add(np.arange(len(types), dtype=np.int32), types, np.asarray(bounds, np.int64))


def count(
    documents: Documents,
    words: list[str],
    window: int,
    weighting: str,
    stop_words: set[str] = frozenset(),
    dense: int | None = None,
    room: int = 1000,
) -> Counter[tuple[str, str]]:
    """Count with a triangle over the first `dense` words (default: all)."""
    ids = {word: i for i, word in enumerate(words)}
    stop_codes = dict.fromkeys(stop_words, windows.STOP)
    codes = [
        ids.get(word, stop_codes.get(word, windows.OUTSIDE))
        for document in documents
        for word in document
    ]
    bounds = np.cumsum([0] + [len(document) for document in documents])
    weights, _ = weights_of(window, weighting)
    counter = WindowCounter(len(words), weights, len(words) if dense is None else dense, room)
    add(counter, codes, bounds)
    return pair_counts(counter, words)


@given(
    st.lists(st.lists(st.sampled_from("abcdefgxyz"), max_size=30), max_size=6),
    # The sums of a harmonic window above 36 do not fit, even for documents as small as these.
    st.tuples(st.integers(1, 50), st.sampled_from(["uniform", "linear"]))
    | st.tuples(st.integers(1, 36), st.just("harmonic")),
    st.booleans(),
    st.integers(0, 7),
    st.integers(1, 7),
)
def test_counts_follow_the_specification(
    documents: Documents, windowed: tuple[int, str], drop: bool, dense: int, size: int
) -> None:
    window, weighting = windowed
    words, stop_words = WORDS[:size], {"x", "y"}
    expected = oracle.window_counts(documents, words, window, weighting, stop_words, drop)
    dropped = stop_words if drop else set()
    assert count(documents, words, window, weighting, dropped, min(dense, size)) == expected


def test_words_outside_the_vocabulary_keep_their_place_and_stop_words_do_not() -> None:
    document = [["a", "z", "x", "b"]]
    counts = count(document, ["a", "b"], 2, "uniform", stop_words={"x"})
    assert counts["a", "b"] == 1  # z stays between them, x does not
    assert not count(document, ["a", "b"], 2, "uniform")


def test_a_cell_that_overflows_loses_nothing() -> None:
    counter = WindowCounter.within(64, 2, np.array([0, 2**16], np.int64))
    repeats = 2**17 + 3
    codes = np.tile(np.array([0, 1], np.int32), repeats)
    add(counter, codes, [0, len(codes)])
    assert counter.overflow
    assert pair_counts(counter, ["a", "b"])["a", "b"] == (2 * repeats - 1) * 2**16


@pytest.mark.parametrize("room", [1, 13, 10_000])
def test_small_buffers_are_enough_for_a_long_text(
    monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(counter_module, "SPARSE_BUFFER", 50)
    documents = [np.random.default_rng(5).choice(WORDS, 5000).tolist()]
    expected = oracle.window_counts(documents, WORDS, 12, "harmonic")
    assert count(documents, WORDS, 12, "harmonic", dense=2, room=room) == expected


def test_sparse_blocks_that_are_taken_early_add_up_with_the_rest() -> None:
    bands = Bands(len(WORDS))
    codes = np.random.default_rng(6).integers(0, len(WORDS), 400).astype(np.int32)
    weights, _ = weights_of(3, "linear")
    counter = WindowCounter(len(WORDS), weights, dense=2, room=10)
    counts: Counter[int] = Counter()
    for half in (codes[:200], codes[200:]):
        add(counter, half, [0, 200])
        assert counter.crowded
        for _, block in counter.take_sparse_blocks(bands):
            keys, values = unpack(block)
            counts.update(dict(zip(keys.tolist(), values.tolist(), strict=True)))
        assert not counter.crowded
    for _, block in counter.blocks(bands):
        keys, values = unpack(block)
        counts.update(dict(zip(keys.tolist(), values.tolist(), strict=True)))
    letters = [WORDS[code] for code in codes]
    expected = oracle.window_counts([letters[:200], letters[200:]], WORDS, 3, "linear")
    assert sum(counts.values()) == sum(expected.values()) / 2
    assert len(counts) == len(expected) / 2


@pytest.mark.parametrize(
    ("weighting", "weights", "scale"),
    [
        ("uniform", [0, 1, 1, 1, 1], 1),
        ("linear", [0, 4, 3, 2, 1], 4),
        ("harmonic", [0, 12, 6, 4, 3], 12),
    ],
)
def test_weights_are_whole_numbers(weighting: str, weights: list[int], scale: int) -> None:
    integers, by = weights_of(4, weighting)
    assert (integers.tolist(), by) == (weights, scale)


def test_a_harmonic_window_whose_weights_do_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match=r"counts\.window.* at most 42"):
        weights_of(50, "harmonic")
    weights_of(42, "harmonic")


def test_a_window_whose_sums_would_not_be_exact_is_refused_with_one_that_fits() -> None:
    check_exact(5_692_000_000, 10, "harmonic")
    check_exact(5_692_000_000, 50, "uniform")
    check_exact(5_692_000_000, 50, "linear")
    with pytest.raises(InputError, match="window of at most 18, or linear"):
        check_exact(5_692_000_000, 20, "harmonic")
    check_exact(5_692_000_000, 18, "harmonic")
