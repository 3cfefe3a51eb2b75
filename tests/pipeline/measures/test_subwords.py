"""Vectors of n-grams: the regression against a dense oracle, and what comes out of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.measures import subwords
from pipeline.measures.subwords import gram_features, learn_subwords, ridge_regression
from pipeline.settings import SubwordSize
from wordkin.language.subwords import Subwords, buckets, grams
from wordkin.vocabulary import Vocabulary

# Each stem has a meaning of its own, and its forms share it.
STEMS = "garden winter pocket silver marble hunter branch castle"
ENDINGS = ["", "s", "er", "ing", "like"]
WORDS = [stem + ending for stem in STEMS.split() for ending in ENDINGS]


def stem_vectors() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    stems = np.eye(len(STEMS.split()), dtype=np.float32)
    return np.repeat(stems, len(ENDINGS), axis=0)


def learned() -> Subwords:
    counts = range(len(WORDS), 0, -1)
    return learn_subwords(Vocabulary(WORDS, counts, counts), stem_vectors())


def test_a_smaller_size_has_fewer_bytes_and_still_answers() -> None:
    rng = np.random.default_rng(4)
    words = [f"{a}{b}" for a in "bcdfg" for b in ("anana", "erry", "omato", "arrot")]
    vocabulary = Vocabulary(words, range(len(words), 0, -1), [1] * len(words))
    vectors = rng.standard_normal((len(words), 30)).astype(np.float32)
    small = learn_subwords(vocabulary, vectors, SubwordSize(buckets=64, dimensions=8, words=5))
    assert small.grams.codes.shape == (64, 8)
    assert small.words.codes.shape == (5, 8)
    assert {entry.word for entry in small.resolve("banan", vocabulary).words} <= set(words[:5])


def test_a_word_has_n_grams_with_its_borders() -> None:
    assert grams("cat") == ["<ca", "cat", "at>", "<cat", "cat>", "<cat>"]
    assert grams("a") == ["<a>"]


def test_the_features_of_a_word_are_the_shares_of_its_buckets() -> None:
    features = gram_features(["cat", "tomato"], 64).toarray()
    expected = np.zeros((2, 64))
    for row, word in enumerate(("cat", "tomato")):
        for bucket in buckets(word, 64):
            expected[row, bucket] += 1 / len(grams(word))
    np.testing.assert_allclose(features, expected)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_conjugate_gradients_reach_the_solution_of_the_normal_equations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features = gram_features(WORDS, 24)
    targets, weights = rng.normal(size=(len(WORDS), 3)), rng.uniform(0.1, 1, len(WORDS))
    dense = features.toarray()
    normal = dense.T @ (weights[:, None] * dense) + subwords.RIDGE * np.eye(24)
    expected = np.linalg.solve(normal, dense.T @ (weights[:, None] * targets))
    np.testing.assert_allclose(ridge_regression(features, targets, weights), expected, atol=1e-4)


@pytest.mark.parametrize("word", ["gardens", "winterlike", "pocketful", "silverish", "marbles"])
def test_an_unknown_word_is_close_to_words_that_are_spelt_like_it(word: str) -> None:
    vocabulary = Vocabulary(WORDS, range(len(WORDS)), range(len(WORDS)))
    match = learned().resolve(word, vocabulary)
    assert match.words[0].word[:4] == word[:4]
    same = sum(entry.weight for entry in match.words if entry.word[:4] == word[:4])
    assert same > 0.6


def test_the_same_words_give_the_same_bytes_whatever_the_threads() -> None:
    results = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            results.append(learned())
    one, two = results
    for a, b in ((one.grams, two.grams), (one.words, two.words)):
        np.testing.assert_array_equal(a.codes, b.codes)
        np.testing.assert_array_equal(a.scales, b.scales)
    np.testing.assert_array_equal(one.mean, two.mean)


def test_the_columns_that_vary_most_are_kept() -> None:
    vectors = np.array([[0.1, 0.9], [0.1, -0.9], [0.2, 0.8]], dtype=np.float32)
    vocabulary = Vocabulary(["one", "two", "three"], [3, 2, 1], [1, 1, 1])
    result = learn_subwords(vocabulary, vectors, SubwordSize(dimensions=1))
    np.testing.assert_allclose(result.words.values()[:, 0], vectors[:, 1], atol=0.01)
