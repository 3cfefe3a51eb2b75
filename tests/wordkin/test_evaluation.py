"""Correlations with rated pairs: by hand, and against SciPy and gensim."""

from __future__ import annotations

import itertools
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.support.examples import at_most
from tests.support.matrices import Matrix, measure_of
from wordkin.evaluation import (
    COLUMNS,
    bootstrap,
    difference,
    evaluate,
)
from wordkin.measures.matrix import MatrixMeasure, Vectors
from wordkin.vocabulary import Vocabulary

WORDS = ["sun", "moon", "bread", "butter", "new", "york", "izmir"]
PAIRS = [
    ("sun", "moon", 9.0),
    ("bread", "butter", 8.0),
    ("sun", "bread", 2.0),
    ("moon", "butter", 1.0),
    ("sun", "comet", 7.0),
]


def measure(name: str = "npmi", seed: int = 1, words: list[str] = WORDS) -> MatrixMeasure:
    values = np.random.default_rng(seed).random((len(words), len(words)), dtype=np.float32)
    values = (values + values.T) / 2
    np.fill_diagonal(values, 0)
    return of_values(values, name, words)


def of_values(values: Matrix, name: str = "npmi", words: list[str] = WORDS) -> MatrixMeasure:
    return measure_of(name, Vocabulary(words, [1] * len(words), [1] * len(words)), values)


def by_hand() -> MatrixMeasure:
    """sun-moon .9, bread-butter .5, sun-bread .3, moon-butter .1, all other pairs 0."""
    values = np.zeros((len(WORDS), len(WORDS)), np.float32)
    for a, b, value in [(0, 1, 0.9), (2, 3, 0.5), (0, 2, 0.3), (1, 3, 0.1)]:
        values[a, b] = values[b, a] = value
    return of_values(values)


def test_a_small_case_by_hand() -> None:
    result = evaluate(by_hand(), PAIRS)
    # Covered: gold 9 8 2 1 and scores .9 .5 .3 .1 are in the same order.
    # Pearson: deviations (4 3 -3 -4) and (.45 .05 -.15 -.35): 3.8 / sqrt(50 * .35).
    assert result.spearman.statistic == pytest.approx(1.0)
    assert result.pearson.statistic == pytest.approx(3.8 / math.sqrt(50 * 0.35), abs=1e-6)
    # All: gold ranks 5 4 2 1 3, score ranks 5 4 3 2 1, so 1 - 6 * (0+0+1+1+4) / (5 * 24).
    assert result.spearman_all.statistic == pytest.approx(0.7)
    assert (result.pairs, result.covered, result.missing) == (5, 4, ("comet",))
    assert result.oov == pytest.approx(20.0)


def test_a_result_unpacks_like_that_of_gensim() -> None:
    result = evaluate(by_hand(), PAIRS)
    pearson, spearman, oov = result
    assert (pearson, spearman, oov) == (result.pearson, result.spearman, result.oov)
    expected = stats.pearsonr([9, 8, 2, 1], [0.9, 0.5, 0.3, 0.1])
    assert pearson[:2] == pytest.approx((expected.statistic, expected.pvalue), abs=1e-6)


