"""Counts by slice, against an oracle of ten lines."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.count import windows
from pipeline.count.windows import weights_of
from pipeline.judge.slices import SLICES, SliceCounts, WantedPairs, add_up, count_slices

WORDS = 6
PAIRS = np.array([[0, 1], [3, 1], [1, 3], [5, 2]])

documents_of_codes = st.lists(
    st.lists(st.integers(windows.STOP, WORDS - 1), max_size=20), min_size=1, max_size=6
)


@given(documents_of_codes, st.integers(1, 4), st.integers(0, 99))
def test_each_slice_has_the_windows_of_its_documents(
    documents: list[list[int]], window: int, seed: int
) -> None:
    slices = np.random.default_rng(seed).integers(0, SLICES, len(documents))
    wanted = WantedPairs.of(PAIRS, WORDS)
    weights, _ = weights_of(window, "harmonic")
    marginals = np.zeros((SLICES, WORDS), np.int64)
    pairs = np.zeros((SLICES, len(wanted.partners)), np.int64)
    codes = np.array([code for document in documents for code in document], np.int32)
    tokens = np.arange(len(codes), dtype=np.int32)  # each of its own type
    lengths = [len(document) for document in documents]
    word_positions = windows.find_words(tokens, codes, np.cumsum([0, *lengths]), window)
    by_word = np.repeat(slices, lengths)[codes >= 0]
    count_slices(word_positions, by_word, weights, *wanted, marginals, pairs)

    expected: Counter[tuple[int, int, int]] = Counter()
    for part, document in zip(slices.tolist(), documents, strict=True):
        words = [code for code in document if code != windows.STOP]
        for i, a in enumerate(words):
            for distance, b in enumerate(words[i + 1 : i + 1 + window], start=1):
                if a >= 0 and b >= 0 and a != b:
                    expected[part, a, b] += int(weights[distance])
                    expected[part, b, a] += int(weights[distance])
    for part in range(SLICES):
        for a in range(WORDS):
            assert marginals[part, a] == sum(expected[part, a, b] for b in range(WORDS))
        places = wanted.places(np.array([1, 1, 5]), np.array([0, 3, 2]))
        counts = pairs[part, places].tolist()
        assert counts == [expected[part, 1, 0], expected[part, 1, 3], expected[part, 5, 2]]


def test_a_pair_is_wanted_once_whatever_its_order() -> None:
    wanted = WantedPairs.of(PAIRS, WORDS)
    assert wanted.partners.tolist() == [1, 3, 5]
    assert wanted.starts.tolist() == [0, 1, 2, 3, 3, 3, 3]


def test_the_counts_of_tasks_add_up() -> None:
    ones = SliceCounts(np.ones((8, 2), int), np.ones((8, 3), int), np.arange(8))
    total = add_up([ones, ones])
    assert (total.marginals == 2).all() and (total.pairs == 2).all()
    assert total.tokens.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