def test_the_figures_are_those_of_gensim(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models.keyedvectors", reason="gensim is not installed")
    random = np.random.default_rng(5)
    words = [f"w{i}" for i in range(30)]
    vectors = random.normal(size=(30, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    theirs = gensim.KeyedVectors(8)
    theirs.add_vectors(words, vectors)
    vocabulary = Vocabulary(words, [1] * 30, [1] * 30)
    ours = MatrixMeasure("cosine", vocabulary, vectors=Vectors(vectors))
    lines = [f"W{i}\tw{j}\t{random.integers(0, 5)}" for i in range(30) for j in range(i + 1, 33)]
    path = tmp_path / "gold.tsv"
    path.write_text("\n".join(lines), encoding="utf-8")
    pearson, spearman, oov = theirs.evaluate_word_pairs(str(path))
    result = evaluate(ours, path, resamples=10)
    assert result.pearson[:2] == pytest.approx(tuple(pearson), abs=1e-5)
    assert result.spearman[:2] == pytest.approx(tuple(spearman), abs=1e-5)
    assert result.oov == pytest.approx(oov)


@st.composite
def rated(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    """Gold and scores with many ties."""
    few = st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])
    size = draw(st.integers(3, 25))
    lists = st.lists(few, min_size=size, max_size=size)
    return draw(lists), draw(lists)


@given(rated(), st.integers(0, 100))
@settings(max_examples=at_most(60), deadline=None)
def test_each_resample_has_the_correlation_of_the_drawn_pairs_by_scipy(
    rated_pairs: tuple[list[float], list[float]], seed: int
) -> None:
    gold, scores = map(np.array, rated_pairs)
    pearson, spearman = bootstrap(gold, scores, resamples=12, seed=seed)
    drawn = np.random.default_rng(seed).integers(0, len(gold), (12, len(gold)))
    for at, rows in enumerate(drawn):
        x, y = gold[rows], scores[rows]
        if len(set(x)) == 1 or len(set(y)) == 1:
            assert np.isnan(pearson[at]) and np.isnan(spearman[at])
        else:
            assert pearson[at] == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
            assert spearman[at] == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)


def test_more_resamples_begin_with_the_same_draws() -> None:
    gold, scores = np.random.default_rng(3).random((2, 40))
    few, _ = bootstrap(gold, scores, resamples=COLUMNS + 7, seed=1)
    many, _ = bootstrap(gold, scores, resamples=3 * COLUMNS, seed=1)
    assert (few == many[: len(few)]).all()


@pytest.mark.slow
def test_about_95_of_100_intervals_contain_the_truth() -> None:
    hits = 0
    for trial in range(200):
        random = np.random.default_rng(trial)
        x = random.normal(size=120)
        y = 0.6 * x + 0.8 * random.normal(size=120)  # the true correlation is .6
        words = [(f"a{i}", f"b{i}") for i in range(120)]
        values = [(a, b, float(v)) for (a, b), v in zip(words, x, strict=True)]
        result = evaluate(_scripted(words, y), values, resamples=200)
        hits += result.pearson.low <= 0.6 <= result.pearson.high
    assert 178 <= hits <= 199


def _scripted(words: list[tuple[str, str]], scores: np.ndarray) -> MatrixMeasure:
    flat = [word for pair in words for word in pair]
    values = measure(words=flat).rows(range(len(flat)))
    for i, score in enumerate(scores):
        values[2 * i, 2 * i + 1] = values[2 * i + 1, 2 * i] = score
    return of_values(values, words=flat)


def test_the_same_seed_gives_the_same_interval_and_another_seed_does_not() -> None:
    pairs = [(a, b, float(i)) for i, (a, b) in enumerate(itertools.pairwise(WORDS))]
    same = [evaluate(measure(), pairs, seed=4).pearson for _ in range(2)]
    assert same[0] == same[1]
    assert evaluate(measure(), pairs, seed=5).pearson.low != same[0].low


def test_a_difference_is_sure_only_between_a_good_and_a_bad_measure() -> None:
    random = np.random.default_rng(0)
    truth = random.normal(size=150)
    words = [(f"a{i}", f"b{i}") for i in range(150)]
    pairs = [(a, b, float(v)) for (a, b), v in zip(words, truth, strict=True)]
    good = evaluate(_scripted(words, truth + 0.5 * random.normal(size=150)), pairs)
    equally_good = evaluate(_scripted(words, truth + 0.5 * random.normal(size=150)), pairs)
    bad = evaluate(_scripted(words, truth + 3 * random.normal(size=150)), pairs)
    assert difference(good, bad).sure and difference(good, bad).low > 0
    assert not difference(good, equally_good).sure
    assert difference(good, good) == (0, 0, 0)
    ab, ba = difference(good, bad), difference(bad, good)
    assert ab == pytest.approx((-ba.value, -ba.high, -ba.low))


def test_only_evaluations_of_the_same_pairs_can_be_compared() -> None:
    result = evaluate(by_hand(), PAIRS)
    with pytest.raises(ValueError, match="same pairs"):
        difference(result, evaluate(by_hand(), PAIRS[:4]))
    smaller = evaluate(measure(words=WORDS[:3]), PAIRS)
    with pytest.raises(ValueError, match="same pairs"):
        difference(result, smaller)
    expected = result.spearman_all.statistic - smaller.spearman_all.statistic
    assert difference(result, smaller, "spearman_all").value == expected


def test_a_constant_side_has_no_correlation_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = evaluate(by_hand(), [(a, b, 5.0) for a, b, _ in PAIRS])
        none = evaluate(by_hand(), [("a", "b", 1.0), ("c", "d", 2.0), ("e", "f", 3.0)])
        empty = evaluate(by_hand(), [])
    assert all(math.isnan(x) for x in (*result.pearson, *result.spearman_all))
    assert math.isnan(none.pearson.statistic) and none.oov == 100.0
    assert (empty.pairs, empty.covered) == (0, 0) and math.isnan(empty.oov)


def test_unrated_pairs_and_pairs_of_a_word_with_itself_are_left_out_and_counted() -> None:
    result = evaluate(by_hand(), [*PAIRS, ("sun", "SUN", 10.0), ("sun", "york", math.nan)])
    assert (result.identical, result.unrated, result.pairs) == (1, 1, 5)
    assert result.spearman_all == evaluate(by_hand(), PAIRS).spearman_all


def test_repeated_pairs_count_each_time() -> None:
    repeated = evaluate(by_hand(), [*PAIRS, PAIRS[2]])
    gold, scores = [9, 8, 2, 1, 7, 2], [0.9, 0.5, 0.3, 0.1, 0, 0.3]
    assert repeated.pairs == 6
    assert repeated.spearman_all.statistic == pytest.approx(stats.spearmanr(gold, scores).statistic)


def test_gold_words_are_looked_up_in_the_form_of_the_language() -> None:
    pairs = [("İzmir", "Sun", 3.0), ("New York", "moon", 5.0)]
    assert evaluate(by_hand(), pairs).missing == ("i̇zmir", "new york")
    turkish = evaluate(by_hand(), pairs, normal=lambda w: w.replace("İ", "i").lower())
    assert turkish.missing == ("new york",)
